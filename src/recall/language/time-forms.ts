import { once } from "../once.ts";
import { type Days, dayNumber, lastOfYears, lastWeekday, nearestMonth, PERIODS } from "./calendar.ts";
import { namedDates } from "./dates.ts";
import { holidayOf } from "./holidays.ts";
import {
  ENGLISH,
  type EventRelation,
  type TimePart,
  type TimeRelation,
  type TimeUnit,
  type TimeWords,
} from "./words/times.ts";

export type Groups = Readonly<Record<string, string | undefined>>;

/** One form of expression in one language. */
export interface Form {
  readonly pattern: RegExp;
  /** Whether the text has words without which the pattern never matches. Most texts lack those of most forms. */
  readonly mayMatch: (text: Spoken) => boolean;
  /** The same right after another time that it says more of: "2026-04-06" in "Easter Monday 2026-04-06". */
  readonly beside: () => RegExp;
  /** The same as the second of two times, after "and" or "to". */
  readonly second: () => RegExp | null;
  readonly words: Compiled;
  /** Something that each week or year has, a single period, or a date, which texts may state in the same words. */
  readonly kind: "named" | "period" | "date";
  days(groups: Groups, today: number): Days;
  loose?(groups: Groups, today: number): Days;
}

/** The words of a language, ready for look-up. */
export interface Compiled {
  readonly given: TimeWords;
  readonly numberOf: ReadonlyMap<string, number>;
  readonly unitOf: ReadonlyMap<string, TimeUnit>;
  readonly relationOf: ReadonlyMap<string, TimeRelation>;
  readonly betweenWords: readonly string[];
  readonly eventRelationOf: ReadonlyMap<string, EventRelation>;
  readonly partOf: ReadonlyMap<string, TimePart>;
}

/** The words of a text, by which most expressions are ruled out without a search for them. */
export interface Spoken {
  /** In lower case. */
  readonly words: readonly string[];
  readonly wordSet: ReadonlySet<string>;
  readonly hasYear: boolean;
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
const QUARTER_MONTHS = 3;
/** What is done for a holiday is done in the weeks before it. */
const PREPARED_DAYS = 28;

export const WORDS = /[\p{L}\p{M}]+|\p{N}+/gu;

/** The longest word of each phrase: a text that has the phrase has that word. */
function longestWords(phrases: readonly string[]): ReadonlySet<string> {
  return new Set(
    phrases.flatMap((phrase) => {
      const words = phrase.replaceAll(/\{\w+\}/g, "").match(WORDS) ?? [];
      return words.toSorted((x, y) => y.length - x.length).slice(0, 1);
    }),
  );
}

/** Words of which a text has at least one if it has an expression of the language. */
export function triggersOf(given: TimeWords): ReadonlySet<string> {
  const { days, previous, beforePrevious, current, ago, past, first, last, howLongAgo } = given;
  const phrases = [days, previous, beforePrevious, current, given.besideEvents, given.holidays, given.wholes]
    .flatMap((lists) => Object.values<string | undefined>(lists ?? {}))
    .concat(ago, past, first, last, howLongAgo)
    .flatMap((list) => alternatives(list));
  const names = [given.months, given.weekdays, given.seasons, given.quarters].flatMap((list) =>
    items(list).flat(),
  );
  return longestWords([...phrases, ...names]);
}

/** Whether a text has the longest word of a phrase. In languages without blanks, a phrase is found only by a search. */
function hasPhraseOf({ isJoined }: TimeWords, phrases: readonly string[]): (text: Spoken) => boolean {
  const triggers = longestWords(phrases);
  if (isJoined === true || phrases.some((phrase) => longestWords([phrase]).size === 0)) return () => true;
  // The smaller of the two is gone through, since every text is asked for the words of every form.
  return ({ words, wordSet }) => {
    if (words.length < triggers.size) return words.some((word) => triggers.has(word));
    for (const trigger of triggers) if (wordSet.has(trigger)) return true;
    return false;
  };
}

/** Whether it has as many numbers as a date in digits. */
function hasThreeNumbers({ words }: Spoken): boolean {
  return words.filter((word) => /^\p{N}/u.test(word)).length >= 3;
}

/** Whether the number of a day stands near one of these words. */
function hasDayNear(names: ReadonlySet<string>): (text: Spoken) => boolean {
  return ({ words }) =>
    words.some(
      (word, at) =>
        names.has(word) && words.slice(Math.max(0, at - DAY_NEAR), at + DAY_NEAR).some(isShortNumber),
    );
}

/** Words from the number of a day to its month, as in "3rd of May". */
const DAY_NEAR = 4;
const isShortNumber = (word: string) => /^\d{1,2}$/.test(word);

export function compile(given: TimeWords): Compiled {
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
    betweenWords: alternatives(given.relations?.between),
    eventRelationOf: named<EventRelation>(given.besideEvents),
    partOf: named<TimePart>(given.parts),
  };
}

