import type { Random } from "../../../../test/support/random.ts";
import { FIRST_NAMES, LAST_NAMES, MONTHS, NOUNS, WEEKDAYS } from "../vocabulary.ts";

/** A statement about a thing or person, in which one step makes it another one. */
export interface Swap {
  readonly kind: string;
  /** Two different values of the same sort, either of which the statement may hold. */
  values(random: Random): readonly [string, string];
  readonly about: "thing" | "person";
  state(subject: string, value: string): string;
  ask(subject: string): string;
}

/** Two of them, in any order. */
function two<T>(values: readonly T[], random: Random): [T, T] {
  const first = random.below(values.length);
  const second = (first + 1 + random.below(values.length - 1)) % values.length;
  return [values[first] as T, values[second] as T];
}

const of =
  (...values: readonly string[]) =>
  (random: Random) =>
    two(values, random);
/** One of the pairs, either side first. */
const pair =
  (...pairs: readonly (readonly [string, string])[]) =>
  (random: Random) =>
    two(random.pick(pairs), random);
const whole = (from: number, to: number) => (random: Random) => {
  const first = from + random.below(to - from);
  return [String(first), String(first + 1 + random.below(9))] as const;
};

/** The two values of one statement that says both, in one order and in the other. */
const inOrder =
  (one: (random: Random) => readonly [string, string], say: (a: string, b: string) => string) =>
  (random: Random): [string, string] => {
    const [a, b] = one(random);
    return [say(a, b), say(b, a)];
  };
const people = (random: Random): [string, string] => {
  const [a, b] = two(FIRST_NAMES, random);
  const last = () => random.pick(LAST_NAMES);
  return [`${a} ${last()}`, `${b} ${last()}`];
};

const FOODS =
  "walnuts peanuts hazelnuts almonds strawberries shellfish lobster sesame celery mustard lupins milk eggs wheat soya oysters mango kiwi peaches cashews".split(
    " ",
  );
const TASKS =
  "migration|deployment|backup|smoke test|data import|cache flush|code freeze|security scan|index rebuild|sign-off".split(
    "|",
  );

