/** Restores who and what there is besides memories: users, teams, agents, settings and receipts. */
import type { ExportKind, LineOf, OwnerRef } from "../../contract/transfer.ts";
import { canonicalJson } from "../canonical-json.ts";
import type { Waiting } from "./import-memories.ts";
import { ownerKey } from "./import-target.ts";
import { type BatchOutcome, ownerIds, type Writing } from "./import-writing.ts";
import { agentFrom, agentLine, receiptFrom, receiptLine, settingsFrom, settingsLine } from "./other-lines.ts";

const created: BatchOutcome = { kind: "created" };
const unchanged: BatchOutcome = { kind: "unchanged" };

function conflict({ line }: Pick<Waiting, "line">, reason: string): BatchOutcome {
  return { kind: "conflict", line, memory_id: null, reason };
}

/** What an earlier line of the file has put there, or would have in a dry run: under this name these members. */
function earlier<Kind extends ExportKind>({ options, session }: Writing<Kind>) {
  const { others } = options.dryRun ? session.rehearsed : { others: new Map<string, string>() };
  return (name: string, members: string): "new" | "same" | "other" => {
    const known = others.get(name);
    if (known !== undefined) return known === members ? "same" : "other";
    others.set(name, members);
    return "new";
  };
}

/** An owner that is there under that name is the same, whenever it was made. */
export async function writeUsers(writing: Writing<"user">): Promise<BatchOutcome[]> {
  const { ports, options, batch } = writing;
  const meet = earlier(writing);
  return ports.target.transaction(async (transaction) => {
    const users = batch.map(({ value }) => ({
      kind: "user" as const,
      name: value.name,
      createdAt: Date.parse(value.created_at),
    }));
    const known = await transaction.findOwners(users);
    if (!options.dryRun) await transaction.ensureOwners(users.toSorted(byKey));
    return users.map((user) =>
      known.has(ownerKey(user)) || meet(ownerKey(user), "") === "same" ? unchanged : created,
    );
  });
}

/** A team that has members already keeps them: a file lets nobody into it. */
export async function writeTeams(writing: Writing<"team">): Promise<BatchOutcome[]> {
  const { ports, options, batch } = writing;
  const meet = earlier(writing);
  return ports.target.transaction(async (transaction) => {
    const owners = batch.flatMap(({ value }) => [teamOf(value), ...value.members.map(userOf)]);
    const teams = batch.map(({ value }) => ({ ...teamOf(value), createdAt: Date.parse(value.created_at) }));
    const known = await transaction.findOwners(teams);
    if (!options.dryRun) await transaction.ensureOwners(teams.toSorted(byKey));
    const idOf = await ownerIds(writing, transaction, owners);
    const members = await transaction.membersOf(teams.flatMap((team) => known.get(ownerKey(team)) ?? []));
    const outcomes: BatchOutcome[] = [];
    for (const waiting of batch) {
      const { value } = waiting;
      const id = known.get(ownerKey(teamOf(value)));
      const before = (id && members.get(id)) || [];
      const isMet = meet(ownerKey(teamOf(value)), rolesIn(value.members));
      const isSame = id !== undefined && rolesIn(before) === rolesIn(value.members);
      if (isSame || isMet === "same") outcomes.push(unchanged);
      else if (before.length > 0 || isMet === "other")
        outcomes.push(conflict(waiting, "there is a team of that name with other members or roles"));
      else {
        outcomes.push(created);
        const teamId = idOf(teamOf(value));
        const rows = value.members.map((member) => ({
          userId: idOf(userOf(member)),
          role: member.role,
          since: Date.parse(member.since),
        }));
        if (!options.dryRun) await transaction.insertMembers(teamId, rows, options.from);
        members.set(teamId, value.members);
        known.set(ownerKey(teamOf(value)), teamId);
      }
    }
    return outcomes;
  });
}

const teamOf = ({ name }: { name: string }): OwnerRef => ({ kind: "team", name });
const userOf = ({ user }: { user: string }): OwnerRef => ({ kind: "user", name: user });
const byKey = (a: OwnerRef, b: OwnerRef) => (ownerKey(a) < ownerKey(b) ? -1 : 1);

function rolesIn(members: readonly { readonly user: string; readonly role: string }[]): string {
  return JSON.stringify(members.map(({ user, role }) => [user, role]).sort());
}

