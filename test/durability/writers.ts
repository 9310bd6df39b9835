import { randomInt, randomUUID } from "node:crypto";
import { type HttpClient, httpClient } from "../support/http-client.ts";
import { eventually } from "../support/processes.ts";

/** One write that a client means to make once, whatever happens to the server. */
export interface Write {
  readonly key: string;
  readonly content: string;
  /** Set by the first answer. */
  id: string | null;
}

const WORDS =
  "amber anchor apple arrow basil beacon birch bread bridge canal candle cedar chalk cherry clock cloud cobalt copper coral cotton crane desert drum eagle ember falcon fern flute forest fox garden ginger glacier granite harbor hazel heron honey island ivory jade kettle lagoon lantern lemon lily linen lotus maple marble meadow mint mirror monsoon moss nutmeg oak ocean olive onyx orchid otter paper pearl pepper piano pine plum poppy prairie quartz rabbit raven ribbon river robin ruby saddle saffron salmon sand shell silk silver slate spruce stone storm sugar swan teapot thistle thunder tiger timber topaz tulip turtle valley velvet violet walnut willow window winter wolf zebra".split(
    " ",
  );

export const isAcknowledged = ({ id }: Write): boolean => id !== null;

/** Words enough that no two contents are alike, and a number that none shares. */
function newWrite(): Write {
  const words = Array.from({ length: 8 }, () => WORDS[randomInt(WORDS.length)]);
  const key = randomUUID();
  return { key, content: `${words.join(" ")} ${key}`, id: null };
}

/** Sends a write; true once it is acknowledged. */
export async function send(client: HttpClient, write: Write): Promise<boolean> {
  const { key, content } = write;
  const { status, body } = await client.post(
    "/v1/remember",
    { content, path: "writers" },
    { "idempotency-key": key },
  );
  if (status !== 201) return false;
  if (write.id !== null && write.id !== body.id)
    throw new Error(`The write ${key} was answered with two ids.`);
  write.id = body.id;
  return true;
}

/** Writers that go on until the server is gone; each waits for an answer before it writes again. */
export async function writeUntilItDies(
  url: string,
  key: string,
  count: number,
  onAcknowledged: () => void,
): Promise<Write[]> {
  const client = httpClient(url, key);
  const writes: Write[] = [];
  const write = async () => {
    for (;;) {
      const next = newWrite();
      writes.push(next);
      // A broken connection ends a writer, and so does a refusal: then the server is going down.
      if (!(await send(client, next).catch(() => false))) return;
      onAcknowledged();
    }
  };
  await Promise.all(Array.from({ length: count }, write));
  return writes;
}

/** Sends again what nobody has acknowledged, as a client would that lost the answer. */
export async function retry(client: HttpClient, writes: readonly Write[]): Promise<void> {
  await each(
    writes.filter(({ id }) => id === null),
    (write) =>
      // 409 as long as the database still runs the transaction of the dead server.
      eventually(`the retry of ${write.key}`, async () => ((await send(client, write)) ? true : undefined)),
  );
}

/** What is wrong with the record, by kind; everything empty is right. */
export async function faults(client: HttpClient, writes: readonly Write[]) {
  const lost: string[] = [];
  const notFound: string[] = [];
  await each(writes, async ({ id, content, key }) => {
    const { body } = await client.get(`/v1/memories/${id}`);
    if (body.content !== content) lost.push(key);
    const search = await client.get(`/v1/memories/search?query=${encodeURIComponent(content)}`);
    if (!search.body.results.some((hit: { id: string }) => hit.id === id)) notFound.push(key);
  });
  return { lost, notFound };
}

/** Every content there is, as often as it is there. */
export async function allContents(client: HttpClient): Promise<string[]> {
  const contents: string[] = [];
  for (let cursor = ""; ; ) {
    const { body } = await client.get(`/v1/memories?limit=1000${cursor}`);
    contents.push(...body.memories.map((memory: { content: string }) => memory.content));
    if (body.next_cursor === null) return contents;
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`;
  }
}

/** Sixteen at a time. */
async function each<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const waiting = [...items];
  const run = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await work(next);
  };
  await Promise.all(Array.from({ length: 16 }, run));
}
