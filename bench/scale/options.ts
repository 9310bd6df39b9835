import { parseArgs } from "node:util";

export interface Options {
  readonly memories: number;
  readonly owners: number;
  /** So long searches are measured. */
  readonly seconds: number;
  /** Starts an Elasticsearch node: `SCRIPT PORT FOLDER`. */
  readonly script: string;
}

export const HELP = `Rebuilds the search index of many memories, then measures searches as ratios to the raw client's.

  npx tsx bench/scale/main.ts --script start-a-node.sh [--memories 200000] [--owners 200] [--seconds 120]

--script SCRIPT PORT FOLDER starts an Elasticsearch node (TEST_ELASTICSEARCH_START where it is not given). The memories
are generated, owned as unevenly as Zipf's law says, and written straight into the database with the vectors that the
service would make. Progress goes to stderr, the figures as JSON to stdout.
`;

/** Throws a sentence where an option is not valid. */
export function readOptions(argv: readonly string[]): Options | "help" {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      memories: { type: "string", default: "200000" },
      owners: { type: "string", default: "200" },
      seconds: { type: "string", default: "120" },
      script: { type: "string", default: process.env.TEST_ELASTICSEARCH_START ?? "" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return "help";
  if (values.script === "") throw new Error("--script must name what starts an Elasticsearch node.");
  const { memories, owners, seconds } = values;
  return {
    memories: positive("memories", memories),
    owners: positive("owners", owners),
    seconds: positive("seconds", seconds),
    script: values.script,
  };
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new Error(`--${name} must be a whole number above 0.`);
}
