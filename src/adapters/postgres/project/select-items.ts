import type { TodoStatus } from "../../../contract/project.ts";
import type { Caller } from "../../../core/caller.ts";
import { isFinished } from "../../../core/project/todo.ts";
import type { StoredDecision, StoredTodo, WorkspaceEvent } from "../../../core/project/workspace-store.ts";
import type { AnySql } from "../database/client.ts";
import { grouped, type MemoryRow } from "../memory/memory-row.ts";
import { pairsOf, type RowsOfOwner } from "../memory/owned-rows.ts";
import { inOrderOfMeaning } from "../memory/seen-memories.ts";
import { statusAt } from "../memory/supersession.ts";
import { ofEachOwner, visible } from "../memory/visibility.ts";
import { decisionState, itemColumns, todoState, toEvent, toItemMemory } from "./item-row.ts";

/**
 * The todos or decisions to read: rows of one owner that the caller may see. `withTrail`: reads their audit trails too.
 */
interface ItemRows extends RowsOfOwner {
  readonly withTrail: boolean;
}

/**
 * Reads the todos of these rows, in order, with the links that the caller may see. Everything is read for all rows at
 * once and joined here: a subquery for each of ten thousand is slow, and so may be a join from which the planner
 * expects few rows. The statements must share one snapshot, or the rows must be locked.
 */
export async function selectTodos(
  sql: AnySql,
  caller: Caller,
  of: ItemRows & { readonly dependencies?: Dependencies },
): Promise<StoredTodo[]> {
  const ids = of.ids as string[];
  if (ids.length === 0) return [];
  const [rows, trails, { dependsOn, dependents }] = await Promise.all([
    sql`
      select ${itemColumns(sql)}, ${todoState.selected(sql)}
      from memories m join todos t on t.owner_id = m.owner_id and t.id = m.id
      where (m.owner_id, m.id) in ${pairsOf(sql, of)}`,
    trailsOf(sql, of),
    of.dependencies ?? dependenciesOf(sql, caller, of),
  ]);
  const common = await commonOf(sql, caller, rows, trails);
  return inOrderOf(ids, rows).map((row) => ({
    ...common(row),
    state: todoState.read(row),
    dependsOn: dependsOn(row.id as string),
    dependents: dependents(row.id as string),
  }));
}

/** Public ids of a todo's dependencies, and the number of unfinished todos that wait for it, by the id of its row. */
export interface Dependencies {
  dependsOn(id: string): readonly string[];
  dependents(id: string): number;
}

/** Dependencies of these todos that the caller may see. Adopted todos do not count as waiting. */
export async function dependenciesOf(sql: AnySql, caller: Caller, of: RowsOfOwner): Promise<Dependencies> {
  const { ownerId } = of;
  const ids = of.ids as string[];
  const links = await sql`
    select d.todo, d.depends_on from todo_dependencies d
    where d.owner_id = ${ownerId} and (d.todo = any(${ids}) or d.depends_on = any(${ids})) order by d.place`;
  const linked = await linkedItems(sql, caller, {
    ownerId,
    ids: links.flatMap((link) => [link.todo, link.depends_on] as string[]),
  });
  const needed = grouped(links, "todo", (link) => link.depends_on as string);
  const waiting = grouped(links, "depends_on", (link) => link.todo as string);
  const isWaiting = (id: string) => {
    const { status = null, isAdopted = false } = linked.get(id) ?? {};
    return status !== null && !isAdopted && !isFinished(status as TodoStatus);
  };
  return {
    dependsOn: (id: string) => (needed.get(id) ?? []).flatMap((one) => linked.get(one)?.memoryId ?? []),
    dependents: (id: string) => (waiting.get(id) ?? []).filter(isWaiting).length,
  };
}

export async function selectDecisions(sql: AnySql, caller: Caller, of: ItemRows): Promise<StoredDecision[]> {
  const { ownerId } = of;
  const ids = of.ids as string[];
  if (ids.length === 0) return [];
  const [rows, trails, links] = await Promise.all([
    sql`
      select ${itemColumns(sql)}, ${decisionState.selected(sql)}
      from memories m join decisions d on d.owner_id = m.owner_id and d.id = m.id
      where (m.owner_id, m.id) in ${pairsOf(sql, of)}`,
    trailsOf(sql, of),
    sql`
      select d.id as newer, d.supersedes as older from decisions d
      where d.owner_id = ${ownerId} and d.supersedes is not null
        and (d.id = any(${ids}) or d.supersedes = any(${ids}))`,
  ]);
  const common = await commonOf(sql, caller, rows, trails);
  const linked = await linkedItems(sql, caller, {
    ownerId,
    ids: links.flatMap((link) => [link.newer, link.older] as string[]),
  });
  const older = new Map(links.map((link) => [link.newer as string, link.older as string]));
  const newer = new Map(links.map((link) => [link.older as string, link.newer as string]));
  const shown = (id: string | undefined) => (id === undefined ? null : (linked.get(id)?.memoryId ?? null));
  return inOrderOf(ids, rows).map((row) => ({
    ...common(row),
    state: decisionState.read(row),
    supersedes: shown(older.get(row.id as string)),
    supersededBy: shown(newer.get(row.id as string)),
  }));
}