export const BEFORE_WORD = String.raw`(?<![\p{L}\p{N}])`;
export const AFTER_WORD = String.raw`(?![\p{L}\p{N}])`;
/** Not the one that a date in digits begins with. */
const YEAR = String.raw`(?<year>(?:19|20)\d\d)(?![-/.]\d)`;
const OF_YEAR = String.raw`(?:(?:,\s*|\s+)(?:of\s+|de\s+|del\s+|van\s+)?${YEAR})?`;
const ORDINAL = String.raw`(?:st|nd|rd|th|er|º|\.)?`;
const DAY = String.raw`0?[1-9]|[12]\d|3[01]`;
/** Words between a time and a longer one that it is in: "March of last year". */
const OF = ["of", "de", "del", "van"];
/** Words of an event before its date: "the audit on 1 May". */
const EVENT_WORDS = String.raw`(?:[^\s\d,;:.?!]{1,30}\s+){0,5}?`;

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

/** One of some words and the space after it; "" if there are none. Words that end in "'" stand right before the next. */
function wordBefore(words: readonly string[], language: TimeWords, space = String.raw`\s+`): string {
  if (words.length === 0) return "";
  const whole = words.filter((word) => !word.endsWith("'"));
  const elided = words.filter((word) => word.endsWith("'"));
  const either = [
    ...(elided.length > 0 ? [anyOf(elided, language)] : []),
    ...(whole.length > 0 ? [`(?:${anyOf(whole, language)})${space}`] : []),
  ];
  return `(?:${either.join("|")})`;
}

const optional = (source: string) => (source === "" ? "" : `${source}?`);
const captured = (name: string, source: string) => (source === "" ? "" : `(?<${name}>${source})`);

interface FormGiven extends Pick<Form, "days" | "mayMatch" | "kind"> {
  readonly loose?: Form["loose"];
  /** Whether it counts without a word before it. A name of a month, day or season does not. */
  readonly isBare: boolean;
  readonly hasThis?: boolean;
  /** Whether it counts only after a word for a part of it. */
  readonly isOfPart?: boolean;
  readonly hasArticles?: boolean;
  /** Words before it, besides those that relate other times. */
  readonly at?: readonly string[];
}

/** A form that reads one alternative of `source` beside relation words, which `isBare` makes optional. */
function formOf(words: Compiled, source: string, given: FormGiven): Form {
  const { given: language, relationOf } = words;
  const { isBare, hasThis = false, isOfPart = false, hasArticles = true, at = [] } = given;
  const relations = wordBefore([...relationOf.keys(), ...at], language);
  const article = hasArticles ? wordBefore(alternatives(language.articles), language) : "";
  const part = wordBefore([...words.partOf.keys()], language, String.raw`[\s-]+`);
  const lastOne = wordBefore(alternatives(language.lastOne), language);
  const thisOne = hasThis ? wordBefore(alternatives(language.thisOne), language) : "";
  const relation = optional(captured("relation", relations));
  const parts = captured("part", part);
  const restricted = `${optional(article)}${isOfPart ? parts : optional(parts)}${optional(article)}`;
  const known = [relations, part && `${optional(article)}${part}`].filter((one) => one !== "").join("|");
  const lead =
    isBare || isOfPart
      ? `${relation}${restricted}`
      : `(?:${known && `(?=${known})`}${relation}${restricted}${optional(captured("lastOne", lastOne))}|${captured("lastOnly", lastOne) || "(?!)"}|${thisOne || "(?!)"})`;
  const onwards =
    language.onwards && !isBare
      ? `(?:\\s+(?<onwards>${anyOf(alternatives(language.onwards), language)}))?`
      : "";
  const [left, right] = language.isJoined ? ["", ""] : [BEFORE_WORD, AFTER_WORD];
  const within = optional(wordBefore([...alternatives(language.relations?.within), ...OF], language));
  const inside = `${optional(wordBefore(alternatives(language.articles), language))}(?:${source})${right}`;
  const and = anyOf(alternatives(language.and), language);
  return {
    pattern: new RegExp(`${left}${lead}(?:${source})${onwards}${right}`, "iu"),
    // Few texts have a time with anything beside it.
    beside: once(
      () => new RegExp(`${language.isJoined ? "[\\s,]{0,3}" : "[\\s,(]{1,3}"}${within}${inside}`, "iuy"),
    ),
    second: once(() =>
      and === ""
        ? null
        : new RegExp(`\\s+(?:${and})\\s+${EVENT_WORDS}${within}${restricted}${inside}`, "iuy"),
    ),
    mayMatch: given.mayMatch,
    words,
    kind: given.kind,
    days: given.days,
    ...(given.loose && { loose: given.loose }),
  };
}

