import type { MemoryRecord } from "../memory/memory-record.ts";

/** The time a query is about, as far as it says so. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
  /** The words it was read from. */
  readonly because: string;
}

/** In the ranker's units (see `WEIGHTS`): as much as a middling signal, so that it decides between near equals. */
const PREFERENCE = 0.25;
const DAY_MS = 86_400_000;

/** What the request itself prefers, as further signals of a hit. */
export function preferences(
  memory: MemoryRecord,
  ask: { prefersWorking: boolean; timeRange: TimeRange | null },
): Record<string, number> {
  const happened = memory.occurredAt ?? memory.createdAt;
  const { timeRange } = ask;
  const isInRange = timeRange !== null && happened >= timeRange.from && happened < timeRange.to;
  return {
    ...(ask.prefersWorking && memory.memoryType === "working" ? { working: PREFERENCE } : {}),
    ...(isInRange ? { time_range: PREFERENCE } : {}),
  };
}

const RELATIVE =
  /\b(yesterday|today|(?:last|this) (?:week|month|year)|(\d{1,3}) (day|week|month|year)s? ago)\b/i;
const UNIT_DAYS: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30, year: 365 };

/**
 * The range that words like "yesterday" or "3 weeks ago" name, counted from when and where the question is asked.
 * It prefers memories of that time and excludes none: people misremember when things were.
 */
export function timeRangeOf(query: string, askedAt: number, timeZone: string): TimeRange | null {
  const match = RELATIVE.exec(query);
  if (!match) return null;
  const words = (match[1] as string).toLowerCase();
  const today = startOfDay(askedAt, timeZone);
  const range = rangeOf(words, today, match);
  return { ...range, because: words };
}

function rangeOf(words: string, today: number, match: RegExpExecArray): { from: number; to: number } {
  if (words === "today") return { from: today, to: today + DAY_MS };
  if (words === "yesterday") return { from: today - DAY_MS, to: today };
  if (match[2] !== undefined) {
    const unit = UNIT_DAYS[(match[3] as string).toLowerCase()] as number;
    const middle = today - Number(match[2]) * unit * DAY_MS;
    return { from: middle - (unit / 2) * DAY_MS, to: middle + (unit / 2 + 1) * DAY_MS };
  }
  const [which, unit] = words.split(" ") as [string, string];
  const days = UNIT_DAYS[unit] as number;
  const to = which === "last" ? today - (days / 4) * DAY_MS : today + DAY_MS;
  return { from: today - (which === "last" ? 2 : 1) * days * DAY_MS, to };
}

/** Midnight of that day in that zone. */
function startOfDay(instant: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
    hourCycle: "h23",
  });
  const [hour = 0, minute = 0, second = 0] = parts
    .formatToParts(instant)
    .filter((part) => part.type !== "literal")
    .map((part) => Number(part.value));
  return instant - ((hour * 60 + minute) * 60 + second) * 1000 - (instant % 1000);
}
