import { instant, timeZone } from "../../contract/primitives.ts";
import { invalid } from "../error.ts";
import { occurrenceAfter } from "./occurrences.ts";
import { parseRule, type Rule, RuleError } from "./rule.ts";
import { instantOf, wallClockAt } from "./wall-clock.ts";

type Metadata = Readonly<Record<string, unknown>>;

/** How a reminder comes back. */
export interface Recurrence {
  readonly rule: Rule;
  readonly timeZone: string;
  /** Its first due time, an instant in milliseconds since the epoch: what the rule counts from. */
  readonly start: number;
}

/**
 * Refuses a recurring reminder that could not recur: `validation_failed` at `recurrence` (naming the part of the rule),
 * `time_zone` or `due_at`. Other memories may have such members with a meaning of their own.
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

/** How the reminder with this metadata comes back; null where it does not, or where its rule cannot be read. */
export function recurrenceIn(metadata: Metadata): Recurrence | null {
  const start = startIn(metadata);
  if (typeof metadata.recurrence !== "string" || start === null) return null;
  try {
    return { rule: parseRule(metadata.recurrence), timeZone: zoneIn(metadata), start };
  } catch {
    return null;
  }
}

/** When it is due after that instant; null where it is not due again. */
export function dueAfter({ rule, timeZone: zone, start }: Recurrence, after: number): number | null {
  const first = wallClockAt(start, zone);
  let clock: number | null = wallClockAt(after, zone);
  for (;;) {
    clock = occurrenceAfter(rule, first, clock);
    if (clock === null) return null;
    const due = instantOf(clock, zone);
    if (isOver(rule.until, clock, due)) return null;
    // Within the hour that comes twice, clock times do not tell which is later.
    if (due > after) return due;
  }
}

/** UNTIL is an instant, or a time or day on the clock of the time zone. It is inclusive. */
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

/** `recurrence_start` is the service's own: due_at moves on, the rule goes on counting from the first. */
function startIn({ recurrence_start, due_at }: Metadata): number | null {
  const known = [recurrence_start, due_at].find((value) => instant.safeParse(value).success);
  return known === undefined ? null : Date.parse(known as string);
}

function zoneIn({ time_zone }: Metadata): string {
  return timeZone.safeParse(time_zone).success ? (time_zone as string) : "UTC";
}
