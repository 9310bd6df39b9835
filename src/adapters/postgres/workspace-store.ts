import type { Caller } from "../../core/caller.ts";
import type { WorkspaceItem } from "../../core/memory/memory-record.ts";
import type { Workspace, WorkspaceStore } from "../../core/project/workspace-store.ts";
import type { Sql } from "./client.ts";
import { visible } from "./visibility.ts";
import { selectDecisions, selectTodos } from "./workspace-row.ts";

/** A list has no pages: it is of at most so many, the newest. */
const ITEMS_MAX = 10_000;

export function createWorkspaceStore(sql: Sql): WorkspaceStore {
  const of = (caller: Caller, { ownerId, projectId }: Workspace, item: WorkspaceItem) =>
    sql`m.owner_id = ${ownerId} and m.project_id = ${projectId} and m.workspace_item = ${item} and ${visible(sql, caller)}`;
  return {
    todos: (caller, workspace, { status, priority, assignee }) =>
      selectTodos(
        sql,
        caller,
        sql`${of(caller, workspace, "todo")}
          ${status === null ? sql`` : sql`and t.status = ${status}`}
          ${priority === null ? sql`` : sql`and t.priority = ${priority}`}
          ${assignee === null ? sql`` : sql`and t.assignee = ${assignee}`}`,
        sql`order by (t.status in ('completed', 'cancelled')), m.seq desc limit ${ITEMS_MAX}`,
      ),
    decisions: (caller, workspace, { status, impactLevel }) =>
      selectDecisions(
        sql,
        caller,
        sql`${of(caller, workspace, "decision")}
          ${status === null ? sql`` : sql`and d.status = ${status}`}
          ${impactLevel === null ? sql`` : sql`and d.impact_level = ${impactLevel}`}`,
        sql`order by (d.status = 'superseded'), m.seq desc limit ${ITEMS_MAX}`,
      ),
  };
}
