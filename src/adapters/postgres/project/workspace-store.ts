import type { Caller } from "../../../core/caller.ts";
import type { WorkspaceItem } from "../../../core/memory/memory-record.ts";
import type { ContextStore, Trust } from "../../../core/project/context/facts.ts";
import type { Workspace, WorkspaceStore } from "../../../core/project/workspace-store.ts";
import type { AnySql, Sql } from "../database/client.ts";
import { snapshot } from "../database/snapshot.ts";
import { selectNamed } from "../memory/seen-memories.ts";
import { roleIn, visible } from "../memory/visibility.ts";
import { selectDecisions, selectTodos } from "./select-items.ts";
import { contextFacts } from "./workspace-context.ts";
import { authorTrust } from "./workspace-sql.ts";

/** A list has no pages: it is of at most so many, the newest. */
const ITEMS_MAX = 10_000;

export function createWorkspaceStore(sql: Sql): WorkspaceStore & ContextStore {
  const of = (caller: Caller, { ownerId, projectId }: Workspace, item: WorkspaceItem) =>
    sql`m.owner_id = ${ownerId} and m.project_id = ${projectId} and m.workspace_item = ${item} and ${visible(sql, caller)}`;
  // What is archived is listed only by the status that it ended with; what is deleted or redacted has none.
  const inStatus = (status: string | null) =>
    status === null
      ? sql`and m.item_status is not null and m.status <> 'archived'`
      : sql`and m.item_status = ${status}`;
  /** The row that the changes of an item mean as well; none where it is deleted. */
  const named = async (tx: AnySql, caller: Caller, kind: WorkspaceItem, projectId: string, id: string) => {
    const seen = await selectNamed(tx, caller, id, { item: { kind, projectId } });
    return seen && seen.memory.status !== "soft_deleted" ? [seen.memory.id] : [];
  };
  return {
    roleIn: (caller, ownerId) => roleIn(sql, caller, ownerId),
    todo: (caller, projectId, id) =>
      snapshot(sql, async (tx) => {
        const ids = await named(tx, caller, "todo", projectId, id);
        const [todo] = await selectTodos(tx, caller, { ids, withTrail: true });
        return todo ?? null;
      }),
    decision: (caller, projectId, id) =>
      snapshot(sql, async (tx) => {
        const ids = await named(tx, caller, "decision", projectId, id);
        const [decision] = await selectDecisions(tx, caller, { ids, withTrail: true });
        return decision ?? null;
      }),
    todos: (caller, workspace, { status, priority, assignee }) =>
      snapshot(sql, async (tx) => {
        const rows = await tx`
          select m.id from memories m join todos t on t.id = m.id
          where ${of(caller, workspace, "todo")} ${inStatus(status)}
            ${priority === null ? sql`` : sql`and t.priority = ${priority}`}
            ${assignee === null ? sql`` : sql`and t.assignee = ${assignee}`}
          order by (m.item_status in ('completed', 'cancelled')), m.seq desc limit ${ITEMS_MAX}`;
        return selectTodos(tx, caller, { ids: rows.map((row) => row.id as string), withTrail: true });
      }),
    decisions: (caller, workspace, { status, impactLevel }) =>
      snapshot(sql, async (tx) => {
        const rows = await tx`
          select m.id from memories m join decisions d on d.id = m.id
          where ${of(caller, workspace, "decision")} ${inStatus(status)}
            ${impactLevel === null ? sql`` : sql`and d.impact_level = ${impactLevel}`}
          order by (m.item_status = 'superseded'), m.seq desc limit ${ITEMS_MAX}`;
        return selectDecisions(tx, caller, { ids: rows.map((row) => row.id as string), withTrail: true });
      }),
    context: (caller, ask) => contextFacts(sql, caller, ask),
    async authorTrusts(caller, ids) {
      if (ids.length === 0) return new Map();
      const rows = await sql`
        select m.id, ${authorTrust(sql)} as trust from memories m where m.id = any(${ids as string[]}) and ${visible(sql, caller)}`;
      return new Map(rows.map((row) => [row.id as string, row.trust as Trust]));
    },
  };
}
