import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { DomainError } from "../../../core/error.ts";
import type { Fragment, TransactionSql } from "../database/client.ts";
import { lockNumber } from "../database/locks.ts";
import type { Context } from "./context.ts";

/** How long stored answers are valid. The sweep removes older ones. */
export const ANSWERS_KEPT_HOURS = 24;

/** See `MemoryTransaction.claimIdempotencyKey`. The claim ends with the transaction, so a crash leaves none behind. */
export async function claimKey(
  { sql, caller }: Context,
  key: string,
  requestHashes: readonly string[],
): Promise<unknown | null> {
  // Sent together and executed in this order, so the stored answer is read under the claim.
  const [[claim], [known]] = await Promise.all([
    sql`select pg_try_advisory_xact_lock(${lockNumber(`idempotency:${caller.tokenId}:${caller.owner.id}:${key}`)}) as is_ours`.execute(),
    sql`
      select encode(request_hash, 'hex') as request_hash, answer from idempotency_keys
      where owner_id = ${caller.owner.id} and token_id = ${caller.tokenId} and key_hash = ${hashed(key)}
        and created_at > now() - make_interval(hours => ${ANSWERS_KEPT_HOURS})`,
  ]);
  if (!claim?.is_ours)
    throw new DomainError(
      "conflict",
      "A request with this Idempotency-Key is still running: try again in a few seconds.",
    );
  if (!known) return null;
  if (!requestHashes.includes(known.request_hash as string)) {
    throw new DomainError(
      "conflict",
      "This Idempotency-Key was used for another request: use a new key for a new request.",
    );
  }
  return known.answer;
}

/** Stores the answer. If it says more than `forgetAnswers` would leave, also stores which memories it may mention. */
export async function keepAnswer(
  { sql, caller, concerned }: Context,
  key: string,
  requestHash: string,
  answer: unknown,
): Promise<void> {
  const ofKey = { owner: caller.owner.id, token: caller.tokenId, hash: hashed(key) };
  // The claim is exclusive, so an existing row can only hold an answer that is no longer valid.
  await sql`
    with kept as (
      select given.answer, ${Buffer.from(requestHash, "hex")}::bytea as request_hash,
        case when given.answer <> ${withoutWords(sql, sql`given.answer`)} then nullif(${[...concerned]}::uuid[], '{}') end as items
      from (select ${answer as never}::jsonb as answer) given
    ), former as (
      update idempotency_keys k
      set request_hash = kept.request_hash, answer = kept.answer, items = kept.items, created_at = now()
      from kept where k.owner_id = ${ofKey.owner} and k.token_id = ${ofKey.token} and k.key_hash = ${ofKey.hash}
      returning 1
    )
    insert into idempotency_keys (owner_id, token_id, key_hash, request_hash, answer, items)
    select ${ofKey.owner}::uuid, ${ofKey.token}::uuid, ${ofKey.hash}::bytea, kept.request_hash, kept.answer, kept.items
    from kept where not exists (select from former)`;
}

/**
 * Reduces stored answers that may mention these memories to what a caller without read permission gets: ids and states.
 * A repeated request is still recognised, and gets no more than that.
 */
export async function forgetAnswers(sql: TransactionSql, ids: readonly string[]): Promise<void> {
  await sql`
    update idempotency_keys k set items = null, answer = ${withoutWords(sql, sql`k.answer`)}
    where k.items && ${ids as string[]}::uuid[]`;
}

/** SQL of an answer without the contents of memories. A list and a batch have one answer for each memory. */
function withoutWords(sql: TransactionSql, answer: Fragment): Fragment {
  const ofEach = (answers: Fragment) => sql`(
    select coalesce(jsonb_agg(${oneWithoutWords(sql, sql`one.answer`)} order by one.place), '[]')
    from jsonb_array_elements(${answers}) with ordinality as one (answer, place))`;
  return sql`
    case
      when jsonb_typeof(${answer}) = 'array' then ${ofEach(answer)}
      when ${answer} ? 'results' then jsonb_set(${answer}, '{results}', ${ofEach(sql`${answer} -> 'results'`)})
      else ${oneWithoutWords(sql, answer)}
    end`;
}

/**
 * The same for one answer. If it is about a todo or decision, it contains its words. If it is about another memory, its
 * remarks may quote it.
 */
function oneWithoutWords(sql: TransactionSql, answer: Fragment): Fragment {
  return sql`
    case when ${answer} ?| '{todo_id,decision_id}' then (
      select jsonb_object_agg(member.key, member.value) from jsonb_each(${answer}) member
      where member.key in ('todo_id', 'decision_id', 'project_id', 'status'))
    else ${answer} - '{reason,masked,confidence,next_due_at}'::text[] end`;
}

function hashed(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}
