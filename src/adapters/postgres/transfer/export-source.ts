import type { OwnerRef } from "../../../contract/transfer.ts";
import type { OwnedRow } from "../../../core/project/workspace-store.ts";
import type {
  EndUserExport,
  EndUserPage,
  Exported,
  ExportFilter,
  ExportSource,
  Feedback,
  ItemState,
  NamedKind,
  StoredMemory,
  StoredTeam,
  StoredVersion,
} from "../../../core/transfer/export-source.ts";
import type { AnySql, Fragment, Sql, TransactionSql } from "../database/client.ts";
import { fromRow } from "../database/rows.ts";
import { columns, grouped, type MemoryRow, toRecord } from "../memory/memory-row.ts";
import { ownedRows } from "../memory/owned-rows.ts";
import { isLive } from "../memory/supersession.ts";
import { isNoKnowledge } from "../memory/visibility.ts";
import { authorTrust } from "../project/author-trust.ts";
import { decisionState, todoState, toEvent } from "../project/item-row.ts";
import { ownerColumns, selectNamed, toMilliseconds, toNamed, toOwner } from "./named-records.ts";

type TeamMember = StoredTeam["members"][number];

const BATCH_ROWS = 100;
/**
 * Maximum number of versions in a memory's own line, the newest. Older ones have lines of their own, with as many in
 * each.
 */
const VERSIONS_IN_LINE = 200;

/** Reads exports in a read-only snapshot that writers do not wait for. */
export function createExportSource(sql: Sql): ExportSource {
  return {
    async hasOwner(owner) {
      const rows = await sql`select from owners o where ${ofOwner(sql, owner)}`;
      return rows.length > 0;
    },
    snapshot: (filter, work) =>
      sql.begin("isolation level repeatable read read only", async (snapshot) => {
        // Counting and sorting everything may take long.
        await snapshot`select set_config('statement_timeout', '0', true)`;
        const selections = selectionsOf(snapshot, filter);
        let count = 0;
        for (const { rows } of selections) {
          const [row] = await snapshot`select count(*) as count from (${rows}) counted`;
          count += Number(row?.count);
        }
        if (filter.withVersions) count += await countOfVersionLines(snapshot, filter);
        return work({ count, batches: () => batches(snapshot, selections) });
      }) as never,
  };
}

/** Reads a page at a time, so that no snapshot stays open between the requests of a slow client. */
export function createEndUserExport(sql: Sql): EndUserExport {
  return {
    page: (ownerId, { limit, after, now, withKnowledge }) =>
      sql.begin("isolation level repeatable read read only", async (snapshot) => {
        const [row] = await snapshot`select ${ownerColumns(snapshot)} from owners o where o.id = ${ownerId}`;
        if (!row) return { pieces: [], isLast: true };
        const filter = {
          owner: toOwner(row),
          projectId: null,
          status: "all",
          withVersions: true,
          now,
        } as const;
        const chosen = await snapshot`
          select m.id, m.owner_id from memories m where m.owner_id = ${ownerId}
            ${after === null ? snapshot`` : snapshot`and m.id > ${after}`}
            ${withKnowledge ? snapshot`` : snapshot`and ${isNoKnowledge(snapshot)}`}
          order by m.id limit ${limit}`;
        const isLast = chosen.length < limit;
        const pieces: EndUserPage["pieces"][number][] = piecesOf(
          await linesOf(memorySelection(snapshot, filter), chosen),
        );
        if (!isLast) return { pieces, isLast };
        const rest = [
          linkSelection(snapshot, filter),
          ...OWNED.map((kind) => namedSelection(snapshot, kind, filter)),
        ];
        const exported: Exported[] = [];
        for (const selection of rest)
          exported.push(...(await linesOf(selection, await snapshot`${selection.rows}`)));
        return { pieces: [...pieces, { memory: null, exported }], isLast };
      }) as never,
  };
}

/** The kinds of named records that an end user can own. */
const OWNED = ["settings", "webhook", "receipt"] as const;

async function linesOf(selection: Selection, rows: readonly MemoryRow[]): Promise<Exported[]> {
  const lines: Exported[] = [];
  for await (const some of selection.exported(rows)) lines.push(...some);
  return lines;
}

/** Lines of memories, each together with the lines of its older versions. */
function piecesOf(lines: readonly Exported[]): EndUserPage["pieces"][number][] {
  const versions = new Map<string, Exported[]>();
  for (const line of lines) {
    if (line.kind !== "versions") continue;
    versions.set(line.memoryId, [...(versions.get(line.memoryId) ?? []), line]);
  }
  return lines
    .flatMap((line) => (line.kind === "memory" ? [line] : []))
    .sort((a, b) => (a.stored.memory.id < b.stored.memory.id ? -1 : 1))
    .map((line) => ({
      memory: line.stored.memory.id,
      exported: [line, ...(versions.get(line.stored.memory.memoryId) ?? [])],
    }));
}

