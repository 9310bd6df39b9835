import { once } from "../once.ts";
import type { Days } from "./calendar.ts";
import { normalForm } from "./normal-form.ts";
import {
  type Compiled,
  compile,
  daysCounted,
  type EventForm,
  eventsOf,
  type Form,
  formsOf,
  type Groups,
  type OrderForm,
  ordersOf,
  partOf,
  relationOf,
  type Spoken,
  spanForm,
  triggersOf,
  WORDS,
} from "./time-forms.ts";
import { type EventRelation, TIMES, type TimeRelation } from "./words/times.ts";

/** The time that a query asks for. */
export interface AskedTime {
  /** The words that name a range or an event, in lower case; empty if only an order is asked for. */
  readonly because: string;
  /** The query without the words that no answer has: those of an open range, and "how long ago". */
  readonly subject: string;
  /** The days meant, if the query is asked on the day `today`; null if none are named. */
  readonly days: ((today: number) => AskedDays) | null;
  /** The event that the time is given by: "before the trip". */
  readonly event: AskedEvent | null;
  /** Whether the first or the last of several is asked for. */
  readonly order: "first" | "last" | null;
  /** The adjective that asks for it, if no more does: "first" in "my first sprint". It may be part of a name. */
  readonly orderWord: string | null;
}

/** The days that an expression means, and more loosely what it may mean: the last seven days for "last week". */
export interface AskedDays {
  readonly days: Days;
  readonly loose: Days | null;
}

export interface AskedEvent {
  readonly text: string;
  readonly relation: EventRelation;
  /** How many days before or after it are meant: 7 for "the week before the trip". null if all are. */
  readonly span: number | null;
}

/** A query of this length or more mentions times only in passing. */
const CHARACTERS_MAX = 400;

/** Reads the time that a query asks for; null if it asks for none. */
export function readTime(query: string): AskedTime | null {
  if (query.length >= CHARACTERS_MAX) return null;
  const text = normalForm(query, "NFC").replaceAll("’", "'");
  const words = spokenIn(text);
  const spoken = languagesIn(text, words);
  const range = readRange(text, words, spoken);
  const event = range === null && !readOrder(text, spoken)?.isOfEvent ? readEvent(text, spoken) : null;
  const named = range ?? event;
  const found = readOrder(named === null ? text : blanked(text, named), spoken);
  const order = found?.order ?? null;
  if (named === null && order === null) return null;
  return {
    because: named === null ? "" : text.slice(named.start, named.end).trim().toLowerCase(),
    subject: found?.isQuestion ? cut(text, found) : range?.isOpen ? cut(text, range) : text,
    days: range?.days ?? null,
    event: event?.event ?? null,
    order,
    orderWord: found === null || found.isQuestion ? null : adjectiveIn(text.slice(found.start, found.end)),
  };
}

interface Place {
  readonly start: number;
  readonly end: number;
}

/** The same with blanks in this place. */
function blanked(text: string, { start, end }: Place): string {
  return text.slice(0, start) + " ".repeat(end - start) + text.slice(end);
}

function cut(text: string, { start, end }: Place): string {
  return `${text.slice(0, start)} ${text.slice(end)}`.trim();
}

/** A form as a text has it. */
interface FormFound extends Place {
  readonly form: Form;
  readonly groups: Groups;
}

/** A time as a text has it, with what is said right beside it: "Easter Monday 2026-04-06", "March last year". */
interface TimeFound extends FormFound {
  /** Whether it is one day by its date, which texts may state in the same words. */
  readonly isDate: boolean;
  readonly relation: TimeRelation;
  readonly days: (today: number) => Days;
  /** What it means more loosely. null if nothing else. */
  readonly loose: ((today: number) => Days) | null;
}

interface RangeFound extends Place {
  readonly isOpen: boolean;
  readonly days: (today: number) => AskedDays;
}

/** The range named first in the text. */
function readRange(text: string, words: Spoken, spoken: readonly Language[]): RangeFound | null {
  const forms = spoken.flatMap(({ forms }) => forms()).filter(({ mayMatch }) => mayMatch(words));
  const first = firstForm(text, forms);
  if (first === null) return null;
  const time = withBeside(text, first, forms);
  const event = time.relation === "within" ? readEventUntil(text, time, spoken) : null;
  return (
    readJoined(text, time, event, forms) ??
    readByEvent(text, time, event, spoken) ??
    readRelated(text, time, spoken)
  );
}

