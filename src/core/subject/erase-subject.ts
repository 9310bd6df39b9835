import type { Role, TeamStore } from "../access/team-store.ts";
import type { Caller } from "../caller.ts";
import { DomainError, invalid, notFound } from "../error.ts";
import { authorityOf } from "../maintenance/authority.ts";
import { rfc3339 } from "../memory/present.ts";
import type { Ports } from "../ports.ts";
import type { UseCase } from "../use-case.ts";
import { findSubject, type SubjectMatch, type Workspace } from "./find-subject.ts";
import type { SubjectErasures, SubjectStore } from "./subject-store.ts";
import { isTerm, readTerm, type Term } from "./term.ts";

export interface SubjectPorts {
  readonly teams: Pick<TeamStore, "teamsOf">;
  readonly subjects: SubjectStore;
  readonly subjectErasures: SubjectErasures;
}

type ErasePorts = SubjectPorts & Pick<Ports, "hash" | "pace" | "newId">;

const PAGE_LINES = 50;

/**
 * Reports what would be erased, or begins to erase it if the plan hash of that report still holds. The server erases in
 * the background: see `finishSubjectErasures`. `validation_failed` for a term without two letters or digits and without a
 * plan hash, `plan_changed` if other records match, or other texts.
 */
export const eraseSubject: UseCase<ErasePorts, "eraseSubject"> = async (ports, caller, input) => {
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
  if (input.dry_run) return { ...report, erasure_id: null };
  if (planHash !== input.plan_hash)
    throw new DomainError(
      "plan_changed",
      "Records with these terms have changed since the dry run: search again.",
    );
  const id = ports.newId();
  await ports.subjectErasures.begin({
    id,
    ownerId: caller.owner.id,
    authority: authorityOf(caller),
    records: chosen,
    questions: Object.fromEntries(found.questions),
  });
  return { ...report, erasure_id: id };
};

/** Erasures that are listed, the newest first. */
const LISTED_MAX = 20;

/** Lists the erasures that the person began, in any browser. */
export const subjectErasures: UseCase<Pick<SubjectPorts, "subjectErasures">, "subjectErasures"> = async (
  { subjectErasures },
  { owner },
) => {
  const erasures = await subjectErasures.list(owner.id, LISTED_MAX);
  return {
    erasures: erasures.map(
      ({ beganAt, finishedAt, wasStopped, failures, failure, dueAt, receipts, ...counts }) => ({
        ...counts,
        began_at: rfc3339(beganAt),
        finished_at: finishedAt === null ? null : rfc3339(finishedAt),
        was_stopped: wasStopped,
        failing:
          failure === null ? null : { attempts: failures, reason: failure, next_attempt_at: rfc3339(dueAt) },
        receipts: [...receipts],
      }),
    ),
  };
};

/** Ends an erasure before its remaining records are erased. Rejects with `not_found` unless the caller has it open. */
export const stopSubjectErasure: UseCase<
  Pick<SubjectPorts, "subjectErasures">,
  "stopSubjectErasure"
> = async ({ subjectErasures }, { owner }, { erasure_id }) => {
  if (!(await subjectErasures.stop(owner.id, erasure_id))) throw notFound("erasure");
  return { stopped: true };
};

const nameOf = (ownerId: string, memoryId: string) => `${ownerId} ${memoryId}`;

function termsOf(given: readonly string[]): Term[] {
  const short = given.findIndex((text) => !isTerm(text));
  if (short >= 0) throw invalid(["terms", short], "must have two letters or digits");
  return [...new Map(given.map(readTerm).map((term) => [term.text, term])).values()];
}

const MANAGING: readonly Role[] = ["owner", "admin"];

/** The workspaces where the caller may erase now, and the teams where it may not. */
export async function workspacesOf(
  { teams, subjects }: Pick<SubjectPorts, "teams" | "subjects">,
  caller: Caller,
) {
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
