/** Restores everything except memories: users, teams, agents, OAuth clients, links, settings, webhooks and receipts. */
import type { ExportKind, LineOf, OwnerRef } from "../../contract/transfer.ts";
import { canonicalJson } from "../input/json.ts";
import type { WorkspaceItem } from "../memory/memory-record.ts";
import { type NamedKind, type NamedRecords, ownerKey } from "./export-source.ts";
import {
  type BatchOutcome,
  idKey,
  lockedOwners,
  ownerIds,
  type Planned,
  plannedBefore,
  type Waiting,
  type Writing,
} from "./import-batch.ts";
import { type ImportTransaction, type ItemRow, type RowLinks, settingsName } from "./import-target.ts";
import { lineOf, RECORD_OF } from "./lines.ts";

/** A line identified by a name, and what the database has under that name. */
interface Restorable {
  readonly name: string;
  /** The compared members of the line, as one text. */
  readonly fromFile: string;
  /** The same text of the database's record; null if there is none. */
  readonly inDatabase: string | null;
  /** The reason to report if the two differ. */
  readonly conflict: string;
  write(): Promise<void>;
}

/**
 * Writes each line that the database does not have yet. A line that contradicts the database is reported as a conflict.
 */
async function restoreEach<Kind extends ExportKind>(
  writing: Writing<Kind>,
  restorable: (line: Waiting<Kind>) => Restorable | Promise<Restorable>,
): Promise<BatchOutcome[]> {
  const { others: before } = plannedBefore(writing);
  const outcomes: BatchOutcome[] = [];
  for (const waiting of writing.batch) {
    const { name, fromFile, inDatabase, conflict, write } = await restorable(waiting);
    const known = inDatabase ?? before.get(name);
    if (known === undefined) {
      if (!writing.options.dryRun) await write();
      before.set(name, fromFile);
      outcomes.push({ kind: "created" });
    } else if (known === fromFile) outcomes.push({ kind: "unchanged" });
    else outcomes.push({ kind: "conflict", line: waiting.line, memory_id: null, reason: conflict });
  }
  return outcomes;
}

/** Restores users. A user with the same name counts as equal, whenever it was created. */
export async function writeUsers(writing: Writing<"user">): Promise<BatchOutcome[]> {
  const { ports, batch } = writing;
  return ports.target.transaction(async (transaction) => {
    const users = batch.map(({ value }) => ({
      kind: "user" as const,
      name: value.name,
      id: value.id,
      createdAt: Date.parse(value.created_at),
    }));
    const known = await transaction.findOwners(users);
    await ownerIds(writing, transaction, users);
    const { others: before } = plannedBefore(writing);
    return users.map((user) => {
      const isThere = known.has(ownerKey(user)) || before.has(ownerKey(user));
      before.set(ownerKey(user), "");
      return { kind: isThere ? "unchanged" : "created" };
    });
  });
}

/** Restores teams. A team that already has members keeps them, so that a file cannot add members. */
export async function writeTeams(writing: Writing<"team">): Promise<BatchOutcome[]> {
  const { ports, options, batch } = writing;
  return ports.target.transaction(async (transaction) => {
    const users = batch.flatMap(({ value }) => value.members.map(userOf));
    const teams = batch.map(({ value }) => ({
      ...teamOf(value),
      id: value.id,
      createdAt: Date.parse(value.created_at),
    }));
    const known = await transaction.findOwners(teams);
    const idOf = await ownerIds(writing, transaction, [...teams, ...users]);
    const members = await transaction.membersOf(teams.flatMap((team) => known.get(ownerKey(team)) ?? []));
    return restoreEach(writing, ({ value }) => {
      const name = ownerKey(teamOf(value));
      const id = known.get(name);
      const before = (id && members.get(id)) || [];
      const isOpen = id === undefined || (before.length === 0 && value.members.length > 0);
      const rows = value.members.map((member) => ({
        userId: idOf(userOf(member)),
        role: member.role,
        since: Date.parse(member.since),
      }));
      return {
        name,
        fromFile: rolesIn(value.members),
        inDatabase: isOpen ? null : rolesIn(before),
        conflict: "there is a team of that name with other members or roles",
        write: () => transaction.insertMembers(idOf(teamOf(value)), rows, options.from),
      };
    });
  });
}

