import { DECISION_MEMBERS, TODO_MEMBERS } from "../../../core/project/item-members.ts";
import type { TransactionSql } from "../database/client.ts";
import { redactionOf } from "../memory/memory-row.ts";

const TODO_REDACTED = redactionOf(TODO_MEMBERS);
const DECISION_REDACTED = redactionOf(DECISION_MEMBERS);

/**
 * Takes what was said out of todos and decisions that are redacted, and out of the notes of their audit trails; who did
 * what, and in which state they are, stays. What their state cannot be without (the assignee of an assigned one) is
 * replaced as the words are.
 */
export async function redactItems(sql: TransactionSql, ids: readonly string[], words: string): Promise<void> {
  const rows = ids as string[];
  const given = sql`(select ${words}::text as words) given`;
  await sql`update todos set ${sql.unsafe(TODO_REDACTED)} from ${given} where id = any(${rows})`;
  await sql`delete from todo_dependencies where todo = any(${rows})`;
  await sql`update decisions set ${sql.unsafe(DECISION_REDACTED)} from ${given} where id = any(${rows})`;
  await sql`update workspace_events set note = null where item = any(${rows})`;
}
