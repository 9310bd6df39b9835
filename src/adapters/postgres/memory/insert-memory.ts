import { Buffer } from "node:buffer";
import type { MemoryRecord, NewMemory } from "../../../core/memory/memory-record.ts";
import type { Context } from "./context.ts";
import { toColumns } from "./memory-row.ts";

/** The row, its embedding, its audit line and its outbox line, in one statement. */
export async function insertMemory(
  { sql, caller, generation }: Context,
  memory: NewMemory,
  vector: Uint8Array | null,
): Promise<MemoryRecord> {
  const row = { ...toColumns(memory), author_token: caller.tokenId };
  const bytes = vector === null ? null : Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
  const [written] = await sql`
    with m as (
      insert into memories ${sql(row)} returning id, seq, revision
    ), embedded as (
      insert into embeddings (memory, generation, vector)
      select id, ${generation}, ${bytes}::bytea from m where ${bytes !== null}
    ), audited as (
      insert into audit_log (owner_id, operation, memory, token_id, agent_id, request_id)
      select ${memory.ownerId}, 'create', id, ${caller.tokenId}, ${memory.agentId}, ${caller.requestId} from m
    ), queued as (
      insert into outbox (owner_id, memory, revision, kind) select ${memory.ownerId}, id, revision, 'put' from m
    )
    select seq, revision from m`;
  return { ...memory, seq: written?.seq as number, revision: written?.revision as number };
}
