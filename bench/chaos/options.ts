import { parseArgs } from "node:util";

export interface Options {
  readonly minutes: number;
  readonly clients: number;
  readonly seed: number;
  /** Starts an Elasticsearch node: `SCRIPT PORT FOLDER`. */
  readonly script: string;
}

export const HELP = `Mixed load on a service while its Elasticsearch is killed three times and the service itself once.

  npx tsx bench/chaos/main.ts --script start-a-node.sh [--minutes 10] [--clients 8] [--seed N]

--script SCRIPT PORT FOLDER starts an Elasticsearch node (TEST_ELASTICSEARCH_START where it is not given). The service
and its embedded database run on a temporary folder, which is removed afterwards. Progress goes to stderr, the figures as
JSON to stdout. The exit status is 1 if a request failed that was not under way when the service was killed, if anything
acknowledged is not as it should be at the end, or if the index and the record differ.
`;

/** Throws a sentence where an option is not valid. */
export function readOptions(argv: readonly string[]): Options | "help" {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      minutes: { type: "string", default: "10" },
      clients: { type: "string", default: "8" },
      seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
      script: { type: "string", default: process.env.TEST_ELASTICSEARCH_START ?? "" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return "help";
  if (values.script === "") throw new Error("--script must name what starts an Elasticsearch node.");
  const [minutes, clients, seed] = [values.minutes, values.clients, values.seed].map(Number) as [
    number,
    number,
    number,
  ];
  if (!(minutes > 0)) throw new Error("--minutes must be above 0.");
  if (!(Number.isInteger(clients) && clients > 0))
    throw new Error("--clients must be a whole number above 0.");
  if (!Number.isInteger(seed)) throw new Error("--seed must be a whole number.");
  return { minutes, clients, seed, script: values.script };
}
