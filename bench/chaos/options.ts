import { parseArgs } from "node:util";

export interface Options {
  readonly minutes: number;
  readonly clients: number;
  /** What all clients together do in a second, at most. */
  readonly rate: number;
  readonly seed: number;
  /** Starts an Elasticsearch node: `SCRIPT PORT FOLDER`. */
  readonly script: string;
}

export const HELP = `Mixed load on a service while its Elasticsearch is killed three times and the service itself once.

  npx tsx bench/chaos/main.ts --script start-a-node.sh [--minutes 10] [--clients 8] [--rate 60] [--seed N]

--script SCRIPT PORT FOLDER starts an Elasticsearch node (TEST_ELASTICSEARCH_START where it is not given). The service
and its embedded database run on a temporary folder, which is removed afterwards. --rate is how often in a second a client
does something, all of them together: it bounds what there is to be checked, one search and one read for each memory.

Progress goes to stderr, the figures as JSON to stdout: of each kill how long the engine was away (awayMs), and how long
after that recall fell back (fallbackMs) and what it said then. The exit status is 1 if a request failed that was not
under way when the service was killed, if anything acknowledged is not as it should be at the end, or if the index and
the record differ.
`;

/** Throws a sentence where an option is not valid. */
export function readOptions(argv: readonly string[]): Options | "help" {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      minutes: { type: "string", default: "10" },
      clients: { type: "string", default: "8" },
      rate: { type: "string", default: "60" },
      seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
      script: { type: "string", default: process.env.TEST_ELASTICSEARCH_START ?? "" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return "help";
  if (values.script === "") throw new Error("--script must name what starts an Elasticsearch node.");
  const { script } = values;
  const [minutes, clients, rate, seed] = [values.minutes, values.clients, values.rate, values.seed].map(
    Number,
  ) as [number, number, number, number];
  if (!(minutes > 0)) throw new Error("--minutes must be above 0.");
  if (!(Number.isInteger(clients) && clients > 0))
    throw new Error("--clients must be a whole number above 0.");
  if (!(rate > 0)) throw new Error("--rate must be above 0.");
  if (!Number.isInteger(seed)) throw new Error("--seed must be a whole number.");
  return { minutes, clients, rate, seed, script };
}