const teamOf = ({ name }: { name: string }): OwnerRef => ({ kind: "team", name });
const userOf = ({ user }: { user: string }): OwnerRef => ({ kind: "user", name: user });

function rolesIn(members: readonly { readonly user: string; readonly role: string }[]): string {
  return JSON.stringify(members.map(({ user, role }) => [user, role]).sort());
}

interface NamedKindRules<Kind extends NamedKind> {
  /** The name of a line; `ownerId` is the id of its owner in this database. */
  name(line: LineOf<Kind>, ownerId: string | null): string;
  /** The reason to report if the database has a different record with that name. */
  readonly conflict: string;
}

const NAMED: { readonly [Kind in NamedKind]: NamedKindRules<Kind> } = {
  agent: { name: ({ id }) => id, conflict: "there is an agent of that id with other members" },
  client: {
    name: ({ client_id }) => client_id,
    conflict: "there is an OAuth client of that id with other members",
  },
  settings: {
    name: ({ project_id: projectId }, ownerId) => settingsName({ ownerId: ownerId as string, projectId }),
    conflict: "the project has other settings",
  },
  webhook: {
    name: ({ id }) => id,
    conflict: "there is a webhook of that id with other members or of another owner",
  },
  receipt: {
    name: ({ id }) => id,
    conflict: "there is a receipt of that id with other members or of another owner",
  },
};

/**
 * Restores named records. A file must not grant access or cause deliveries: agents, clients and webhooks are restored
 * without credentials (see `ImportTransaction.insertNamed`).
 */
export async function writeNamed(writing: Writing<NamedKind>): Promise<BatchOutcome[]> {
  const { batch } = writing;
  const kind = batch[0]?.value.kind as NamedKind;
  const { name, conflict } = NAMED[kind] as NamedKindRules<NamedKind>;
  return writing.ports.target.transaction(async (transaction) => {
    const idOf = await lockedOwners(
      writing,
      transaction,
      batch.flatMap(({ value }) => approvers(value)),
    );
    const nameOf = ({ value, owner }: Waiting<NamedKind>) => name(value, owner && idOf(owner));
    const known = await transaction.named(kind, batch.map(nameOf));
    return restoreEach(writing, (waiting) => {
      const { owner, value } = waiting;
      const before = known.get(nameOf(waiting));
      const [approver, team] = approvers(value);
      const record = (RECORD_OF[kind] as (line: LineOf<NamedKind>) => NamedRecords[NamedKind])(value);
      const approval = approver ? { approverId: idOf(approver), teamId: team ? idOf(team) : null } : null;
      return {
        name: `${kind}:${nameOf(waiting)}`,
        fromFile: comparable(owner ? { ...value, owner } : value),
        inDatabase: before ? comparable(lineOf(before)) : null,
        conflict,
        write: () => transaction.insertNamed(kind, record, { ownerId: owner && idOf(owner), approval }),
      };
    });
  });
}

/** An approved agent's approver, and the team that it was confined to. */
function approvers(line: LineOf<NamedKind>): OwnerRef[] {
  if (line.kind !== "agent" || line.approval === null) return [];
  const { by, team } = line.approval;
  return [userOf({ user: by }), ...(team === null ? [] : [teamOf({ name: team })])];
}

/**
 * A line as text for comparison. The confirmation of a receipt is ignored, since a restored receipt is always
 * confirmed.
 */
function comparable(line: object): string {
  return canonicalJson("confirmed_at" in line ? { ...line, confirmed_at: null } : line);
}

/**
 * Restores the dependencies of todos and the predecessors of decisions, after all of these are written. A link must
 * stay in the same workspace and must not form a cycle. An item that already has other links keeps them.
 */