/** The form that matches first in the text; of several at one place, the longest. */
function firstForm(text: string, forms: readonly Form[]): FormFound | null {
  let best: { form: Form; match: RegExpExecArray } | null = null;
  for (const form of forms) {
    const match = form.pattern.exec(text);
    if (match === null) continue;
    const isBetter =
      best === null ||
      match.index < best.match.index ||
      (match.index === best.match.index && match[0].length > best.match[0].length);
    if (isBetter) best = { form, match };
  }
  return best === null ? null : found(best.form, best.match);
}

function found(form: Form, match: RegExpExecArray): FormFound {
  return { form, groups: lowerCase(match.groups), start: match.index, end: match.index + match[0].length };
}

/** The longest form of the same language that begins at the end of another one. */
function formAfter(
  text: string,
  { form: { words }, end }: FormFound,
  place: "beside" | "second",
  forms: readonly Form[],
): FormFound | null {
  let best: FormFound | null = null;
  for (const form of forms) {
    const pattern = form.words === words ? form[place]() : null;
    if (pattern === null) continue;
    pattern.lastIndex = end;
    const match = pattern.exec(text);
    if (match !== null && (best === null || end + match[0].length > best.end)) best = found(form, match);
  }
  return best;
}

function withBeside(text: string, first: FormFound, forms: readonly Form[]): TimeFound {
  const { form, groups } = first;
  // Of "last Friday on 23 January", "on" belongs to the date.
  const isOnwards = groups.onwards !== undefined && groups.relation !== undefined;
  const relation = isOnwards ? "since" : relationOf(form.words, groups.relation);
  const next = formAfter(text, first, "beside", forms);
  const beside = next === null ? null : narrowed(first, next);
  const days = (today: number) => partOf(form.words, groups.part, (beside ?? daysOf(first))(today));
  const isWhole = beside === null && groups.part === undefined;
  const { loose } = form;
  return {
    ...first,
    end: beside === null || next === null ? first.end : next.end,
    isDate: isDate(beside === null || next === null ? first : next),
    relation,
    days,
    loose: isWhole && loose !== undefined ? (today) => loose(groups, today) : null,
  };
}

function isDate({ form, groups }: FormFound): boolean {
  return form.kind === "date" && groups.from === undefined;
}

function daysOf({ form, groups }: FormFound): (today: number) => Days {
  return (today) => form.days(groups, today);
}

/** Two times side by side: a name and its date, or what a period has one of. null if neither says more of the other. */
function narrowed(first: FormFound, next: FormFound): ((today: number) => Days) | null {
  const [one, other] = [first.form.kind, next.form.kind];
  if (one === "named" && other === "date") return daysOf(next);
  if (one !== "period" && other === "period") return (today) => onlyOneIn(daysOf(next)(today), daysOf(first));
  if (one === "period" && other === "named") return (today) => onlyOneIn(daysOf(first)(today), daysOf(next));
  return null;
}

/** The one that the period has: March of last year. The whole period if it has none or several. */
function onlyOneIn(period: Days, named: (today: number) => Days): Days {
  const isInside = ([first, end]: Days) => first >= period[0] && end <= period[1];
  const days = [period[1] - 1, period[1]].map(named).find(isInside);
  return days === undefined || isInside(named(days[0] - 1)) ? period : days;
}

/** From one time to another: "between Easter and 1 May", "from the audit on Monday to Wednesday". */
function readJoined(
  text: string,
  time: TimeFound,
  event: EventBefore | null,
  forms: readonly Form[],
): RangeFound | null {
  const joins = time.form.words.betweenWords.includes(oneBlank(time.groups.relation));
  if (!joins && event?.relation !== "between") return null;
  const second = formAfter(text, time, "second", forms);
  if (second === null) return null;
  const { form, groups } = second;
  const isFixed = (groups.year ?? groups.date) !== undefined;
  return {
    start: event?.start ?? time.start,
    end: second.end,
    isOpen: true,
    days: (today) => {
      const until = partOf(form.words, groups.part, daysOf(second)(today));
      const from = time.days(today);
      // Of "between March and May 2024", March is that of 2024.
      const first = isFixed && from[0] >= until[1] ? time.days(until[0]) : from;
      return { days: joined(first, until, today), loose: null };
    },
  };
}

