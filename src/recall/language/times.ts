import { once } from "../once.ts";
import { type Days, dayNumber, lastMonths, lastWeekday, PERIODS } from "./calendar.ts";
import { namedDates } from "./dates.ts";
import { normalForm } from "./normal-form.ts";
import {
  ENGLISH,
  type EventRelation,
  TIMES,
  type TimeRelation,
  type TimeUnit,
  type TimeWords,
} from "./words/times.ts";

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
}

/** A query of this length or more mentions times only in passing. */
const CHARACTERS_MAX = 400;

type Groups = Readonly<Record<string, string | undefined>>;

/** One form of expression in one language. */
interface Form {
  readonly pattern: RegExp;
  /** Whether the text has words without which the pattern never matches. Most texts lack those of most forms. */
  readonly mayMatch: (text: Spoken) => boolean;
  /** The same as the second of two times, after "and" or "to". */
  readonly second: RegExp | null;
  readonly words: Compiled;
  /** Whether the days are named by a date, which texts may state in the same words. */
  readonly isDate: boolean;
  days(groups: Groups, today: number): Days;
  loose?(groups: Groups, today: number): Days;
}

/** The words of a language, ready for look-up. */
interface Compiled {
  readonly given: TimeWords;
  readonly numberOf: ReadonlyMap<string, number>;
  readonly unitOf: ReadonlyMap<string, TimeUnit>;
  readonly relationOf: ReadonlyMap<string, TimeRelation>;
  readonly eventRelationOf: ReadonlyMap<string, EventRelation>;
}

const ROLLING_DAYS = {
  day: 1,
  week: 7,
  fortnight: 14,
  weekend: 7,
  month: 30,
  quarter: 91,
  year: 365,
} as const;

const SEASON_MONTHS = 3;
/** Spring begins in March: seasons of the northern half of the earth. */
const FIRST_SEASON_MONTH = 2;

/** Reads the time that a query asks for; null if it asks for none. */
export function readTime(query: string): AskedTime | null {
  if (query.length >= CHARACTERS_MAX) return null;
  const text = normalForm(query, "NFC").replaceAll("’", "'");
  const words = spokenIn(text);
  const spoken = languagesIn(words);
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

interface RangeFound extends Place {
  readonly isOpen: boolean;
  readonly days: (today: number) => AskedDays;
}

/** The range named first in the text; of several at one place, the longest. */
function readRange(text: string, words: Spoken, spoken: readonly Language[]): RangeFound | null {
  let best: { form: Form; match: RegExpExecArray } | null = null;
  for (const form of spoken.flatMap(({ forms }) => forms())) {
    const match = form.mayMatch(words) ? form.pattern.exec(text) : null;
    if (match === null) continue;
    const isBetter =
      best === null ||
      match.index < best.match.index ||
      (match.index === best.match.index && match[0].length > best.match[0].length);
    if (isBetter) best = { form, match };
  }
  if (best === null) return null;
  const { form, match } = best;
  const groups = lowerCase(match.groups);
  const end = match.index + match[0].length;
  const relation = groups.onwards ? "since" : relationOf(form.words, groups.relation);
  const second = relation === "between" ? readSecond(text, form, spoken, end) : null;
  // A full date alone is compared with the dates of memories and texts instead.
  if (form.isDate && groups.date !== undefined && second === null && isClosed(relation)) return null;
  return {
    start: match.index,
    end: second?.end ?? end,
    isOpen: second !== null || !isClosed(relation),
    days: (today) => {
      const days = partOf(form.words, groups.part, form.days(groups, today));
      if (second !== null) return { days: joined(days, second.days(today), today), loose: null };
      const loose = groups.part || !isClosed(relation) ? null : (form.loose?.(groups, today) ?? null);
      return { days: related(days, relation, today), loose };
    },
  };
}

function isClosed(relation: TimeRelation): boolean {
  return relation === "within" || relation === "between";
}

function relationOf({ relationOf }: Compiled, words: string | undefined): TimeRelation {
  return relationOf.get(words?.replaceAll(/\s+/g, " ").trim() ?? "") ?? "within";
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

/** The first or last third. */
function partOf({ given }: Compiled, part: string | undefined, [first, end]: Days): Days {
  if (part === undefined) return [first, end];
  const third = Math.ceil((end - first) / 3);
  return alternatives(given.beginning).includes(part.replaceAll(/\s+/g, " "))
    ? [first, first + third]
    : [end - third, end];
}

function readSecond(
  text: string,
  { words }: Form,
  spoken: readonly Language[],
  from: number,
): { readonly end: number; readonly days: (today: number) => Days } | null {
  for (const { second, words: own, days } of spoken.flatMap(({ forms }) => forms())) {
    if (own !== words || second === null) continue;
    second.lastIndex = from;
    const match = second.exec(text);
    if (match === null) continue;
    const groups = lowerCase(match.groups);
    return { end: from + match[0].length, days: (today) => days(groups, today) };
  }
  return null;
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
    const said = words.eventRelationOf.get(relation.toLowerCase().replaceAll(/\s+/g, " "));
    if (said === undefined || !PLAIN_WORD.test(event)) continue;
    // Languages share words for relations: "antes de" is Spanish and Portuguese.
    if (forms.some(({ howLong }) => howLong?.test(text))) return null;
    return { start: match.index, end: match.index + match[0].length, event: { text: event, relation: said } };
  }
  return null;
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
  readonly isJoined: boolean;
  readonly forms: () => readonly Form[];
  readonly events: () => readonly EventForm[];
  readonly orders: () => readonly OrderForm[];
}

const languages = once(() =>
  Object.values(TIMES).map((given): Language => {
    const words = compile(given);
    return {
      triggers: triggersOf(given),
      isJoined: given.isJoined ?? false,
      forms: once(() => formsOf(words)),
      events: once(() => eventsOf(words)),
      orders: once(() => ordersOf(words)),
    };
  }),
);

const WORDS = /[\p{L}\p{M}]+|\p{N}+/gu;
const YEAR_OR_DATE = /^(?:19|20)\d\d$/;
/** Scripts of the languages whose words are written together. */
const JOINED_SCRIPTS = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hebrew}\p{Script=Arabic}]/u;

