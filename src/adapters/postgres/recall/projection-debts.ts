import type { ProjectionDebts } from "../../../core/session/service-state.ts";
import type { Sql } from "../database/client.ts";
import { retried } from "../database/transactions.ts";
import { isEmbedded } from "./embeddings.ts";

/** `generation`: the embedding generation of the vectors that are written now. */
export function createProjectionDebts(sql: Sql, generation: number): ProjectionDebts {
  return {
    async queue(ownerId, caller, limit) {
      // A line that was set aside counts as a line of its memory, so no memory is queued twice.
      const [row] = await retried(
        () => sql`
          with retried as (
            update outbox set set_aside = null, attempts = 0, available_at = now()
            where owner_id = ${ownerId} and set_aside is not null
            returning 1
          ), queued as (
            insert into outbox (owner_id, memory, revision, kind)
            select m.owner_id, m.id, m.revision, 'put'
            from memories m left join embeddings e on e.owner_id = m.owner_id and e.memory = m.id and e.generation = ${generation}
            where m.owner_id = ${ownerId} and m.status not in ('soft_deleted', 'redacted') and not ${isEmbedded(sql)}
              and not exists (select from outbox o where o.owner_id = m.owner_id and o.memory = m.id)
            order by m.id limit ${limit}
            returning 1
          ), counted as (
            select (select count(*)::int from queued) as embedding, (select count(*)::int from retried) as retried
          ), noted as (
            insert into audit_log (owner_id, operation, token_id, agent_id, request_id, detail)
            select ${ownerId}, 'catch_up_index', ${caller.tokenId}, ${caller.attribution.agentId}, ${caller.requestId},
                   jsonb_build_object('embedding', embedding, 'retried', retried)
            from counted
          )
          select embedding, retried from counted`,
      );
      return { embedding: row?.embedding, retried: row?.retried };
    },
  };
}
