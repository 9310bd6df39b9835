import { setTimeout as sleep } from "node:timers/promises";
import { Home, KEY, type Running, residentMegabytes } from "../speed/processes.ts";
import { render } from "../speed/table.ts";
import { bench } from "./bench.ts";

const HELP = `Measures whether the service's memory grows with what is sent to it.

  npm run bench:memory -- [--words 1000000] [--minutes 60] [--connections 8]

So many distinct words that no language has are sent: in questions, in writes that are refused, and in memories that are
then deleted for good. Afterwards writes are sent for so many minutes that are all refused, for every reason there is.
The resident memory of the server is told after each part, and each minute of the last. The exit status is 1 where the
last third of the minutes lies more than a tenth above the first. Progress goes to stderr, the table to stdout.
`;

/** Room for a small part of the words, so that what is kept of them beyond it shows. */
const SETTINGS = { INDEX_MEMORY_MB: "64", RATE_LIMIT_ENABLED: "false" };
const WORDS_OF_QUESTION = 500;
const WORDS_OF_MEMORY = 4000;
const GROWTH_MAX = 1.1;

/** Words of 8 to 13 letters, none twice. */
function* distinctWords(): Generator<string> {
  for (let number = 1; ; number += 1) {
    // Multiplied, so that neighbours have no beginning in common.
    const scattered = (number * 2_654_435_761) % 2 ** 32;
    yield `${scattered.toString(36)}q${number.toString(36).padStart(5, "x")}`;
  }
}

function take(words: Generator<string>, count: number): string {
  return Array.from({ length: count }, () => words.next().value as string).join(" ");
}

class Client {
  readonly #url: string;
  readonly #key: string;
  readonly statuses = new Map<number, number>();

  constructor({ url }: Running, key: string) {
    this.#url = url;
    this.#key = key;
  }

  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(`${this.#url}${path}`, {
      method,
      headers: { "x-api-key": this.#key, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    this.statuses.set(response.status, (this.statuses.get(response.status) ?? 0) + 1);
    return { status: response.status, text };
  }
}

/** Does the same from each of some connections until `count` times are done. */
async function times(count: number, connections: number, once: (at: number) => Promise<unknown>) {
  let next = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (next < count) await once(next++);
    }),
  );
}

/** Writes that are refused, each for another reason. */
function refusals(words: Generator<string>, client: Client, reader: Client) {
  const memory = () => ({ path: "hostile", content: take(words, 200), metadata: { word: take(words, 5) } });
  return [
    () => client.send("POST", "/v1/memories", { ...memory(), importance: 7 }),
    () => client.send("POST", "/v1/memories", { ...memory(), conten: "" }),
    () => client.send("POST", "/v1/memories", { ...memory(), scope: "team", team_id: crypto.randomUUID() }),
    () => client.send("POST", "/v1/memories", { ...memory(), memory_id: "taken" }),
    () => client.send("POST", "/v1/memories", `{"content": "${take(words, 200)}`),
    () => client.send("POST", "/v1/memories", memory(), { "content-type": "text/plain" }),
    () => client.send("POST", "/v1/memories", memory(), { "idempotency-key": "k".repeat(300) }),
    () => client.send("PATCH", `/v1/memories/${words.next().value}`, { content: take(words, 200) }),
    () => client.send("PATCH", "/v1/memories/taken", { importance: 0.1 }, { "if-match": '"stale"' }),
    () => client.send("DELETE", `/v1/memories/${words.next().value}`),
    () => client.send("POST", `/v1/projects/${words.next().value}/todos/none/accept`, {}),
    () => reader.send("POST", "/v1/memories", memory()),
    () => client.send("POST", "/v1/memories", memory(), { "x-api-key": take(words, 1) }),
    () => client.send("POST", "/v1/memories", "x".repeat(1024 * 1024 + 1)),
    () => client.send("POST", "/v1/memories/batch", { items: [{ ...memory(), importance: 7 }] }),
  ];
}

interface Options {
  readonly words: number;
  readonly minutes: number;
  readonly connections: number;
}

