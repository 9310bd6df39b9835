/** A long memory has a vector for each of its passages, whoever makes them. */
import { afterEach, expect, test } from "vitest";
import { createBuiltinEmbedder, loadLexicon } from "../../src/adapters/embedding/builtin.ts";
import { createEmbeddingBacklog } from "../../src/adapters/postgres/recall/embeddings.ts";
import { createIndexFeed } from "../../src/adapters/postgres/recall/index-feed.ts";
import { reembed } from "../../src/core/projection/reembed.ts";
import { PASSAGE_CHARACTERS, passageCount, passageTexts } from "../../src/recall/language/passages.ts";
import { eventually } from "../support/processes.ts";
import { type Client, openWorld, type World } from "../support/world.ts";
import { openProvider, settingsOf } from "./provider.ts";

const open: World[] = [];
afterEach(async () => {
  for (const world of open.splice(0).reverse()) await world.close();
});

async function worldWith(env: Record<string, string> = {}): Promise<{ world: World; client: Client }> {
  const world = await openWorld(env);
  open.push(world);
  return { world, client: await world.client() };
}

const FILLER = "The weekly report lists the open points of the workshop and who looks after them. ";
const long = (sentence: string) => `${FILLER.repeat(390)}${sentence} ${FILLER.repeat(390)}`;

const remember = async (client: Client, content: string, more: object = {}) => {
  const answer = await client.post("/v1/remember", { content, path: "notes", ...more });
  expect(answer.status).toBe(201);
  return answer.body;
};

const search = async (client: Client, query: string, more = {}) =>
  (await client.post("/v1/memories/search", { query, ...more })).body;

const embeddings = ({ service: { sql } }: World) =>
  sql`select m.content, e.passages, length(e.vector) as bytes, e.by_caller from embeddings e join memories m on m.id = e.memory
      order by m.seq`;

const settled = (client: Client) =>
  eventually("every memory to be embedded", async () =>
    (await search(client, "anything")).coverage === 1 ? true : undefined,
  );

test("a provider is asked for a vector of each passage, in requests of bounded size, and one deep inside is found by meaning", async () => {
  const provider = await openProvider();
  const { world, client } = await worldWith(settingsOf(provider));
  const content = long("Zorp. ".repeat(120));
  await remember(client, content);
  await remember(client, "The workshop is closed.");
  await settled(client);
  const passages = passageTexts(content);
  expect(passages.length).toBeGreaterThan(32);
  const asked = provider.answered.flat();
  for (const passage of passages) expect(asked).toContain(passage);
  expect(Math.max(...provider.answered.map((texts) => texts.length))).toBeLessThanOrEqual(32);
  expect(await embeddings(world)).toMatchObject([
    { passages: passages.length, bytes: passages.length * (4 + 64) },
    { passages: 1, bytes: 4 + 64 },
  ]);
  const { results } = await search(client, "blim", { retrievers: "dense" });
  expect(results[0].content === content).toBe(true);
});

test("the number of vectors that the record expects is the number of passages, in any script", async () => {
  const { world, client } = await worldWith();
  const contents = [
    long("x"),
    "é".repeat(PASSAGE_CHARACTERS),
    "é".repeat(PASSAGE_CHARACTERS + 1),
    "😀".repeat(PASSAGE_CHARACTERS + 1),
    "继电器。".repeat(PASSAGE_CHARACTERS / 4 + 1),
    "x".repeat(65_536),
  ];
  for (const content of contents) await remember(client, content);
  const { sql, generation } = world.service;
  expect((await embeddings(world)).map(({ passages }) => passages)).toEqual(contents.map(passageCount));
  expect(await createEmbeddingBacklog(sql, generation).count()).toBe(0);
});

test("a long text that was embedded as a whole is embedded anew, and indexes learn of it", async () => {
  const { world, client } = await worldWith();
  const { sql, generation } = world.service;
  const embedder = createBuiltinEmbedder(await loadLexicon());
  const content = long("The walnut tea is in locker nine.");
  await remember(client, content);
  await remember(client, "Tea is in the kitchen.");
  const now = await embeddings(world);
  await sql`update embeddings set passages = 1, vector = substr(vector, 1, 4 + 256)`;
  const revisions = async () => {
    const read: number[] = [];
    await createIndexFeed(sql, generation).read(client.ownerId, null, (changes) => {
      for (const change of changes) if (change.kind === "put") read.push(change.document.revision);
    });
    return read;
  };
  const [before] = await revisions();
  const backlog = createEmbeddingBacklog(sql, generation);
  expect(await backlog.count()).toBe(1);
  expect(await reembed({ backlog, embedder })).toEqual({ embedded: 1, remaining: 0 });
  expect(await embeddings(world)).toEqual(now);
  expect((await revisions())[0]).toBe((before as number) + 1);
});

test("an embedding that a caller sends of a long text stays the only one, and its words are found throughout", async () => {
  const { world, client } = await worldWith();
  const { sql, generation } = world.service;
  const embedder = createBuiltinEmbedder(await loadLexicon());
  const content = long("The walnut tea is in locker nine.");
  const embedding = Array.from({ length: 256 }, (_, at) => (at === 3 ? 1 : 0));
  await remember(client, content, {
    embedding,
    embedding_provider: "builtin",
    embedding_model: "static-256",
  });
  await remember(client, "Tea is in the kitchen.");
  const backlog = createEmbeddingBacklog(sql, generation);
  expect(await reembed({ backlog, embedder })).toEqual({ embedded: 0, remaining: 0 });
  expect((await embeddings(world))[0]).toMatchObject({ passages: 1, by_caller: true });
  const { results, coverage } = await search(client, "Where is the walnut tea?");
  expect(results[0].content === content).toBe(true);
  expect(coverage).toBe(1);
});
