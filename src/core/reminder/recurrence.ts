import { instant, timeZone } from "../../contract/primitives.ts";
import { invalid } from "../error.ts";
import { occurrenceAfter } from "./occurrences.ts";
import { parseRule, type Rule, RuleError } from "./rule.ts";
import { instantOf, wallClockAt } from "./wall-clock.ts";

type Metadata = Readonly<Record<string, unknown>>;

export interface Recurrence {
  readonly rule: Rule;
  readonly timeZone: string;
  /** Its first due time, which the rule counts from: an instant in milliseconds since the epoch. */
  readonly start: number;
}

/**
 * Rejects a recurring reminder that could not recur: `validation_failed` at `recurrence` (naming the part of the rule),
 * `time_zone` or `due_at`. Not applied to other memories, in which these members may have another meaning.
 */
export function checkRecurrence(memoryType: string, metadata: Metadata): void {
  const { recurrence, time_zone } = metadata;
  if (memoryType !== "reminder" || recurrence === undefined || recurrence === null) return;
  const refuse = (name: string, why: string) => invalid(["metadata", name], why);
  if (time_zone !== undefined && time_zone !== null && !timeZone.safeParse(time_zone).success)
    throw refuse("time_zone", "must be an IANA time zone, such as Europe/Berlin");
  if (!instant.safeParse(metadata.due_at).success)
    throw refuse("due_at", "is required: a recurring reminder counts from when it is first due");
  try {
    const rule = parseRule(typeof recurrence === "string" ? recurrence : "");
    const read = { rule, timeZone: zoneIn(metadata), start: startIn(metadata) as number };
    if (dueAfter(read, read.start - 1) === null)
      throw new RuleError("has no occurrence at or after due_at that can be found");
  } catch (error) {
    if (error instanceof RuleError) throw refuse("recurrence", error.message);
    throw error;
  }
}

/** How the reminder with this metadata recurs; null if it does not recur or its rule is invalid. */
export function recurrenceIn(metadata: Metadata): Recurrence | null {
  const start = startIn(metadata);
  if (typeof metadata.recurrence !== "string" || start === null) return null;
  try {
    return { rule: parseRule(metadata.recurrence), timeZone: zoneIn(metadata), start };
  } catch {
    return null;
  }
}

/** The next due time after that instant; null if it is not due again. */
export function dueAfter({ rule, timeZone: zone, start }: Recurrence, after: number): number | null {
  const first = wallClockAt(start, zone);
  let clock: number | null = wallClockAt(after, zone);
  for (;;) {
    clock = occurrenceAfter(rule, first, clock);
    if (clock === null) return null;
    const due = instantOf(clock, zone);
    if (isOver(rule.until, clock, due)) return null;
    // Within an hour that the clocks repeat, wall-clock times do not tell which instant is later.
    if (due > after) return due;
  }
}

/**
 * True if the occurrence is after UNTIL, which is inclusive: an instant, or a wall-clock time or day in the time zone.
 */
function isOver(until: string | null, clock: number, due: number): boolean {
  if (until === null) return false;
  const [, day, time = "235959"] = /^(\d{8})(?:T(\d{6}))?/.exec(until) as unknown as [
    string,
    string,
    string?,
  ];
  const text = `${day.replace(/^(....)(..)/, "$1-$2-")}T${time.replace(/^(..)(..)/, "$1:$2:")}.999Z`;
  return (until.endsWith("Z") ? due : clock) > Date.parse(text);
}

/**
 * The start of the series. The service sets `recurrence_start`, since `due_at` moves on while the rule keeps counting
 * from the first due time.
 */
function startIn({ recurrence_start, due_at }: Metadata): number | null {
  const known = [recurrence_start, due_at].find((value) => instant.safeParse(value).success);
  return known === undefined ? null : Date.parse(known as string);
}

function zoneIn({ time_zone }: Metadata): string {
  return timeZone.safeParse(time_zone).success ? (time_zone as string) : "UTC";
}