export function formsOf(words: Compiled): Form[] {
  return [...dayForms(words), ...periodForms(words), ...countedForms(words), ...namedForms(words)];
}

function dayForms(words: Compiled): Form[] {
  const phrases = Object.entries(words.given.days).map(([offset, phrases]) =>
    formOf(words, filled(phrases, words), {
      isBare: true,
      kind: "period",
      mayMatch: hasPhraseOf(words.given, alternatives(phrases)),
      days: (_, today) => PERIODS.day(today, Number(offset)),
    }),
  );
  if (words.given !== ENGLISH) return phrases;
  // "Last night" is still said after midnight, about the same night.
  const night = formOf(words, String.raw`last\s+night`, {
    isBare: true,
    kind: "period",
    mayMatch: ({ words }) => words.includes("night"),
    days: (_, today) => [today - 1, today + 1],
  });
  return [...phrases, night];
}

/** "Last week", "this month": the calendar's period, and loosely the last days of that number; "the end of the year". */
function periodForms(words: Compiled): Form[] {
  const { previous, beforePrevious, current, wholes } = words.given;
  return (
    [
      [previous, -1],
      [beforePrevious, -2],
      [current, 0],
      [wholes, 0],
    ] as const
  ).flatMap(([phrases, offset]) =>
    Object.entries(phrases ?? {}).map(([unit, words_]) => {
      const period = PERIODS[unit as keyof typeof PERIODS];
      const isRolling = unit !== "weekend" && offset > -2 && phrases !== wholes;
      return formOf(words, filled(words_, words), {
        isBare: true,
        isOfPart: phrases === wholes,
        kind: "period",
        mayMatch: hasPhraseOf(words.given, alternatives(words_)),
        days: (_, today) => period(today, offset),
        ...(isRolling && {
          loose: (_: Groups, today: number): Days => [today - ROLLING_DAYS[unit as TimeUnit], today + 1],
        }),
      });
    }),
  );
}

/** How many units are said, and the days of one. */
function countedIn(said: string, { unitOf, numberOf }: Compiled) {
  const unit = [...unitOf.keys()]
    .filter((form) => said.includes(form))
    .toSorted((a, b) => b.length - a.length)[0];
  const number = said.match(/\d+/)?.[0] ?? numberIn(said, numberOf);
  return { count: Number(number), days: ROLLING_DAYS[unitOf.get(unit ?? "") ?? "day"] };
}