/** The words of a text, by which most expressions are ruled out without a search for them. */
interface Spoken {
  /** In lower case. */
  readonly words: readonly string[];
  readonly hasYear: boolean;
  readonly hasJoined: boolean;
}

function spokenIn(text: string): Spoken {
  const words = text.toLowerCase().match(WORDS) ?? [];
  return {
    words,
    hasYear: words.some((word) => YEAR_OR_DATE.test(word)),
    hasJoined: JOINED_SCRIPTS.test(text),
  };
}

/** The languages that the text may have expressions of. Most texts have words of one or two. */
function languagesIn({ words, hasYear, hasJoined }: Spoken): Language[] {
  return languages().filter(({ isJoined, triggers }) =>
    isJoined ? hasJoined : hasYear || words.some((word) => triggers.has(word)),
  );
}

/** The longest word of each phrase: a text that has the phrase has that word. */
function longestWords(phrases: readonly string[]): ReadonlySet<string> {
  return new Set(
    phrases.flatMap((phrase) => {
      const words = phrase.replaceAll(/\{\w+\}/g, "").match(WORDS) ?? [];
      return words.toSorted((x, y) => y.length - x.length).slice(0, 1);
    }),
  );
}

function triggersOf(given: TimeWords): ReadonlySet<string> {
  const { days, previous, beforePrevious, current, ago, past, first, last, howLongAgo } = given;
  const phrases = [days, previous, beforePrevious, current, given.besideEvents]
    .flatMap((lists) => Object.values<string | undefined>(lists ?? {}))
    .concat(ago, past, first, last, howLongAgo)
    .flatMap((list) => alternatives(list));
  const names = [given.months, given.weekdays, given.seasons].flatMap((list) => items(list).flat());
  return longestWords([...phrases, ...names]);
}

/** Whether a text has the longest word of a phrase. In languages without blanks, a phrase is found only by a search. */
function hasPhraseOf({ isJoined }: TimeWords, phrases: readonly string[]): (text: Spoken) => boolean {
  const isUnknown = isJoined === true || phrases.some((phrase) => longestWords([phrase]).size === 0);
  const triggers = longestWords(phrases);
  return ({ words }) => isUnknown || words.some((word) => triggers.has(word));
}

function hasNumber({ words }: Spoken): boolean {
  return words.some((word) => /^\p{N}/u.test(word));
}

