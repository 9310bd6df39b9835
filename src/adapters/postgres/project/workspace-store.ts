import type { Caller } from "../../../core/caller.ts";
import { ANSWER_BYTES, jsonBytes } from "../../../core/limits/answer-bytes.ts";
import type { WorkspaceItem } from "../../../core/memory/memory-record.ts";
import type { ContextStore, Trust } from "../../../core/project/context/facts.ts";
import type { OrderedDecision } from "../../../core/project/decision.ts";
import type { OrderedTodo } from "../../../core/project/todo.ts";
import type {
  Attention,
  AttentionAsk,
  Listed,
  Listing,
  ListPart,
  OwnedRow,
  ProjectSummary,
  Workspace,
  WorkspaceStore,
  WorkspaceTransaction,
} from "../../../core/project/workspace-store.ts";
import type { AnySql, Fragment, Sql } from "../database/client.ts";
import { fromRow } from "../database/rows.ts";
import { snapshot } from "../database/transactions.ts";
import type { Context } from "../memory/context.ts";
import type { MemoryRow } from "../memory/memory-row.ts";
import { selectNamed } from "../memory/seen-memories.ts";
import { hasLiveStatus, isLive } from "../memory/supersession.ts";
import { ofEachOwner, roleIn, visible } from "../memory/visibility.ts";
import { authorTrust } from "./author-trust.ts";
import {
  decisionKeyColumns,
  decisionState,
  eventColumns,
  finishedStatuses,
  todoKeyColumns,
  todoState,
} from "./item-row.ts";
import { dependenciesOf, selectDecisions, selectTodos } from "./select-items.ts";
import { contextFacts, TO_DO } from "./workspace-context.ts";

/** Maximum number of items of a list, the newest, in any number of parts. */
const ITEMS_MAX = 10_000;

export function createWorkspaceStore(sql: Sql): WorkspaceStore & ContextStore {
  const of = (caller: Caller, { ownerId, projectId }: Workspace, item: WorkspaceItem) =>
    sql`m.owner_id = ${ownerId} and m.project_id = ${projectId} and m.workspace_item = ${item} and ${visible(sql, caller)}`;
  // Archived items are listed only by the status that they ended with; deleted and redacted ones have none.
  const inStatus = (status: string | null) =>
    status === null
      ? sql`and m.item_status is not null and m.status <> 'archived'`
      : sql`and m.item_status = ${status}`;
  /** Keeps the item after which a part continues, whatever has become of it. */
  const orAfter = ({ after }: Part) => (after === null ? sql`` : sql`or m.memory_id = ${after}`);
  /** The row that an id resolves to, the same as for changes of an item; null if it is deleted. */
  const named = async (tx: AnySql, caller: Caller, kind: WorkspaceItem, projectId: string, id: string) => {
    const seen = await selectNamed(tx, caller, id, { item: { kind, projectId } });
    return seen && seen.memory.status !== "soft_deleted" ? seen.memory : null;
  };
  return {
    roleIn: (caller, ownerId) => roleIn(sql, caller, ownerId),
    todo: (caller, projectId, id) =>
      snapshot(sql, async (tx) => {
        const row = await named(tx, caller, "todo", projectId, id);
        if (row === null) return null;
        const { ownerId } = row;
        return (await selectTodos(tx, caller, { ownerId, ids: [row.id], withTrail: true }))[0] ?? null;
      }),
    decision: (caller, projectId, id) =>
      snapshot(sql, async (tx) => {
        const row = await named(tx, caller, "decision", projectId, id);
        if (row === null) return null;
        const { ownerId } = row;
        return (await selectDecisions(tx, caller, { ownerId, ids: [row.id], withTrail: true }))[0] ?? null;
      }),
    todos: (caller, workspace, { status, priority, assignee }, { inOrder, show, ...part }) =>
      snapshot(sql, async (tx) => {
        const rows = await tx`
          select m.memory_id, ${todoKeyColumns(tx)}
          from memories m join todos t on t.owner_id = m.owner_id and t.id = m.id
          where ${of(caller, workspace, "todo")} and (true ${inStatus(status)}
            ${priority === null ? sql`` : sql`and t.priority = ${priority}`}
            ${assignee === null ? sql`` : sql`and t.assignee = ${assignee}`}
            ${orAfter(part)})
          order by (m.item_status in ${finishedStatuses(tx)}), m.seq desc limit ${ITEMS_MAX}`;
        const ids = rows.map((row) => row.id as string);
        const { ownerId } = workspace;
        const dependencies = await dependenciesOf(tx, caller, { ownerId, ids });
        const keys = rows.map((row) => ({
          ...fromRow<Listed<Omit<OrderedTodo, "dependents">>>(row),
          dependents: dependencies.dependents(row.id as string),
        }));
        const listed = idsAfter(rows, inOrder(keys), part);
        if (listed === null) return "unknown_place";
        return firstThatFit(
          listed,
          (page) => selectTodos(tx, caller, { ownerId, ids: page, withTrail: true, dependencies }),
          show,
        );
      }),
    decisions: (caller, workspace, { status, impactLevel }, { inOrder, show, ...part }) =>
      snapshot(sql, async (tx) => {
        const rows = await tx`
          select m.memory_id, ${decisionKeyColumns(tx)}
          from memories m join decisions d on d.owner_id = m.owner_id and d.id = m.id
          where ${of(caller, workspace, "decision")} and (true ${inStatus(status)}
            ${impactLevel === null ? sql`` : sql`and d.impact_level = ${impactLevel}`}
            ${orAfter(part)})
          order by (m.item_status = 'superseded'), m.seq desc limit ${ITEMS_MAX}`;
        const listed = idsAfter(rows, inOrder(rows.map(fromRow<Listed<OrderedDecision>>)), part);
        if (listed === null) return "unknown_place";
        return firstThatFit(
          listed,
          (page) => selectDecisions(tx, caller, { ownerId: workspace.ownerId, ids: page, withTrail: true }),
          show,
        );
      }),
    projects: (caller, ownerId, limit) => projectsOf(sql, caller, ownerId, limit),
    attention: (caller, ask) => snapshot(sql, (tx) => attentionOf(tx, caller, ask)),
    context: (caller, ask) => contextFacts(sql, caller, ask),
    async authorTrusts(caller, ids) {
      if (ids.length === 0) return new Map();
      const rows = await sql`
        select m.id, ${authorTrust(sql)} as trust from ${ofEachOwner(
          sql,
          caller,
          (owner) => sql`
            select m.* from unnest(${ids as string[]}::uuid[]) as given (id) join memories m on m.id = given.id
            where m.owner_id = ${owner} and ${visible(sql, caller)}`,
        )} m`;
      return new Map(rows.map((row) => [row.id as string, row.trust as Trust]));
    },
  };
}

