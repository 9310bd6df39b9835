/**
 * Removes an owner from data that stays with others. In teams, what a person wrote stays, without its author. Memories
 * that moved into or out of a team have earlier states that belong to the former owner and that no one can read: these
 * are deleted. Lines of the audit log stay, without the members that requests set. Idempotent.
 */
import type { ServiceMember } from "../../../contract/service-members.ts";
import { UNATTRIBUTED } from "../../../core/caller.ts";
import type { OwnedRow } from "../../../core/project/workspace-store.ts";
import type { Fragment, Sql, TransactionSql } from "../database/client.ts";
import { retried } from "../database/transactions.ts";

/** Rows per transaction. */
const STEP_ROWS = 5000;

/** Replaces an author who must no longer be identified. */
const NOBODY = "00000000-0000-0000-0000-000000000000";

/** Members of provenance that name the author. The rest (session, task, project) belongs to the team. */
const AUTHORSHIP = ["agent_id", "agent_name", "agent_instance_id_hash"];

/** `owners`: the owner and the quarantines of its agents. */
export async function disown(sql: Sql, ownerId: string, owners: readonly string[]): Promise<void> {
  const rows =
    await sql`select id from tokens where owner_id = any(${owners as string[]}) or team_id = ${ownerId}`;
  const tokens = rows.map((row) => row.id as string);
  await forgetItemActors(sql, tokens);
  await forgetAuthors(sql, ownerId);
  await forgetAuthorities(sql, tokens);
  await forgetInLog(sql, owners, tokens);
}

/**
 * Removes the owner as an author. Walks all memories by their ids: there is no index by author, and nothing else needs
 * one.
 */
async function forgetAuthors(sql: Sql, ownerId: string): Promise<void> {
  for (let last: string | null = NOBODY; last !== null; ) {
    const after: string = last;
    last = await retried(async () => {
      const [step] = await sql`
        with step as materialized (
          select id, owner_id, author_id from memories where id > ${after} order by id limit ${STEP_ROWS}
        ), written as (
          update memories m set author_id = ${NOBODY}, author_token = ${NOBODY}, agent_id = null, instance_hash = null,
            provenance = m.provenance - ${AUTHORSHIP}::text[]
          from step where m.owner_id = step.owner_id and m.id = step.id and step.author_id = ${ownerId} and m.owner_id <> ${ownerId}
        ), former as (
          delete from memory_versions v using step
          where v.owner_id = step.owner_id and v.memory = step.id and v.state ->> 'owner_id' = ${ownerId}
        ), earlier as (
          update memory_versions v set state = v.state || jsonb_build_object(
            'author_id', ${NOBODY}::text, 'author_token', ${NOBODY}::text, 'agent_id', null, 'instance_hash', null,
            'provenance', (v.state -> 'provenance') - ${AUTHORSHIP}::text[])
          from step where v.owner_id = step.owner_id and v.memory = step.id and v.state ->> 'author_id' = ${ownerId}
            and v.state ->> 'owner_id' is distinct from ${ownerId}
        )
        select max(id::text) as last from step`;
      return (step?.last as string | null) ?? null;
    });
  }
}

/**
 * Removes the owner's credentials from a team's items that they accepted, proposed or resolved: from the item's state,
 * from its text for recall, from earlier versions of that text, and from its trail.
 */
async function forgetItemActors(sql: Sql, tokens: readonly string[]): Promise<void> {
  const actors = await sql`
    select owner_id, item, name from (
      select owner_id, item, agent_id as name from workspace_events
      where token_id = any(${tokens as string[]}) and agent_id is not null
      union
      select owner_id, item, token_id::text from workspace_events where token_id = any(${tokens as string[]})
    ) acted order by item`;
  for (const { owner_id: ownerId, item, name } of actors)
    await retried(() => sql.begin((tx) => forgetActor(tx, { ownerId, id: item }, name as string)));
  await sql`
    update workspace_events set agent_id = null, trust = 'unattributed', token_id = ${NOBODY}
    where token_id = any(${tokens as string[]})`;
}

/** Phrases that precede an actor's name in the text of an item: see `recalled.ts` of the core. */
const PHRASES = ["accepted by", "assigned to"];
const NAMING: readonly ServiceMember<"metadata">[] = [
  "accepted_by_agent_id",
  "assignee_agent_id",
  "proposed_by_agent_id",
  "resolved_by_agent_id",
];

