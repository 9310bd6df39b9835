/** A service with a reranker: what it changes, what it must not, what leaves the house, and what happens when it is away. */
import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { eventually } from "../support/processes.ts";
import { type Client, openWorld, type World } from "../support/world.ts";
import { type Behaviour, KEY, openRerankServer, settingsOf } from "./server.ts";

const open: World[] = [];
afterEach(async () => {
  for (const world of open.splice(0).reverse()) await world.close();
});

async function opened(behaviour: Partial<Behaviour> = {}, env: Record<string, string> = {}) {
  const server = await openRerankServer(behaviour);
  const world = await openWorld({ ...settingsOf(server), ...env });
  open.push(world);
  return { server, world, client: await world.client() };
}

async function remember(client: Pick<Client, "post">, content: string, more: object = {}): Promise<string> {
  const answer = await client.post("/v1/memories", { content, path: "notes", ...more });
  expect(answer.status).toBe(201);
  return answer.body.id;
}

const search = async (client: Pick<Client, "get">, query: string, more = "") => {
  const answer = await client.get(`/v1/memories/search?query=${encodeURIComponent(query)}${more}`);
  expect(answer.status).toBe(200);
  return answer.body;
};

const found = (body: { results: { content: string }[] }) => body.results.map(({ content }) => content);

/** Judges the texts that have a word to be good. */
const liking = (word: string) => (_: string, text: string) => (text.includes(word) ? 1 : 0);

const PLACES =
  "harbour castle library station orchard chapel market museum bakery garden theatre meadow".split(" ");

/** One text for each place, all about tea for a guest, numbered from 1. */
async function remembered(client: Client, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (const [at, place] of PLACES.slice(0, count).entries())
    ids.push(await remember(client, `Tea was served to a guest at the ${place} ${at + 1}`));
  return ids;
}

const AWAY = "reranker: it did not answer, so the order is without it";

describe("the order", () => {
  test("is half the reranker's: what it judges best comes first, and explain and why tell so", async () => {
    const { client, server } = await opened({ judge: liking("station") });
    await remember(client, "Tea was served to a guest at the harbour.");
    await remember(client, "Since the storm any guest of the castle has tea served at five.");
    const best = await remember(client, "The guest who waited for a train had tea served at the station.");
    const body = await search(client, "tea served to a guest", "&explain=true");
    expect(found(body)[0]).toContain("at the station");
    expect(body.degraded ?? []).not.toContain(AWAY);
    const { signals, reasons, rank_score } = body.results[0].explanation;
    expect(signals.rerank).toBeGreaterThan(0);
    expect(reasons).toContain("+ how well the reranker judges its text to answer the query");
    const sum = Object.values<number>(signals).reduce((all, value) => all + value, 0);
    expect(rank_score).toBeCloseTo(sum);
    const scores = body.results.map(
      (one: { explanation: { rank_score: number } }) => one.explanation.rank_score,
    );
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
    const why = await client.post("/v1/recall/why", { query: "tea served to a guest", memory_id: best });
    expect(why.body).toMatchObject({ outcome: "found", rank: 1, signals: { rerank: signals.rerank } });
    expect(server.asked[0]).toMatchObject({ authorization: `Bearer ${KEY}`, query: "tea served to a guest" });
  });

  test("brings in what would not have been among those asked for", async () => {
    const { client, server } = await opened({ judge: liking("had") });
    await remember(client, "A guest had tea.");
    await remembered(client, 12);
    const first = async () => found(await search(client, "tea served to a guest", "&limit=3"));
    expect(await first()).toContain("A guest had tea.");
    server.behaviour.judge = () => 1;
    expect(await first()).not.toContain("A guest had tea.");
  });

  test("of a pack follows too, while scores stay those of the words and the vector", async () => {
    const { client, server } = await opened({ judge: liking("kettle") });
    await remember(client, "The guest from Oslo takes her tea black, and tea is served to her at four.");
    await remember(client, "Whoever fills the kettle last pours for the guest.");
    await remember(client, "Served with cake, tea costs a guest three pounds.");
    const pack = async () =>
      (await client.post("/v1/recall/context", { query: "who gets tea served as a guest" })).body;
    const judged = await pack();
    expect(judged.items[0].content).toContain("kettle");
    expect(judged.retrieval_plan.because).toContain("a reranker has judged the first hits");
    server.behaviour.instead = (response) => response.writeHead(500).end();
    const plain = await pack();
    expect(plain.items[0].content).not.toContain("kettle");
    expect(plain.retrieval_plan.degraded).toContain(AWAY);
    expect(plain.retrieval_plan.because).not.toContain("reranker");
    const scores = (of: { items: { id: string; score: number }[] }) =>
      Object.fromEntries(of.items.map(({ id, score }) => [id, score]));
    expect(scores(judged)).toEqual(scores(plain));
    expect(judged.answer_status).toBe(plain.answer_status);
  });

  test("never puts a look-alike before what has the very identifier, or just what is quoted", async () => {
    const { client } = await opened({ judge: (_, text) => (/INC-55314|zebra/.test(text) ? 0 : 1) });
    for (let number = 55310; number <= 55318; number++) {
      await remember(client, `The ticket INC-${number} is about the printer on floor ${number % 7}.`);
    }
    await remember(client, "The quarterly zebra audit is due in May.");
    await remember(client, "The quarterly camel audit is due in May.");
    expect(found(await search(client, "What is the ticket INC-55314 about?"))[0]).toContain("INC-55314");
    expect(found(await search(client, 'When is the "quarterly zebra audit" due?'))[0]).toContain("zebra");
  });

  test("of one retriever alone stays as it is, and the reranker is not asked", async () => {
    const { client, server } = await opened();
    await remembered(client, 3);
    for (const retrievers of ["lexical", "dense"]) await search(client, "tea", `&retrievers=${retrievers}`);
    expect(server.asked).toEqual([]);
  });
});

