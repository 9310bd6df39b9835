/** The embedder that speaks OpenAI's embeddings API, against a small server that does. */
import { describe, expect, test } from "vitest";
import { createOpenAiEmbedder } from "../../src/adapters/embedding/openai.ts";
import { eventually } from "../support/processes.ts";
import { openProvider, type Provider } from "./provider.ts";

function embedderOf(provider: Provider, { dimensions = 64, queryTimeoutMs = 2000 } = {}) {
  return createOpenAiEmbedder(
    { baseUrl: provider.url, model: "words-64", apiKey: "k", dimensions },
    { queryTimeoutMs },
  );
}

const unavailable = expect.objectContaining({ code: "dependency_unavailable" });

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] as number), 0);
}

test("vectors come normalised and in the order of the texts, whatever the order of the answer", async () => {
  const embedder = embedderOf(await openProvider());
  const [tea, coffee, teaAgain] = (await embedder.embed(["tea", "coffee", "tea"])) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  expect(cosine(tea, tea)).toBeCloseTo(1);
  expect(cosine(tea, teaAgain)).toBeCloseTo(1);
  expect(cosine(tea, coffee)).toBeLessThan(0.9);
});

test("many texts go in batches that servers take", async () => {
  const provider = await openProvider();
  const texts = Array.from({ length: 70 }, (_, at) => `text ${at}`);
  expect(await embedderOf(provider).embed(texts)).toHaveLength(70);
  expect(provider.answered.map((batch) => batch.length)).toEqual([32, 32, 6]);
  expect(provider.answered.flat()).toEqual(texts);
});

test("a query is one request, with its sentences", async () => {
  const provider = await openProvider();
  const vectors = (await embedderOf(provider).query("Tea? Or coffee?", ["Tea?", "Or coffee?"]))(() => 1);
  expect(vectors.sentences).toHaveLength(2);
  expect(vectors.whole).toHaveLength(64);
  expect(provider.requests()).toBe(1);
});

describe("what fails", () => {
  test("is tried again where nobody waits, after as long as the provider asks for", async () => {
    const provider = await openProvider({
      refusal: { status: 429, headers: { "retry-after": "0.2" }, times: 1 },
    });
    expect(await embedderOf(provider).embed(["tea"])).toHaveLength(1);
    expect(provider.requests()).toBe(2);
  });

  test("a provider that asks for a long pause is not asked again meanwhile, by queries neither", async () => {
    const provider = await openProvider({
      refusal: { status: 429, headers: { "retry-after": "60" }, times: 1 },
    });
    const embedder = embedderOf(provider);
    await expect(embedder.embed(["tea"])).rejects.toEqual(unavailable);
    await expect(embedder.query("tea", ["tea"])).rejects.toEqual(unavailable);
    expect(provider.requests()).toBe(1);
  });

  test("a query is not tried again", async () => {
    const provider = await openProvider({ refusal: { status: 500 } });
    await expect(embedderOf(provider).query("tea", ["tea"])).rejects.toEqual(unavailable);
    expect(provider.requests()).toBe(1);
  });

  test("a slow provider costs a query its time and no more", async () => {
    const provider = await openProvider({ delayMs: 60_000 });
    await expect(embedderOf(provider, { queryTimeoutMs: 80 }).query("tea", ["tea"])).rejects.toEqual(
      unavailable,
    );
  });

  test("a provider that keeps failing is left alone, and found again", async () => {
    const provider = await openProvider({ refusal: { status: 503 } });
    const embedder = embedderOf(provider);
    for (let at = 0; at < 10; at++) await embedder.query("tea", ["tea"]).catch(() => {});
    expect(provider.requests()).toBe(3);
    provider.behaviour.refusal = null;
    await eventually("the provider to be asked again", () =>
      embedder.query("tea", ["tea"]).catch(() => undefined),
    );
  });

  test.each([
    ["HTML", "<html></html>"],
    ["half of it", '{"data": [{"index": 0, "embed'],
    ["another shape", '{"vectors": []}'],
    ["too few", '{"data": []}'],
    [
      "a vector without direction",
      JSON.stringify({ data: [{ index: 0, embedding: new Array(64).fill(0) }] }),
    ],
  ])("an answer that is %s is the provider's fault, not the text's", async (_, body) => {
    const provider = await openProvider({ refusal: { status: 200, body } });
    await expect(embedderOf(provider).embed(["tea"])).rejects.toEqual(unavailable);
  });

  test.each([
    [401, ": check its API key"],
    [403, ": check its API key"],
    [404, ": check its address and its model"],
  ])("status %i is said as unavailable, and by the check in words", async (status, hint) => {
    const provider = await openProvider({ refusal: { status } });
    const embedder = embedderOf(provider);
    expect(await embedder.check()).toEqual({
      problem: `The embedding provider answered with status ${status}${hint}.`,
      isWrongDimension: false,
    });
    await expect(embedder.embed(["tea"])).rejects.toEqual(unavailable);
  });

  test("a redirect is not followed: the key goes to the address that was given", async () => {
    const other = await openProvider();
    const provider = await openProvider({
      refusal: { status: 307, headers: { location: `${other.url}/embeddings` } },
    });
    await expect(embedderOf(provider).embed(["tea"])).rejects.toEqual(unavailable);
    expect(other.requests()).toBe(0);
  });
});