/**
 * Public ids and statuses of the items among these rows that the caller may see and that are not deleted. The status of
 * a redacted item is null.
 */
async function linkedItems(
  sql: AnySql,
  caller: Caller,
  { ownerId, ids }: RowsOfOwner,
): Promise<
  Map<string, { readonly memoryId: string; readonly status: string | null; readonly isAdopted: boolean }>
> {
  if (ids.length === 0) return new Map();
  const rows = await sql`
    select m.id, m.memory_id, m.item_status, m.provenance ? 'adopted_from' as is_adopted
    -- By their ids first (offset 0 keeps the planner from anything else).
    from (select * from memories where (owner_id, id) in ${pairsOf(sql, { ownerId, ids: [...new Set(ids)] })} offset 0) m
    where m.status <> 'soft_deleted' and ${visible(sql, caller)}`;
  return new Map(
    rows.map((row) => [
      row.id as string,
      {
        memoryId: row.memory_id as string,
        status: row.item_status as string | null,
        isAdopted: row.is_adopted as boolean,
      },
    ]),
  );
}

/** Maximum lines, and maximum bytes of notes, that are read of an item's trail. The trail itself has no limit. */
const TRAIL_LINES_MAX = 200;
const TRAIL_BYTES_MAX = 64 * 1024;

interface Trails {
  of(id: string): readonly WorkspaceEvent[];
  /** How many older lines are left out. */
  omitted(id: string): number;
}

/** Reads the newest events of each of these rows, oldest first, and its redaction however long ago. */
async function trailsOf(sql: AnySql, { ownerId, ids, withTrail }: ItemRows): Promise<Trails> {
  if (!withTrail) return { of: () => [], omitted: () => 0 };
  const events = await sql`
    select e.item, e.at, e.operation, e.from_status, e.to_status, e.agent_id, e.token_kind, e.trust, e.note, e.lines
    from (
      select e.*, count(*) over (partition by e.item) as lines, row_number() over newest as place,
        sum(coalesce(octet_length(e.note), 0)) over newest as bytes
      from workspace_events e where e.owner_id = ${ownerId} and e.item = any(${ids as string[]})
      window newest as (partition by e.item order by e.id desc)
    ) e
    where (e.place <= ${TRAIL_LINES_MAX} and e.bytes <= ${TRAIL_BYTES_MAX}) or e.operation = 'redact' order by e.id`;
  const lines = new Map(events.map((row) => [row.item as string, Number(row.lines)]));
  const trails = grouped(events, "item", toEvent);
  const of = (id: string) => trails.get(id) ?? [];
  return { of, omitted: (id) => (lines.get(id) ?? 0) - of(id).length };
}

/** Members that todos and decisions share, as a function of the row. */
async function commonOf(sql: AnySql, caller: Caller, rows: readonly MemoryRow[], trails: Trails) {
  const statuses = await sourceStatuses(
    sql,
    caller,
    rows.flatMap((row) =>
      row.state_source_memory_id === null ? [] : [row.state_source_memory_id as string],
    ),
  );
  return (row: MemoryRow) => ({
    memory: toItemMemory(row),
    trail: trails.of(row.id as string),
    trailOmitted: trails.omitted(row.id as string),
    sourceStatus: statuses.get(row.state_source_memory_id as string) ?? null,
  });
}

/**
 * Statuses of the memories that these public ids resolve to for the caller. Ids of no memory, or of a soft-deleted one,
 * are left out.
 */
async function sourceStatuses(
  sql: AnySql,
  caller: Caller,
  ids: readonly string[],
): Promise<Map<string, StoredTodo["sourceStatus"]>> {
  if (ids.length === 0) return new Map();
  const rows = await sql`
    select named.memory_id, named.status from (
      select distinct on (m.memory_id) m.memory_id, ${statusAt(sql, sql`now()`)} as status
      from ${ofEachOwner(
        sql,
        caller,
        (owner) => sql`
          select m.* from memories m
          where m.owner_id = ${owner} and m.memory_id = any(${[...new Set(ids)]}) and ${visible(sql, caller)}`,
      )} m
      order by m.memory_id, ${inOrderOfMeaning(sql, caller)}
    ) named where named.status <> 'soft_deleted'`;
  return new Map(rows.map((row) => [row.memory_id as string, row.status as StoredTodo["sourceStatus"]]));
}

function inOrderOf(ids: readonly string[], rows: readonly MemoryRow[]): MemoryRow[] {
  const byId = new Map(rows.map((row) => [row.id as string, row]));
  return ids.map((id) => byId.get(id)).filter((row) => row !== undefined);
}