/** "Three weeks ago", "the past two months". */
function countedForms(words: Compiled): Form[] {
  const { given } = words;
  const source = (phrases: string) => `(?<counted>${filled(phrases, words)})`;
  const ago = formOf(words, source(given.ago), {
    isBare: true,
    kind: "period",
    mayMatch: hasPhraseOf(given, alternatives(given.ago)),
    days: ({ counted = "" }, today) => {
      const { count, days } = countedIn(counted, words);
      const around = Math.floor(days / 2);
      return [today - count * days - around, today - count * days + around + 1];
    },
  });
  if (given.past === undefined) return [ago];
  const past = formOf(words, source(given.past), {
    isBare: true,
    kind: "period",
    mayMatch: hasPhraseOf(given, alternatives(given.past)),
    days: ({ counted = "" }, today) => {
      const { count, days } = countedIn(counted, words);
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

/** Weekdays, what each year has, years and dates. */
function namedForms(words: Compiled): Form[] {
  const { given } = words;
  const weekdays = items(given.weekdays);
  const weekday = formOf(words, `(?<weekday>${anyOf(weekdays.flat(), given)})`, {
    isBare: false,
    kind: "named",
    hasThis: true,
    mayMatch: hasPhraseOf(given, weekdays.flat()),
    days: ({ weekday }, today) => PERIODS.day(lastWeekday(today, placeIn(weekdays, weekday)), 0),
  });
  const year = formOf(words, YEAR, {
    isBare: false,
    kind: "period",
    mayMatch: ({ hasYear }) => hasYear,
    days: ({ year }) => [dayNumber(Number(year), 0), dayNumber(Number(year) + 1, 0)],
  });
  return [
    ...(weekdays.length > 0 ? [weekday] : []),
    ...yearlyForms(words),
    ...(given.holidays ? [holidayForm(words, given.holidays)] : []),
    ...(given.months ? dateForms(words) : []),
    ...(given.relations ? [year] : []),
  ];
}

const placeIn = (list: readonly string[][], word = "") => list.findIndex((forms) => forms.includes(word));

/** That of the year that is said, or the last one that has begun; that is over for "last" and "after". */
function ofYear(words: Compiled, groups: Groups, today: number, daysIn: (year: number) => Days): Days {
  if (groups.year !== undefined) return daysIn(Number(groups.year));
  const isLast =
    (groups.lastOne ?? groups.lastOnly) !== undefined || relationOf(words, groups.relation) === "after";
  return lastOfYears(today, daysIn, isLast);
}

export function relationOf({ relationOf }: Compiled, words: string | undefined): TimeRelation {
  return relationOf.get(words?.replaceAll(/\s+/g, " ").trim() ?? "") ?? "within";
}

/** Months, seasons and quarters. */
function yearlyForms(words: Compiled): Form[] {
  const { given } = words;
  return (
    [
      [given.months, 0, 1],
      [given.seasons, FIRST_SEASON_MONTH, SEASON_MONTHS],
      [given.quarters, 0, QUARTER_MONTHS],
    ] as const
  ).flatMap(([list, from, months]) => {
    const names = items(list);
    if (names.length === 0) return [];
    return [
      formOf(words, `(?<name>${anyOf(names.flat(), given)})${OF_YEAR}`, {
        isBare: false,
        kind: "named",
        hasThis: months > 1,
        mayMatch: hasPhraseOf(given, names.flat()),
        days: (groups, today) => {
          const first = from + months * placeIn(names, groups.name);
          return ofYear(words, groups, today, (year) => [
            dayNumber(year, first),
            dayNumber(year, first + months),
          ]);
        },
      }),
    ];
  });
}

function holidayForm(words: Compiled, holidays: Readonly<Record<string, string>>): Form {
  const { given } = words;
  const daysOf = new Map(
    Object.entries(holidays).flatMap(([rule, names]) => {
      const days = holidayOf(rule);
      return alternatives(names).map((name) => [name, days] as const);
    }),
  );
  const at = alternatives(given.atHolidays);
  const days = (groups: Groups, today: number) => {
    const name = groups.holiday?.replaceAll(/\s+/g, " ") ?? "";
    return ofYear(words, groups, today, daysOf.get(name) as (year: number) => Days);
  };
  return formOf(words, `(?<holiday>${anyOf([...daysOf.keys()], given)})${OF_YEAR}`, {
    isBare: false,
    kind: "named",
    hasThis: true,
    // "The Christmas market" is no time.
    hasArticles: false,
    at,
    mayMatch: hasPhraseOf(given, [...daysOf.keys()]),
    days,
    loose: (groups, today) => {
      const [first, end] = days(groups, today);
      return [at.includes(groups.relation ?? "") ? first - PREPARED_DAYS : first, end];
    },
  });
}

/** "3 May", "May 3, 2026", "2026-05-03", "from the 3rd to the 9th of May". */
function dateForms(words: Compiled): Form[] {
  const { given } = words;
  const months = items(given.months);
  const month = `(?<month>${anyOf(months.flat(), given)})`;
  const article = optional(wordBefore(alternatives(given.articles), given));
  const to = `(?:\\s*[-–]\\s*|\\s+(?:${anyOf(alternatives(given.and), given)})\\s+)${article}`;
  const days = `(?:(?<from>${DAY})${ORDINAL}${to})?(?<day>${DAY})${ORDINAL}`;
  const ofMonth = String.raw`\s+(?:(?:of|de|di)\s+)?`;
  const daysOf = (groups: Groups, today: number) => {
    const at = placeIn(months, groups.month);
    const [last, from] = [Number(groups.day), Number(groups.from ?? groups.day)];
    return ofYear(words, groups, today, (year) => [
      dayNumber(year, at - Number(from > last), from),
      dayNumber(year, at, last + 1),
    ]);
  };
  const hasDay = hasDayNear(new Set(months.flat()));
  const form = (source: string) =>
    formOf(words, source, {
      isBare: false,
      kind: "date",
      mayMatch: hasDay,
      days: daysOf,
    });
  // Of other languages, only dates in digits begin with the month.
  const monthFirst = given === ENGLISH ? [form(`${month}\\s+(?:the\\s+)?${days}(?!\\d)${OF_YEAR}`)] : [];
  const digits = formOf(words, String.raw`(?<date>\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{4})`, {
    isBare: false,
    kind: "date",
    mayMatch: hasThreeNumbers,
    days: ({ date = "" }) => {
      const day = namedDates(date).dates[0] ?? Number.NaN;
      return [day, day + 1];
    },
  });
  return [form(`${days}${ofMonth}${month}${OF_YEAR}`), ...monthFirst, digits];
}

const SHARES: Readonly<Record<TimePart, readonly [from: number, to: number]>> = {
  beginning: [0, 1 / 3],
  middle: [1 / 3, 2 / 3],
  end: [2 / 3, 1],
  firstHalf: [0, 1 / 2],
  secondHalf: [1 / 2, 1],
};
/** Parts of periods that are longer begin with a month. */
const DAYS_IN_PARTS_MAX = 62;

/** A third or half of the days, or all of them. */
export function partOf({ partOf }: Compiled, part: string | undefined, [first, end]: Days): Days {
  const said = partOf.get(part?.replaceAll(/[\s-]+/g, " ").trim() ?? "");
  if (said === undefined) return [first, end];
  const length = end - first;
  const [from, to] = SHARES[said];
  const [begin, over] = [first + Math.floor(length * from), first + Math.ceil(length * to)];
  return length > DAYS_IN_PARTS_MAX ? [nearestMonth(begin), nearestMonth(over)] : [begin, over];
}

/** "The week" before "before Christmas"; its text has to end there. */
export function spanForm(words: Compiled): RegExp {
  const article = wordBefore(alternatives(words.given.articles), words.given);
  const number = filled("{n}", words);
  const counted = `${article && `${article}(?:${number}\\s+)?|`}${number}\\s+`;
  return new RegExp(`${BEFORE_WORD}(?<counted>(?:${counted})${filled("{unit}", words)})\\s+$`, "iu");
}

/** The number of days that such a text says. */
export function daysCounted(counted: string, words: Compiled): number {
  const { count, days } = countedIn(counted.toLowerCase(), words);
  return count * days;
}

/** The words up to the end of the clause, after "before", "after" or "since". */
export interface EventForm {
  readonly pattern: RegExp;
  /** Such words, and those after "between", up to the time that they have; the text has to end before it. */
  readonly untilTime: RegExp;
  readonly howLong: RegExp | null;
  readonly words: Compiled;
}

export function eventsOf(words: Compiled): EventForm[] {
  const relations = [...words.eventRelationOf.keys()];
  if (relations.length === 0) return [];
  const relation = anyOf(relations, words.given);
  const event = "[^,;:.?!¿¡]{2,80}";
  const { verbsWithThem, howLong } = words.given;
  const isNoVerb = verbsWithThem === undefined ? "" : `(?<!${BEFORE_WORD}(?:${verbsWithThem})\\s+)`;
  const before = `${BEFORE_WORD}${isNoVerb}`;
  const orBetween = anyOf([...relations, ...words.betweenWords], words.given);
  return [
    {
      pattern: new RegExp(`${before}(?<relation>${relation})\\s+(?<event>${event})`, "iu"),
      untilTime: new RegExp(`${before}(?<relation>${orBetween})\\s+(?<event>${event})$`, "iu"),
      howLong:
        howLong === undefined
          ? null
          : new RegExp(`${BEFORE_WORD}(?:${filled(howLong, words)})${AFTER_WORD}`, "iu"),
      words,
    },
  ];
}

export interface OrderForm {
  readonly pattern: RegExp;
  readonly order: "first" | "last";
  /** Whether it asks how long ago, in words that no answer has. */
  readonly isQuestion: boolean;
  readonly words: Compiled;
}

export function ordersOf(words: Compiled): OrderForm[] {
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