export async function writeLinks(writing: Writing<"links">): Promise<BatchOutcome[]> {
  const { ports, options, session, batch } = writing;
  return ports.target.transaction(async (transaction) => {
    const idOf = await lockedOwners(writing, transaction);
    const named = batch.flatMap(({ owner, value }) =>
      [value.id, ...othersOf(value)].map((memoryId) => ({ ownerId: idOf(owner), memoryId })),
    );
    const rows = new Map((await transaction.items(named)).map((row) => [idKey(row), row]));
    const find = (ownerId: string, memoryId: string) => {
      const key = idKey({ ownerId, memoryId });
      if (session.refused.has(key)) return undefined;
      return rows.get(key) ?? session.rehearsed.items.get(key);
    };
    const graph = await createGraph(transaction, plannedBefore(writing), [...rows.values()]);
    const created: RowLinks[] = [];
    const outcomes: BatchOutcome[] = [];
    for (const { line, value, owner } of batch) {
      const item = find(idOf(owner), value.id);
      const others = othersOf(value).map((id) => find(idOf(owner), id));
      const asked = { item, others, isTodo: value.supersedes === null };
      const outcome = await graph.decide(asked);
      if (outcome === "created" && item)
        created.push({
          id: item.id,
          ownerId: item.ownerId,
          item: item.item,
          others: (others as ItemRow[]).map(({ id }) => id),
        });
      outcomes.push(
        outcome === "created" || outcome === "unchanged"
          ? { kind: outcome }
          : { kind: "conflict", line, memory_id: value.id, reason: outcome.reason },
      );
    }
    if (!options.dryRun && created.length > 0) await transaction.insertLinks(created);
    return outcomes;
  });
}

function othersOf(line: { depends_on: readonly string[]; supersedes: string | null }): readonly string[] {
  return line.supersedes === null ? line.depends_on : [line.supersedes];
}

interface Asked {
  readonly item: ItemRow | undefined;
  readonly others: readonly (ItemRow | undefined)[];
  readonly isTodo: boolean;
}

/** The graph of the links in the database and those planned so far. Adds each link that it accepts. */
async function createGraph(
  transaction: ImportTransaction,
  { links: known, replaced }: Planned,
  rows: readonly ItemRow[],
) {
  for (const [id, others] of await transaction.linksFrom(rows)) known.set(id, others);
  const asked = new Set(rows.map(({ id }) => id));
  const decisions = rows.filter(({ item }) => item === "decision");
  for (const id of await transaction.replaced(decisions)) replaced.add(id);

  /** True if `to` can be reached from any of `from`. */
  async function reaches(ownerId: string, from: readonly string[], to: string): Promise<boolean> {
    const seen = new Set<string>();
    for (let next = [...from]; next.length > 0; ) {
      if (next.includes(to)) return true;
      for (const id of next) seen.add(id);
      const unknown = next.filter((id) => !asked.has(id)).map((id) => ({ id, ownerId }));
      if (unknown.length > 0)
        for (const [id, others] of await transaction.linksFrom(unknown)) known.set(id, others);
      for (const { id } of unknown) asked.add(id);
      next = [...new Set(next.flatMap((id) => known.get(id) ?? []))].filter((id) => !seen.has(id));
    }
    return false;
  }

  return {
    async decide({ item, others, isTodo }: Asked): Promise<"created" | "unchanged" | { reason: string }> {
      const wanted: WorkspaceItem = isTodo ? "todo" : "decision";
      if (!item || item.item !== wanted) return { reason: `there is no ${wanted} of that id` };
      const isLinkable = (other: ItemRow | undefined): other is ItemRow =>
        other?.item === wanted && other.projectId === item.projectId;
      if (!others.every(isLinkable)) return { reason: `it refers to what is no ${wanted} of its project` };
      const ids = others.map(({ id }) => id);
      const before = known.get(item.id);
      if (before) {
        const isSame = before.length === ids.length && before.every((id, at) => id === ids[at]);
        return isSame ? "unchanged" : { reason: `the ${wanted} of that id refers to others` };
      }
      if (ids.length === 0) return "unchanged";
      if (!isTodo && replaced.has(ids[0] as string))
        return { reason: "the decision that it replaced was replaced by another one" };
      if (await reaches(item.ownerId, ids, item.id))
        return { reason: "it would refer to itself in a circle" };
      known.set(item.id, ids);
      if (!isTodo) replaced.add(ids[0] as string);
      return "created";
    },
  };
}
