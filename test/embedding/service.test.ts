/** A service whose embedder is behind a network: what it does while that is away, slow, wrong or replaced. */
import { afterEach, expect, test } from "vitest";
import { clientOf } from "../support/http-client.ts";
import { eventually } from "../support/processes.ts";
import { type Client, openWorld, type World } from "../support/world.ts";
import { openProvider, type Provider, settingsOf } from "./provider.ts";

const open: World[] = [];
afterEach(async () => {
  for (const world of open.splice(0).reverse()) await world.close();
});

async function worldWith(env: Record<string, string>): Promise<{ world: World; client: Client }> {
  const world = await openWorld(env);
  open.push(world);
  return { world, client: await world.client() };
}

const search = async (client: Pick<Client, "get">, query: string, more = "") =>
  (await client.get(`/v1/memories/search?query=${encodeURIComponent(query)}${more}`)).body;

const remember = async (client: Client, content: string, more: object = {}) => {
  const answer = await client.post("/v1/remember", { content, path: "notes", ...more });
  expect(answer.status).toBe(201);
  return answer.body;
};

const found = (body: { results: { content: string }[] }) => body.results.map(({ content }) => content);

/** Until every memory has a vector. */
const settled = (client: Pick<Client, "get">) =>
  eventually("every memory to be embedded", async () =>
    (await search(client, "anything")).coverage === 1 ? true : undefined,
  );

test("what is written is embedded by the provider, and found by meaning", async () => {
  const provider = await openProvider();
  const { client } = await worldWith(settingsOf(provider));
  await remember(client, "zorp");
  await remember(client, "unrelated");
  await settled(client);
  // Two words that share a meaning, and no letter.
  expect(found(await search(client, "blim", "&retrievers=dense"))[0]).toBe("zorp");
});

test("a provider that is away when something is written: the write stands, words find it, meaning does later", async () => {
  const provider = await openProvider();
  const { client } = await worldWith(settingsOf(provider));
  await provider.away();
  await remember(client, "the zorp is green");
  const meanwhile = await search(client, "zorp");
  expect(found(meanwhile)).toEqual(["the zorp is green"]);
  expect(meanwhile.coverage).toBe(0);
  expect(meanwhile.degraded).toContain("embedder: it did not answer, so only words were searched");
  await provider.back();
  await settled(client);
  expect((await search(client, "blim")).degraded ?? []).not.toContainEqual(
    expect.stringContaining("embedder"),
  );
});

test("a provider that is away at the start does not keep the service from starting", async () => {
  const provider = await openProvider();
  await provider.away();
  const { client } = await worldWith(settingsOf(provider));
  await remember(client, "the zorp is green");
  expect(found(await search(client, "zorp"))).toEqual(["the zorp is green"]);
  await provider.back();
  await settled(client);
});

test("a slow provider costs a query its time, and the words answer", async () => {
  const provider = await openProvider();
  const { client } = await worldWith({ ...settingsOf(provider), EMBEDDING_TIMEOUT_MS: "100" });
  await remember(client, "the zorp is green");
  await settled(client);
  provider.behaviour.delayMs = 30_000;
  const body = await search(client, "zorp");
  expect(found(body)).toEqual(["the zorp is green"]);
  expect(body.degraded).toContain("embedder: it did not answer, so only words were searched");
});

test("why tells whether it is the query or the memory that has no vector", async () => {
  const provider = await openProvider({ charactersMax: 100 });
  const { client } = await worldWith(settingsOf(provider));
  const long = await remember(client, `the zorp is green ${"and so on ".repeat(40)}`);
  const why = async () =>
    (await client.post("/v1/recall/why", { query: "zorp", memory_id: long.id })).body.reasons.join("\n");
  expect(await why()).toContain("its vector took no part: it has none yet");
  await provider.away();
  expect(await why()).toContain("its vector took no part: the query has none");
});

test("words alone ask the provider for nothing", async () => {
  const provider = await openProvider();
  const { client } = await worldWith(settingsOf(provider));
  await remember(client, "the zorp is green");
  await settled(client);
  const before = provider.requests();
  const body = await search(client, "zorp", "&retrievers=lexical");
  expect(body.coverage).toBe(1);
  expect(provider.requests()).toBe(before);
});