describe("what leaves the house", () => {
  test("the query, and texts that the caller may see: none of others, none that a filter leaves out", async () => {
    const { client, server, world } = await opened();
    await remember(client, "Tea for alice.");
    await remember(client, "Tea for alice, and cake.");
    await remember(client, "Tea for alice, elsewhere.", { path: "elsewhere" });
    const gone = await remember(client, "Tea for alice, once.");
    expect((await client.delete(`/v1/memories/${gone}`)).status).toBe(200);
    const bob = await world.client({ owner: "bob" });
    await remember(bob, "Tea for bob.");
    const confined = await world.client({ space: { pathPrefix: "elsewhere" } });
    await remember(confined, "Tea in a corner.", { path: "elsewhere" });

    await search(client, "tea", "&path=notes");
    expect(server.asked.flatMap(({ texts }) => texts).sort()).toEqual([
      "Tea for alice, and cake.",
      "Tea for alice.",
    ]);
    server.asked.length = 0;
    await search(confined, "tea");
    expect(server.asked.flatMap(({ texts }) => texts).sort()).toEqual([
      "Tea for alice, elsewhere.",
      "Tea in a corner.",
    ]);
  });

  test("no more than the first hits, of a long memory the passage that tells, and bounded", async () => {
    const { client, server } = await opened({}, { RERANK_CANDIDATES: "4" });
    const filler = "The weather was as it always is in these parts at that time of the year. ".repeat(80);
    await remember(client, `${filler}\n\nThe zorp key is under the mat.\n\n${filler}`);
    await remembered(client, 8);
    await search(client, "where is the zorp key of the tea guest");
    const [asked] = server.asked;
    expect(asked?.texts).toHaveLength(4);
    const long = asked?.texts.find((text) => text.includes("weather")) ?? "";
    expect(long).toContain("The zorp key is under the mat.");
    expect(long.length).toBeLessThanOrEqual(2000);
    await search(client, `tea guest ${"and so on ".repeat(700)}`);
    expect(server.asked.at(-1)?.query.length).toBeLessThanOrEqual(2000);
  });

  test("nothing where there is nothing to order", async () => {
    const { client, server } = await opened();
    await search(client, "tea");
    await remember(client, "Tea for alice.");
    await search(client, "tea");
    expect(server.asked).toEqual([]);
  });
});

describe("a reranker that does not answer leaves recall as it is without one", () => {
  const failures: readonly [string, Partial<Behaviour>][] = [
    ["an error", { instead: (response) => response.writeHead(500).end() }],
    ["a wrong key", { instead: (response) => response.writeHead(401).end(`{"key":"${KEY}"}`) }],
    ["rubbish", { instead: (response) => response.writeHead(200).end("tea") }],
    [
      "numbers that are none",
      { instead: (response) => response.writeHead(200).end('[{"index":0,"score":NaN}]') },
    ],
    ["another server", { instead: (response) => response.writeHead(302, { location: "/v1/rerank" }).end() }],
    ["too late", { delayMs: 60_000 }],
    ["half of an answer", { instead: (response: ServerResponse) => response.writeHead(200).write("[") }],
  ];

  test.each(failures)("%s", async (_, behaviour) => {
    const { client, world, server } = await opened(behaviour, { RERANK_TIMEOUT_MS: "1000" });
    await remembered(client, 5);
    const body = await search(client, "tea served to a guest", "&explain=true");
    expect(body.degraded).toContain(AWAY);
    expect(JSON.stringify(body)).not.toContain(KEY);
    expect(body.results[0].explanation.signals).not.toHaveProperty("rerank");
    expect(server.asked).toHaveLength(1);
    const without = await world.replica({ RERANK_PROVIDER: "none", RERANK_BASE_URL: "", RERANK_API_KEY: "" });
    const answer = await without(
      new Request("http://localhost/v1/memories/search?query=tea%20served%20to%20a%20guest", {
        headers: { authorization: `Bearer ${client.token}` },
      }),
    );
    expect(found(body)).toEqual(found((await answer.json()) as Parameters<typeof found>[0]));
  });
});

test("queries that wait for it hold no connection to the database: more wait than there are, and others go on", async () => {
  const waiting: ServerResponse[] = [];
  const { server, world } = await opened(
    { instead: (response) => waiting.push(response) },
    { DATABASE_CONNECTIONS: "4", RERANK_TIMEOUT_MS: "30000" },
  );
  const owners = ["ann", "ben", "cleo", "dan", "eve", "fay"];
  const clients = await Promise.all(owners.map((owner) => world.client({ owner })));
  for (const client of clients) await remembered(client, 2);
  const searches = clients.map((client) => search(client, "tea served to a guest"));
  await eventually("all to wait", async () => (waiting.length === clients.length ? true : undefined));
  const other = await world.client({ owner: "zoe" });
  await remember(other, "Tea for zoe.");
  expect(found(await search(other, "tea"))).toEqual(["Tea for zoe."]);
  server.behaviour.instead = null;
  for (const response of waiting) response.writeHead(503).end();
  for (const body of await Promise.all(searches)) expect(found(body)).toHaveLength(2);
});