export const SWAPS: readonly Swap[] = [
  {
    kind: "word",
    values: of(...FOODS),
    about: "person",
    state: (s, v) => `${s} is allergic to ${v} and keeps a pen with adrenaline in the blue bag.`,
    ask: (s) => `What is ${s} allergic to?`,
  },
  {
    kind: "word",
    values: of(...NOUNS),
    about: "thing",
    state: (s, v) => `The spare key for the ${s} hangs behind the ${v} on the ground floor.`,
    ask: (s) => `Where does the spare key for the ${s} hang?`,
  },
  {
    kind: "name",
    values: of(...FIRST_NAMES),
    about: "thing",
    state: (s, v) => `${v} looks after the ${s} until the end of the season.`,
    ask: (s) => `Who looks after the ${s}?`,
  },
  {
    kind: "weekday",
    values: of(...WEEKDAYS),
    about: "thing",
    state: (s, v) => `Deliveries for the ${s} go out on ${v}s, early in the day.`,
    ask: (s) => `On which day do deliveries for the ${s} go out?`,
  },
  {
    kind: "month",
    values: of(...MONTHS),
    about: "thing",
    state: (s, v) => `The inspection of the ${s} is due in ${v}, before the holidays.`,
    ask: (s) => `When is the inspection of the ${s} due?`,
  },
  {
    kind: "number",
    values: whole(2, 90),
    about: "thing",
    state: (s, v) => `The ${s} has room for ${v} visitors at a time.`,
    ask: (s) => `For how many visitors does the ${s} have room?`,
  },
  {
    kind: "number",
    values: (random) => two(["1.5", "1.05", "15", "0.15", "150", "1.55", "5.1"], random),
    about: "thing",
    state: (s, v) => `The sensor of the ${s} reports every ${v} seconds.`,
    ask: (s) => `How often does the sensor of the ${s} report?`,
  },
  {
    kind: "sign",
    values: (random) => {
      const degrees = 2 + random.below(38);
      return two([String(degrees), `-${degrees}`], random);
    },
    about: "thing",
    state: (s, v) => `In winter the ${s} is kept at ${v} degrees.`,
    ask: (s) => `At how many degrees is the ${s} kept in winter?`,
  },
  {
    kind: "unit",
    values: pair(
      ["minutes", "hours"],
      ["minutes", "seconds"],
      ["days", "weeks"],
      ["hours", "days"],
      ["weeks", "months"],
    ),
    about: "thing",
    state: (s, v) => `The log of the ${s} is kept for 30 ${v} and then thrown away.`,
    ask: (s) => `How long is the log of the ${s} kept?`,
  },
  {
    kind: "unit",
    values: pair(
      ["MB", "GB"],
      ["kB", "MB"],
      ["GB", "TB"],
      ["MB", "Mb"],
      ["kg", "g"],
      ["km", "m"],
      ["mg", "g"],
    ),
    about: "thing",
    state: (s, v) => `The limit that was agreed for the ${s} is 500 ${v}.`,
    ask: (s) => `Which limit was agreed for the ${s}?`,
  },
  {
    kind: "operator",
    values: pair(["<", ">"], ["<=", ">="], ["==", "!="], ["<", "<="], [">", ">="], ["<", "=="]),
    about: "thing",
    state: (s, v) => `The ${s} raises an alarm when pressure ${v} 80.`,
    ask: (s) => `When does the ${s} raise an alarm?`,
  },
  {
    kind: "operator",
    values: pair(["&&", "||"], ["+", "-"], ["*", "/"], ["->", "<-"], ["→", "←"]),
    about: "thing",
    state: (s, v) => `The rule of the ${s} reads: inlet ${v} outlet.`,
    ask: (s) => `What does the rule of the ${s} read?`,
  },
  {
    kind: "currency",
    values: of("$", "€", "£", "¥"),
    about: "thing",
    state: (s, v) => `The licence for the ${s} costs ${v}450 a year.`,
    ask: (s) => `What does the licence for the ${s} cost?`,
  },
  {
    kind: "emoji",
    values: pair(["✅", "❌"], ["👍", "👎"], ["🟢", "🔴"], ["🟢", "🟡"], ["🔒", "🔓"], ["⬆️", "⬇️"]),
    about: "thing",
    state: (s, v) => `Result of the acceptance test of the ${s}: ${v}`,
    ask: (s) => `What was the result of the acceptance test of the ${s}?`,
  },
  {
    kind: "language",
    values: pair(["C", "C++"], ["C", "C#"], ["C++", "C#"], ["F", "F#"], ["Java", "JavaScript"], ["A", "A*"]),
    about: "thing",
    state: (s, v) => `The controller of the ${s} is written in ${v} throughout.`,
    ask: (s) => `In which language is the controller of the ${s} written?`,
  },
  {
    kind: "symbol",
    values: pair(["A+", "A-"], ["B+", "B-"], ["AB+", "AB−"], ["O+", "O-"], ["A", "A+"]),
    about: "person",
    state: (s, v) => `The blood type of ${s} is ${v} by the donor card.`,
    ask: (s) => `What is the blood type of ${s}?`,
  },
  {
    kind: "negation",
    values: pair(["is", "is not"], ["is", "isn't"], ["was", "was never"]),
    about: "thing",
    state: (s, v) => `The ${s} ${v} insured against flooding.`,
    ask: (s) => `Is the ${s} insured against flooding?`,
  },
  {
    kind: "negation",
    values: pair(["can", "cannot"], ["can", "can't"], ["will", "won't"], ["does", "doesn't"]),
    about: "person",
    state: (s, v) => `${s} ${v} eat meat at the summer dinner.`,
    ask: (s) => `Does ${s} eat meat at the summer dinner?`,
  },
  {
    kind: "opposite",
    values: pair(
      ["enabled", "disabled"],
      ["open", "closed"],
      ["on", "off"],
      ["locked", "unlocked"],
      ["full", "empty"],
      ["public", "private"],
    ),
    about: "thing",
    state: (s, v) => `At night the ${s} stays ${v} for everybody.`,
    ask: (s) => `How does the ${s} stay at night?`,
  },
  {
    kind: "opposite",
    values: pair(["left of", "right of"], ["above", "below"], ["inside", "outside"], ["before", "behind"]),
    about: "thing",
    state: (s, v) => `The fuse box of the ${s} is ${v} the main entrance.`,
    ask: (s) => `Where is the fuse box of the ${s}?`,
  },
  {
    kind: "role",
    values: inOrder(people, (a, b) => `${a} reports to ${b}`),
    about: "thing",
    state: (s, v) => `In the team of the ${s} ${v}.`,
    ask: (s) => `Who reports to whom in the team of the ${s}?`,
  },
  {
    kind: "role",
    values: inOrder(people, (a, b) => `${a} lent ${b}`),
    about: "thing",
    state: (s, v) => `${v} two hundred crowns for the ${s}.`,
    ask: (s) => `Who lent whom two hundred crowns for the ${s}?`,
  },
  {
    kind: "order",
    values: inOrder(of(...TASKS), (a, b) => `the ${a} comes before the ${b}`),
    about: "thing",
    state: (s, v) => `When the ${s} is renewed ${v}.`,
    ask: (s) => `What comes first when the ${s} is renewed?`,
  },
  {
    kind: "AM/PM",
    values: (random) => {
      const hour = 1 + random.below(12);
      return two([`${hour} AM`, `${hour} PM`], random);
    },
    about: "thing",
    state: (s, v) => `The tour of the ${s} starts at ${v} at the main gate.`,
    ask: (s) => `When does the tour of the ${s} start?`,
  },
  {
    kind: "time",
    values: (random) => two([0, 5, 10, 15, 30, 45, 50], random).map(String) as [string, string],
    about: "thing",
    state: (s, v) => `The gate of the ${s} closes at 19:${v.padStart(2, "0")} sharp.`,
    ask: (s) => `When does the gate of the ${s} close?`,
  },
  {
    kind: "date",
    values: (random) => {
      const [a, b] = two([3, 4, 5, 6, 7, 8, 9, 10, 11, 12], random).map((part) =>
        String(part).padStart(2, "0"),
      );
      return [`2026-${a}-${b}`, `2026-${b}-${a}`];
    },
    about: "thing",
    state: (s, v) => `The contract for the ${s} ends on ${v} without notice.`,
    ask: (s) => `When does the contract for the ${s} end?`,
  },
  {
    kind: "date",
    values: (random) => {
      const [a, b] = two(MONTHS, random);
      const [day, other] = two([1, 2, 3, 11, 12, 21, 22, 28], random);
      return random.next() < 0.5 ? [`${day} ${a}`, `${other} ${a}`] : [`${day} ${a}`, `${day} ${b}`];
    },
    about: "thing",
    state: (s, v) => `The ${s} was opened on ${v} by the mayor.`,
    ask: (s) => `When was the ${s} opened?`,
  },
  {
    kind: "year",
    values: whole(1890, 2015),
    about: "thing",
    state: (s, v) => `The ${s} was built in ${v} and never moved.`,
    ask: (s) => `When was the ${s} built?`,
  },
];

export const SWAP_KINDS: readonly string[] = [...new Set(SWAPS.map(({ kind }) => kind))];
