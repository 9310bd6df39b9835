import { Buffer } from "node:buffer";
import { uuidv7 } from "uuidv7";
import type { OwnerRef } from "../../../contract/transfer.ts";
import type { Role } from "../../../core/access/team-store.ts";
import type { NewMemory } from "../../../core/memory/memory-record.ts";
import type { Fact } from "../../../core/memory/supersession.ts";
import type { OwnedRow } from "../../../core/project/workspace-store.ts";
import { ownerKey, type StoredVersion } from "../../../core/transfer/export-source.ts";
import type {
  EnsuredOwner,
  ImportTarget,
  ImportTransaction,
  ItemRow,
  RowLinks,
} from "../../../core/transfer/import-target.ts";
import type { Restored } from "../../../core/transfer/lines.ts";
import type { StoredVectors } from "../../../recall/index/vector-bytes.ts";

import type { Fragment, Sql, TransactionSql } from "../database/client.ts";
import { takeOwnerLocks } from "../database/locks.ts";
import { fromRow, toRow } from "../database/rows.ts";
import { retried } from "../database/transactions.ts";
import { columns, grouped, toColumns, toJsonColumns, toRecord } from "../memory/memory-row.ts";
import { ownedRows } from "../memory/owned-rows.ts";
import { isLive, statesSameFact } from "../memory/supersession.ts";
import { inBulk } from "../memory/write-memory.ts";
import { AGENTS_OWN_TOKEN, NO_TOKEN } from "../project/author-trust.ts";
import { decisionState, eventColumns, todoState } from "../project/item-row.ts";
import { findNamed, insertNamed, ownerColumns, toOwner } from "./named-records.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Few enough that the 65,535 parameters of one statement suffice for rows of any table here. */
const ROWS_AT_ONCE = 1000;

/** `generation`: the embedding generation of the vectors that it receives. */
export function createImportTarget(sql: Sql, generation: number): ImportTarget {
  return {
    transaction: (work) =>
      retried(() => sql.begin((tx) => work(createImportTransaction(tx, generation)))) as never,
  };
}

function createImportTransaction(sql: TransactionSql, generation: number): ImportTransaction {
  return {
    findOwners: (owners) => findOwners(sql, owners),
    ensureOwners: (owners) => ensureOwners(sql, owners),
    lockOwners: (ownerIds) => takeOwnerLocks(sql, ownerIds),
    membersOf: (teamIds) => membersOf(sql, teamIds),
    insertMembers: (teamId, members, from) => insertMembers(sql, teamId, members, from),
    async holders(ids) {
      const rows = await sql`select ${columns(sql)} from ${memoriesNamed(sql, ids)}`;
      return rows.map(toRecord);
    },
    liveFacts: (facts, now) => liveFacts(sql, facts, now),
    insert: (memories, from) => insert(sql, generation, memories, from),
    async revisionsOf(memories) {
      const rows = await sql`
        select v.memory, array_agg(v.revision) as revisions from ${ownedRows(sql, known(memories))}
        join memory_versions v on v.owner_id = own.owner_id and v.memory = own.id group by v.memory`;
      return new Map(rows.map((row) => [row.memory, new Set((row.revisions as unknown[]).map(Number))]));
    },
    async insertVersions(row, versions) {
      await insertVersions(sql, await versionsInColumns(sql, versionRows(row, NO_TOKEN, versions)));
    },
    items: (ids) => findItems(sql, ids),
    linksFrom: (rows) => linksFrom(sql, known(rows)),
    async replaced(decisions) {
      const rows = await sql`
        select d.supersedes from ${ownedRows(sql, known(decisions))}
        join decisions d on d.owner_id = own.owner_id and d.supersedes = own.id`;
      return new Set(rows.map((row) => row.supersedes as string));
    },
    insertLinks: (links) => insertLinks(sql, links),
    named: (kind, names) => findNamed(sql, kind, names),
    insertNamed: (kind, record, to) => insertNamed(sql, kind, record, to),
  };
}