type Part = Pick<Listing<never, never, never>, "after" | "limit">;

/** Ids of a list after the item with the public id `after`, in order. null if there is no such item. */
function idsAfter(
  rows: readonly MemoryRow[],
  ordered: readonly { readonly id: string }[],
  { after, limit }: Part,
): Wanted | null {
  const last = after === null ? undefined : rows.find((row) => row.memory_id === after);
  if (after !== null && last === undefined) return null;
  const start = last === undefined ? 0 : ordered.findIndex(({ id }) => id === last.id) + 1;
  return { ids: ordered.slice(start).map(({ id }) => id), limit: limit ?? Number.POSITIVE_INFINITY };
}

interface Wanted {
  readonly ids: readonly string[];
  readonly limit: number;
}

/**
 * Number of items that are read as a whole at first, since one may be as large as an answer. Then about as many are
 * read as there is room for.
 */
const READ_FIRST = 64;
const READ_AT_ONCE = 1000;

/** Reads as many of these rows, in order, as fit into an answer. */
async function firstThatFit<Stored, Shown>(
  { ids, limit }: Wanted,
  read: (page: readonly string[]) => Promise<Stored[]>,
  show: (stored: Stored) => Shown,
): Promise<ListPart<Shown>> {
  const wanted = ids.slice(0, limit);
  const items: Shown[] = [];
  let bytes = 0;
  for (let from = 0, count = READ_FIRST; from < wanted.length; ) {
    for (const stored of await read(wanted.slice(from, from + count))) {
      const item = show(stored);
      bytes += jsonBytes(item);
      if (bytes > ANSWER_BYTES && items.length > 0) return { items, hasMore: true };
      items.push(item);
    }
    from += count;
    const room = Math.ceil(((ANSWER_BYTES - bytes) / Math.max(1, bytes)) * items.length);
    count = Math.min(READ_AT_ONCE, Math.max(1, room));
  }
  return { items, hasMore: ids.length > wanted.length };
}

