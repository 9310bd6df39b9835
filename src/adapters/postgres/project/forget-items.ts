import type { TransactionSql } from "../database/client.ts";

/**
 * Takes what was said out of todos and decisions that are redacted, and out of the notes of their audit trails; who did
 * what, and in which state they are, stays. What their state cannot be without (the assignee of an assigned one) is
 * replaced as the words are.
 */
export async function redactItems(sql: TransactionSql, ids: readonly string[], words: string): Promise<void> {
  const rows = ids as string[];
  await sql`
    update todos set
      content = ${words}, extra = '{}', blocked_reason = null, end_note = null, due_at = null, source_memory_id = null,
      assignee = case when assignee is not null then ${words} end,
      accepted_by = case when accepted_by is not null then ${words} end
    where id = any(${rows})`;
  await sql`delete from todo_dependencies where todo = any(${rows})`;
  await sql`
    update decisions set
      context = ${words}, extra = '{}', options = '[]', proposed_by = null, resolved_by = null, due_at = null,
      source_memory_id = null, resolution = case when resolution is not null then ${words} end
    where id = any(${rows})`;
  await sql`update workspace_events set note = null where item = any(${rows})`;
}