/** Agents come back as they are known, without any credential. */
export async function writeAgents(writing: Writing<"agent">): Promise<BatchOutcome[]> {
  const { ports, options, batch } = writing;
  const meet = earlier(writing);
  return ports.target.transaction(async (transaction) => {
    const granted = batch.flatMap(({ value: { approval } }) =>
      approval === null ? [] : [userOf({ user: approval.by }), ...teamsOf(approval)],
    );
    const idOf = await ownerIds(writing, transaction, granted);
    const known = await transaction.agents(batch.map(({ value }) => value.id));
    const outcomes: BatchOutcome[] = [];
    for (const waiting of batch) {
      const { value } = waiting;
      const before = known.get(value.id);
      const isMet = meet(`agent:${value.id}`, JSON.stringify(value));
      const isSame = before !== undefined && sameLine(agentLine(before), value);
      if (isSame || isMet === "same") outcomes.push(unchanged);
      else if (before || isMet === "other")
        outcomes.push(conflict(waiting, "there is an agent of that id with other members"));
      else {
        const { approval } = value;
        const [team] = approval ? teamsOf(approval) : [];
        if (!options.dryRun)
          await transaction.insertAgent(
            agentFrom(value),
            approval && {
              approverId: idOf(userOf({ user: approval.by })),
              teamId: team ? idOf(team) : null,
            },
          );
        known.set(value.id, agentFrom(value));
        outcomes.push(created);
      }
    }
    return outcomes;
  });
}

function teamsOf({ team }: { team: string | null }): OwnerRef[] {
  return team === null ? [] : [teamOf({ name: team })];
}

export async function writeSettings(writing: Writing<"settings">): Promise<BatchOutcome[]> {
  const { ports, options, batch } = writing;
  const meet = earlier(writing);
  return ports.target.transaction(async (transaction) => {
    const idOf = await ownerIds(
      writing,
      transaction,
      batch.map(({ owner }) => owner),
    );
    if (!options.dryRun) await transaction.lockOwners(batch.map(({ owner }) => idOf(owner)));
    const outcomes: BatchOutcome[] = [];
    for (const waiting of batch) {
      const { owner, value } = waiting;
      const workspace = { ownerId: idOf(owner), projectId: value.project_id };
      const before = await transaction.settings(workspace);
      const line = { ...value, owner };
      const isMet = meet(`settings:${JSON.stringify(workspace)}`, JSON.stringify(line));
      const isSame = before !== null && sameLine(settingsLine(owner, value.project_id, before), line);
      if (isSame || isMet === "same") outcomes.push(unchanged);
      else if (before || isMet === "other")
        outcomes.push(conflict(waiting, "the project has other settings"));
      else {
        if (!options.dryRun) await transaction.insertSettings(workspace, settingsFrom(value));
        outcomes.push(created);
      }
    }
    return outcomes;
  });
}

export async function writeReceipts(writing: Writing<"receipt">): Promise<BatchOutcome[]> {
  const { ports, options, batch } = writing;
  const meet = earlier(writing);
  return ports.target.transaction(async (transaction) => {
    const idOf = await ownerIds(
      writing,
      transaction,
      batch.map(({ owner }) => owner),
    );
    const known = await transaction.receipts(batch.map(({ value }) => value.id));
    const outcomes: BatchOutcome[] = [];
    for (const waiting of batch) {
      const { owner, value } = waiting;
      const before = known.get(value.id);
      const isMet = meet(`receipt:${value.id}`, JSON.stringify(value));
      // One that was not confirmed yet is confirmed where it was restored.
      const proof = (line: LineOf<"receipt">) => ({ ...line, owner, confirmed_at: null });
      const isSame = before !== undefined && sameLine(proof(receiptLine(owner, before)), proof(value));
      if (isSame || isMet === "same") outcomes.push(unchanged);
      else if (before || isMet === "other")
        outcomes.push(conflict(waiting, "there is a receipt of that id with other members"));
      else {
        if (!options.dryRun) await transaction.insertReceipt(idOf(owner), receiptFrom(value));
        known.set(value.id, receiptFrom(value));
        outcomes.push(created);
      }
    }
    return outcomes;
  });
}

/** Whether an export would write the same line. */
function sameLine(a: unknown, b: unknown): boolean {
  return canonicalJson(a) === canonicalJson(b);
}