test("a provider of another dimension stops the start, by a sentence without the key", async () => {
  const provider = await openProvider();
  const opening = openWorld(settingsOf(provider, 100));
  await expect(opening).rejects.toThrow(
    "The embedding provider answers with 64 dimensions, and EMBEDDING_DIMENSIONS says 100.",
  );
});

test("an embedding of the caller's is used where it is of the model in use, and the provider is not asked", async () => {
  const provider = await openProvider();
  const { client } = await worldWith(settingsOf(provider));
  const given = { embedding_provider: "openai", embedding_model: "words-64", embedding_dimension: 64 };
  const embedding = Array.from({ length: 64 }, (_, at) => (at === 3 ? 2 : 0));
  const used = await remember(client, "by its own vector", { ...given, embedding });
  expect(used.embedding).toBe("caller");
  const not = await remember(client, "of another model", { ...given, embedding_model: "other", embedding });
  expect(not).toMatchObject({ embedding: "service", reason: expect.stringContaining("openai/words-64") });
  await settled(client);
  expect(provider.answered.flat()).not.toContain("by its own vector");
  expect(provider.answered.flat()).toContain("of another model");
});

/** A client of a server with other settings, on the database that another server has written to. */
async function upgraded(
  before: Record<string, string>,
  write: (client: Client) => Promise<void>,
  after: Record<string, string>,
): Promise<Pick<Client, "get">> {
  const { world, client } = await worldWith(before);
  await write(client);
  return clientOf("http://localhost", client.token, await world.replica(after));
}

const previously = (provider: Provider, model: string) => ({
  EMBEDDING_PREVIOUS_PROVIDER: "openai",
  EMBEDDING_PREVIOUS_BASE_URL: provider.url,
  EMBEDDING_PREVIOUS_MODEL: model,
  EMBEDDING_PREVIOUS_DIMENSIONS: "64",
});

test("a new model is built in the background; queries go to the one before it until it is", async () => {
  const old = await openProvider();
  const next = await openProvider();
  next.behaviour.refusal = { status: 503 };
  const client = await upgraded(
    settingsOf(old),
    async (before) => {
      await remember(before, "zorp");
      await remember(before, "unrelated");
      await settled(before);
    },
    // Of the same dimension: comparing vectors of both would not be noticed by their length.
    { ...settingsOf(next, 64, "other-64"), ...previously(old, "words-64") },
  );
  const asked = old.requests();
  const meanwhile = await search(client, "blim", "&retrievers=dense");
  expect(found(meanwhile)[0]).toBe("zorp");
  expect(meanwhile.coverage).toBe(1);
  expect(old.requests()).toBe(asked + 1);
  next.behaviour.refusal = null;
  await eventually("queries to go to the new model", async () => {
    const before = next.requests();
    await search(client, "blim");
    const isAsked = next.answered.some((batch) => batch.includes("blim"));
    return isAsked && next.requests() > before ? true : undefined;
  });
  const afterwards = old.requests();
  const body = await search(client, "blim", "&retrievers=dense");
  expect(found(body)[0]).toBe("zorp");
  expect(body.coverage).toBe(1);
  expect(old.requests()).toBe(afterwards);
});

test("without the one before it words answer until the new model is built, and coverage says so", async () => {
  const old = await openProvider();
  const next = await openProvider();
  next.behaviour.refusal = { status: 503 };
  const client = await upgraded(
    settingsOf(old),
    async (before) => {
      await remember(before, "zorp is green");
      await settled(before);
    },
    settingsOf(next, 64, "other-64"),
  );
  const asked = old.requests();
  const meanwhile = await search(client, "zorp");
  expect(found(meanwhile)).toEqual(["zorp is green"]);
  expect(meanwhile.coverage).toBe(0);
  next.behaviour.refusal = null;
  await settled(client);
  expect(found(await search(client, "blim is", "&retrievers=dense"))).toEqual(["zorp is green"]);
  expect(old.requests()).toBe(asked);
});
