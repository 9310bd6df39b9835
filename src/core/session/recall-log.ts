/** The recall log for the people who may read it: each their own, and a team's for its admins. */
import type { InputOf, OutputOf } from "../../contract/operations.ts";
import { ACTIVE_CALLERS_MAX } from "../../contract/recall-log-operations.ts";
import type { TeamStore } from "../access/team-store.ts";
import type { Caller } from "../caller.ts";
import { invalid } from "../error.ts";
import { itemsThatFit } from "../limits/answer-bytes.ts";
import type { RecallFilter, RecallLogStore, RecallNotes } from "../recall/recall-log.ts";
import { instantOf } from "./service-state.ts";
import { requireAdmin } from "./teams.ts";

export interface RecallLogPorts {
  readonly teams: TeamStore;
  readonly recallLog: RecallLogStore;
}

async function readableOwner(
  teams: TeamStore,
  { owner }: Caller,
  teamId: string | null | undefined,
): Promise<string> {
  if (teamId) await requireAdmin(teams, owner, teamId, "read its recall log");
  return teamId ?? owner.id;
}

/** Rejects with `not_found` for a team that the person is not in, and with `role_forbidden` if not its admin. */
export async function listRecalls(
  { teams, recallLog, recalls: { keptDays } }: RecallLogPorts & { readonly recalls: RecallNotes },
  caller: Caller,
  { team_id, cursor, limit, ...asked }: InputOf<"listRecalls">,
): Promise<OutputOf<"listRecalls">> {
  const filter = recallFilter(await readableOwner(teams, caller, team_id), asked);
  const found = await recallLog.list(caller, filter, { cursor: cursor ?? null, limit: limit + 1 });
  const recalls = itemsThatFit(found.slice(0, limit));
  return {
    recalls,
    next_cursor: found.length > recalls.length ? (recalls.at(-1)?.id ?? null) : null,
    kept_days: keptDays,
  };
}

/** Rejects as `listRecalls` does, and with `validation_failed` for a range that ends before it begins. */
export async function countRecalls(
  { teams, recallLog }: RecallLogPorts,
  caller: Caller,
  { team_id, steps, ...asked }: InputOf<"countRecalls">,
): Promise<OutputOf<"countRecalls">> {
  const filter = recallFilter(await readableOwner(teams, caller, team_id), asked);
  const stepMs = stepOf(asked, steps);
  const [counted, latency] = await Promise.all([recallLog.steps(filter, stepMs), recallLog.latency(filter)]);
  return { step_seconds: stepMs / 1000, steps: counted, latency };
}

/** Rejects as `countRecalls` does. */
export async function recallActivity(
  { teams, recallLog }: RecallLogPorts,
  caller: Caller,
  { team_id, steps, ...asked }: InputOf<"recallActivity">,
): Promise<OutputOf<"recallActivity">> {
  const filter = recallFilter(await readableOwner(teams, caller, team_id), asked);
  const counted = { stepMs: stepOf(asked, steps), steps, limit: ACTIVE_CALLERS_MAX };
  return { callers: itemsThatFit(await recallLog.activity(filter, counted)) };
}

/** Length of each of so many steps of a range, in milliseconds: at least a second. */
function stepOf(
  { after, before }: { readonly after: string; readonly before: string },
  steps: number,
): number {
  const rangeMs = Date.parse(before) - Date.parse(after);
  if (!(rangeMs > 0)) throw invalid(["before"], "must be later than after");
  return Math.max(1000, Math.ceil(rangeMs / steps));
}

export async function memoryRecalls(
  { recallLog, recalls: { keptDays } }: Pick<RecallLogPorts, "recallLog"> & { readonly recalls: RecallNotes },
  caller: Caller,
  { memory_ids }: InputOf<"memoryRecalls">,
): Promise<OutputOf<"memoryRecalls">> {
  return { memories: await recallLog.recallsOf(caller, memory_ids), kept_days: keptDays };
}

/** Converts a request. */
function recallFilter(
  ownerId: string,
  asked: Omit<InputOf<"listRecalls">, "cursor" | "limit" | "team_id">,
): RecallFilter {
  return {
    ownerId,
    after: instantOf(asked.after),
    before: instantOf(asked.before),
    outcome: asked.outcome ?? null,
    agentId: asked.agent_id ?? null,
    tokenId: asked.credential_id ?? null,
    projectId: asked.project_id ?? null,
    question: asked.question ?? null,
    slowerThanMs: asked.slower_than_ms ?? null,
  };
}
