import { instantOf } from "../../../../src/core/reminder/wall-clock.ts";
import { createRandom, type Random } from "../../../../test/support/random.ts";
import { RELATIONS } from "../relations.ts";
import { FIRST_NAMES, NOUNS, PLACES } from "../vocabulary.ts";
import { type Day, type Days, mondayOf, monthOf, yearOf } from "./calendar.ts";
import { ASKED_ON, CALENDAR } from "./expressions.ts";
import { FOREIGN, type Foreign } from "./foreign.ts";
import { SECOND_SET, type WrittenCase } from "./second-set.ts";
import { THIRD_SET } from "./third-set.ts";

export interface Dated {
  readonly content: string;
  /** An instant in RFC 3339. */
  readonly occurred_at: string;
}

/** Memories that say the same of different times, others of the same times, and a question for one of these times. */
export interface TimeCase {
  readonly kind: string;
  readonly question: string;
  readonly asked_at: string;
  readonly time_zone: string;
  readonly right: Dated;
  readonly wrong: readonly Dated[];
  readonly others: readonly Dated[];
}

/** Something that happens again and again to the same person, each time with another value. */
interface Subject {
  readonly states: (name: string, value: string) => string;
  readonly asks: (name: string, when: string) => string;
  readonly values: readonly string[];
}

const SUBJECTS: readonly Subject[] = [
  {
    states: (name, value) => `${name} bought a ${value}.`,
    asks: (name, when) => `What did ${name} buy ${when}?`,
    values: NOUNS,
  },
  {
    states: (name, value) => `${name} visited ${value}.`,
    asks: (name, when) => `Which town did ${name} visit ${when}?`,
    values: PLACES,
  },
  {
    states: (name, value) => `${name} reported a fault in the ${value} service.`,
    asks: (name, when) => `Which service did ${name} report a fault in ${when}?`,
    values: NOUNS,
  },
  {
    states: (name, value) => `The team decided with ${name} to drop the ${value}.`,
    asks: (name, when) => `${when}, what did the team decide to drop with ${name}?`,
    values: NOUNS,
  },
  {
    states: (name, value) => `The user had lunch with ${name} in ${value}.`,
    asks: (name, when) => `Where did I have lunch with ${name} ${when}?`,
    values: PLACES,
  },
];

const EVENTS: readonly ((name: string, place: string) => readonly [states: string, asked: string])[] = [
  (name, place) => [`${name}'s trip to ${place} took place.`, `the trip to ${place}`],
  (_, place) => [`The fair in ${place} was held.`, `the fair in ${place}`],
  (name) => [`${name} celebrated the wedding.`, `${name}'s wedding`],
  (_, place) => [`The ${place} release went out.`, `the ${place} release`],
];

const ORDERS = {
  first: ["the first time", "for the first time", "first"],
  last: ["the last time", "last", "most recently", "for the last time"],
} as const;

const ZONES = ["UTC", "Europe/Berlin", "America/Los_Angeles", "Asia/Kolkata", "Pacific/Auckland"];
const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;
/** Minutes after midnight at which it is asked. */
const ASKED_MINUTES = [30, 750, 1410];
const OTHERS = 20;

export const TIME_KINDS: readonly string[] = [
  ...Object.keys(CALENDAR),
  "before, after an event",
  "first, last",
  "latest, how long ago",
  ...FOREIGN.map(({ language }) => language),
];

/** So many cases, of each kind in turn. The same for the same seed. */
export function timeCases(count: number, seed: number): TimeCase[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, at) =>
    caseOf(TIME_KINDS[at % TIME_KINDS.length] as string, random),
  );
}

/** The questions that were written before the rules, set by set. */
export function handWrittenCases(seed: number): TimeCase[] {
  return [...casesOfSet("second set", SECOND_SET, seed), ...casesOfSet("third set", THIRD_SET, seed)];
}

function casesOfSet(kind: string, set: readonly WrittenCase[], seed: number): TimeCase[] {
  const random = createRandom(seed);
  return set.map(({ question, asked, timeZone, right, wrong }) => {
    const dated = ([content, day]: readonly [string, string]): Dated => ({
      content,
      occurred_at: rfc3339(instantOf(Date.parse(`${day}T09:00Z`), timeZone)),
    });
    const asked_at = instantOf(Date.parse(`${asked}Z`), timeZone);
    return {
      kind,
      question,
      asked_at: rfc3339(asked_at),
      time_zone: timeZone,
      right: dated(right),
      wrong: wrong.map(dated),
      others: others(asked_at, different(FIRST_NAMES, OTHERS, random), random),
    };
  });
}

function caseOf(kind: string, random: Random): TimeCase {
  const now = new Now(random);
  const [name, ...strangers] = different(FIRST_NAMES, OTHERS + 1, random) as [string, ...string[]];
  const rest = { kind, ...now.asked, others: others(now.instant, [name, name, name, ...strangers], random) };
  const foreign = FOREIGN.find(({ language }) => language === kind);
  if (foreign !== undefined) return { ...rest, ...foreignCase(foreign, name, now) };
  const subject = random.pick(SUBJECTS);
  const says = different(subject.values, 5, random).map((value) => subject.states(name, value));
  const forms = CALENDAR[kind];
  if (forms !== undefined) {
    const { words, days } = random.pick(forms)(now.today, random);
    return { ...rest, question: sentence(subject.asks(name, words)), ...datedAround(days, says, now) };
  }
  if (kind === "before, after an event") return { ...rest, ...eventCase(subject, name, says, now) };
  return { ...rest, ...orderCase(kind, subject, name, says, now) };
}

/** When and where a question is asked. */
class Now {
  readonly random: Random;
  readonly zone: string;
  readonly today: Day;
  readonly instant: number;