function compile(given: TimeWords): Compiled {
  const listed = (list: string | undefined) =>
    new Map(items(list).flatMap((forms, at) => forms.map((form) => [form, at + 1] as const)));
  const named = <Name extends string>(lists: Readonly<Partial<Record<Name, string>>> | undefined) =>
    new Map(
      Object.entries<string | undefined>(lists ?? {}).flatMap(([name, words]) =>
        alternatives(words).map((word) => [word, name as Name] as const),
      ),
    );
  return {
    given,
    numberOf: listed(given.numbers),
    unitOf: named<TimeUnit>(given.units),
    relationOf: named<TimeRelation>(given.relations),
    eventRelationOf: named<EventRelation>(given.besideEvents),
  };
}

const BEFORE_WORD = String.raw`(?<![\p{L}\p{N}])`;
const AFTER_WORD = String.raw`(?![\p{L}\p{N}])`;
const YEAR = String.raw`(?<year>(?:19|20)\d\d)`;
const DAY = String.raw`\d{1,2}(?:st|nd|rd|th|er|º|\.)?`;

function alternatives(phrases: string | undefined): string[] {
  return phrases === undefined ? [] : phrases.split("|");
}

/** The items of a list, each with its forms. */
function items(list: string | undefined): string[][] {
  return list === undefined
    ? []
    : list.split(" ").map((item) => item.split("/").map((form) => form.replaceAll("‿", " ")));
}

/** Longer ones first, since the first that fits is taken. */
function anyOf(words: readonly string[], { isJoined }: TimeWords): string {
  const space = isJoined ? String.raw`\s*` : String.raw`\s+`;
  return words
    .toSorted((a, b) => b.length - a.length)
    .map((word) => word.replaceAll(/[.*+?^$()[\]\\]/g, String.raw`\$&`).replaceAll(" ", space))
    .join("|");
}

/** What `{n}`, `{unit}` and the like stand for in the phrases of a language. */
function filled(phrases: string, { given, numberOf, unitOf }: Compiled): string {
  return anyOf(alternatives(phrases), given)
    .replaceAll("{n}", `(?:${String.raw`\d{1,3}`}|${anyOf([...numberOf.keys()], given)})`)
    .replaceAll("{unit}", `(?:${anyOf([...unitOf.keys()], given)})`);
}

/** A form that reads one alternative of `source` beside relation words, which `isBare` makes optional. */
function formOf(
  words: Compiled,
  source: string,
  given: Pick<Form, "days" | "mayMatch"> &
    Partial<Pick<Form, "loose" | "isDate">> & { readonly isBare: boolean; readonly hasThis?: boolean },
): Form {
  const { given: language, relationOf } = words;
  const relations = [...relationOf.keys()];
  const before = (list: readonly string[], name: string, isOptional: boolean) => {
    if (list.length === 0) return "";
    const whole = list.filter((word) => !word.endsWith("'"));
    const elided = list.filter((word) => word.endsWith("'"));
    const either = [
      ...(elided.length > 0 ? [anyOf(elided, language)] : []),
      ...(whole.length > 0 ? [`(?:${anyOf(whole, language)})${String.raw`\s+`}`] : []),
    ].join("|");
    return `(?${name === "" ? ":" : `<${name}>`}${either})${isOptional ? "?" : ""}`;
  };
  const articles = before(alternatives(language.articles), "", true);
  const parts = before([...alternatives(language.beginning), ...alternatives(language.end)], "part", true);
  const lastOne = alternatives(language.lastOne);
  const relation = before(relations, "relation", true);
  const current = given.hasThis ? before(alternatives(language.thisOne), "thisOne", false) : "";
  // A name of a month, day or season counts only after such a word.
  const lead = given.isBare
    ? `${relation}${articles}${parts}${articles}`
    : `(?:${before(relations, "relation", false)}${articles}${parts}${articles}${before(lastOne, "lastOne", true)}|${before(lastOne, "lastOnly", false) || "(?!)"}|${current || "(?!)"})`;
  const onwards = language.onwards
    ? `(?:\\s+(?<onwards>${anyOf(alternatives(language.onwards), language)}))?`
    : "";
  const [left, right] = language.isJoined ? ["", ""] : [BEFORE_WORD, AFTER_WORD];
  const and = language.and
    ? new RegExp(
        `\\s+(?:${anyOf(alternatives(language.and), language)})\\s+${articles}(?:${source})${right}`,
        "iuy",
      )
    : null;
  return {
    pattern: new RegExp(`${left}${lead}(?:${source})${onwardsFor(onwards, given.isBare)}${right}`, "iu"),
    second: and,
    mayMatch: given.mayMatch,
    words,
    isDate: given.isDate ?? false,
    days: given.days,
    ...(given.loose && { loose: given.loose }),
  };
}

