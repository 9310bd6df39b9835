import type { Random } from "../../../test/support/random.ts";
import { FIRST_NAMES, MONTHS, NOUNS, PLACES, WEEKDAYS } from "./vocabulary.ts";

/** Something that holds of a thing or a person, with one value at a time. */
export interface Relation {
  readonly name: string;
  readonly about: "thing" | "person";
  readonly values: readonly string[];
  state(subject: string, value: string): string;
  /** A question in the words of the statement. */
  ask(subject: string): string;
  /** The same question in words that the statement has not, but for the subject's. */
  paraphrase(subject: string): string;
}

const numbers = (from: number, step: number, count: number) =>
  Array.from({ length: count }, (_, at) => String(from + step * at));
const TIMES = ["8:15", "8:30", "9:00", "9:45", "10:30", "11:15", "13:00", "14:30", "15:45", "16:20", "17:10"];
const COLOURS = "red blue green yellow orange violet white black grey brown".split(" ");

export const RELATIONS: readonly Relation[] = [
  {
    name: "deploy_day",
    about: "thing",
    values: WEEKDAYS,
    state: (s, v) => `Deploys of the ${s} go out on ${v}.`,
    ask: (s) => `On which day do deploys of the ${s} go out?`,
    paraphrase: (s) => `When in the week is a new release of the ${s} shipped?`,
  },
  {
    name: "caretaker",
    about: "thing",
    values: FIRST_NAMES,
    state: (s, v) => `${v} looks after the ${s}.`,
    ask: (s) => `Who looks after the ${s}?`,
    paraphrase: (s) => `Whom do I call if there is trouble with the ${s}?`,
  },
  {
    name: "host",
    about: "thing",
    values: PLACES,
    state: (s, v) => `The database of the ${s} is hosted in ${v}.`,
    ask: (s) => `Where is the database of the ${s} hosted?`,
    paraphrase: (s) => `At which site do we keep the records about the ${s}?`,
  },
  {
    name: "budget",
    about: "thing",
    values: numbers(12_000, 500, 40),
    state: (s, v) => `The budget of the ${s} for this year is ${v} euros.`,
    ask: (s) => `What is the budget of the ${s} for this year?`,
    paraphrase: (s) => `How much money may we spend on the ${s}?`,
  },
  {
    name: "meeting_time",
    about: "thing",
    values: TIMES,
    state: (s, v) => `The meeting about the ${s} starts at ${v}.`,
    ask: (s) => `When does the meeting about the ${s} start?`,
    paraphrase: (s) => `At what hour do we get together over the ${s}?`,
  },
  {
    name: "colour",
    about: "thing",
    values: COLOURS,
    state: (s, v) => `The ${s} is painted ${v}.`,
    ask: (s) => `In which colour is the ${s} painted?`,
    paraphrase: (s) => `What does the outside of the ${s} look like?`,
  },
  {
    name: "supplier",
    about: "thing",
    values: PLACES.map((place) => `${place} Trading`),
    state: (s, v) => `Spare parts for the ${s} come from ${v}.`,
    ask: (s) => `Where do spare parts for the ${s} come from?`,
    paraphrase: (s) => `Which vendor do we order replacements for the ${s} from?`,
  },
  {
    name: "retention",
    about: "thing",
    values: numbers(7, 7, 20).map((days) => `${days} days`),
    state: (s, v) => `Backups of the ${s} are kept for ${v}.`,
    ask: (s) => `How long are backups of the ${s} kept?`,
    paraphrase: (s) => `After what time are old copies of the ${s} thrown away?`,
  },
  {
    name: "opening",
    about: "thing",
    values: MONTHS,
    state: (s, v) => `The ${s} reopens to visitors in ${v}.`,
    ask: (s) => `When does the ${s} reopen to visitors?`,
    paraphrase: (s) => `From which month on can guests see the ${s} again?`,
  },
  {
    name: "key_place",
    about: "thing",
    values: NOUNS.slice(0, 60),
    state: (s, v) => `The key of the ${s} lies under the ${v}.`,
    ask: (s) => `Where does the key of the ${s} lie?`,
    paraphrase: (s) => `How do I get in when the ${s} is locked?`,
  },
  {
    name: "town",
    about: "person",
    values: PLACES,
    state: (s, v) => `${s} lives in ${v}.`,
    ask: (s) => `Where does ${s} live?`,
    paraphrase: (s) => `Which town is home to ${s}?`,
  },
  {
    name: "diet",
    about: "person",
    values: "walnuts peanuts shellfish sesame celery mustard lupins milk eggs wheat soya oysters".split(" "),
    state: (s, v) => `${s} is allergic to ${v}.`,
    ask: (s) => `What is ${s} allergic to?`,
    paraphrase: (s) => `Which food must ${s} not be served?`,
  },
  {
    name: "instrument",
    about: "person",
    values: "violin cello trumpet piano oboe flute guitar harp tuba clarinet drums viola".split(" "),
    state: (s, v) => `${s} plays the ${v} in the town orchestra.`,
    ask: (s) => `What does ${s} play in the town orchestra?`,
    paraphrase: (s) => `Which musical instrument has ${s} learned?`,
  },
  {
    name: "manager",
    about: "person",
    values: FIRST_NAMES,
    state: (s, v) => `${s} reports to ${v}.`,
    ask: (s) => `To whom does ${s} report?`,
    paraphrase: (s) => `Who is the boss of ${s}?`,
  },
  {
    name: "pet",
    about: "person",
    values: FIRST_NAMES,
    state: (s, v) => `The dog of ${s} is called ${v}.`,
    ask: (s) => `How is the dog of ${s} called?`,
    paraphrase: (s) => `What name did ${s} give the puppy?`,
  },
  {
    name: "birthday",
    about: "person",
    values: MONTHS.flatMap((month) => [`3 ${month}`, `17 ${month}`, `28 ${month}`]),
    state: (s, v) => `The birthday of ${s} is on ${v}.`,
    ask: (s) => `When is the birthday of ${s}?`,
    paraphrase: (s) => `On what date was ${s} born?`,
  },
  {
    name: "room",
    about: "person",
    values: numbers(101, 7, 60),
    state: (s, v) => `${s} works in room ${v}.`,
    ask: (s) => `In which room does ${s} work?`,
    paraphrase: (s) => `Where can I find the desk of ${s}?`,
  },
  {
    name: "car",
    about: "person",
    values: COLOURS.map((colour) => `${colour} van`),
    state: (s, v) => `${s} drives a ${v} to the site.`,
    ask: (s) => `What does ${s} drive to the site?`,
    paraphrase: (s) => `By which vehicle will ${s} arrive?`,
  },
];

/** So many different values of a relation, in any order; as many as it has where that is fewer. */
export function valuesOf({ values }: Relation, count: number, random: Random): string[] {
  const left = [...values];
  return Array.from(
    { length: Math.min(count, values.length) },
    () => left.splice(random.below(left.length), 1)[0] as string,
  );
}
