/** Which recalls the page asks for, by its address. */
import type { RecallSearch } from "../../routes/$space/recalls.tsx";
import { type Space, teamOf } from "../../shell/space.ts";
import type { Outputs } from "../../shell/trpc.ts";

export type Recall = Outputs["listRecalls"]["recalls"][number];

const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;

export const RANGES = {
  hour: { label: "1 h", words: "the last hour", ms: 60 * MINUTE },
  day: { label: "24 h", words: "the last 24 hours", ms: DAY },
  week: { label: "7 d", words: "the last 7 days", ms: 7 * DAY },
  all: { label: "All", words: "all the time that is kept", ms: null },
} as const;
export type Range = keyof typeof RANGES;

export const rangeOf = ({ range }: RecallSearch): Range => range ?? "day";

/** The members of a request that do not depend on the time. */
export function filterOf(space: Space, { q, agent, key, project, answer, slower }: RecallSearch) {
  const ms = Number(slower);
  return {
    ...teamOf(space),
    ...(q && { question: q }),
    ...(agent && { agent_id: agent }),
    ...(key && { credential_id: key }),
    ...(project && { project_id: project }),
    ...(answer && { outcome: answer }),
    ...(slower && Number.isInteger(ms) && { slower_than_ms: ms }),
  };
}

export type RecallFilter = ReturnType<typeof filterOf>;

export const isNarrowed = ({ range: _, id: __, ...narrowed }: RecallSearch) =>
  Object.values(narrowed).some((value) => value !== undefined);

/** The lab with the same question, asked as it was asked then. */
export function labSearchOf({ question, credential, max_tokens, project_id }: Recall) {
  const isForLab = credential.kind !== null && credential.kind !== "session";
  return {
    q: question,
    ...(isForLab && { as: credential.id }),
    ...(max_tokens !== null && { tokens: `${max_tokens}` }),
    ...(project_id !== null && { project: project_id }),
  };
}