function onwardsFor(onwards: string, isBare: boolean): string {
  return isBare ? "" : onwards;
}

function formsOf(words: Compiled): Form[] {
  return [...dayForms(words), ...periodForms(words), ...countedForms(words), ...namedForms(words)];
}

function dayForms(words: Compiled): Form[] {
  const phrases = Object.entries(words.given.days).map(([offset, phrases]) =>
    formOf(words, filled(phrases, words), {
      isBare: true,
      mayMatch: hasPhraseOf(words.given, alternatives(phrases)),
      days: (_, today) => PERIODS.day(today, Number(offset)),
    }),
  );
  if (words.given !== ENGLISH) return phrases;
  // "Last night" is still said after midnight, about the same night.
  const night = formOf(words, String.raw`last\s+night`, {
    isBare: true,
    mayMatch: ({ words }) => words.includes("night"),
    days: (_, today) => [today - 1, today + 1],
  });
  return [...phrases, night];
}

/** "Last week", "this month": the calendar's period, and loosely the last days of that number. */
function periodForms(words: Compiled): Form[] {
  const { previous, beforePrevious, current } = words.given;
  return (
    [
      [previous, -1],
      [beforePrevious, -2],
      [current, 0],
    ] as const
  ).flatMap(([phrases, offset]) =>
    Object.entries(phrases ?? {}).map(([unit, words_]) => {
      const period = PERIODS[unit as keyof typeof PERIODS];
      const isRolling = unit !== "weekend" && offset > -2;
      return formOf(words, filled(words_, words), {
        isBare: true,
        mayMatch: hasPhraseOf(words.given, alternatives(words_)),
        days: (_, today) => period(today, offset),
        ...(isRolling && {
          loose: (_: Groups, today: number): Days => [today - ROLLING_DAYS[unit as TimeUnit], today + 1],
        }),
      });
    }),
  );
}

/** "Three weeks ago", "the past two months". */
function countedForms(words: Compiled): Form[] {
  const { given, numberOf, unitOf } = words;
  const counted = (groups: Groups) => {
    const said = groups.counted ?? "";
    const unit = [...unitOf.keys()]
      .filter((form) => said.includes(form))
      .toSorted((a, b) => b.length - a.length)[0];
    const number = said.match(/\d+/)?.[0] ?? numberIn(said, numberOf);
    return { count: Number(number), days: ROLLING_DAYS[unitOf.get(unit ?? "") ?? "day"] };
  };
  const source = (phrases: string) => `(?<counted>${filled(phrases, words)})`;
  const ago = formOf(words, source(given.ago), {
    isBare: true,
    mayMatch: hasPhraseOf(given, alternatives(given.ago)),
    days: (groups, today) => {
      const { count, days } = counted(groups);
      const around = Math.floor(days / 2);
      return [today - count * days - around, today - count * days + around + 1];
    },
  });
  if (given.past === undefined) return [ago];
  const past = formOf(words, source(given.past), {
    isBare: true,
    mayMatch: hasPhraseOf(given, alternatives(given.past)),
    days: (groups, today) => {
      const { count, days } = counted(groups);
      return [today - count * days, today + 1];
    },
  });
  return [ago, past];
}

/** The longest word for a number in the words; 1 if there is none. */
function numberIn(said: string, numberOf: ReadonlyMap<string, number>): number {
  const words = new Set(said.split(/\s+/));
  const found = [...numberOf]
    .filter(([word]) => words.has(word) || word.includes(" ") || !/^\p{Script=Latin}+$/u.test(word))
    .filter(([word]) => said.includes(word))
    .toSorted(([a], [b]) => b.length - a.length)[0];
  return found?.[1] ?? 1;
}