async function run({ words: wordCount, minutes, connections }: Options, home: Home): Promise<boolean> {
  const server = await home.server(SETTINGS);
  const client = new Client(server, KEY);
  const reader = new Client(server, home.key("reader", ["--scopes", "memory:read"]));
  const words = distinctWords();
  const rows: string[][] = [];
  const note = (part: string): number => {
    const megabytes = residentMegabytes(server);
    rows.push([part, megabytes.toFixed(0), told(client, reader)]);
    console.error(`${part}: ${megabytes.toFixed(0)} MB`);
    return megabytes;
  };
  await client.send("POST", "/v1/memories", { memory_id: "taken", path: "hostile", content: "The first." });
  await client.send("POST", "/v1/recall/context", { query: "what is the first?" });
  note("at the start");

  await times(wordCount / WORDS_OF_QUESTION, connections, () =>
    client.send("POST", "/v1/recall/context", { query: take(words, WORDS_OF_QUESTION) }),
  );
  note(`${wordCount} words in questions`);

  await times(wordCount / WORDS_OF_MEMORY, connections, () =>
    reader.send("POST", "/v1/memories", { path: "hostile", content: take(words, WORDS_OF_MEMORY) }),
  );
  note(`${wordCount} words in refused writes`);

  const ids: string[] = [];
  await times(wordCount / WORDS_OF_MEMORY, connections, async () => {
    const memory = { path: "hostile", content: take(words, WORDS_OF_MEMORY) };
    const { text } = await client.send("POST", "/v1/memories", memory);
    ids.push((JSON.parse(text) as { id: string }).id);
  });
  await client.send("POST", "/v1/recall/context", { query: take(words, 10) });
  note(`${wordCount} words in memories`);
  await times(ids.length, connections, (at) =>
    client.send("DELETE", `/v1/memories/${ids[at]}?mode=hard_delete`),
  );
  await client.send("POST", "/v1/recall/context", { query: take(words, 10) });
  note("and those deleted for good");

  const seen = await refuse({ minutes, connections }, refusals(words, client, reader), (minute) =>
    note(`minute ${minute} of refused writes`),
  );
  process.stdout.write(
    render({
      title: `Resident memory of the server, ${SETTINGS.INDEX_MEMORY_MB} MB of which may be indexes`,
      columns: ["after", "MB", "answered so far"],
      rows,
    }),
  );
  return isFlat(seen);
}

async function refuse(
  { minutes, connections }: Pick<Options, "minutes" | "connections">,
  sends: readonly (() => Promise<unknown>)[],
  everyMinute: (minute: number) => number,
): Promise<number[]> {
  let isOver = false;
  let number = 0;
  const sending = Promise.all(
    Array.from({ length: connections }, async () => {
      while (!isOver) await sends[number++ % sends.length]?.();
    }),
  );
  const seen: number[] = [];
  for (let minute = 1; minute <= minutes; minute += 1) {
    await sleep(60_000);
    seen.push(everyMinute(minute));
  }
  isOver = true;
  await sending;
  return seen;
}

/** Too few minutes have no thirds to compare. */
function isFlat(seen: readonly number[]): boolean {
  const third = Math.floor(seen.length / 3);
  if (third === 0) return true;
  const mean = (part: readonly number[]) => part.reduce((sum, one) => sum + one, 0) / part.length;
  return mean(seen.slice(-third)) <= GROWTH_MAX * mean(seen.slice(0, third));
}

function told(...clients: readonly Client[]): string {
  const all = new Map<number, number>();
  for (const { statuses } of clients)
    for (const [status, count] of statuses) all.set(status, (all.get(status) ?? 0) + count);
  return [...all]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${count} × ${status}`)
    .join(", ");
}

export const program = bench(HELP, { words: 1_000_000, minutes: 60, connections: 8 }, async (options) => {
  const home = new Home();
  try {
    if (!(await run(options, home))) process.exitCode = 1;
  } finally {
    await home.remove();
  }
});
