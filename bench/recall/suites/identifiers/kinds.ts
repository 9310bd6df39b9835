import type { Random } from "../../../../test/support/random.ts";
import { ADJECTIVES, FIRST_NAMES, LAST_NAMES, NOUNS, VERBS } from "../vocabulary.ts";

/**
 * How a look-alike differs from an identifier: the last number is one or two more or less, one letter or digit is another
 * one, the last is missing or there is one more, one letter has the other case, or two neighbouring pieces have changed
 * places.
 */
export type Difference = "neighbour" | "letter" | "shorter" | "longer" | "case" | "swapped";

export interface Kind {
  readonly name: string;
  make(random: Random): string;
  /** What every identifier of the kind looks like, and so every look-alike. */
  readonly pattern: RegExp;
  readonly differences: readonly Difference[];
  /** The letters that it may have, in lower case, where these are not all. */
  readonly letters?: string;
  /** What a memory says of it; `detail` is what a question asks for. */
  readonly statements: readonly ((id: string, detail: string) => string)[];
  readonly questions: readonly ((id: string) => string)[];
}

const HEX_LETTERS = "abcdef";
const digits = (random: Random, count: number) =>
  Array.from({ length: count }, (_, at) => (at === 0 ? 1 + random.below(9) : random.below(10))).join("");
const hex = (random: Random, count: number) =>
  Array.from({ length: count }, () => random.pick([...`0123456789${HEX_LETTERS}`])).join("");
/** With a letter and a digit, so that it is neither a word nor a number. */
function mixedHex(random: Random, count: number): string {
  const made = hex(random, count - 2);
  return `${random.pick([...HEX_LETTERS])}${made}${random.below(10)}`;
}
const ADJECTIVES_OF_LETTERS = ADJECTIVES.filter((word) => /^[a-z]+$/.test(word));
const words = (random: Random) => [
  random.pick(VERBS),
  random.pick(ADJECTIVES_OF_LETTERS),
  random.pick(NOUNS),
];
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const upper = (random: Random, count: number) =>
  Array.from({ length: count }, () => random.pick([..."ABCDEFGHJKLMNPRSTUVWXYZ"])).join("");

const NUMBERED: readonly Difference[] = ["neighbour", "letter", "shorter", "longer"];
const SYMBOL: readonly Difference[] = ["letter", "shorter", "longer", "case", "swapped"];

