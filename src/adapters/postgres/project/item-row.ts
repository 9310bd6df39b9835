/** Todos and decisions as rows: their columns, how they are read, and what redaction leaves in them. */
import { todoStatuses } from "../../../contract/project.ts";
import { snakeCase } from "../../../core/memory/member-table.ts";
import type { Decision } from "../../../core/project/decision.ts";
import { DECISION_MEMBERS, TODO_MEMBERS } from "../../../core/project/item-members.ts";
import { isFinished, type Todo } from "../../../core/project/todo.ts";
import type { ItemMemory, WorkspaceEvent } from "../../../core/project/workspace-store.ts";
import type { AnySql, Fragment, TransactionSql } from "../database/client.ts";
import { type MemoryRow, redactionOf, selectionOf } from "../memory/memory-row.ts";
import type { RowsOfOwner } from "../memory/owned-rows.ts";

const itemMemory = selectionOf({
  id: true,
  seq: true,
  ownerId: true,
  authorId: true,
  memoryId: true,
  scope: true,
  projectId: true,
  path: true,
  bucket: true,
  status: true,
  source: true,
  agentId: true,
  instanceHash: true,
  createdAt: true,
  updatedAt: true,
  revision: true,
} satisfies Record<Exclude<keyof ItemMemory, "agentName" | "isAdopted">, true>);

/**
 * Columns of the place of a todo or decision, and of its author. Its text is in its state. Reading few columns keeps
 * long lists fast.
 */
export function itemColumns(sql: AnySql): Fragment {
  return sql`${itemMemory.columns(sql)}, m.provenance ->> 'agent_name' as agent_name,
    m.provenance ? 'adopted_from' as is_adopted`;
}

/** A row of `itemColumns`. */
export function toItemMemory(row: MemoryRow): ItemMemory {
  const agentName = row.agent_name as string | null;
  const isAdopted = row.is_adopted as boolean;
  return Object.assign(itemMemory.read(row), { agentName, isAdopted });
}

/** State columns of the todo `t`. */
export const todoState = stateRow<Todo>("t", TODO_MEMBERS);
/**
 * State columns of the decision `d`. Its predecessor (`supersedes`) is a separate column, not a member of its state.
 */
export const decisionState = stateRow<Decision>("d", DECISION_MEMBERS);

/** Functions that read a state with these members from a row, and write it to one. */
function stateRow<State extends object>(row: string, members: { readonly [Name in keyof State]: unknown }) {
  const names = (Object.keys(members) as (keyof State & string)[]).map(
    (name): [keyof State & string, string, string] => [name, snakeCase(name), `state_${snakeCase(name)}`],
  );
  const selected = names.map(([, column, selectedAs]) => `${row}.${column} as ${selectedAs}`).join(", ");
  return {
    /** The columns for `read`, under names that no column of its memory has. */
    selected: (sql: AnySql): Fragment => sql.unsafe(selected),
    read(of: MemoryRow): State {
      const state: Record<string, unknown> = {};
      for (const [name, , selectedAs] of names) state[name] = of[selectedAs];
      return state as State;
    },
    /** The columns to write, all except the id. */
    columns: (state: State): Record<string, unknown> =>
      Object.fromEntries(names.map(([name, column]) => [column, state[name]])),
  };
}

/** Columns that order todos in a list, of the memory `m` and the todo `t`. */
export function todoKeyColumns(sql: AnySql): Fragment {
  return sql`m.id, m.seq, m.created_at, t.priority as "state.priority", t.status as "state.status",
    t.due_at as "state.due_at", t.ended_at as "state.ended_at"`;
}

/** The same for the decision `d`. */
export function decisionKeyColumns(sql: AnySql): Fragment {
  return sql`m.id, m.seq as "memory.seq", m.updated_at as "memory.updated_at", d.status as "state.status",
    d.impact_level as "state.impact_level", d.due_at as "state.due_at", d.resolved_at as "state.resolved_at"`;
}

/** A row of `workspace_events`. */
export function toEvent(row: MemoryRow): WorkspaceEvent {
  return {
    at: row.at as number,
    operation: row.operation as string,
    from: row.from_status as string | null,
    to: row.to_status as string,
    actor: {
      agentId: row.agent_id as string | null,
      credentialKind: row.token_kind as string,
      trust: row.trust as WorkspaceEvent["actor"]["trust"],
    },
    note: row.note as string | null,
  };
}

/** The statuses of finished todos, as SQL. None contains a quote. */
export function finishedStatuses(sql: AnySql): Fragment {
  return sql.unsafe(`('${todoStatuses.filter(isFinished).join("', '")}')`);
}

/** An event as columns of `workspace_events`, without the item and its owner. */
export function eventColumns(event: WorkspaceEvent, tokenId: string) {
  return {
    at: event.at,
    operation: event.operation,
    from_status: event.from,
    to_status: event.to,
    agent_id: event.actor.agentId,
    token_id: tokenId,
    token_kind: event.actor.credentialKind,
    trust: event.actor.trust,
    note: event.note,
  };
}

const TODO_REDACTED = redactionOf(TODO_MEMBERS);
const DECISION_REDACTED = redactionOf(DECISION_MEMBERS);

/**
 * Removes the texts of redacted todos and decisions, and the notes of their audit trails. Actors and states stay.
 * Required members (the assignee of an assigned todo) are replaced by `words`, as texts are.
 */
export async function redactItems(
  sql: TransactionSql,
  { ownerId, ids }: RowsOfOwner,
  words: string,
): Promise<void> {
  const rows = ids as string[];
  const given = sql`(select ${words}::text as words) given`;
  await sql`update todos set ${sql.unsafe(TODO_REDACTED)} from ${given} where owner_id = ${ownerId} and id = any(${rows})`;
  await sql`delete from todo_dependencies where owner_id = ${ownerId} and todo = any(${rows})`;
  await sql`update decisions set ${sql.unsafe(DECISION_REDACTED)} from ${given} where owner_id = ${ownerId} and id = any(${rows})`;
  await sql`update workspace_events set note = null where owner_id = ${ownerId} and item = any(${rows})`;
}
