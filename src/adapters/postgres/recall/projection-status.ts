import type { ProjectionStatus } from "../../../core/projection/projection-status.ts";
import type { Sql } from "../database/client.ts";

export function createProjectionStatus(sql: Sql): () => Promise<ProjectionStatus> {
  return () => readProjectionStatus(sql);
}

async function readProjectionStatus(sql: Sql): Promise<ProjectionStatus> {
  const [[lines], reasons, indexes] = await Promise.all([
    sql`
      select count(*) filter (where kind <> 'embed') as pending,
             extract(epoch from now() - min(queued_at) filter (where kind <> 'embed'))::float8 as oldest_seconds,
             count(*) filter (where kind = 'embed') as unembedded
      from outbox where set_aside is null`,
    sql`select set_aside as reason, count(*) as count from outbox where set_aside is not null group by 1 order by 1`,
    sql`select name, state, scanned, total from index_generations order by created_at`,
  ]);
  return {
    pending: Number(lines?.pending),
    oldestSeconds: lines?.oldest_seconds as number | null,
    unembedded: Number(lines?.unembedded),
    setAside: Object.fromEntries(reasons.map((row) => [row.reason as string, Number(row.count)])),
    indexes: indexes.map((row) => ({
      name: row.name,
      state: row.state,
      scanned: row.scanned,
      total: row.total,
    })),
  };
}
