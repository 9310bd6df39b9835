import { parseArgs } from "node:util";
import { positive } from "../../speed/options.ts";
import { SUITES, type SuiteName } from "./suites.ts";

export interface Options {
  readonly suites: readonly SuiteName[];
  readonly seed: number;
  /** null: each suite has its own. */
  readonly size: number | null;
  /** A service that runs; null: one is started. */
  readonly url: string | null;
}

const names = Object.keys(SUITES) as SuiteName[];

export const HELP = `Asks a service, through its REST API, what recall has to get right, and prints what it got.

  npm run -s bench:suites -- [--suite ${names.join("|")}|all] [--seed 1] [--size COUNT] [--url URL]

${names.map((name) => `  ${name.padEnd(15)}${SUITES[name].about}; --size is ${SUITES[name].sizeIs} (${SUITES[name].size})`).join("\n")}

What is stored and asked is generated: the same for the same seed. Without --url a service is started on a temporary
folder, with the search engine of ELASTICSEARCH_URL and with TOKEN_MODEL=on where these are set; with it, RECOLLECT_API_KEY is the key, and all is
stored below a path of its own. Tables go to stdout, and to stderr each case that was not answered as it should be.
`;

/** Throws a sentence where an option is not valid. */
export function readOptions(argv: readonly string[]): Options | "help" {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      suite: { type: "string", default: "all" },
      seed: { type: "string", default: "1" },
      size: { type: "string" },
      url: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return "help";
  return {
    suites: values.suite === "all" ? names : values.suite.split(",").map(suite),
    seed: positive("seed", values.seed),
    size: values.size === undefined ? null : positive("size", values.size),
    url: values.url ?? null,
  };
}

function suite(text: string): SuiteName {
  const known = names.find((name) => name === text);
  if (known) return known;
  throw new Error(`--suite must be some of ${names.join(", ")}, or all.`);
}