async function ensureOwners(sql: TransactionSql, owners: readonly EnsuredOwner[]) {
  if (owners.length === 0) return new Map<string, string>();
  const applications = owners.flatMap(({ application }) => application ?? []);
  if (applications.length > 0) await ensureOwners(sql, applications);
  const inOrder = owners.toSorted((a, b) => (ownerKey(a) < ownerKey(b) ? -1 : 1));
  // Sent together, and executed in this order.
  const [, found] = await Promise.all([insertOwners(sql, inOrder), findOwners(sql, owners)]);
  // The ids that these request belong to other owners.
  const others = inOrder.filter((owner) => !found.has(ownerKey(owner)));
  if (others.length === 0) return found;
  await insertOwners(
    sql,
    others.map((owner) => ({ ...owner, id: undefined })),
  );
  return findOwners(sql, owners);
}

/** Inserts the owners whose kind and name, and whose id, are not taken yet. */
async function insertOwners(sql: TransactionSql, owners: readonly EnsuredOwner[]): Promise<void> {
  const column = <T>(read: (owner: EnsuredOwner) => T) => owners.map(read);
  await sql`
    insert into owners (id, kind, name, created_at, application_id)
    select given.id, given.kind, given.name, given.created_at, p.id
    from unnest(
      ${column(({ id }) => id ?? uuidv7())}::uuid[], ${column(({ kind }) => kind)}::text[],
      ${column(({ name }) => name)}::text[], ${column(({ createdAt }) => createdAt ?? Date.now())}::timestamptz[],
      ${column(({ application }) => application?.kind ?? null)}::text[],
      ${column(({ application }) => application?.name ?? null)}::text[]
    ) with ordinality as given (id, kind, name, created_at, of_kind, of_name, place)
    left join owners p on p.kind = given.of_kind and p.name = given.of_name and p.application_id is null
    where given.of_name is null or p.id is not null
    order by given.place on conflict do nothing`.execute();
}

async function findOwners(sql: TransactionSql, owners: readonly OwnerRef[]): Promise<Map<string, string>> {
  const rows = await sql`
    with asked as (
      select * from unnest(
        ${owners.map(({ kind }) => kind)}::text[], ${owners.map(({ name }) => name)}::text[],
        ${owners.map(({ application }) => application?.kind ?? null)}::text[],
        ${owners.map(({ application }) => application?.name ?? null)}::text[]
      ) as asked (kind, name, of_kind, of_name)
    )
    select o.id, ${ownerColumns(sql)} from asked
    join owners o on o.kind = asked.kind and o.name = asked.name and o.application_id is null
    union all
    select o.id, ${ownerColumns(sql)} from asked
    join owners p on p.kind = asked.of_kind and p.name = asked.of_name and p.application_id is null
    join owners o on o.application_id = p.id and o.name collate "C" = asked.name`;
  return new Map(rows.map((row) => [ownerKey(toOwner(row)), row.id as string]));
}

async function membersOf(sql: TransactionSql, teamIds: readonly string[]) {
  const ids = teamIds as string[];
  // Locks the teams, as every change of a team does, so that no one joins meanwhile.
  await sql`select from owners where id = any(${ids}) order by id for no key update`;
  const rows = await sql`
    select m.team_id, u.name, m.role from team_members m join owners u on u.id = m.user_id where m.team_id = any(${ids})`;
  return grouped(rows, "team_id", ({ name, role }) => ({ user: name as string, role: role as Role }));
}

async function insertMembers(
  sql: TransactionSql,
  teamId: string,
  members: readonly { readonly userId: string; readonly role: Role; readonly since: number }[],
  from: string,
): Promise<void> {
  const rows = members.map(({ since, ...member }) => toRow({ ...member, teamId, createdAt: since }));
  await insertRows(sql, "team_members", rows);
  await sql`
    insert into audit_log (owner_id, operation, detail)
    values (${teamId}, 'import', ${{ from, members: rows.length } as never})`;
}

async function liveFacts(sql: TransactionSql, facts: readonly Fact[], now: number) {
  const known = facts.filter(({ ownerId }) => UUID.test(ownerId));
  if (known.length === 0) return [];
  const rows = await sql`
    select ${columns(sql)} from unnest(
      ${known.map((fact) => fact.ownerId)}::uuid[], ${known.map((fact) => fact.semanticKey)}::text[],
      ${known.map((fact) => fact.projectId)}::text[], ${known.map((fact) => fact.bucket)}::text[],
      ${known.map((fact) => fact.scope)}::text[]
    ) as fact (owner_id, semantic_key, project_id, bucket, scope) join memories m on ${statesSameFact(sql)}
    where ${isLive(sql, now)}`;
  return rows.map(toRecord);
}