/** The rows of one kind in order, and how a batch of them is exported. */
interface Selection {
  readonly name: string;
  readonly rows: Fragment;
  exported(rows: readonly MemoryRow[]): AsyncIterable<Exported[]>;
}

/**
 * Reads each kind through a cursor, so that an export of any size is read a batch at a time, and other statements can
 * run in between.
 */
async function* batches(sql: TransactionSql, selections: readonly Selection[]): AsyncGenerator<Exported[]> {
  for (const { name, rows, exported } of selections) {
    // Each cursor has a name of its own, since the driver caches the columns that a statement returns.
    const cursor = sql.unsafe(`exported_${name}`);
    await sql`declare ${cursor} no scroll cursor for ${rows}`;
    for (;;) {
      const batch = await sql`fetch ${sql.unsafe(String(BATCH_ROWS))} from ${cursor}`;
      if (batch.length === 0) break;
      yield* exported(batch);
    }
    await sql`close ${cursor}`;
  }
}

/** The selected rows, in the order in which they can be restored. */
function selectionsOf(sql: TransactionSql, filter: ExportFilter): Selection[] {
  const named = (kind: NamedKind) => namedSelection(sql, kind, filter);
  const ofProjects = [memorySelection(sql, filter), linkSelection(sql, filter), named("settings")];
  if (filter.projectId !== null) return ofProjects;
  return [
    userSelection(sql, filter),
    teamSelection(sql, filter),
    named("agent"),
    named("client"),
    ...ofProjects,
    named("webhook"),
    named("receipt"),
  ];
}

/**
 * Condition for the owner `o`, if the filter names one. Quarantines of agents are never exported: they belong to no
 * user yet, and no other database could bind the agent.
 */
function ofOwner(sql: AnySql, owner: ExportFilter["owner"]): Fragment {
  if (owner === null) return sql`o.kind <> 'agent'`;
  const { kind, name, application } = owner;
  if (application === undefined)
    return sql`(o.kind = ${kind} and o.name = ${name} and o.application_id is null)`;
  return sql`(o.name collate "C" = ${name} and o.application_id = (
    select p.id from owners p
    where p.kind = ${application.kind} and p.name = ${application.name} and p.application_id is null
  ))`;
}

/** Condition for the memory `m` of the owner `o`. */
function matches(sql: TransactionSql, filter: ExportFilter): Fragment {
  const { projectId, status, now } = filter;
  return sql`${ofOwner(sql, filter.owner)}
    ${projectId === null ? sql`` : sql`and m.project_id = ${projectId}`}
    ${status === "kept" ? sql`and m.status <> 'soft_deleted'` : sql``}
    ${status === "active" ? sql`and ${isLive(sql, now)}` : sql``}`;
}

/**
 * Owners of a kind, by creation time (`toMilliseconds`), then by the bytes of their names, whatever the collation of
 * the database is.
 */
function selectOwners(sql: TransactionSql, kind: OwnerRef["kind"], filter: ExportFilter): Fragment {
  return sql`
    select o.id, o.name, o.created_at from owners o where o.kind = ${kind} and ${ofOwner(sql, filter.owner)}
    order by ${sql.unsafe(toMilliseconds("o.created_at"))}, o.name collate "C"`;
}

function userSelection(sql: TransactionSql, filter: ExportFilter): Selection {
  return {
    name: "users",
    rows: selectOwners(sql, "user", filter),
    async *exported(rows) {
      yield rows.map((row) => ({ kind: "user", user: fromRow(row) }));
    },
  };
}

function teamSelection(sql: TransactionSql, filter: ExportFilter): Selection {
  return {
    name: "teams",
    rows: selectOwners(sql, "team", filter),
    async *exported(rows) {
      const members = await sql`
        select m.team_id, u.name as user, m.role, m.created_at as since from team_members m join owners u on u.id = m.user_id
        where m.team_id = any(${rows.map((row) => row.id as string)})
        order by ${sql.unsafe(toMilliseconds("m.created_at"))}, u.name collate "C"`;
      const ofTeam = grouped(members, "team_id", ({ team_id: _, ...row }) => row as unknown as TeamMember);
      yield rows.map((row) => ({
        kind: "team",
        team: { ...fromRow<Omit<StoredTeam, "members">>(row), members: ofTeam.get(row.id as string) ?? [] },
      }));
    },
  };
}