export const KINDS: readonly Kind[] = [
  {
    name: "ticket",
    make: (r) => `${r.pick(["INC", "OPS", "BUG", "PAY", "WEB", "DATA", "SEC", "CHG"])}-${digits(r, 5)}`,
    pattern: /^[A-Z]{3,4}-\d{4,6}$/,
    differences: NUMBERED,
    statements: [
      (id, detail) => `Ticket ${id} was closed after we replaced ${detail}.`,
      (id, detail) => `In ${id} a customer complained about ${detail}.`,
    ],
    questions: [(id) => `What happened with ${id}?`, (id) => `Which ticket was ${id}?`],
  },
  {
    name: "commit (short)",
    make: (r) => mixedHex(r, 8),
    pattern: /^[0-9a-f]{7,9}$/,
    differences: NUMBERED,
    letters: HEX_LETTERS,
    statements: [(id, detail) => `Commit ${id} took out ${detail}, since nothing used it.`],
    questions: [(id) => `What did commit ${id} do?`],
  },
  {
    name: "commit (whole)",
    make: (r) => mixedHex(r, 40),
    pattern: /^[0-9a-f]{39,41}$/,
    differences: ["neighbour", "letter"],
    letters: HEX_LETTERS,
    statements: [(id, detail) => `The release was built from ${id} and brings ${detail}.`],
    questions: [(id) => `What was built from ${id}?`],
  },
  {
    name: "uuid",
    make: (r) => `${mixedHex(r, 8)}-${hex(r, 4)}-4${hex(r, 3)}-a${hex(r, 3)}-${hex(r, 12)}`,
    pattern: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
    differences: ["neighbour", "letter", "swapped"],
    letters: HEX_LETTERS,
    statements: [(id, detail) => `The record ${id} stands for ${detail}.`],
    questions: [(id) => `What is the record ${id}?`],
  },
  {
    name: "version",
    make: (r) => `${r.below(20)}.${r.below(40)}.${10 + r.below(90)}${r.pick(["", "", "-rc.2", "-beta.1"])}`,
    pattern: /^\d+\.\d+\.\d+(?:-(?:rc|beta)\.\d+)?$/,
    differences: ["neighbour", "letter", "shorter", "longer", "swapped"],
    statements: [(id, detail) => `Release ${id} was held back because of ${detail}.`],
    questions: [(id) => `Why was release ${id} held back?`],
  },
  {
    name: "port",
    make: (r) => String(1024 + r.below(48_000)),
    pattern: /^\d{3,6}$/,
    differences: NUMBERED,
    statements: [(id, detail) => `Port ${id} is taken by the service for ${detail}.`],
    questions: [(id) => `Which service listens on port ${id}?`],
  },
  {
    name: "path",
    make: (r) =>
      `/${r.pick(["srv", "opt", "etc", "home"])}/${r.pick(NOUNS)}/${r.pick(NOUNS)}-${r.pick(NOUNS)}.${r.pick(["ts", "yaml", "conf", "log", "py"])}`,
    pattern: /^\/[a-z]+\/[A-Za-z-]+\/[A-Za-z-]+\.[a-z]+$/,
    differences: ["letter", "longer", "case", "swapped"],
    statements: [(id, detail) => `The file ${id} describes ${detail}.`],
    questions: [(id) => `What is in ${id}?`],
  },
  {
    name: "url",
    make: (r) => `https://${r.pick(NOUNS)}.example.org/${r.pick(NOUNS)}/${digits(r, 4)}`,
    pattern: /^https:\/\/[a-z]+\.example\.org\/[a-z]+\/\d{3,5}$/,
    differences: NUMBERED,
    statements: [(id, detail) => `The runbook at ${id} explains ${detail}.`],
    questions: [(id) => `What does ${id} explain?`],
  },
  {
    name: "e-mail",
    make: (r) => `${r.pick(FIRST_NAMES)}.${r.pick(LAST_NAMES)}@${r.pick(NOUNS)}.example.net`.toLowerCase(),
    pattern: /^[a-z]+\.[a-z]+@[a-z]+\.example\.net$/,
    differences: ["letter", "swapped"],
    statements: [(id, detail) => `Write to ${id} about ${detail}.`],
    questions: [(id) => `What is ${id} to be asked about?`],
  },
  {
    name: "ip address",
    make: (r) => `10.${r.below(256)}.${r.below(256)}.${10 + r.below(90)}`,
    pattern: /^10(?:\.(?:\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])){3}$/,
    differences: ["neighbour", "letter", "shorter", "longer", "swapped"],
    statements: [(id, detail) => `The host at ${id} runs ${detail}.`],
    questions: [(id) => `What runs on ${id}?`],
  },
  {
    name: "camelCase",
    make: (r) => {
      const [first, ...rest] = words(r);
      return (first as string) + rest.map(capital).join("");
    },
    pattern: /^[a-z]+[A-Za-z]+$/,
    differences: SYMBOL,
    statements: [(id, detail) => `The function ${id} is to blame for ${detail}.`],
    questions: [(id) => `What is ${id} to blame for?`],
  },
  {
    name: "snake_case",
    make: (r) => words(r).join("_"),
    pattern: /^[A-Za-z]+(?:_[A-Za-z]+)+$/,
    differences: SYMBOL,
    statements: [(id, detail) => `The column ${id} holds ${detail}.`],
    questions: [(id) => `What does the column ${id} hold?`],
  },
  {
    name: "kebab-case",
    make: (r) => words(r).join("-"),
    pattern: /^[A-Za-z]+(?:-[A-Za-z]+)+$/,
    differences: SYMBOL,
    statements: [(id, detail) => `The queue ${id} is filled by ${detail}.`],
    questions: [(id) => `What fills the queue ${id}?`],
  },
  {
    name: "qualified::name",
    make: (r) => {
      const [verb, ...rest] = words(r);
      return `${r.pick(NOUNS)}::${rest.map(capital).join("")}::${verb}`;
    },
    pattern: /^[A-Za-z]+::[A-Za-z]+::[A-Za-z]+$/,
    differences: SYMBOL,
    statements: [(id, detail) => `A call of ${id} without a lock broke ${detail}.`],
    questions: [(id) => `What did ${id} break?`],
  },
  {
    name: "variable",
    make: (r) => `${words(r).slice(1).join("_")}_${r.pick(["MS", "URL", "MAX", "MODE"])}`.toUpperCase(),
    pattern: /^[A-Za-z]+(?:_[A-Za-z]+){2}$/,
    differences: SYMBOL,
    statements: [(id, detail) => `The setting ${id} decides about ${detail}.`],
    questions: [(id) => `What does ${id} decide?`],
  },
  {
    name: "order number",
    make: (r) => digits(r, 10),
    pattern: /^\d{9,11}$/,
    differences: NUMBERED,
    statements: [(id, detail) => `Order ${id} was for ${detail}.`],
    questions: [(id) => `What was order ${id} for?`],
  },
  {
    name: "phone number",
    make: (r) => `+${10 + r.below(89)} ${20 + r.below(79)} ${digits(r, 7)}`,
    pattern: /^\+\d{2} \d{2} \d{6,8}$/,
    differences: NUMBERED,
    statements: [(id, detail) => `Under ${id} one reaches whoever looks after ${detail}.`],
    questions: [(id) => `Who is reached under ${id}?`],
  },
  {
    name: "colour",
    make: (r) => `#${mixedHex(r, 6)}`,
    pattern: /^#[0-9a-f]{6}$/,
    differences: ["neighbour", "letter"],
    letters: HEX_LETTERS,
    statements: [(id, detail) => `The colour ${id} is used for ${detail}.`],
    questions: [(id) => `What is the colour ${id} used for?`],
  },
  {
    name: "article",
    make: (r) => `${upper(r, 2)}-${digits(r, 5)}-${upper(r, 2)}`,
    pattern: /^[A-Z]{2}-\d{4,6}-[A-Z]{2}$/,
    differences: ["neighbour", "letter", "swapped"],
    statements: [(id, detail) => `Article ${id} is out of stock because of ${detail}.`],
    questions: [(id) => `Why is ${id} out of stock?`],
  },
  {
    name: "person",
    make: (r) => `${r.pick(FIRST_NAMES)} ${r.pick(LAST_NAMES)}`,
    pattern: /^[A-Z][A-Za-z]+ [A-Z][A-Za-z]+$/,
    differences: ["letter", "swapped"],
    statements: [(id, detail) => `Then ${id} took over the work on ${detail}.`],
    questions: [(id) => `What did ${id} take over?`],
  },
];
