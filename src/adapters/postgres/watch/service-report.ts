import type { AuditLine } from "../../../contract/session-service-operations.ts";
import type { ServiceReport } from "../../../core/session/service-state.ts";
import type { Sql } from "../database/client.ts";
import { type BlockSeal, blockSealOf, numberIn, sealedNumber } from "../database/sealed-block.ts";
import { createProjectionStatus } from "../recall/outbox.ts";

/** `generation`: the embedding generation that is written now. */
export function createServiceReport(sql: Sql, generation: number): ServiceReport {
  const sealOf = blockSealOf(sql, "audit_lines");
  return {
    projection: createProjectionStatus(sql),
    async audit({ ownerId, operation, agentId, memoryId, after, before, cursor, limit }) {
      const seal = await sealOf();
      const place = cursor === null ? null : numberIn(seal, cursor);
      if (cursor !== null && place === null) return "unknown_place";
      const instant = (at: number | null) => (at === null ? null : sql.typed.instant(at));
      const rows = await sql`
        select l.id, l.at, l.operation, l.agent_id, l.request_id, l.detail, l.token_id,
               m.memory_id, t.kind, t.name
        from audit_log l
          left join memories m on m.id = l.memory and m.owner_id = l.owner_id
          left join tokens t on t.id = l.token_id
        where l.owner_id = ${ownerId}
          ${operation === null ? sql`` : sql`and l.operation = ${operation}`}
          ${agentId === null ? sql`` : sql`and l.agent_id = ${agentId}`}
          ${memoryId === null ? sql`` : sql`and l.memory in (select id from memories where owner_id = ${ownerId} and memory_id = ${memoryId})`}
          ${after === null ? sql`` : sql`and l.at >= ${instant(after)}`}
          ${before === null ? sql`` : sql`and l.at < ${instant(before)}`}
          ${place === null ? sql`` : sql`and l.id < ${place}`}
        order by l.id desc limit ${limit}`;
      return rows.map((row) => toLine(row, seal));
    },
    async embeddings(ownerId) {
      const rows = await sql`
        with mine as (
          select id from memories
          where owner_id = ${ownerId} and status not in ('soft_deleted', 'redacted')
        ), made as (
          select e.generation, count(*)::int as memories from mine join embeddings e on e.owner_id = ${ownerId} and e.memory = mine.id group by 1
        )
        select g.provider, g.model, g.dimension, g.created_at, g.id = ${generation} as is_current,
               coalesce(made.memories, 0) as memories, (select count(*)::int from mine) as of
        from embedding_generations g left join made on made.generation = g.id
        where g.id = ${generation} or made.memories > 0
        order by g.id desc`;
      return rows.map((row) => ({
        provider: row.provider,
        model: row.model,
        dimension: row.dimension,
        isCurrent: row.is_current,
        createdAt: instantOf(row.created_at),
        memories: row.memories,
        of: row.of,
      }));
    },
  };
}

const instantOf = (at: unknown) => new Date(at as string | number | Date).getTime();

function toLine(row: Record<string, unknown>, seal: BlockSeal): AuditLine {
  const { id, at, operation, agent_id, request_id, detail, token_id, memory_id, kind, name } = row;
  return {
    id: sealedNumber(seal, Number(id)),
    at: new Date(instantOf(at)).toISOString(),
    operation: operation as string,
    memory_id: (memory_id as string | null) ?? null,
    token:
      token_id === null
        ? null
        : {
            id: token_id as string,
            kind: (kind as string | null) ?? null,
            name: (name as string | null) ?? null,
          },
    agent_id: agent_id as string | null,
    request_id: request_id as string | null,
    detail: detail as Record<string, unknown>,
  };
}