async function insert(
  sql: TransactionSql,
  generation: number,
  memories: readonly (Restored & { readonly vectors: StoredVectors | null })[],
  from: string,
): Promise<void> {
  const rows = memories.map((restored) => ({
    columns: Object.assign(toJsonColumns(restored.memory), {
      author_token: tokenOf(restored),
      revision: restored.revision,
    }),
    vectors: restored.vectors,
    isOfCaller: false,
  }));
  const versions = await versionsInColumns(
    sql,
    memories.flatMap((restored) => versionRows(restored.memory, tokenOf(restored), restored.versions)),
  );
  const feedback = memories.flatMap(({ memory, feedback: given }) =>
    given.map(({ at, helpful }) => ({
      owner_id: memory.ownerId,
      memory: memory.id,
      token_id: NO_TOKEN,
      helpful,
      at,
    })),
  );
  const audited = sql`
    insert into audit_log (owner_id, operation, memory, detail)
    select owner_id, 'import', id, jsonb_build_object('from', ${from}::text) from m`;
  // Sent together, so that the next lines are read while Postgres works.
  await Promise.all([
    inBulk(sql, { rows, generation, audited }).execute(),
    insertVersions(sql, versions),
    insertItems(sql, memories),
    insertRows(sql, "recall_feedback", feedback),
  ]);
}

/** Inserts any number of rows in order. Every statement has been sent when this returns. */
function insertRows(
  sql: TransactionSql,
  table: string,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<unknown> {
  return Promise.all(
    portionsOf(rows).map((some) => sql`insert into ${sql(table)} ${sql(some as never)}`.execute()),
  );
}

function portionsOf<Row>(rows: readonly Row[]): Row[][] {
  const portions: Row[][] = [];
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) portions.push(rows.slice(at, at + ROWS_AT_ONCE));
  return portions;
}

function tokenOf({ authorTrust }: Restored): string {
  return authorTrust === "token_bound" ? AGENTS_OWN_TOKEN : NO_TOKEN;
}

/** Inserts the states of todos and decisions, and their trails. */
function insertItems(sql: TransactionSql, memories: readonly Restored[]): Promise<unknown> {
  const todos = memories.flatMap(({ memory, item }) =>
    item?.kind === "todo"
      ? [{ owner_id: memory.ownerId, id: memory.id, ...todoState.columns(item.todo) }]
      : [],
  );
  const decisions = memories.flatMap(({ memory, item }) =>
    item?.kind === "decision"
      ? [{ owner_id: memory.ownerId, id: memory.id, ...decisionState.columns(item.decision) }]
      : [],
  );
  const events = memories.flatMap(({ memory, trail }) =>
    trail.map((event) => ({
      owner_id: memory.ownerId,
      item: memory.id,
      ...eventColumns(event, NO_TOKEN),
    })),
  );
  return Promise.all([
    insertRows(sql, "todos", todos),
    insertRows(sql, "decisions", decisions),
    insertRows(sql, "workspace_events", events),
  ]);
}

async function findItems(sql: TransactionSql, ids: readonly Name[]): Promise<ItemRow[]> {
  const rows = await sql`
    select m.id, m.owner_id, m.memory_id, m.project_id, m.workspace_item as item from ${memoriesNamed(sql, ids)}
    where m.workspace_item is not null`;
  return rows.map(fromRow<ItemRow>);
}

/** A memory by owner and public id, as a file names it. In a dry run, its owner may have no id yet. */
type Name = Pick<NewMemory, "ownerId" | "memoryId">;

/** Rows whose owner exists in this database. */
function known<Row extends { readonly ownerId: string }>(rows: readonly Row[]): Row[] {
  return rows.filter(({ ownerId }) => UUID.test(ownerId));
}

/** SQL of the memories `m` with these names, each once. */
function memoriesNamed(sql: TransactionSql, names: readonly Name[]): Fragment {
  const asked = known(names);
  return sql`(
    select distinct * from unnest(
      ${asked.map(({ ownerId }) => ownerId)}::uuid[], ${asked.map(({ memoryId }) => memoryId)}::text[]
    ) as name (owner_id, memory_id)
  ) name join memories m on m.owner_id = name.owner_id and m.memory_id = name.memory_id`;
}

