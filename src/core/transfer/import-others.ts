/** Restores who and what there is besides memories: users, teams, agents, settings and receipts. */
import type { ExportKind, LineOf, OwnerRef } from "../../contract/transfer.ts";
import { canonicalJson } from "../canonical-json.ts";
import type { Waiting } from "./import-memories.ts";
import { ownerKey } from "./import-target.ts";
import { type BatchOutcome, lockedOwners, ownerIds, plannedBefore, type Writing } from "./import-writing.ts";
import { agentFrom, agentLine, receiptFrom, receiptLine, settingsFrom, settingsLine } from "./other-lines.ts";

/** What a line says of a thing that has one name, against what is there under it. */
interface Claim {
  readonly name: string;
  /** The members that count, in one text. */
  readonly says: string;
  /** The same of what the database has; null where it has none. */
  readonly there: string | null;
  /** Why the line is left out where the two differ. */
  readonly otherwise: string;
  write(): Promise<void>;
}

/** Writes line after line what is not there yet, and leaves out what contradicts what is. */
async function restoreEach<Kind extends ExportKind>(
  writing: Writing<Kind>,
  claimOf: (line: Waiting<Kind>) => Claim | Promise<Claim>,
): Promise<BatchOutcome[]> {
  const { others: before } = plannedBefore(writing);
  const outcomes: BatchOutcome[] = [];
  for (const waiting of writing.batch) {
    const { name, says, there, otherwise, write } = await claimOf(waiting);
    const known = there ?? before.get(name);
    if (known === undefined) {
      if (!writing.options.dryRun) await write();
      before.set(name, says);
      outcomes.push({ kind: "created" });
    } else if (known === says) outcomes.push({ kind: "unchanged" });
    else outcomes.push({ kind: "conflict", line: waiting.line, memory_id: null, reason: otherwise });
  }
  return outcomes;
}

/** An owner that is there under that name is the same, whenever it was made. */
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

/** A team that has members already keeps them: a file lets nobody into it. */
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
        says: rolesIn(value.members),
        there: isOpen ? null : rolesIn(before),
        otherwise: "there is a team of that name with other members or roles",
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

/** Agents come back as they are known, without any credential. */
export async function writeAgents(writing: Writing<"agent">): Promise<BatchOutcome[]> {
  const { ports, batch } = writing;
  return ports.target.transaction(async (transaction) => {
    const granted = batch.flatMap(({ value: { approval } }) =>
      approval === null ? [] : [userOf({ user: approval.by }), ...teamsOf(approval)],
    );
    const idOf = await ownerIds(writing, transaction, granted);
    const known = await transaction.agents(batch.map(({ value }) => value.id));
    return restoreEach(writing, ({ value }) => {
      const before = known.get(value.id);
      const { approval } = value;
      const [team] = approval ? teamsOf(approval) : [];
      const grant = approval && {
        approverId: idOf(userOf({ user: approval.by })),
        teamId: team ? idOf(team) : null,
      };
      return {
        name: `agent:${value.id}`,
        says: canonicalJson(value),
        there: before ? canonicalJson(agentLine(before)) : null,
        otherwise: "there is an agent of that id with other members",
        write: () => transaction.insertAgent(agentFrom(value), grant),
      };
    });
  });
}

function teamsOf({ team }: { team: string | null }): OwnerRef[] {
  return team === null ? [] : [teamOf({ name: team })];
}

export async function writeSettings(writing: Writing<"settings">): Promise<BatchOutcome[]> {
  return writing.ports.target.transaction(async (transaction) => {
    const idOf = await lockedOwners(writing, transaction);
    return restoreEach(writing, async ({ owner, value }) => {
      const workspace = { ownerId: idOf(owner), projectId: value.project_id };
      const before = await transaction.settings(workspace);
      return {
        name: `settings:${JSON.stringify(workspace)}`,
        says: canonicalJson({ ...value, owner }),
        there: before && canonicalJson(settingsLine(owner, value.project_id, before)),
        otherwise: "the project has other settings",
        write: () => transaction.insertSettings(workspace, settingsFrom(value)),
      };
    });
  });
}

export async function writeReceipts(writing: Writing<"receipt">): Promise<BatchOutcome[]> {
  const { ports, batch } = writing;
  return ports.target.transaction(async (transaction) => {
    const idOf = await lockedOwners(writing, transaction);
    const known = await transaction.receipts(batch.map(({ value }) => value.id));
    // One that was not confirmed yet is confirmed where it was restored.
    const proof = (line: LineOf<"receipt">) => canonicalJson({ ...line, confirmed_at: null });
    return restoreEach(writing, ({ owner, value }) => {
      const before = known.get(value.id);
      return {
        name: `receipt:${value.id}`,
        says: proof({ ...value, owner }),
        there: before ? proof(receiptLine(before.owner, before.receipt)) : null,
        otherwise: "there is a receipt of that id with other members or of another owner",
        write: () => transaction.insertReceipt(idOf(owner), receiptFrom(value)),
      };
    });
  });
}