/** Weekdays, months, seasons, years and dates. */
function namedForms(words: Compiled): Form[] {
  const { given } = words;
  const [weekdays, months, seasons] = [items(given.weekdays), items(given.months), items(given.seasons)];
  const at = (list: readonly string[][], word = "") => list.findIndex((forms) => forms.includes(word));
  // "After June", in June: after the last one that is over.
  const isLast = ({ lastOne, lastOnly, relation }: Groups) =>
    (lastOne ?? lastOnly) !== undefined || relationOf(words, relation) === "after";
  const any = (list: readonly string[][]) => anyOf(list.flat(), given);
  const ofYear = `(?:,?\\s+(?:of\\s+|de\\s+|del\\s+|van\\s+)?${YEAR})?`;
  const monthsOf = (first: number, length: number, groups: Groups, today: number): Days =>
    groups.year === undefined
      ? lastMonths(today, first, length, isLast(groups))
      : [dayNumber(Number(groups.year), first), dayNumber(Number(groups.year), first + length)];
  return [
    ...(weekdays.length > 0
      ? [
          formOf(words, `(?<weekday>${any(weekdays)})`, {
            isBare: false,
            hasThis: true,
            mayMatch: hasPhraseOf(given, weekdays.flat()),
            days: ({ weekday }, today) => PERIODS.day(lastWeekday(today, at(weekdays, weekday)), 0),
          }),
        ]
      : []),
    ...(months.length > 0
      ? [
          formOf(words, `(?<month>${any(months)})${ofYear}`, {
            isBare: false,
            isDate: true,
            mayMatch: hasPhraseOf(given, months.flat()),
            days: (groups, today) => monthsOf(at(months, groups.month), 1, groups, today),
          }),
          // Only English dates are read, and dates in digits.
          formOf(words, dateSource(given === ENGLISH ? any(months) : "(?!)"), {
            isBare: false,
            isDate: true,
            mayMatch: hasNumber,
            days: dateDays,
          }),
        ]
      : []),
    ...(seasons.length > 0
      ? [
          formOf(words, `(?<season>${any(seasons)})${ofYear}`, {
            isBare: false,
            hasThis: true,
            mayMatch: hasPhraseOf(given, seasons.flat()),
            days: ({ season, ...groups }, today) =>
              monthsOf(
                FIRST_SEASON_MONTH + SEASON_MONTHS * at(seasons, season),
                SEASON_MONTHS,
                groups,
                today,
              ),
          }),
        ]
      : []),
    ...(given.relations
      ? [
          formOf(words, YEAR, {
            isBare: false,
            isDate: true,
            mayMatch: ({ hasYear }) => hasYear,
            days: ({ year }) => [dayNumber(Number(year), 0), dayNumber(Number(year) + 1, 0)],
          }),
        ]
      : []),
  ];
}

/** A full date in digits, or with the name of its month. */
function dateSource(months: string): string {
  const digits = String.raw`\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{4}`;
  const named = String.raw`${DAY}\s+(?:of\s+|de\s+)?(?:${months})[\s,]{1,2}\d{4}|(?:${months})\s+${DAY}[\s,]{1,2}\d{4}`;
  return `(?<date>${digits}|${named})`;
}

function dateDays({ date = "" }: Groups): Days {
  const day = namedDates(date).dates[0] ?? Number.NaN;
  return [day, day + 1];
}

/** The words up to the end of the clause, after "before", "after" or "since". */
interface EventForm {
  readonly pattern: RegExp;
  readonly howLong: RegExp | null;
  readonly words: Compiled;
}

function eventsOf(words: Compiled): EventForm[] {
  const relations = [...words.eventRelationOf.keys()];
  if (relations.length === 0) return [];
  const relation = anyOf(relations, words.given);
  const event = "[^,;:.?!¿¡]{2,80}";
  const { verbsWithThem, howLong } = words.given;
  const isNoVerb = verbsWithThem === undefined ? "" : `(?<!${BEFORE_WORD}(?:${verbsWithThem})\\s+)`;
  return [
    {
      pattern: new RegExp(`${BEFORE_WORD}${isNoVerb}(?<relation>${relation})\\s+(?<event>${event})`, "iu"),
      howLong:
        howLong === undefined
          ? null
          : new RegExp(`${BEFORE_WORD}(?:${filled(howLong, words)})${AFTER_WORD}`, "iu"),
      words,
    },
  ];
}

interface OrderForm extends Pick<OrderFound, "order" | "isQuestion"> {
  readonly pattern: RegExp;
  readonly words: Compiled;
}

function ordersOf(words: Compiled): OrderForm[] {
  const { first, last, howLongAgo, isJoined } = words.given;
  const [left, right] = isJoined ? ["", ""] : [BEFORE_WORD, AFTER_WORD];
  const form = (phrases: string | undefined, order: "first" | "last", isQuestion = false) =>
    phrases === undefined
      ? []
      : [
          {
            pattern: new RegExp(`${left}(?:${filled(phrases, words)})${right}`, "iu"),
            order,
            isQuestion,
            words,
          },
        ];
  return [...form(howLongAgo, "last", true), ...form(first, "first"), ...form(last, "last")];
}