function memorySelection(sql: TransactionSql, filter: ExportFilter): Selection {
  return {
    name: "memories",
    rows: sql`select m.id, m.owner_id from memories m join owners o on o.id = m.owner_id where ${matches(sql, filter)} order by m.seq`,
    async *exported(chosen) {
      const own = ownedRows(sql, chosen.map(toOwnedRow));
      const rows = await sql`
        select ${columns(sql)}, ${authorTrust(sql)} as author_trust, ${ownerColumns(sql)}, author.ref as author_ref
        from ${own} join memories m on m.owner_id = own.owner_id and m.id = own.id
        join owners o on o.id = m.owner_id left join lateral (
          select to_jsonb(named) as ref from (select ${ownerColumns(sql)} from owners o where o.id = m.author_id) named
        ) author on true order by m.seq`;
      const items = await readItems(sql, rows);
      const feedback = await readFeedback(sql, own);
      const versions = filter.withVersions
        ? await newestVersions(sql, filter, own)
        : new Map<string, StoredVersion[]>();
      const memories = rows.map((row): StoredMemory & OwnedRow => ({
        ownerId: row.owner_id,
        id: row.id,
        memory: toRecord(row),
        owner: toOwner(row),
        author: row.author_ref === null ? null : toOwner(row.author_ref as MemoryRow),
        authorTrust: row.author_trust,
        ...(items.get(row.id) ?? { item: null, trail: [] }),
        feedback: feedback.get(row.id) ?? [],
        versions: versions.get(row.id) ?? [],
      }));
      yield memories.map((stored) => ({ kind: "memory", stored }));
      for (const { id, ownerId, owner, memory, versions: newest } of memories) {
        if (newest.length < VERSIONS_IN_LINE) continue;
        for await (const older of olderVersions(sql, filter, { id, ownerId }, newest[0]?.revision ?? 0))
          yield [{ kind: "versions", owner, memoryId: memory.memoryId, versions: older }];
      }
    },
  };
}

async function readItems(
  sql: TransactionSql,
  rows: readonly MemoryRow[],
): Promise<Map<string, Pick<StoredMemory, "item" | "trail">>> {
  const items = rows.filter((row) => row.workspace_item !== null).map(toOwnedRow);
  if (items.length === 0) return new Map();
  const own = ownedRows(sql, items);
  const todos = await sql`
    select t.id, ${todoState.selected(sql)} from ${own} join todos t on t.owner_id = own.owner_id and t.id = own.id`;
  const decisions = await sql`
    select d.id, ${decisionState.selected(sql)} from ${own} join decisions d on d.owner_id = own.owner_id and d.id = own.id`;
  const events = await sql`
    select e.* from ${own} join workspace_events e on e.owner_id = own.owner_id and e.item = own.id order by e.id`;
  const trails = grouped(events, "item", toEvent);
  const states: [string, ItemState][] = [
    ...todos.map((row): [string, ItemState] => [row.id, { kind: "todo", todo: todoState.read(row) }]),
    ...decisions.map((row): [string, ItemState] => [
      row.id,
      { kind: "decision", decision: decisionState.read(row) },
    ]),
  ];
  return new Map(states.map(([id, item]) => [id, { item, trail: trails.get(id) ?? [] }]));
}

async function readFeedback(sql: TransactionSql, own: Fragment): Promise<Map<string, Feedback[]>> {
  const rows = await sql`
    select f.memory, f.at, f.helpful
    from ${own} join recall_feedback f on f.owner_id = own.owner_id and f.memory = own.id order by f.id`;
  return grouped(rows, "memory", (row) => ({ at: row.at as number, helpful: row.helpful as boolean }));
}

/**
 * Selects versions `v` for `toVersion`: the row at that time, `m`, and its owner then, `o`, if the export contains that
 * owner.
 */
function selectVersions(sql: TransactionSql, filter: ExportFilter, versions: Fragment): Fragment {
  return sql`
    select ${columns(sql)}, v.memory as version_of, v.revision as version_revision, v.valid_to, v.reason,
      m.owner_id is not distinct from now.owner_id as is_of_present_owner, ${ownerColumns(sql)}
    from ${versions} v join memories now on now.owner_id = v.owner_id and now.id = v.memory
    cross join lateral jsonb_populate_record(null::memories, v.state) m
    left join owners o on o.id = m.owner_id and ${ofOwner(sql, filter.owner)}`;
}

async function newestVersions(
  sql: TransactionSql,
  filter: ExportFilter,
  own: Fragment,
): Promise<Map<string, StoredVersion[]>> {
  const counted = sql`(
    select v.*, row_number() over (partition by v.memory order by v.revision desc) as place
    from ${own} join memory_versions v on v.owner_id = own.owner_id and v.memory = own.id
  )`;
  const rows = await sql`
    ${selectVersions(sql, filter, counted)}
    where v.place <= ${VERSIONS_IN_LINE} order by v.memory, v.revision`;
  return grouped(rows, "version_of", toVersion);
}

