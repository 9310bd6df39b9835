/**
 * Erases what is stored about a person or subject in every workspace where the signed-in person may erase: their own,
 * the teams that they manage, and the quarantines of agents that they approved.
 */
import type { InputOf, OutputOf } from "../../contract/operations.ts";
import type { Role, TeamStore } from "../access/team-store.ts";
import type { Caller } from "../caller.ts";
import { DomainError, invalid } from "../error.ts";
import { requireErasable } from "../memory/access.ts";
import type { StoredReceipt } from "../memory/memory-store.ts";
import type { Ports } from "../ports.ts";
import { findSubject, recordDigest, type SubjectMatch, type Workspace } from "./find-subject.ts";
import type { SubjectStore } from "./subject-store.ts";
import { isTerm, readTerm, type Term } from "./term.ts";

export interface SubjectPorts {
  readonly teams: Pick<TeamStore, "teamsOf">;
  readonly subjects: SubjectStore;
}

type ErasePorts = SubjectPorts & Pick<Ports, "store" | "hash" | "clock" | "pace">;

/** Lines of a page. */
const PAGE_LINES = 50;
/** Few enough that other writers of the workspace do not wait long. */
const BATCH_RECORDS = 200;
/** A request erases for this long; the next one continues. */
const ERASING_MS = 5000;

/**
 * Reports what would be erased, or erases it if the plan hash of that report still holds. A request erases batch by batch
 * for a few seconds, each batch in one transaction with a receipt; the answer says how much remains, and the plan hash to
 * continue with. `validation_failed` for a term without two letters or digits and without a plan hash, `plan_changed` if
 * other records match, or other texts.
 */
export async function eraseSubject(
  ports: ErasePorts,
  caller: Caller,
  input: InputOf<"eraseSubject">,
): Promise<OutputOf<"eraseSubject">> {
  const terms = termsOf(input.terms);
  if (!input.dry_run && !input.plan_hash)
    throw invalid(["plan_hash"], "must be the plan_hash of a dry run of the same terms");
  const { searched, notSearched } = await workspacesOf(ports, caller);
  const page = input.dry_run ? { from: input.skip, to: input.skip + PAGE_LINES } : { from: 0, to: 0 };
  const leftOut = new Set(input.leave_out.map(({ workspace_id, id }) => nameOf(workspace_id, id)));
  const isLeftOut = ({ ownerId, memoryId }: SubjectMatch) => leftOut.has(nameOf(ownerId, memoryId));
  const found = await findSubject(ports, searched, terms, page);
  const chosen = found.matches.filter((match) => !isLeftOut(match));
  const planHash = planOf(ports, found.matches);
  const report = {
    dry_run: input.dry_run,
    plan_hash: planHash,
    found: found.matches.length,
    left_out: found.matches.length - chosen.length,
    terms: terms.map(({ text }) => ({
      term: text,
      records: found.matches.filter((match) => match.terms.includes(text)).length,
    })),
    workspaces: searched.map((workspace) => countsOf(workspace, found.matches, found.questions)),
    not_searched: notSearched,
    lines: found.lines.map(({ match, excerpt, place }) => ({
      workspace_id: match.ownerId,
      id: match.memoryId,
      kind: match.kind,
      status: match.status,
      place,
      terms: [...match.terms],
      excerpt,
      is_left_out: isLeftOut(match),
    })),
    has_more_lines: input.dry_run && page.to < found.matches.length,
    near: found.near,
    near_lines: found.nearLines.map(({ ownerId, memoryId, ...line }) => ({
      workspace_id: ownerId,
      id: memoryId,
      ...line,
    })),
  };
  if (input.dry_run) return { ...report, erased: 0, remaining: chosen.length, receipts: [] };
  if (planHash !== input.plan_hash)
    throw new DomainError("plan_changed", "What contains these terms has changed since: look at it again.");
  const { erased, receipts } = await erase(ports, searched, chosen);
  const rest = chosen.filter(({ id }) => !erased.has(id));
  if (rest.length === 0)
    for (const [ownerId, ids] of found.questions) await ports.subjects.forgetQuestions(ownerId, ids);
  return {
    ...report,
    plan_hash: planOf(
      ports,
      found.matches.filter(({ id }) => !erased.has(id)),
    ),
    erased: erased.size,
    remaining: rest.length,
    receipts: receipts.map((one) => ({ ...one, removed: { ...one.removed }, remaining: [...one.remaining] })),
  };
}

const nameOf = (ownerId: string, memoryId: string) => `${ownerId} ${memoryId}`;

