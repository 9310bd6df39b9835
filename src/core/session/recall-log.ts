/** The recall log for the people who may read it: each their own, and a team's for its admins. */
import type { InputOf } from "../../contract/operations.ts";
import { ACTIVE_CALLERS_MAX } from "../../contract/recall-log-operations.ts";
import type { TeamStore } from "../access/team-store.ts";
import type { Caller } from "../caller.ts";
import { invalid } from "../error.ts";
import { itemsThatFit } from "../limits/answer-bytes.ts";
import type { RecallFilter, RecallLogStore, RecallNotes } from "../recall/recall-log.ts";
import type { UseCase } from "../use-case.ts";
import { instantOf } from "./service-state.ts";
import { requireAdmin } from "./teams.ts";

const DAY_MS = 86_400_000;

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
export const listRecalls: UseCase<RecallLogPorts & { readonly recalls: RecallNotes }, "listRecalls"> = async (
  { teams, recallLog, recalls: { keptDays } },
  caller,
  { team_id, cursor, limit, ...asked },
) => {
  const filter = recallFilter(await readableOwner(teams, caller, team_id), asked);
  const found = await recallLog.list(caller, filter, { cursor: cursor ?? null, limit: limit + 1 });
  const recalls = itemsThatFit(found.slice(0, limit));
  return {
    recalls,
    next_cursor: found.length > recalls.length ? (recalls.at(-1)?.id ?? null) : null,
    kept_days: keptDays,
  };
};

/** Rejects as `listRecalls` does, and with `validation_failed` for a range that ends before it begins. */
export const countRecalls: UseCase<RecallLogPorts, "countRecalls"> = async (
  { teams, recallLog },
  caller,
  { team_id, steps, ...asked },
) => {
  const filter = recallFilter(await readableOwner(teams, caller, team_id), asked);
  const stepMs = stepOf(asked, steps);
  const [counted, latency] = await Promise.all([recallLog.steps(filter, stepMs), recallLog.latency(filter)]);
  return { step_seconds: stepMs / 1000, steps: counted, latency };
};

/** Rejects as `countRecalls` does. */
export const recallActivity: UseCase<RecallLogPorts, "recallActivity"> = async (
  { teams, recallLog },
  caller,
  { team_id, steps, ...asked },
) => {
  const filter = recallFilter(await readableOwner(teams, caller, team_id), asked);
  const counted = { stepMs: stepOf(asked, steps), steps, limit: ACTIVE_CALLERS_MAX };
  return { callers: itemsThatFit(await recallLog.activity(filter, counted)) };
};

/** Length of each of so many steps of a range, in milliseconds: at least a second. */
function stepOf(
  { after, before }: { readonly after: string; readonly before: string },
  steps: number,
): number {
  const rangeMs = Date.parse(before) - Date.parse(after);
  if (!(rangeMs > 0)) throw invalid(["before"], "must be later than after");
  return Math.max(1000, Math.ceil(rangeMs / steps));
}

export const memoryRecalls: UseCase<
  Pick<RecallLogPorts, "recallLog"> & { readonly recalls: RecallNotes; readonly clock: () => number },
  "memoryRecalls"
> = async ({ recallLog, recalls: { keptDays }, clock }, caller, { memory_ids, by_day }) => {
  const today = Math.floor(clock() / DAY_MS) * DAY_MS;
  const counted = { after: today - (keptDays - 1) * DAY_MS, days: by_day ? keptDays : 0 };
  return { memories: await recallLog.recallsOf(caller, memory_ids, counted), kept_days: keptDays };
};

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
