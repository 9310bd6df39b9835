/** What a process remembers between requests: it is counted, bounded, and lets go of what was erased. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@elastic/elasticsearch";
import { expect, test, vi } from "vitest";
import { createElasticsearchIndex } from "../../src/adapters/elasticsearch/elasticsearch-index.ts";
import { loadLexicon } from "../../src/adapters/embedding/builtin.ts";
import { BoundedCache, cacheSizes } from "../../src/core/cache.ts";
import { OwnerIndex } from "../../src/recall/index/in-memory/owner-index.ts";
import type { IndexDocument } from "../../src/recall/index/index-document.ts";
import { analyseQuery } from "../../src/recall/index/query.ts";
import { eventually, found, freshOwner, memory, stored, unguessable } from "../support/acting.ts";
import { recallScope } from "../support/recall-scope.ts";
import { openWorld } from "../support/world.ts";

const sizeOf = (name: string) => cacheSizes().find((cache) => cache.name === name);

test("a cache forgets its oldest entries where it would take more bytes than it may", () => {
  const cache = new BoundedCache<string, number>({ name: "a test's", bytesMax: 1000, bytesOf: () => 136 });
  for (const key of ["a", "b", "c", "d"]) cache.set(key, 1);
  expect(sizeOf("a test's")).toEqual({ name: "a test's", entries: 4, bytes: 808, bytesMax: 1000 });
  cache.set("e", 1);
  expect(["a", "b", "c", "d", "e"].filter((key) => cache.get(key) !== undefined)).toEqual([
    "b",
    "c",
    "d",
    "e",
  ]);
  cache.set("x".repeat(2000), 1);
  expect(cache.get("x".repeat(2000))).toBeUndefined();
  expect(sizeOf("a test's")?.entries).toBe(4);
  cache.set("a", 1);
  expect(sizeOf("a test's")?.bytes).toBe(808);
});

test("however long and many the words are, those that are remembered stay within their bytes", async () => {
  const lexicon = await loadLexicon();
  lexicon.forgetWords();
  for (let text = 0; text < 100; text += 1) {
    const words = Array.from({ length: 400 }, (_, n) => `${text}q${n}z${n % 40 ? "" : "ab".repeat(60)}`);
    lexicon.pieces(words.join(" "));
  }
  const size = sizeOf("spelled words");
  expect(size?.bytes).toBeLessThanOrEqual(size?.bytesMax as number);
});

const document = (given: Partial<IndexDocument>): IndexDocument => ({
  id: "018f0000-0000-7000-8000-000000000000",
  seq: 1,
  revision: 1,
  ownerId: "o",
  teamId: null,
  projectId: null,
  path: "p",
  bucket: "default",
  scope: "private",
  memoryType: "fact",
  isItem: false,
  status: "active",
  supersededUntil: null,
  supersededStatus: null,
  sessionId: null,
  source: null,
  content: "Short.",
  keywords: "",
  occurredAt: 0,
  createdAt: 0,
  expiresAt: null,
  vectors: null,
  hasCallersVector: false,
  multilingual: null,
  language: null,
  isAdopted: false,
  ...given,
});

const nth = (n: number) => `018f0000-0000-7000-8000-${n.toString(16).padStart(12, "0")}`;

test.each([
  // Measured with these: 278 bytes a word that the vocabulary cannot spell, and a string in 2 dictionaries.
  [
    "words",
    270 * 100,
    (n: number) => ({
      content: Array.from({ length: 100 }, (_, w) => `${"x".repeat(101)}${n}q${w}`).join(" "),
    }),
  ],
  ["paths", 500, (n: number) => ({ path: `p${n}`.padEnd(500, "y") })],
  ["projects", 120, (n: number) => ({ projectId: `p${n}`.padEnd(120, "y") })],
  [
    "sessions and sources",
    400,
    (n: number) => ({ sessionId: `s${n}`.padEnd(200, "y"), source: `s${n}`.padEnd(200, "y") }),
  ],
])("an index counts %s that nobody else has, at no less than they take", async (_, bytes, given) => {
  const index = new OwnerIndex(await loadLexicon());
  const count = 500;
  const plain = new OwnerIndex(await loadLexicon());
  for (let n = 0; n < count; n += 1) {
    index.apply([{ kind: "put", document: document({ id: nth(n), ...given(n) }) }]);
    plain.apply([{ kind: "put", document: document({ id: nth(n) }) }]);
  }
  expect(index.bytes - plain.bytes).toBeGreaterThanOrEqual(bytes * count);
});

test("after a hard delete no cache of this process holds the words", async () => {
  const seen = vi.spyOn(BoundedCache.prototype, "set");
  const world = await openWorld();
  try {
    const client = await world.client({ owner: freshOwner() });
    const word = unguessable("zq");
    const id = await stored(client, { content: `It was ${word} then.`, source: word, path: word });
    await client.post("/v1/memories/search", { query: word });
    expect(await found(client, word)).toEqual([id]);
    const holding = () =>
      seen.mock.contexts.filter((cache) => {
        const { get } = cache as BoundedCache<string, unknown>;
        return get.call(cache, word) !== undefined || get.call(cache, word.slice(0, 10)) !== undefined;
      });
    await client.post("/v1/memories", memory());
    expect(holding().length).toBeGreaterThan(0);
    expect(sizeOf("index views")?.entries).toBeGreaterThan(0);
    const { body } = await client.delete(`/v1/memories/${id}?mode=hard_delete`);
    await eventually(
      async () =>
        (await client.get(`/v1/receipts/${body.receipt.id}`)).body.status ??
        (await client.get(`/v1/receipts/${body.receipt.id}`)).body.state,
      (state) => state === "confirmed",
    );
    expect(holding()).toEqual([]);
  } finally {
    seen.mockRestore();
    await world.close();
  }
});

test("an index beside a search engine forgets the words of what it has not shown yet", async () => {
  const documents = [document({ content: `It was ${unguessable("zq")} then.` })];
  const index = createElasticsearchIndex({
    client: new Client({ node: "http://127.0.0.1:1", maxRetries: 0 }),
    lexicon: await loadLexicon(),
    tail: { read: async () => ({ documents, ids: [], missing: new Map() }) },
    searched: () => ({ index: "i", embeddingGeneration: 1, dimension: 256, spread: new Map() }),
  });
  const query = analyseQuery("then", await loadLexicon());
  const scope = recallScope({ owners: ["o"] });
  const ask = { ...scope, query, embedding: null, embeddingGeneration: 1, retrievers: ["lexical"] as const };
  await expect(index.candidates(ask)).rejects.toThrow();
  expect(sizeOf("words of the tail")?.entries).toBe(1);
  await index.refresh(["o"]);
  expect(sizeOf("words of the tail")?.entries).toBe(0);
});

/** What remembers beside `core/cache.ts`, and why it stays small. A new one is to be a `BoundedCache`, or to be named here. */
const OTHERS: Readonly<Record<string, string>> = {
  "src/core/watch/figure-tally.ts":
    "what happened since figures were last written, of 100 owners a minute; ten seconds",
  "src/adapters/embedded-index/embedded-index.ts": "views: listed, in bytes",
  "src/adapters/embedded-index/owner-cache.ts":
    "indexes: listed, in bytes; owners that are too large, for ten minutes",
  "src/adapters/accounts/document-fetches.ts": "addresses with a fetch in the last minute, of 120",
  "src/adapters/accounts/grants.ts": "10,000 credentials of grants that are live",
  "src/adapters/elasticsearch/pool.ts": "the memories of one request",
  "src/adapters/postgres/access/credential-store.ts": "look-ups under way",
  "src/adapters/postgres/database/rows.ts": "names of columns: as many as the statements select",
  "src/adapters/postgres/database/locks.ts": "by pool: background work under way, a handful of names",
  "src/adapters/rate-limit/memory-counter.ts": "one window's keys, 500,000 at most",
  "src/adapters/secret-scan/readings.ts": "the characters that look like ASCII: as many as Unicode has",
  "src/adapters/secret-scan/token-form.ts": "the runs of one form in one text",
  "src/surfaces/mcp/running-calls.ts": "calls under way",
  "src/client/recent.ts": "1024 captures and 8192 pieces of what one workflow was shown, for 30 minutes",
  "src/client/request.ts": "the operations, as many as there are",
  "src/client/integrations/turns.ts": "256 turns of one conversation's agent",
  "src/contract/operation.ts": "by schema: as many as the program has",
  "src/core/cache.ts": "the list itself",
  "src/recall/pack/fit-answer.ts":
    "lengths at which one text of one answer was tried, of its steps of a fifth",
  "src/recall/statements/repetitions.ts": "the memories of one pack",
  "src/core/limits/places.ts": "requests that run or wait, which it bounds",
  "src/core/limits/streams.ts": "streams that are open, of EVENT_STREAMS",
  "src/core/limits/turns.ts": "parties with work under way, and 256 more",
  "src/recall/index/document-words.ts": "the names of the memories of one batch",
  "src/recall/index/in-memory/memory-set.ts": "an index, whose bytes are counted",
  "src/recall/index/in-memory/owner-index.ts": "an index, whose bytes are counted",
  "src/core/skill/catalogue.ts": "by operation: as many as the program has",
  "src/core/transfer/peers/mapping.ts": "the kinds of records of one import",
  "src/core/input/unknown-members.ts": "by schema: as many as the program has",
  "src/adapters/multilingual-encoder/word-pieces.ts":
    "the vocabulary, and the pieces of 10,000 short words at most",
  "src/surfaces/http/address.ts": "by list of proxies: a setting",
  "src/surfaces/http/body.ts": "addresses whose bodies are being dropped, 256 at most",
  "src/surfaces/mcp/memory-card.ts": "in the page that it is: its requests under way",
  "src/surfaces/mcp/tools.ts": "by tool and scopes: as many as the program has",
  "src/worker/event-pulse.ts": "streams that are open, of EVENT_STREAMS",
  "src/worker/model-build.ts": "memories just written, 10,000 at most",
  "src/worker/webhook-worker.ts": "deliveries under way, of a few webhooks at once",
};

test("nothing else in the program remembers, unless it is named with its bound", () => {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .map((name) => `src/${name.replaceAll("\\", "/")}`)
    .filter((name) => name.endsWith(".ts"));
  // An empty collection in a field of a class, at the top of a module, or in what a factory closes over (`create…`).
  const grows =
    /^(?:(?:export )?(?:const|let) \w+| {2}(?:readonly |private )*#?\w+) = new (?:Map|Set|WeakMap)(?:<.*>)?\(\);/m;
  const inFactory =
    /^(?:export )?function (?:create|open|start)\w*[\s\S]*?\n {2}(?:const|let) \w+ = new (?:Map|Set)(?:<.*>)?\(\);[\s\S]*?\n\}/m;
  const remembering = files.filter((name) => {
    const text = readFileSync(join(root, name), "utf8");
    return (
      grows.test(text) ||
      text.split(/\n(?=(?:export )?(?:async )?function )/).some((part) => inFactory.test(part))
    );
  });
  expect(remembering.filter((name) => OTHERS[name] === undefined)).toEqual([]);
});