async function forgetActor(sql: TransactionSql, { id, ownerId }: OwnedRow, name: string): Promise<void> {
  const words = (content: Fragment) =>
    PHRASES.reduce((text, by) => sql`replace(${text}, ${`${by} ${name}`}, ${`${by} ${NOBODY}`})`, content);
  const metadata = (given: Fragment) => sql`(
    select coalesce(jsonb_object_agg(m.key, case when m.key = any(${NAMING as string[]}) and m.value = to_jsonb(${name}::text)
      then to_jsonb(${NOBODY}::text) else m.value end), '{}') from jsonb_each(${given}) m)`;
  await sql`
    update todos set accepted_by = case when accepted_by = ${name} then ${NOBODY} else accepted_by end,
      assignee = case when assignee = ${name} then ${NOBODY} else assignee end
    where owner_id = ${ownerId} and id = ${id} and ${name} in (accepted_by, assignee)`;
  await sql`
    update decisions set proposed_by = case when proposed_by = ${name} then ${NOBODY} else proposed_by end,
      resolved_by = case when resolved_by = ${name} then ${NOBODY} else resolved_by end
    where owner_id = ${ownerId} and id = ${id} and ${name} in (proposed_by, resolved_by)`;
  await sql`
    update memory_versions v set state = v.state || jsonb_build_object(
      'content', ${words(sql`(v.state ->> 'content')`)}, 'metadata', ${metadata(sql`(v.state -> 'metadata')`)},
      'item_agent', nullif(v.state ->> 'item_agent', ${name}))
    where v.owner_id = ${ownerId} and v.memory = ${id} and position(to_jsonb(${name}::text)::text in v.state::text) + position(${name} in v.state ->> 'content') > 0`;
  const renamed = await sql`
    update memories m set content = ${words(sql`m.content`)}, metadata = ${metadata(sql`m.metadata`)},
      item_agent = case when m.item_agent = ${name} then ${NOBODY} else m.item_agent end,
      revision = m.revision + 1, changed_xid = pg_current_xact_id()
    where m.owner_id = ${ownerId} and m.id = ${id} and (m.content <> ${words(sql`m.content`)} or m.metadata <> ${metadata(sql`m.metadata`)}
      or m.item_agent = ${name})
    returning m.revision`;
  for (const { revision } of renamed) {
    // The worker makes the vector of the new text.
    await sql`delete from embeddings where owner_id = ${ownerId} and memory = ${id}`;
    await sql`insert into outbox (owner_id, memory, revision, kind) values (${ownerId}, ${id}, ${revision}, 'put')`;
  }
}

/** Removes the owner's authority from maintenance settings and runs of teams, so that nothing runs in its name. */
async function forgetAuthorities(sql: Sql, tokens: readonly string[]): Promise<void> {
  const nobody = { tokenId: NOBODY, scopes: [], attribution: UNATTRIBUTED };
  const isTheirs = (authority: "authority" | "undo_authority") =>
    sql`${sql(authority)} ->> 'tokenId' = any(${tokens as string[]})`;
  await sql`
    update maintenance_settings set authority = ${nobody as never}::jsonb, updated_by = ${NOBODY}
    where ${isTheirs("authority")}`;
  await sql`
    update maintenance_runs set authority = ${nobody as never}::jsonb, started_by = ${NOBODY}, token_id = ${NOBODY}
    where ${isTheirs("authority")}`;
  await sql`
    update maintenance_runs set undo_authority = ${nobody as never}::jsonb where ${isTheirs("undo_authority")}`;
}

/**
 * Keeps only the time, the owner and the operation in the log's lines, by ids that no longer resolve. Removes agent
 * ids, request ids and details.
 */
async function forgetInLog(sql: Sql, owners: readonly string[], tokens: readonly string[]): Promise<void> {
  const [newest] = await sql`select coalesce(max(id), 0) as id from audit_log`;
  for (let from = 0; from < Number(newest?.id); from += STEP_ROWS)
    await retried(
      () => sql`
        update audit_log set agent_id = null, request_id = null,
          detail = case when owner_id = any(${owners as string[]}) and operation <> 'erase_owner' then '{}' else detail end
        where id > ${from} and id <= ${from + STEP_ROWS}
          and (owner_id = any(${owners as string[]}) or token_id = any(${tokens as string[]}))
          and (agent_id is not null or request_id is not null or detail <> '{}')`,
    );
}

/** The same for lines of these owners alone, which are found by their index. */
export async function forgetInOwnLog(sql: Sql, owners: readonly string[]): Promise<void> {
  await retried(
    () => sql`
      update audit_log set agent_id = null, request_id = null,
        detail = case when operation <> 'erase_owner' then '{}' else detail end
      where owner_id = any(${owners as string[]})
        and (agent_id is not null or request_id is not null or detail <> '{}')`,
  );
}
