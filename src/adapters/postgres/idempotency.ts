import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { DomainError } from "../../core/error.ts";
import type { Context } from "./context.ts";
import { lockNumber } from "./locks.ts";

/** Answers live this long; the sweep removes older ones. */
export const ANSWERS_KEPT_HOURS = 24;

/** See `MemoryTransaction.claimIdempotencyKey`. The claim ends with the transaction, so a crash leaves none behind. */
export async function claimKey(
  { sql, caller }: Context,
  key: string,
  requestHashes: readonly string[],
): Promise<unknown | null> {
  const [claim] = await sql`
    select pg_try_advisory_xact_lock(${lockNumber(`idempotency:${caller.tokenId}:${key}`)}) as is_ours`;
  if (!claim?.is_ours)
    throw new DomainError(
      "conflict",
      "A request with this Idempotency-Key is still running: try again shortly.",
    );
  const [known] = await sql`
    select encode(request_hash, 'hex') as request_hash, answer from idempotency_keys
    where token_id = ${caller.tokenId} and key_hash = ${hashed(key)}
      and created_at > now() - make_interval(hours => ${ANSWERS_KEPT_HOURS})`;
  if (!known) return null;
  if (!requestHashes.includes(known.request_hash as string)) {
    throw new DomainError(
      "conflict",
      "This Idempotency-Key was used for another request: take a new key for a new request.",
    );
  }
  return known.answer;
}

export async function keepAnswer(
  { sql, caller, itemsRead }: Context,
  key: string,
  requestHash: string,
  answer: unknown,
): Promise<void> {
  const row = {
    token_id: caller.tokenId,
    key_hash: hashed(key),
    request_hash: Buffer.from(requestHash, "hex"),
    answer: answer as never,
    items: itemsRead.size === 0 ? null : [...itemsRead],
  };
  await sql`
    insert into idempotency_keys ${sql(row)}
    on conflict (token_id, key_hash) do update
      set request_hash = excluded.request_hash, answer = excluded.answer, items = excluded.items, created_at = now()`;
}

function hashed(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}