async function linksFrom(
  sql: TransactionSql,
  items: readonly OwnedRow[],
): Promise<Map<string, readonly string[]>> {
  if (items.length === 0) return new Map();
  const own = ownedRows(sql, items);
  const rows = await sql`
    select d.todo as id, array_agg(d.depends_on order by d.place) as others
    from ${own} join todo_dependencies d on d.owner_id = own.owner_id and d.todo = own.id group by d.todo
    union all
    select d.id, array[d.supersedes] from ${own} join decisions d on d.owner_id = own.owner_id and d.id = own.id
    where d.supersedes is not null`;
  return new Map(rows.map((row) => [row.id as string, row.others as string[]]));
}

async function insertLinks(sql: TransactionSql, links: readonly RowLinks[]): Promise<void> {
  const dependencies = links.flatMap(({ id, ownerId, item, others }) =>
    item === "todo"
      ? others.map((other, at) => ({ owner_id: ownerId, todo: id, depends_on: other, place: at + 1 }))
      : [],
  );
  await insertRows(sql, "todo_dependencies", dependencies);
  const decisions = links.filter(({ item }) => item === "decision");
  await sql`
    update decisions d set supersedes = link.other
    from unnest(
      ${decisions.map(({ ownerId }) => ownerId)}::uuid[], ${decisions.map(({ id }) => id)}::uuid[], ${decisions.map(({ others }) => others[0] as string)}::uuid[]
    ) as link (owner_id, id, other) where d.owner_id = link.owner_id and d.id = link.id`;
}

/** Versions as rows. Their state is still an object of columns. */
function versionRows({ id, ownerId }: OwnedRow, token: string, versions: readonly StoredVersion[]) {
  return versions.map(({ revision, owner, state, validTo, reason }) => ({
    owner_id: ownerId,
    memory: id,
    revision,
    state: {
      ...toColumns(state),
      ...(owner === null ? { owner_id: null } : {}),
      author_token: token,
      revision,
    },
    valid_to: new Date(validTo).toISOString(),
    reason,
  }));
}

/** A row whose state is an object of columns. */
type VersionInColumns = ReturnType<typeof versionRows>[number];

async function versionsInColumns(
  sql: TransactionSql,
  rows: readonly VersionInColumns[],
): Promise<readonly (Omit<VersionInColumns, "state"> & { readonly state: object })[]> {
  if (rows.length === 0) return [];
  const instants = await instantColumns(sql);
  return rows.map((row) => ({ ...row, state: asJson(row.state, instants) }));
}

/**
 * Inserts earlier states, each as the service would have stored it. A state that today's columns cannot hold fails
 * here, not when the history is read. Every statement has been sent when this returns.
 */
function insertVersions(
  sql: TransactionSql,
  rows: Awaited<ReturnType<typeof versionsInColumns>>,
): Promise<unknown> {
  return Promise.all(
    portionsOf(rows).map((some) =>
      sql`
        insert into memory_versions (owner_id, memory, revision, state, valid_to, reason)
        select v.owner_id, v.memory, v.revision, to_jsonb(m), v.valid_to, v.reason
        from jsonb_to_recordset(${some as never}::jsonb)
          as v (owner_id uuid, memory uuid, revision bigint, state jsonb, valid_to timestamptz, reason text)
        cross join lateral jsonb_populate_record(null::memories, v.state) m`.execute(),
    ),
  );
}

/** Names of the columns of memories that are instants, from the schema: a manual list would miss the next one. */
async function instantColumns(sql: TransactionSql): Promise<ReadonlySet<string>> {
  const rows = await sql`
    select attname as name from pg_attribute
    where attrelid = 'memories'::regclass and atttypid = 'timestamptz'::regtype and not attisdropped`;
  return new Set(rows.map((row) => row.name as string));
}

/** Converts a row to JSON that Postgres can read as a row. */
function asJson(row: Readonly<Record<string, unknown>>, instants: ReadonlySet<string>) {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]): [string, unknown] => {
      if (typeof value === "number" && instants.has(column)) return [column, new Date(value).toISOString()];
      return [column, value instanceof Uint8Array ? `\\x${Buffer.from(value).toString("hex")}` : value];
    }),
  );
}