async function projectsOf(
  sql: Sql,
  caller: Caller,
  ownerId: string,
  limit: number,
): Promise<ProjectSummary[]> {
  const rows = await sql`
    select p.*, s.next_run_at, r.id as "last_run?.id", r.status as "last_run?.status", r.started_at as "last_run?.started_at"
    from (
      select m.project_id, max(m.updated_at) as last_activity_at,
        count(*) filter (where m.workspace_item is null and ${isLive(sql, sql`now()`)}) as memories,
        count(*) filter (where m.workspace_item = 'todo' and m.item_status not in ${finishedStatuses(sql)}) as open_todos,
        count(*) filter (where m.item_status = 'blocked') as blocked_todos,
        count(*) filter (where m.item_status = 'proposed') as proposed_decisions
      from memories m
      where m.owner_id = ${ownerId} and m.project_id is not null and ${visible(sql, caller)}
      group by m.project_id order by last_activity_at desc, m.project_id limit ${limit}
    ) p
    left join maintenance_settings s on s.owner_id = ${ownerId} and s.project_id = p.project_id
    left join lateral (
      select id, status, started_at from maintenance_runs
      where owner_id = ${ownerId} and project_id = p.project_id order by started_at desc, id desc limit 1
    ) r on true
    order by p.last_activity_at desc, p.project_id`;
  return rows.map(fromRow<ProjectSummary>);
}

/** Live memories that state the same fact as another one, among those for which `isSeen` is true. */
function conflicting(
  sql: AnySql,
  { ownerId, now }: Pick<AttentionAsk, "ownerId" | "now">,
  isSeen: Fragment,
): Fragment {
  return sql`
    select * from (
      select m.memory_id, m.seq, count(*) over fact as stated, min(m.seq) over fact as first
      from memories m
      where m.owner_id = ${ownerId} and m.semantic_key is not null and ${isLive(sql, now)} and ${isSeen}
      window fact as (partition by m.semantic_key, m.project_id, m.bucket, m.scope)
    ) live where stated > 1`;
}

/** Counts conflicts as `attention` does, over all memories of the owner, whoever may see them. */
export async function countConflicts(
  sql: AnySql,
  of: Pick<AttentionAsk, "ownerId" | "now">,
): Promise<number> {
  const [row] = await sql`select count(*)::int as conflicts from (${conflicting(sql, of, sql`true`)}) c`;
  return row?.conflicts as number;
}

async function attentionOf(
  sql: AnySql,
  caller: Caller,
  { ownerId, now, overdueMax, conflictsMax }: AttentionAsk,
): Promise<Attention> {
  const [facts] = await sql`
    with conflicting as (${conflicting(sql, { ownerId, now }, visible(sql, caller))})
    select (select count(*) from conflicting) as conflicts,
      array(select memory_id from conflicting order by first, seq limit ${conflictsMax}) as named`;
  // The memory type of a todo may be anything, even `reminder`. The row is a todo then.
  const overdue = sql`
    select m.memory_id, m.project_id, coalesce(t.content, m.content) as content, m.due_at, m.seq,
      case when m.workspace_item is null then 'reminder' else 'todo' end as kind
    from memories m left join todos t on t.owner_id = m.owner_id and t.id = m.id
    where m.owner_id = ${ownerId} and m.due_at <= ${now} and ${visible(sql, caller)} and (
      (m.workspace_item is null and m.memory_type = 'reminder' and ${hasLiveStatus(sql, TO_DO(sql), now)})
      or (m.workspace_item = 'todo' and m.item_status not in ${finishedStatuses(sql)}))`;
  const rows = await sql`
    with overdue as (${overdue})
    select (select count(*) from overdue where kind = 'reminder') as reminders,
      (select count(*) from overdue where kind = 'todo') as todos, named.*
    from (select) one left join (
      select * from overdue order by due_at, seq limit ${overdueMax}
    ) named on true order by named.due_at, named.seq`;
  const [counts] = rows;
  return {
    conflicts: Number(facts?.conflicts),
    conflicting: facts?.named as string[],
    overdueReminders: Number(counts?.reminders),
    overdueTodos: Number(counts?.todos),
    overdue: rows
      .filter((row) => row.memory_id !== null)
      .map(({ reminders: _, todos: _todos, seq: _seq, ...row }) =>
        fromRow<Attention["overdue"][number]>(row),
      ),
  };
}

/**
 * Access to todos and decisions within one transaction. Their memories' rows are locked first, which serialises
 * changes.
 */