/** A time that an event before it has: "since we last spoke on Monday". */
function readByEvent(
  text: string,
  time: TimeFound,
  event: EventBefore | null,
  spoken: readonly Language[],
): RangeFound | null {
  if (event === null || event.relation === "between") return null;
  const { relation, start } = event;
  const open = openRange(text, { ...time, relation, start }, spoken);
  if (open.hasSpan || relation === "since" || relation === "until") return open;
  return {
    start: time.start,
    end: time.end,
    isOpen: false,
    // "After lunch on Monday" is on that day, "after the audit on Monday" on any later one.
    days: (today) => {
      const days = time.days(today);
      return { days, loose: hull(days, related(days, relation, today)) };
    },
  };
}

function readRelated(text: string, time: TimeFound, spoken: readonly Language[]): RangeFound | null {
  const { relation, start, end, loose } = time;
  if (!isClosed(relation)) return openRange(text, time, spoken);
  // A full date alone is compared with the dates of memories and texts instead.
  if (time.isDate) return null;
  return {
    start,
    end,
    isOpen: false,
    days: (today) => ({ days: time.days(today), loose: loose?.(today) ?? null }),
  };
}

/** What is since, until, before or after a time. */
function openRange(
  text: string,
  { relation, start, end, days }: TimeFound,
  spoken: readonly Language[],
): RangeFound & { readonly hasSpan: boolean } {
  const span = readSpan(text, start, relation, spoken);
  return {
    start: span?.start ?? start,
    end,
    isOpen: true,
    hasSpan: span !== null,
    days: (today) => {
      const all = related(days(today), relation, today);
      return span === null
        ? { days: all, loose: null }
        : { days: spanned(all, relation, span.days), loose: all };
    },
  };
}

/** The days of "the week" in "the week before Christmas", for a text that has "before" at `start`. */
function readSpan(
  text: string,
  start: number,
  relation: TimeRelation,
  spoken: readonly Language[],
): { readonly start: number; readonly days: number } | null {
  if (relation !== "before" && relation !== "after") return null;
  for (const { span, words } of spoken) {
    const match = span().exec(text.slice(0, start));
    const counted = match?.groups?.counted;
    if (match !== null && counted !== undefined)
      return { start: match.index, days: daysCounted(counted, words) };
  }
  return null;
}

/** The last days before, or the first days after. */
export function spanned([first, end]: Days, relation: TimeRelation, days: number): Days {
  return relation === "before" ? [end - days, end] : [first, Math.min(end, first + days)];
}

function hull([first, end]: Days, [otherFirst, otherEnd]: Days): Days {
  return [Math.min(first, otherFirst), Math.max(end, otherEnd)];
}

function isClosed(relation: TimeRelation): boolean {
  return relation === "within" || relation === "between";
}

/** The range that such a relation makes of days. */
export function related([first, end]: Days, relation: TimeRelation, today: number): Days {
  switch (relation) {
    case "since":
      return [first, Math.max(first, today) + 1];
    case "after":
      return [end, Math.max(end, today) + 1];
    case "before":
      return [Number.NEGATIVE_INFINITY, first];
    case "until":
      return [Number.NEGATIVE_INFINITY, end];
    default:
      return [first, end];
  }
}

/** From the one up to the other. */
function joined([first, firstEnd]: Days, [, end]: Days, today: number): Days {
  return [first, end > first ? end : Math.max(firstEnd, today + 1)];
}

interface EventFound extends Place {
  readonly event: AskedEvent;
}

/**
 * The first event that a time is given by. A name alone is none: "before Ann". Nor is what bounds a time that is asked for:
 * of "How many days after the trip did it arrive?" the trip is half of the answer.
 */
function readEvent(text: string, spoken: readonly Language[]): EventFound | null {
  const forms = spoken.flatMap(({ events }) => events());
  for (const { pattern, words } of forms) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const { relation = "", event = "" } = match.groups ?? {};
    const said = words.eventRelationOf.get(oneBlank(relation.toLowerCase()));
    if (said === undefined || !PLAIN_WORD.test(event)) continue;
    // Languages share words for relations: "antes de" is Spanish and Portuguese.
    if (asksHowLong(text, forms)) return null;
    const span = readSpan(text, match.index, said, spoken);
    return {
      start: span?.start ?? match.index,
      end: match.index + match[0].length,
      event: { text: event, relation: said, span: span?.days ?? null },
    };
  }
  return null;
}