describe("a text that the provider does not take", () => {
  test("is shortened until it does, and the others of its batch lose nothing", async () => {
    const provider = await openProvider({ charactersMax: 1000 });
    const long = "tea and biscuits ".repeat(500);
    const vectors = await embedderOf(provider).embed(["tea", long, "coffee"]);
    const [tea, shortened, coffee] = vectors as [Float32Array, Float32Array, Float32Array];
    const [alone] = (await embedderOf(provider).embed(["coffee"])) as [Float32Array];
    expect(cosine(coffee, alone)).toBeCloseTo(1);
    expect(cosine(shortened, tea)).toBeGreaterThan(cosine(coffee, tea));
  });

  test("even when short is an error of its own, and the provider is not taken for away", async () => {
    const provider = await openProvider({ charactersMax: 10 });
    const embedder = embedderOf(provider);
    await expect(embedder.embed(["a text of more than ten"])).rejects.toMatchObject({ failure: "text" });
    expect(await embedder.embed(["tea"])).toHaveLength(1);
  });

  test("nor any other is the provider's fault: a wrong model sets no memory aside", async () => {
    const provider = await openProvider({ refusal: { status: 400 } });
    await expect(embedderOf(provider).embed(["tea", "coffee"])).rejects.toEqual(unavailable);
  });
});

describe("the dimension", () => {
  test("of a model that cannot be shortened is found to be wrong", async () => {
    const embedder = embedderOf(await openProvider(), { dimensions: 32 });
    expect(await embedder.check()).toEqual({
      problem: "The embedding provider answers with 64 dimensions, and EMBEDDING_DIMENSIONS says 32.",
      isWrongDimension: true,
    });
    await expect(embedder.embed(["tea"])).rejects.toEqual(unavailable);
  });

  test("is asked for where the model has another of its own", async () => {
    const provider = await openProvider({ canShorten: true });
    const embedder = embedderOf(provider, { dimensions: 32 });
    expect(await embedder.check()).toBeNull();
    const before = provider.requests();
    expect((await embedder.embed(["tea"]))[0]).toHaveLength(32);
    expect(provider.requests()).toBe(before + 1);
  });
});

describe("how the provider fails is told", () => {
  function toldBy(provider: Provider, { dimensions = 64, queryTimeoutMs = 2000 } = {}) {
    const told: (string | null)[] = [];
    const embedder = createOpenAiEmbedder(
      { baseUrl: provider.url, model: "words-64", apiKey: "the-key", dimensions },
      { queryTimeoutMs, onChange: (why) => told.push(why) },
    );
    return { embedder, told };
  }

  const kinds: [string, Partial<Provider["behaviour"]>, string, number?][] = [
    ["a wrong key", { refusal: { status: 401 } }, "answered with status 401: check its API key."],
    [
      "too many requests",
      { refusal: { status: 429, headers: { "retry-after": "60" } } },
      "answered with status 429: it takes fewer requests than it was sent.",
    ],
    ["a failure", { refusal: { status: 500 } }, "answered with status 500."],
    ["no time", { delayMs: 30_000 }, "did not answer in time."],
    ["another dimension", {}, "answers with 64 dimensions, and EMBEDDING_DIMENSIONS says 32.", 32],
    ["HTML", { refusal: { status: 200, body: "<html>" } }, "'s answer was not understood."],
    [
      "a redirect",
      { refusal: { status: 307, headers: { location: "/elsewhere" } } },
      "cannot be reached: it redirects to another address, which is not followed.",
    ],
  ];
  test.each(kinds)("%s: once, however many queries ask", async (_, behaviour, why, dimensions = 64) => {
    const provider = await openProvider(behaviour);
    const { embedder, told } = toldBy(provider, { dimensions, queryTimeoutMs: 300 });
    for (let times = 0; times < 6; times++)
      await expect(embedder.query("tea", ["tea"])).rejects.toEqual(unavailable);
    expect(told).toEqual([expect.stringMatching(/^The embedding provider/)]);
    expect(told[0]).toContain(why);
    expect(told.join()).not.toMatch(/the-key|tea|127\.0\.0\.1/);
  });

  test("again when it fails in another way, and when it answers", async () => {
    const provider = await openProvider({ refusal: { status: 401 } });
    const { embedder, told } = toldBy(provider);
    const ask = () => embedder.check();
    await ask();
    await ask();
    await provider.away();
    await ask();
    await ask();
    await provider.back();
    provider.behaviour.refusal = { status: 503 };
    await ask();
    provider.behaviour.refusal = null;
    await ask();
    await ask();
    const is = (what: string) => `The embedding provider ${what}.`;
    // The first request after the end may still be on a connection that breaks off.
    expect(told.filter((why) => why !== is("cannot be reached"))).toEqual([
      is("answered with status 401: check its API key"),
      is("cannot be reached: it refuses connections"),
      is("answered with status 503"),
      null,
    ]);
  });

  test("one that comes and goes fills no log", async () => {
    const provider = await openProvider();
    const { embedder, told } = toldBy(provider);
    for (let times = 0; times < 2; times++) {
      provider.behaviour.refusal = { status: 503 };
      await expect(embedder.query("tea", ["tea"])).rejects.toEqual(unavailable);
      provider.behaviour.refusal = null;
      await embedder.query("tea", ["tea"]);
    }
    expect(told).toEqual([expect.stringContaining("503"), null]);
  });
});
