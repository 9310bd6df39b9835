import type { AuditLine } from "../../../contract/session-service-operations.ts";
import type { AuditFilter, EmbeddingCoverage, ServiceReport } from "../../../core/session/service-state.ts";
import type { Fragment, Sql } from "../database/client.ts";
import { fromRow } from "../database/rows.ts";
import { blockSealOf, numberIn, sealedNumber } from "../database/sealed-block.ts";
import { createProjectionStatus } from "../recall/outbox.ts";

/** True if the line `l` is about an object of that kind. */
function isAbout(sql: Sql, object: NonNullable<AuditFilter["object"]>): Fragment {
  const isAccess = sql`l.operation ~ '^agent_|_credential$'`;
  if (object === "record") return sql`l.memory is not null`;
  if (object === "access") return sql`(l.memory is null and ${isAccess})`;
  return sql`(l.memory is null and not ${isAccess})`;
}

/** `generation`: the embedding generation of the vectors that are written now. */
export function createServiceReport(sql: Sql, generation: number): ServiceReport {
  const sealOf = blockSealOf(sql, "audit_lines");
  return {
    projection: createProjectionStatus(sql),
    async audit({ ownerId, operation, agentId, person, object, memoryId, after, before, cursor, limit }) {
      const seal = await sealOf();
      const place = cursor === null ? null : numberIn(seal, cursor);
      if (cursor !== null && place === null) return "unknown_place";
      const instant = (at: number | null) => (at === null ? null : sql.typed.instant(at));
      const rows = await sql`
        select l.id, l.at, l.operation, m.memory_id, l.token_id, t.kind as token_kind,
               t.name as token_name, w.name as person, l.agent_id,
               case when t.agent_id = l.agent_id then a.client ->> 'client_name' end as agent_name,
               l.request_id, l.detail, o.name as user_id
        from audit_log l
          left join owners o on o.id = l.owner_id and o.kind = 'end_user'
          left join memories m on m.id = l.memory and m.owner_id = l.owner_id
          left join tokens t on t.id = l.token_id
          left join owners w on w.id = t.owner_id and w.kind = 'user'
          left join agents a on a.id = t.agent_id
        where l.owner_id = ${ownerId}
          ${operation === null ? sql`` : sql`and l.operation = ${operation}`}
          ${agentId === null ? sql`` : sql`and l.agent_id = ${agentId}`}
          ${person === null ? sql`` : sql`and w.name = ${person}`}
          ${object === null ? sql`` : sql`and ${isAbout(sql, object)}`}
          ${memoryId === null ? sql`` : sql`and l.memory in (select id from memories where owner_id = ${ownerId} and memory_id = ${memoryId})`}
          ${after === null ? sql`` : sql`and l.at >= ${instant(after)}`}
          ${before === null ? sql`` : sql`and l.at < ${instant(before)}`}
          ${place === null ? sql`` : sql`and l.id < ${place}`}
        order by l.id desc limit ${limit}`;
      return rows.map(({ id, at, token_id, token_kind: kind, token_name: name, user_id, ...line }) => ({
        ...line,
        ...(user_id !== null && { user_id }),
        id: sealedNumber(seal, id),
        at: new Date(at).toISOString(),
        token: token_id === null ? null : { id: token_id, kind, name },
      })) as AuditLine[];
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
      return rows.map(fromRow<EmbeddingCoverage>);
    },
  };
}
