/** Lines of the audit log by day, and those that one credential wrote with one operation in a row as one. */
import type { Outputs } from "../../shell/trpc.ts";

export type Line = Outputs["listAudit"]["lines"][number];

export interface Burst {
  /** Newest first, at least one. */
  readonly lines: readonly [Line, ...Line[]];
}

/** Lines that are further apart belong to two bursts. */
const GAP_MS = 5 * 60_000;

export const keyOf = ({ lines: [{ id }] }: Burst) => id;

/** The reader's day. */
export const dayOf = (at: string) => new Date(at).toLocaleDateString("en-CA");

const weekday = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long" });
const withYear = new Intl.DateTimeFormat("en-GB", { dateStyle: "full" });

export function dayWords(at: string, now = Date.now()): string {
  const day = dayOf(at);
  const isOf = (instant: number) => dayOf(new Date(instant).toISOString()) === day;
  const date = new Date(at);
  const words = date.getFullYear() === new Date(now).getFullYear() ? weekday : withYear;
  if (isOf(now)) return `Today, ${words.format(date)}`;
  return isOf(now - 86_400_000) ? `Yesterday, ${words.format(date)}` : words.format(date);
}

/** The lines in their order; each alone if bursts are not grouped. */
export function burstsOf(lines: readonly Line[], isGrouped: boolean): Burst[] {
  const bursts: [Line, ...Line[]][] = [];
  for (const line of lines) {
    const last = bursts.at(-1);
    const former = last?.at(-1);
    if (isGrouped && last !== undefined && former !== undefined && isSameAct(former, line)) last.push(line);
    else bursts.push([line]);
  }
  return bursts.map((each) => ({ lines: each }));
}

function isSameAct(later: Line, earlier: Line): boolean {
  return (
    later.operation === earlier.operation &&
    later.token?.id === earlier.token?.id &&
    later.agent_id === earlier.agent_id &&
    later.user_id === earlier.user_id &&
    dayOf(later.at) === dayOf(earlier.at) &&
    Date.parse(later.at) - Date.parse(earlier.at) <= GAP_MS
  );
}