function termsOf(given: readonly string[]): Term[] {
  const short = given.findIndex((text) => !isTerm(text));
  if (short >= 0) throw invalid(["terms", short], "must have two letters or digits");
  return [...new Map(given.map(readTerm).map((term) => [term.text, term])).values()];
}

const MANAGING: readonly Role[] = ["owner", "admin"];

async function workspacesOf({ teams, subjects }: SubjectPorts, caller: Caller) {
  const { owner } = caller;
  const joined = await teams.teamsOf(owner.id);
  const searched: Workspace[] = [
    { kind: "own", ownerId: owner.id, name: owner.name, caller },
    ...joined
      .filter(({ role }) => MANAGING.includes(role))
      .map(({ team }) => ({ kind: "team" as const, ownerId: team.id, name: team.name, caller })),
    // Nobody but the person who approved the agent may read its quarantine. There they act as its owner.
    ...(await subjects.quarantines(owner.id)).map((quarantine) => ({
      kind: "quarantine" as const,
      ownerId: quarantine.owner.id,
      name: quarantine.agentName,
      caller: { ...caller, owner: quarantine.owner },
    })),
  ];
  const notSearched = joined
    .filter(({ role }) => !MANAGING.includes(role))
    .map(({ team, role }) => ({ workspace_id: team.id, name: team.name, role }));
  return { searched, notSearched };
}

/**
 * Depends on which records contain a term and on their texts, not on revisions, which an erasure of others changes. So
 * records can be left out without another dry run.
 */
function planOf({ hash }: Pick<Ports, "hash">, matches: readonly SubjectMatch[]): string {
  return hash(JSON.stringify(matches.map(({ id, digest }) => `${id}:${digest}`).sort()));
}

const LIVE_STATUSES = ["active", "started", "completed"];

function countsOf(
  { ownerId, kind, name }: Workspace,
  matches: readonly SubjectMatch[],
  questions: ReadonlyMap<string, readonly string[]>,
) {
  const own = matches.filter((match) => match.ownerId === ownerId);
  const count = (is: (match: SubjectMatch) => boolean) => own.filter(is).length;
  return {
    workspace_id: ownerId,
    kind,
    name,
    memories: count((match) => match.kind === "memory"),
    todos: count((match) => match.kind === "todo"),
    decisions: count((match) => match.kind === "decision"),
    hidden: count(({ status }) => !LIVE_STATUSES.includes(status)),
    earlier_only: count(({ isEarlierOnly }) => isEarlierOnly),
    questions: questions.get(ownerId)?.length ?? 0,
  };
}

/** Erases records as a hard delete does. A record whose text has changed since it was found is left. */
async function erase(
  ports: Pick<ErasePorts, "store" | "hash" | "clock" | "pace">,
  workspaces: readonly Workspace[],
  matches: readonly SubjectMatch[],
): Promise<{ erased: Set<string>; receipts: StoredReceipt[] }> {
  const erased = new Set<string>();
  const receipts: StoredReceipt[] = [];
  const until = ports.clock() + ERASING_MS;
  for (const workspace of workspaces) {
    const own = matches.filter(({ ownerId }) => ownerId === workspace.ownerId);
    for (let at = 0; at < own.length; at += BATCH_RECORDS) {
      if (ports.clock() >= until) return { erased, receipts };
      const done = await eraseBatch(ports, workspace, own.slice(at, at + BATCH_RECORDS));
      for (const id of done.ids) erased.add(id);
      if (done.receipt !== null) receipts.push(done.receipt);
      await ports.pace.pause();
    }
  }
  return { erased, receipts };
}

function eraseBatch(
  ports: Pick<ErasePorts, "store" | "hash" | "clock">,
  { caller, ownerId }: Workspace,
  matches: readonly SubjectMatch[],
): Promise<{ ids: string[]; receipt: StoredReceipt | null }> {
  return ports.store.transaction(caller, async (transaction) => {
    await transaction.lockOwners([ownerId]);
    const ids = matches.map(({ id }) => id);
    const locked = await transaction.maintenance.lockMemories(ownerId, ids);
    const same = matches.flatMap(({ id, digest }) => {
      const seen = locked.get(id);
      if (seen === undefined || recordDigest(ports.hash, seen.memory) !== digest) return [];
      requireErasable(caller, seen);
      return [seen.memory];
    });
    if (same.length === 0) return { ids: [], receipt: null };
    const how = { mode: "hard_delete", at: ports.clock(), replacement: null } as const;
    return { ids: same.map(({ id }) => id), receipt: await transaction.erase(same, how) };
  });
}
