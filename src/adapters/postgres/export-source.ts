import type { ExportFilter, ExportSource, StoredMemory } from "../../core/transfer/export-source.ts";
import type { Fragment, Sql, TransactionSql } from "./client.ts";
import { isLive } from "./liveness.ts";
import { columns, toRecord } from "./memory-row.ts";

const BATCH_ROWS = 100;
/** Of one memory: the newest. A line holds them all, so they bound it. */
const VERSIONS_MAX = 200;

/** What an export reads, in a read-only snapshot that writers do not wait for. */
export function createExportSource(sql: Sql): ExportSource {
  return {
    async hasOwner({ kind, name }) {
      const rows = await sql`select from owners where kind = ${kind} and name = ${name}`;
      return rows.length > 0;
    },
    snapshot: (filter, work) =>
      sql.begin("isolation level repeatable read read only", async (snapshot) => {
        const chosen = sql`from memories m join owners o on o.id = m.owner_id where ${matches(snapshot, filter)}`;
        const [row] = await snapshot`select count(*) as count ${chosen}`;
        // A cursor over ids alone: the server sorts little, and other statements may run between two fetches.
        await snapshot`declare export_ids no scroll cursor for select m.id ${chosen} order by m.seq`;
        return work({ count: Number(row?.count), batches: () => batches(snapshot, filter.withVersions) });
      }) as never,
  };
}

function matches(sql: TransactionSql, { owner, projectId, status, now }: ExportFilter): Fragment {
  // An agent's quarantine is nobody's yet: no other database could bind the agent.
  return sql`o.kind <> 'agent'
    ${owner === null ? sql`` : sql`and o.kind = ${owner.kind} and o.name = ${owner.name}`}
    ${projectId === null ? sql`` : sql`and m.project_id = ${projectId}`}
    ${status === "kept" ? sql`and m.status <> 'soft_deleted'` : sql``}
    ${status === "active" ? sql`and ${isLive(sql, now)}` : sql``}`;
}

async function* batches(sql: TransactionSql, withVersions: boolean): AsyncGenerator<StoredMemory[]> {
  for (;;) {
    const ids = (await sql`fetch ${sql.unsafe(String(BATCH_ROWS))} from export_ids`).map(
      (row) => row.id as string,
    );
    if (ids.length === 0) return;
    const rows = await sql`
      select ${columns(sql)}, o.kind as owner_kind, o.name as owner_name, a.kind as author_kind, a.name as author_name
      from memories m join owners o on o.id = m.owner_id left join owners a on a.id = m.author_id
      where m.id = any(${ids}) order by m.seq`;
    const versions = withVersions ? await readVersions(sql, ids) : new Map<string, Versions>();
    yield rows.map((row) => ({
      memory: toRecord(row),
      owner: { kind: row.owner_kind, name: row.owner_name },
      author: row.author_kind === null ? null : { kind: row.author_kind, name: row.author_name },
      ...(versions.get(row.id) ?? { versions: [], versionsOmitted: 0 }),
    }));
  }
}

type Versions = Pick<StoredMemory, "versions" | "versionsOmitted">;

async function readVersions(sql: TransactionSql, ids: string[]): Promise<Map<string, Versions>> {
  const rows = await sql`
    select ${columns(sql)}, v.memory as version_of, v.valid_to, v.reason, v.total from (
      select *, count(*) over (partition by memory) as total,
             row_number() over (partition by memory order by revision desc) as place
      from memory_versions where memory = any(${ids})
        -- What it said in another space is not its owner's to take along.
        and (state ->> 'owner_id')::uuid = (select owner_id from memories where id = memory)
    ) v cross join lateral jsonb_populate_record(null::memories, v.state) m
    where v.place <= ${VERSIONS_MAX} order by v.memory, v.revision`;
  const found = new Map<string, StoredMemory["versions"][number][]>();
  const omitted = new Map<string, number>();
  for (const row of rows) {
    const list = found.get(row.version_of) ?? [];
    list.push({ state: toRecord(row), validTo: row.valid_to, reason: row.reason });
    found.set(row.version_of, list);
    omitted.set(row.version_of, Math.max(0, row.total - VERSIONS_MAX));
  }
  return new Map(
    [...found].map(([id, versions]) => [id, { versions, versionsOmitted: omitted.get(id) ?? 0 }]),
  );
}