function asksHowLong(text: string, forms: readonly EventForm[]): boolean {
  return forms.some(({ howLong }) => howLong?.test(text));
}

/** An event that ends with the time that it has, in the same clause. */
interface EventBefore {
  readonly start: number;
  readonly relation: TimeRelation;
}

function readEventUntil(text: string, { start }: Place, spoken: readonly Language[]): EventBefore | null {
  const forms = spoken.flatMap(({ events }) => events());
  for (const { untilTime, words } of forms) {
    const match = untilTime.exec(text.slice(0, start));
    if (match === null) continue;
    const { relation = "", event = "" } = match.groups ?? {};
    if (!PLAIN_WORD.test(event) || asksHowLong(text, forms)) continue;
    const said = words.eventRelationOf.get(oneBlank(relation.toLowerCase())) ?? "between";
    return { start: match.index, relation: said };
  }
  return null;
}

function oneBlank(words: string | undefined): string {
  return words?.replaceAll(/\s+/g, " ").trim() ?? "";
}

/** In lower case, and longer than most articles and prepositions. */
const PLAIN_WORD = /(?<![\p{L}\p{N}])\p{Ll}{4}/u;

interface OrderFound extends Place {
  readonly order: "first" | "last";
  /** Whether it asks how long ago, in words that no answer has. */
  readonly isQuestion: boolean;
  /** Whether the word before the event is part of it: "how long is it since". */
  readonly isOfEvent: boolean;
}

/** The one word of an expression, or the one after an article; null if it has more ("for the first time"). */
function adjectiveIn(expression: string): string | null {
  const words = expression.toLowerCase().split(/\s+/);
  return words.length <= 2 ? (words.at(-1) ?? null) : null;
}

function readOrder(text: string, spoken: readonly Language[]): OrderFound | null {
  let best: OrderFound | null = null;
  for (const { pattern, words, ...given } of spoken.flatMap(({ orders }) => orders())) {
    const match = pattern.exec(text);
    if (match === null || (best !== null && best.start <= match.index)) continue;
    const last = match[0].toLowerCase().split(/\s+/).at(-1) ?? "";
    const end = match.index + match[0].length;
    best = { start: match.index, end, ...given, isOfEvent: words.eventRelationOf.has(last) };
  }
  return best;
}

function lowerCase(groups: Groups | undefined): Groups {
  return Object.fromEntries(
    Object.entries(groups ?? {}).map(([name, words]) => [name, words?.toLowerCase().trim()]),
  );
}

/** A language with its patterns. */
interface Language {
  /** Words of which a text has at least one if it has an expression of the language. */
  readonly triggers: ReadonlySet<string>;
  /** That of its letters, if its words are written together. */
  readonly script: RegExp | null;
  readonly words: Compiled;
  readonly forms: () => readonly Form[];
  readonly events: () => readonly EventForm[];
  readonly orders: () => readonly OrderForm[];
  readonly span: () => RegExp;
}

const languages = once(() =>
  Object.values(TIMES).map((given): Language => {
    const words = compile(given);
    return {
      triggers: triggersOf(given),
      script: given.isJoined ? (JOINED_SCRIPTS.find((script) => script.test(given.days["0"])) ?? null) : null,
      words,
      forms: once(() => formsOf(words)),
      events: once(() => eventsOf(words)),
      orders: once(() => ordersOf(words)),
      span: once(() => spanForm(words)),
    };
  }),
);

const YEAR_OR_DATE = /^(?:19|20)\d\d$/;
/** Scripts of the languages whose words are written together. */
const JOINED_SCRIPTS = [/\p{Script=Han}/u, /\p{Script=Hangul}/u, /\p{Script=Hebrew}/u, /\p{Script=Arabic}/u];

function spokenIn(text: string): Spoken {
  const words = text.toLowerCase().match(WORDS) ?? [];
  return { words, wordSet: new Set(words), hasYear: words.some((word) => YEAR_OR_DATE.test(word)) };
}

/** The languages that the text may have expressions of. Most texts have words of one or two. */
function languagesIn(text: string, { words, hasYear }: Spoken): Language[] {
  return languages().filter(({ script, triggers }) =>
    script === null ? hasYear || words.some((word) => triggers.has(word)) : script.test(text),
  );
}