export function createWorkspaceTransaction({ sql, caller }: Context): WorkspaceTransaction {
  return {
    async todo({ id, ownerId }) {
      const [todo] = await selectTodos(sql, caller, { ownerId, ids: [id], withTrail: true });
      if (!todo) throw new Error("the todo of a memory is missing");
      return todo;
    },
    async decision({ id, ownerId }) {
      const [decision] = await selectDecisions(sql, caller, { ownerId, ids: [id], withTrail: true });
      if (!decision) throw new Error("the decision of a memory is missing");
      return decision;
    },
    async todosNamed({ ownerId, projectId }, ids) {
      // Locked, so that none can be permanently deleted before the dependency is stored.
      const rows = await sql`
        select m.memory_id, m.id from memories m
        where m.owner_id = ${ownerId} and m.project_id = ${projectId} and m.workspace_item = 'todo'
          and m.memory_id = any(${ids as string[]}) and m.status <> 'soft_deleted' and ${visible(sql, caller)}
        order by m.id for key share of m`;
      return new Map(rows.map((row) => [row.memory_id as string, row.id as string]));
    },
    async unfinished({ id, ownerId }) {
      // Locked, so that none can be restored while what depends on it is completed.
      const rows = await sql`
        with needed as (
          select m.memory_id, m.item_status, d.place, ${visible(sql, caller)} as is_visible
          from todo_dependencies d join memories m on m.owner_id = d.owner_id and m.id = d.depends_on
          where d.owner_id = ${ownerId} and d.todo = ${id} order by m.id for share of m)
        select memory_id, is_visible from needed where item_status not in ${finishedStatuses(sql)} order by place`;
      const seen = rows.filter((row) => row.is_visible === true);
      return { ids: seen.map((row) => row.memory_id as string), count: rows.length };
    },
    async dependingOn({ id, ownerId }, ids) {
      if (ids.length === 0) return [];
      const rows = await sql`
        with recursive waiting (id) as (
          select ${id}::uuid
          union
          select d.todo from todo_dependencies d join waiting on d.owner_id = ${ownerId} and d.depends_on = waiting.id
        )
        select id from waiting where id = any(${ids as string[]})`;
      return rows.map((row) => row.id as string);
    },
    async insertTodo(row, todo, dependsOn) {
      const { id, ownerId } = row;
      await sql`insert into todos ${sql({ owner_id: ownerId, id, ...todoState.columns(todo) })}`;
      await insertDependencies(sql, row, dependsOn);
    },
    async replaceDependencies(row, dependsOn) {
      const { id, ownerId } = row;
      await sql`
        delete from todo_dependencies d using memories m
        where d.owner_id = ${ownerId} and d.todo = ${id} and m.owner_id = d.owner_id and m.id = d.depends_on
          and m.status <> 'soft_deleted' and ${visible(sql, caller)}`;
      await sql`
        update todo_dependencies set place = place + ${dependsOn.length} where owner_id = ${ownerId} and todo = ${id}`;
      await insertDependencies(sql, row, dependsOn);
    },
    async cutDeletedSuccessor({ id, ownerId }) {
      await sql`
        update decisions d set supersedes = null from memories m
        where d.owner_id = ${ownerId} and d.supersedes = ${id} and m.owner_id = d.owner_id and m.id = d.id
          and m.status = 'soft_deleted'`;
      const left = await sql`select from decisions where owner_id = ${ownerId} and supersedes = ${id}`;
      return left.length === 0;
    },
    async releaseCompleted({ id, ownerId }) {
      await sql`
        delete from todo_dependencies d using todos t
        where d.owner_id = ${ownerId} and d.depends_on = ${id} and t.owner_id = d.owner_id and t.id = d.todo
          and t.status = 'completed'`;
    },
    async insertDecision({ id, ownerId }, decision, supersedes) {
      await sql`
        insert into decisions ${sql({ owner_id: ownerId, id, supersedes, ...decisionState.columns(decision) })}`;
    },
    async saveTodo({ id, ownerId }, todo) {
      await sql`update todos set ${sql(todoState.columns(todo))} where owner_id = ${ownerId} and id = ${id}`;
    },
    async saveDecision({ id, ownerId }, decision) {
      await sql`
        update decisions set ${sql(decisionState.columns(decision))} where owner_id = ${ownerId} and id = ${id}`;
    },
    async record({ id, ownerId }, event) {
      await sql`
        insert into workspace_events ${sql({ owner_id: ownerId, item: id, ...eventColumns(event, caller.tokenId) })}`;
    },
  };
}

async function insertDependencies(
  sql: AnySql,
  { id, ownerId }: OwnedRow,
  dependsOn: readonly string[],
): Promise<void> {
  if (dependsOn.length === 0) return;
  await sql`
    insert into todo_dependencies (owner_id, todo, depends_on, place)
    select ${ownerId}::uuid, ${id}::uuid, needed.id, needed.place
    from unnest(${dependsOn as string[]}::uuid[]) with ordinality as needed (id, place)`;
}
