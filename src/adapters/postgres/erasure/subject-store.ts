import type { Caller } from "../../../core/caller.ts";
import type {
  ApprovedQuarantine,
  CandidateQuestion,
  CandidateState,
  SubjectStore,
} from "../../../core/subject/subject-store.ts";
import type { AnySql, Fragment, Sql, TransactionSql } from "../database/client.ts";
import { retried } from "../database/transactions.ts";
import { hasTooManyMarks } from "../memory/normal-form.ts";
import { statusAt } from "../memory/supersession.ts";
import { visible } from "../memory/visibility.ts";
import { wordPattern } from "./word-pattern.ts";

const BATCH_ROWS = 200;

/** Creates the store that reads everything an owner has about a person or subject. */
export function createSubjectStore(sql: Sql, clock: () => number): SubjectStore {
  return {
    async quarantines(userId) {
      const rows = await sql`
        select a.quarantine_id as id, a.id as name, coalesce(a.client ->> 'client_name', a.id) as agent_name
        from agents a where a.approved_by = ${userId} and a.quarantine_id is not null order by a.requested_at`;
      return rows.map(
        ({ id, name, agent_name: agentName }): ApprovedQuarantine => ({
          owner: { id: id as string, kind: "agent", name: name as string },
          agentName: agentName as string,
        }),
      );
    },
    states: (caller, ownerId, terms, onBatch) =>
      sql.begin("isolation level repeatable read read only", async (snapshot) => {
        // Reads every text of the owner.
        await snapshot`select set_config('statement_timeout', '0', true)`;
        const rows = statesOf(snapshot, caller, ownerId, terms, clock());
        await snapshot`declare subject_states no scroll cursor for ${rows}`;
        for (;;) {
          const batch = await snapshot`fetch ${snapshot.unsafe(String(BATCH_ROWS))} from subject_states`;
          if (batch.length === 0) return;
          await onBatch(batch.map(toState));
        }
      }) as Promise<void>,
    async questions(ownerId, terms) {
      const rows = await sql`
        select r.id, r.question from recalls r
        where r.owner_id = ${ownerId} and ${containsAny(sql, sql`r.question`, terms)}
        union all
        select e.id, e.asked::text from eval_questions e
        where e.owner_id = ${ownerId} and ${containsAny(sql, sql`e.asked::text`, terms)} order by id`;
      return rows.map(({ id, question }) => ({ id, question }) as CandidateQuestion);
    },
    async forgetQuestions(ownerId, ids) {
      const theirs = sql`owner_id = ${ownerId} and id = any(${ids as string[]}::uuid[])`;
      await retried(() => sql`delete from recalls where ${theirs}`);
      await retried(() => sql`delete from eval_questions where ${theirs}`);
    },
  };
}

/**
 * Columns without anything that a person wrote. All others are searched, so that a new column cannot be forgotten.
 */
const NO_WORDS = [
  ...["id", "seq", "owner_id", "author_id", "author_token", "scope", "status", "restore_status"],
  ...["create_hash", "dedupe_hash", "instance_hash", "revision", "changed_xid", "version", "fact_version"],
  ...[
    "importance",
    "confidence",
    "superseded_at",
    "superseded_until",
    "superseded_status",
    "superseded_by_key",
  ],
  ...["created_at", "updated_at", "workspace_item", "item_status", "memory", "valid_to"],
];

/** SQL of the states, record by record, the current state first. */
function statesOf(
  sql: TransactionSql,
  caller: Caller,
  ownerId: string,
  terms: readonly (readonly string[])[],
  now: number,
): Fragment {
  const words = (row: Fragment) => sql`(${row} - ${NO_WORDS}::text[])`;
  const record = sql`m.id, m.memory_id, coalesce(m.workspace_item, 'memory') as kind, ${statusAt(sql, now)} as status,
    m.content, m.metadata`;
  const ofOwner = sql`m.owner_id = ${ownerId} and ${visible(sql, caller)}`;
  return sql`
    select found.* from (
      select ${record}, null::bigint as revision, jsonb_build_object(
        'memory', ${words(sql`to_jsonb(m)`)},
        'todo', (select ${words(sql`to_jsonb(t)`)} from todos t where t.owner_id = ${ownerId} and t.id = m.id),
        'decision', (select ${words(sql`to_jsonb(d)`)} from decisions d where d.owner_id = ${ownerId} and d.id = m.id),
        'trail', (select jsonb_agg(jsonb_build_array(e.note, e.agent_id)) from workspace_events e
          where e.owner_id = ${ownerId} and e.item = m.id)
      ) as state
      from memories m where ${ofOwner}
      union all
      select ${record}, v.revision, jsonb_build_object('memory', ${words(sql`v.state`)}, 'reason', v.reason)
      from memories m join memory_versions v on v.owner_id = ${ownerId} and v.memory = m.id
      where ${ofOwner} and v.state ->> 'owner_id' in (${ownerId}, ${caller.owner.id})
    ) found
    where ${containsAny(sql, sql`found.state::text`, terms)}
    order by found.id, found.revision nulls first`;
}

/** True if the text contains all words of one of the terms. May be true for others as well: see `wordPattern`. */
function containsAny(sql: AnySql, text: Fragment, terms: readonly (readonly string[])[]): Fragment {
  const any = terms
    .map((words) => sql`searched.text ~ all(${words.map(wordPattern)}::text[])`)
    .reduce((either, one) => sql`${either} or ${one}`);
  return sql`exists (
    select from (select ${text} as text offset 0) given
    cross join lateral (
      select case when octet_length(given.text) = length(given.text) then given.text
        when ${hasTooManyMarks(sql, sql`given.text`)} then null else normalize(given.text, nfkc) end as text offset 0
    ) searched
    where searched.text is null or ${any}
  )`;
}

function toState(row: Readonly<Record<string, unknown>>): CandidateState {
  return {
    id: row.id as string,
    memoryId: row.memory_id as string,
    kind: row.kind as CandidateState["kind"],
    status: row.status as string,
    content: row.content as string,
    metadata: row.metadata,
    isEarlier: row.revision !== null,
    state: row.state,
  };
}
