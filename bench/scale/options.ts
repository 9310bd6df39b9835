import { parseArgs } from "node:util";
import { positive } from "../speed/options.ts";

export interface Options {
  readonly memories: number;
  readonly owners: number;
  /** So long searches are compared with the raw client's. */
  readonly seconds: number;
  /** During so many more the service's memory is watched. */
  readonly searches: number;
  /** Instead: one owner of so many, one of ten thousand and `small` owners of three, on both indexes; null: not asked. */
  readonly large: number | null;
  readonly small: number;
  /** Instead: how fast one worker and two do the outbox lines of so many memories; null: not asked. */
  readonly workers: number | null;
  /** Instead: how fast the index of so many memories is built, beside what the plain client can do; null: not asked. */
  readonly builds: number | null;
  readonly shards: number;
  /** Starts an Elasticsearch node: `SCRIPT PORT FOLDER`. */
  readonly script: string;
}

export const HELP = `Builds the search index of many memories, then compares searches with the raw client's.

  npx bun bench/scale/main.ts --script start-a-node.sh [--memories 200000] [--owners 200] [--seconds 120] [--searches 5000]

--script SCRIPT PORT FOLDER starts an Elasticsearch node (TEST_ELASTICSEARCH_START where it is not given); ES_HEAP (1g)
and ES_OPTS are passed on. The memories are generated, owned as unevenly as Zipf's law says, and written straight into
the database with the vectors that the service would make. Progress goes to stderr, the figures as JSON to stdout:

  build     the first build of the index by the service: from making it to searching it, the comparison of all of it
            with the record included
  compared  searches by twelve owners of every size, one at a time; also apart, by whether an owner's memories are read as a
            whole. rawMs: the engine's searches, as they were recorded, sent again by the plain client straight to the
            node, but for the moment up to which memories have expired, so that the engine has none of them in its cache of
            results. recallMs: recall of the candidates in this process, which sends the same and computes the ranker's
            figures. serviceMs: GET /v1/memories/search, so HTTP, the key and reading the hits from Postgres besides. The
            service reaches the node through a pipe in this process, since its searches are recorded there, and pays for
            it. The ratios are to rawMs.
  memory    the service's resident memory before and while it answers --searches more, for two clients

  npx bun bench/scale/main.ts --script start-a-node.sh --large 2000000 [--small 100000] [--searches 300] [--shards 1]

measures instead one owner of --large memories, one of 10,000 and --small owners of three, searched in turns: first with the
engine, then by the index in memory with room for all, then with the room that it has where nobody says. TMPDIR is where the
database and the node's data go: some 15 GB for two millions.

  npx bun bench/scale/main.ts --script start-a-node.sh --workers 20000

measures instead how many outbox lines a second the service's worker does, and it and another one together, of --workers memories
of forty owners.

  npx bun bench/scale/main.ts --script start-a-node.sh --builds 100000

measures instead how fast the index of so many memories is built, the comparison with the record included, and how fast the plain
client sends the node the very same requests, in turns; with the processor time of each memory.
`;

/** Throws a sentence where an option is not valid. */
export function readOptions(argv: readonly string[]): Options | "help" {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      memories: { type: "string", default: "200000" },
      owners: { type: "string", default: "200" },
      seconds: { type: "string", default: "120" },
      searches: { type: "string" },
      large: { type: "string" },
      small: { type: "string", default: "100000" },
      workers: { type: "string" },
      builds: { type: "string" },
      shards: { type: "string", default: "1" },
      script: { type: "string", default: process.env.TEST_ELASTICSEARCH_START ?? "" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return "help";
  if (values.script === "") throw new Error("--script must name what starts an Elasticsearch node.");
  const { memories, owners, seconds, large, small, shards, workers, builds } = values;
  const { searches = large === undefined ? "5000" : "300" } = values;
  return {
    memories: positive("memories", memories),
    owners: positive("owners", owners),
    seconds: positive("seconds", seconds),
    searches: positive("searches", searches),
    large: large === undefined ? null : positive("large", large),
    small: positive("small", small),
    workers: workers === undefined ? null : positive("workers", workers),
    builds: builds === undefined ? null : positive("builds", builds),
    shards: positive("shards", shards),
    script: values.script,
  };
}
