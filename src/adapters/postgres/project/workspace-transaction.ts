import type { WorkspaceTransaction } from "../../../core/project/workspace-store.ts";
import type { AnySql } from "../database/client.ts";
import type { Context } from "../memory/context.ts";
import { visible } from "../memory/visibility.ts";
import { selectDecisions, selectTodos } from "./select-items.ts";
import { decisionColumns, todoColumns } from "./workspace-row.ts";

/** Todos and decisions inside one transaction. Their memories' rows are locked first: that is what orders their changes. */
export function createWorkspaceTransaction({ sql, caller }: Context): WorkspaceTransaction {
  return {
    async todo(id) {
      const [todo] = await selectTodos(sql, caller, { ids: [id], withTrail: true });
      if (!todo) throw new Error("a todo's memory is without its todo");
      return todo;
    },
    async decision(id) {
      const [decision] = await selectDecisions(sql, caller, { ids: [id], withTrail: true });
      if (!decision) throw new Error("a decision's memory is without its decision");
      return decision;
    },
    async todosNamed({ ownerId, projectId }, ids) {
      // Nobody deletes them for good until they are depended on.
      const rows = await sql`
        select m.memory_id, m.id from memories m
        where m.owner_id = ${ownerId} and m.project_id = ${projectId} and m.workspace_item = 'todo'
          and m.memory_id = any(${ids as string[]}) and m.status <> 'soft_deleted' and ${visible(sql, caller)}
        order by m.id for key share of m`;
      return new Map(rows.map((row) => [row.memory_id as string, row.id as string]));
    },
    async unfinished(id) {
      const rows = await sql`
        select m.memory_id, ${visible(sql, caller)} as is_visible
        from todo_dependencies d join memories m on m.id = d.depends_on
        where d.todo = ${id} and m.item_status not in ('completed', 'cancelled') order by d.place`;
      const seen = rows.filter((row) => row.is_visible === true);
      return { ids: seen.map((row) => row.memory_id as string), count: rows.length };
    },
    async dependingOn(id, ids) {
      if (ids.length === 0) return [];
      const rows = await sql`
        with recursive waiting (id) as (
          select ${id}::uuid union select d.todo from todo_dependencies d join waiting on d.depends_on = waiting.id
        )
        select id from waiting where id = any(${ids as string[]})`;
      return rows.map((row) => row.id as string);
    },
    async insertTodo(id, todo, dependsOn) {
      await sql`insert into todos ${sql({ id, ...todoColumns(todo) })}`;
      await insertDependencies(sql, id, dependsOn);
    },
    async replaceDependencies(id, dependsOn) {
      await sql`
        delete from todo_dependencies d using memories m
        where d.todo = ${id} and m.id = d.depends_on and m.status <> 'soft_deleted' and ${visible(sql, caller)}`;
      await sql`update todo_dependencies set place = place + ${dependsOn.length} where todo = ${id}`;
      await insertDependencies(sql, id, dependsOn);
    },
    async insertDecision(id, decision, supersedes) {
      await sql`insert into decisions ${sql({ id, supersedes, ...decisionColumns(decision) })}`;
    },
    async saveTodo(id, todo) {
      await sql`update todos set ${sql(todoColumns(todo))} where id = ${id}`;
    },
    async saveDecision(id, decision) {
      await sql`update decisions set ${sql(decisionColumns(decision))} where id = ${id}`;
    },
    async record(id, { at, operation, from, to, actor, note }) {
      const row = {
        item: id,
        at,
        operation,
        from_status: from,
        to_status: to,
        agent_id: actor.agentId,
        token_id: caller.tokenId,
        token_kind: actor.credentialKind,
        trust: actor.trust,
        note,
      };
      await sql`insert into workspace_events ${sql(row)}`;
    },
  };
}

async function insertDependencies(sql: AnySql, todo: string, dependsOn: readonly string[]): Promise<void> {
  if (dependsOn.length === 0) return;
  await sql`
    insert into todo_dependencies (todo, depends_on, place)
    select ${todo}::uuid, needed.id, needed.place
    from unnest(${dependsOn as string[]}::uuid[]) with ordinality as needed (id, place)`;
}