  constructor(random: Random) {
    this.random = random;
    this.zone = random.pick(ZONES);
    this.today = random.pick(ASKED_ON);
    this.instant = this.at(this.today, random.pick(ASKED_MINUTES));
  }

  get asked() {
    return { asked_at: rfc3339(this.instant), time_zone: this.zone };
  }

  at(day: Day, minutes: number): number {
    return instantOf(day * DAY_MS + minutes * MINUTE_MS, this.zone);
  }

  /** A memory of that day and time, or of the minute before it is asked. */
  dated(content: string, day: Day, minutes: number): Dated {
    return { content, occurred_at: rfc3339(Math.min(this.at(day, minutes), this.instant - MINUTE_MS)) };
  }
}

/** One within these days, at an edge in half of the cases, and the others right outside and further away. */
function datedAround([first, end]: Days, says: readonly string[], now: Now) {
  const { random, today } = now;
  const [right, before, after, earlier, muchEarlier] = says as [string, string, string, string, string];
  const last = Math.min(end - 1, today);
  const from = Math.max(first, last - 25);
  const place = random.pick(["first", "last", "within", "within"]);
  const within =
    place === "first" && from === first
      ? now.dated(right, first, 5)
      : now.dated(right, place === "last" ? last : from + random.below(last - from + 1), 1425);
  const wrong = [
    ...(Number.isFinite(first)
      ? [
          now.dated(before, first - 1, 1425),
          now.dated(earlier, first - 9 - random.below(20), 700),
          now.dated(muchEarlier, first - 400 - random.below(200), 700),
        ]
      : []),
    ...(end <= today ? [now.dated(after, end, 5)] : []),
  ];
  return { right: within, wrong };
}

function eventCase(subject: Subject, name: string, says: readonly string[], now: Now) {
  const { random, today } = now;
  const [event, asked] = random.pick(EVENTS)(random.pick(FIRST_NAMES), random.pick(PLACES));
  const day = today - 40 - random.below(200);
  const isBefore = random.below(2) === 0;
  const word = isBefore ? "before" : random.pick(["after", "since"]);
  const [right, one, other] = says as [string, string, string];
  const side = isBefore ? -1 : 1;
  return {
    question: sentence(subject.asks(name, `${word} ${asked}`)),
    right: now.dated(right, day + side * (2 + random.below(20)), 700),
    wrong: [
      now.dated(one, day - side * (2 + random.below(20)), 700),
      now.dated(other, day - side * (3 + random.below(30)), 700),
      now.dated(event, day, 700),
    ],
  };
}

function orderCase(kind: string, subject: Subject, name: string, says: readonly string[], now: Now) {
  const { random, today } = now;
  const days = [0, 1, 2, 3].map((at) => today - 2 - 40 * at - random.below(35));
  const isFirst = kind === "first, last" && random.below(2) === 0;
  const rightAt = isFirst ? days.length - 1 : 0;
  const dated = days.map((day, at) => now.dated(says[at] as string, day, 700));
  // Storing order says nothing.
  const wrong = dated.filter((_, at) => at !== rightAt).sort(() => random.below(2) - 0.5);
  return {
    question: orderQuestion(kind, isFirst, subject, name, random),
    right: dated[rightAt] as Dated,
    wrong,
  };
}

function orderQuestion(
  kind: string,
  isFirst: boolean,
  subject: Subject,
  name: string,
  random: Random,
): string {
  if (kind === "first, last")
    return sentence(subject.asks(name, random.pick(isFirst ? ORDERS.first : ORDERS.last)));
  const at = SUBJECTS.indexOf(subject);
  return random.pick(
    [
      [`What is the latest thing ${name} bought?`, `How long ago did ${name} buy something?`],
      [`What is the latest town that ${name} visited?`, `How long ago did ${name} visit a town?`],
      [
        `What is the latest fault that ${name} reported?`,
        `How long ago did ${name} report a fault in a service?`,
      ],
      [
        `What was the latest decision of the team with ${name}?`,
        `How long ago did the team decide with ${name} to drop something?`,
      ],
      [`Where was my latest lunch with ${name}?`, `How long ago did I have lunch with ${name}?`],
    ][at] as string[],
  );
}

function foreignCase(foreign: Foreign, name: string, now: Now) {
  const { random, today } = now;
  const [words, days] = random.pick<readonly [string, Days]>([
    [foreign.yesterday, [today - 1, today]],
    [foreign.lastWeek, [mondayOf(today) - 7, mondayOf(today)]],
    [foreign.lastMonth, monthOf(today, -1)],
    [foreign.lastYear, yearOf(today, -1)],
    [foreign.daysAgo, [today - 3, today - 2]],
  ]);
  const says = different(PLACES, 5, random).map((place) => foreign.states(name, place));
  return { question: foreign.asks(name, words), ...datedAround(days, says, now) };
}

/** Other memories of the last weeks, some of them about the same person. */
function others(instant: number, names: readonly string[], random: Random): Dated[] {
  const relations = RELATIONS.filter(({ about }) => about === "person");
  return Array.from({ length: OTHERS }, (_, at) => {
    const relation = random.pick(relations);
    return {
      content: relation.state(names[at] as string, random.pick(relation.values)),
      occurred_at: rfc3339(instant - (1 + random.below(60 * 24 * 60)) * MINUTE_MS),
    };
  });
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function different(values: readonly string[], count: number, random: Random): string[] {
  const left = [...values];
  return Array.from({ length: count }, () => left.splice(random.below(left.length), 1)[0] as string);
}

function rfc3339(instant: number): string {
  return new Date(instant).toISOString();
}