/** Reads earlier versions in parts. The newest part comes first, and each part is oldest first. */
async function* olderVersions(
  sql: TransactionSql,
  filter: ExportFilter,
  { id, ownerId }: OwnedRow,
  before: number,
): AsyncGenerator<StoredVersion[]> {
  for (let bound = before; ; ) {
    const rows = await sql`
      ${selectVersions(sql, filter, sql`memory_versions`)}
      where v.owner_id = ${ownerId} and v.memory = ${id} and v.revision < ${bound} order by v.revision desc limit ${VERSIONS_IN_LINE}`;
    const versions = rows.map(toVersion).reverse();
    if (versions.length === 0) return;
    yield versions;
    bound = versions[0]?.revision as number;
  }
}

function toOwnedRow(row: MemoryRow): OwnedRow {
  return { id: row.id as string, ownerId: row.owner_id as string };
}

function toVersion(row: MemoryRow): StoredVersion {
  return {
    revision: row.version_revision as number,
    owner: row.is_of_present_owner ? undefined : row.kind === null ? null : toOwner(row),
    state: toRecord(row),
    validTo: row.valid_to as number,
    reason: row.reason as string | null,
  };
}

async function countOfVersionLines(sql: TransactionSql, filter: ExportFilter): Promise<number> {
  const [row] = await sql`
    select coalesce(sum(ceil((many.versions - ${VERSIONS_IN_LINE}) / ${VERSIONS_IN_LINE}::numeric)), 0)::bigint as count
    from (
      select v.owner_id, v.memory, count(*) as versions from memory_versions v
      group by v.owner_id, v.memory having count(*) > ${VERSIONS_IN_LINE}
    ) many join memories m on m.owner_id = many.owner_id and m.id = many.memory join owners o on o.id = m.owner_id where ${matches(sql, filter)}`;
  return Number(row?.count);
}

/** Links whose ends are both in the export and in the same workspace. */
function linkSelection(sql: TransactionSql, filter: ExportFilter): Selection {
  return {
    name: "links",
    rows: sql`
      with chosen as (
        select m.id, m.owner_id, m.project_id, m.memory_id, m.seq, ${ownerColumns(sql)}
        from memories m join owners o on o.id = m.owner_id where m.workspace_item is not null and ${matches(sql, filter)}
      ), link as (
        select d.owner_id, d.todo as item, d.depends_on as other, d.place, 'depends_on' as means from todo_dependencies d
        union all
        select d.owner_id, d.id, d.supersedes, 1, 'supersedes' from decisions d where d.supersedes is not null
      )
      select item.kind, item.name, item.application, item.memory_id, link.means, array_agg(other.memory_id order by link.place) as others
      from link join chosen item on item.owner_id = link.owner_id and item.id = link.item
      join chosen other on other.owner_id = link.owner_id and other.id = link.other
      where other.project_id = item.project_id
      group by item.id, item.kind, item.name, item.application, item.memory_id, item.seq, link.means order by item.seq`,
    async *exported(rows) {
      yield rows.map((row) => {
        const others = row.others as string[];
        const isTodo = row.means === "depends_on";
        return {
          kind: "links",
          links: {
            owner: toOwner(row),
            id: row.memory_id as string,
            dependsOn: isTodo ? others : [],
            supersedes: isTodo ? null : (others[0] as string),
          },
        };
      });
    },
  };
}

/**
 * Records that have a name. Agents with an open claim are left out: the claim could not be continued in another
 * database.
 */
function namedSelection(sql: TransactionSql, kind: NamedKind, { owner, ...filter }: ExportFilter): Selection {
  const conditions: Readonly<Record<NamedKind, Fragment>> = {
    agent: sql`r.status in ('bound', 'revoked', 'denied', 'expired')
      ${owner === null ? sql`` : owner.kind === "team" ? sql`and t.name = ${owner.name}` : sql`and ${ofOwner(sql, owner)}`}`,
    // OAuth clients have no owner, so they are only in an export of all owners.
    client: sql`${owner === null}`,
    settings: sql`${ofOwner(sql, owner)} ${filter.projectId === null ? sql`` : sql`and r.project_id = ${filter.projectId}`}`,
    webhook: ofOwner(sql, owner),
    receipt: ofOwner(sql, owner),
  };
  return {
    name: kind,
    rows: selectNamed(sql, kind, conditions[kind]),
    async *exported(rows) {
      yield rows.map((row) => toNamed(kind, row));
    },
  };
}
