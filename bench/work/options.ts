import { parseArgs } from "node:util";

export const PARTS = ["functions", "operations", "rows"] as const;
export type Part = (typeof PARTS)[number];

export interface Options {
  readonly only: readonly Part[];
  /** What is measured, by its name in the table. */
  readonly match: RegExp;
  /** How many compositions each text is made from. */
  readonly shapes: number;
  readonly rounds: number;
  /** How many memories the readers' owner has. */
  readonly memories: number;
  /** The largest growth of one doubling. */
  readonly growth: number;
  /** The most that one request may take of the processors, in milliseconds. */
  readonly ceiling: number;
  readonly seed: number;
}

export const HELP = `Doubles hostile texts, and measures what each doubling costs in processor time.

  bun bench/work/main.ts [--only ${PARTS.join(",")}] [--match PATTERN] [--shapes 3] [--rounds 1]
                         [--memories 10000] [--growth 2.3] [--ceiling 5000] [--seed N]

functions   whatever reads a text by itself, in this process: detectors, splitters, parsers, schemas
operations  every operation of the contract with every member that its schema has, over REST and MCP, on a server with
            a database of its own; the database's processor time is counted
rows        requests that read versions, contents, audit lines, memberships or streams, with each multiplied

The texts are composed at random of pieces that readers of text stumble over; the same seed composes the same. --shapes
is how many compositions are tried of each. Times are medians of --rounds, and what grows too much is measured again three times
before it counts. Linux only: processor time is read from /proc.

Progress goes to stderr, the tables to stdout. The exit status is 1 where a doubling multiplies the time by more than
--growth, a request takes more than --ceiling milliseconds of all processors together, one is answered with a 5xx, or an
operation refuses the plain request that its hostile ones are made from.
`;

/** Throws a sentence where an option is not valid. */
export function readOptions(argv: readonly string[]): Options | "help" {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      only: { type: "string", default: PARTS.join(",") },
      match: { type: "string", default: "" },
      shapes: { type: "string", default: "3" },
      rounds: { type: "string", default: "1" },
      memories: { type: "string", default: "10000" },
      growth: { type: "string", default: "2.3" },
      ceiling: { type: "string", default: "5000" },
      seed: { type: "string", default: "1" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return "help";
  return {
    only: values.only.split(",").map(part),
    match: new RegExp(values.match),
    shapes: whole("shapes", values.shapes),
    rounds: whole("rounds", values.rounds),
    memories: whole("memories", values.memories),
    growth: positive("growth", values.growth),
    ceiling: positive("ceiling", values.ceiling),
    seed: whole("seed", values.seed),
  };
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (value > 0) return value;
  throw new Error(`--${name} must be a number above 0.`);
}

function whole(name: string, text: string): number {
  const value = positive(name, text);
  if (Number.isInteger(value)) return value;
  throw new Error(`--${name} must be a whole number.`);
}

function part(name: string): Part {
  const known = PARTS.find((candidate) => candidate === name);
  if (known) return known;
  throw new Error(`--only must be some of ${PARTS.join(", ")}.`);
}
