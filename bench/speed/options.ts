import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { CORPORA, type CorpusName } from "./corpus.ts";

export const SECTIONS = [
  "writes",
  "search",
  "context",
  "stages",
  "growth",
  "runtimes",
  "limits",
  "project",
  "lists",
  "peers",
  "bulk",
  "cores",
] as const;
export type Section = (typeof SECTIONS)[number];

export interface Options {
  /** How many memories the owner has for writes, searches and contexts. */
  readonly memories: number;
  readonly growth: readonly number[];
  /** How many memories the owner has whose lists are asked for. */
  readonly lists: number;
  /** How many memories are imported. */
  readonly bulk: number;
  /** About so long each section is measured; filling comes on top. */
  readonly seconds: number;
  /** Each is measured on its own. */
  readonly corpora: readonly CorpusName[];
  /** Words of each query, each measured on its own; null: as people and agents write them. */
  readonly words: readonly (number | null)[];
  /** Where the peers are installed, and found again by the next run. */
  readonly peers: string;
  /** Whether the documents get the tables that they have a place for. */
  readonly write: boolean;
  readonly only: readonly Section[];
}

export const HELP = `Measures the speed of the service as ratios to floors of the same run.

  bun bench/speed/main.ts [--memories 10000] [--growth 1000,10000,100000] [--seconds 20]
                          [--lists 100000] [--bulk 50000] [--peers FOLDER]
                          [--corpus ${CORPORA.join(",")}]
                          [--words 5,50,250] [--write]
                          [--only ${SECTIONS.join(",")}]

The texts are those of ../shared/recall-bench if it is beside the project, otherwise made ones of the same kinds: the
tables say which. Without --corpus it is the mixture. With --words each query has so many words, joined from several; otherwise they are as
people and agents write them.

It starts a server and its floors on a temporary data folder and removes all of it afterwards. The peers
(Chroma, pgvector, the MCP reference memory) are installed by pip and npm, below the temporary folder unless --peers says
where, and stay there. Progress goes to stderr, the tables to stdout. With --write docs/ gets the tables that it has a
place for, those of all corpora and lengths of queries one below the other. SPEED_PROFILE=FOLDER makes the server write a
CPU profile there.
`;

/** Throws a sentence where an option is not valid. */
export function readOptions(argv: readonly string[]): Options | "help" {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      memories: { type: "string", default: "10000" },
      growth: { type: "string", default: "1000,10000,100000" },
      lists: { type: "string", default: "100000" },
      bulk: { type: "string", default: "50000" },
      seconds: { type: "string", default: "20" },
      corpus: { type: "string", default: CORPORA[0] },
      words: { type: "string" },
      peers: { type: "string", default: join(tmpdir(), "recollect-speed-peers") },
      write: { type: "boolean", default: false },
      only: { type: "string", default: SECTIONS.join(",") },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return "help";
  return {
    memories: positive("memories", values.memories),
    growth: values.growth
      .split(",")
      .map((size) => positive("growth", size))
      .sort((a, b) => a - b),
    lists: positive("lists", values.lists),
    bulk: positive("bulk", values.bulk),
    seconds: positive("seconds", values.seconds),
    corpora: values.corpus.split(",").map((name) => oneOf("corpus", CORPORA, name)),
    words: values.words?.split(",").map((count) => positive("words", count)) ?? [null],
    peers: resolve(values.peers),
    write: values.write,
    only: values.only.split(",").map((name) => oneOf("only", SECTIONS, name)),
  };
}

/** A whole number above 0 that was given for an option. */
export function positive(name: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new Error(`--${name} must be a whole number above 0.`);
}

function oneOf<Name extends string>(option: string, known: readonly Name[], name: string): Name {
  const found = known.find((candidate) => candidate === name);
  if (found) return found;
  throw new Error(`--${option} must be some of ${known.join(", ")}.`);
}
