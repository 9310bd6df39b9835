/** The reranker behind HTTP, against a small server that speaks what such servers speak. */
import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { createHttpReranker, problemWith } from "../../src/adapters/reranker/http-reranker.ts";
import type { RerankEndpoint } from "../../src/adapters/reranker/rerank-api.ts";
import { eventually } from "../support/processes.ts";
import { KEY, openRerankServer, type RerankServer, sendJson } from "./server.ts";

const tei = ({ url }: RerankServer): RerankEndpoint => ({
  provider: "tei",
  baseUrl: url,
  model: null,
  apiKey: KEY,
});
const cohere = ({ url }: RerankServer): RerankEndpoint => ({
  provider: "cohere",
  baseUrl: `${url}/v1`,
  model: "words",
  apiKey: null,
});

function rerankerOf(endpoint: RerankEndpoint, { timeoutMs = 5000 } = {}) {
  const changes: (string | null)[] = [];
  const reranker = createHttpReranker(endpoint, {
    candidatesMax: 50,
    timeoutMs,
    after: (ms, task) => {
      const timer = setTimeout(task, ms);
      return () => clearTimeout(timer);
    },
    onChange: (why) => changes.push(why),
  });
  const ask = (passages: readonly string[], party = "alice") =>
    reranker.rerank({ party, query: "green tea", passages });
  return { ask, changes };
}

const TEXTS = ["tea", "coffee", "green tea"];

test("both protocols: a number for each text in its place, whatever the order of the answer", async () => {
  const server = await openRerankServer();
  for (const endpoint of [tei(server), cohere(server)]) {
    expect(await rerankerOf(endpoint).ask(TEXTS)).toEqual([0.5, 0, 1]);
  }
  expect(server.asked).toMatchObject([
    {
      path: "/rerank",
      authorization: `Bearer ${KEY}`,
      body: { query: "green tea", texts: TEXTS, truncate: true },
    },
    { path: "/v1/rerank", authorization: undefined, body: { model: "words", documents: TEXTS, top_n: 3 } },
  ]);
});

test("many texts go in batches that servers take", async () => {
  const server = await openRerankServer({ judge: (_, text) => Number(text) });
  const texts = Array.from({ length: 70 }, (_, at) => String(at));
  expect(await rerankerOf(tei(server)).ask(texts)).toEqual(texts.map(Number));
  expect(server.asked.map((one) => one.texts.length).sort()).toEqual([32, 32, 6]);
});

describe("what is no answer", () => {
  const answers: readonly [string, (response: ServerResponse) => void][] = [
    ["an error", (response) => response.writeHead(500).end("{}")],
    ["a refusal", (response) => response.writeHead(413).end('{"error": "too long"}')],
    ["no JSON", (response) => response.writeHead(200).end("<html>tea</html>")],
    ["nothing", (response) => response.writeHead(200).end()],
    ["another shape", (response) => sendJson(response, { data: [] })],
    [
      "a text too few",
      (response) =>
        sendJson(response, [
          { index: 0, score: 1 },
          { index: 1, score: 2 },
        ]),
    ],
    [
      "a text too many",
      (response) =>
        sendJson(
          response,
          [0, 1, 2, 3].map((index) => ({ index, score: 1 })),
        ),
    ],
    [
      "a text twice",
      (response) =>
        sendJson(
          response,
          [0, 1, 1].map((index) => ({ index, score: 1 })),
        ),
    ],
    [
      "a text that was not sent",
      (response) =>
        sendJson(
          response,
          [0, 1, 7].map((index) => ({ index, score: 1 })),
        ),
    ],
    ["no number", (response) => response.writeHead(200).end('[{"index":0,"score":NaN}]')],
    [
      "an endless number",
      (response) =>
        response
          .writeHead(200)
          .end(`[${[0, 1, 2].map((index) => `{"index":${index},"score":1e999}`).join()}]`),
    ],
    [
      "a null",
      (response) =>
        sendJson(
          response,
          [0, 1, 2].map((index) => ({ index, score: null })),
        ),
    ],
    [
      "a text for a number",
      (response) =>
        sendJson(
          response,
          [0, 1, 2].map((index) => ({ index, score: "1" })),
        ),
    ],
    ["a connection that breaks", (response) => response.writeHead(200).write("[", () => response.destroy())],
    [
      "more than anybody sends",
      (response) => {
        response.writeHead(200);
        const more = () => {
          while (!response.destroyed && response.write(" ".repeat(65_536)));
          if (!response.destroyed) response.once("drain", more);
        };
        more();
      },
    ],
    ["a redirect", (response) => response.writeHead(307, { location: "/v1/rerank" }).end()],
  ];

  test.each(answers)("%s", async (_, instead) => {
    const server = await openRerankServer({ instead });
    const { ask, changes } = rerankerOf(tei(server));
    expect(await ask(TEXTS)).toBeNull();
    expect(server.asked).toHaveLength(1);
    expect(changes).toEqual([]);
    expect(await problemWith(tei(server), 5000)).toMatch(/^The reranker/);
  });

  test("one that comes too late, in part or at all", async () => {
    const stalls = (response: ServerResponse) => response.writeHead(200).write("[");
    for (const behaviour of [{ delayMs: 60_000 }, { instead: stalls }]) {
      const server = await openRerankServer(behaviour);
      expect(await rerankerOf(tei(server), { timeoutMs: 100 }).ask(TEXTS)).toBeNull();
    }
  });

  test("nobody at the address", async () => {
    const endpoint = { ...tei(await openRerankServer()), baseUrl: "http://127.0.0.1:1" };
    expect(await rerankerOf(endpoint).ask(TEXTS)).toBeNull();
    expect(await problemWith(endpoint, 5000)).toBe("The reranker cannot be reached.");
  });
});

test("one that keeps failing is left alone, told once and without what was sent, and found again", async () => {
  const server = await openRerankServer({ instead: (response) => response.writeHead(401).end() });
  const { ask, changes } = rerankerOf(tei(server));
  for (let times = 0; times < 5; times++) expect(await ask(TEXTS)).toBeNull();
  expect(server.asked).toHaveLength(3);
  expect(changes).toEqual(["The reranker answered with status 401: check its API key."]);
  server.behaviour.instead = null;
  await eventually("the reranker to be asked again", async () => (await ask(TEXTS)) ?? undefined);
  expect(changes).toEqual(["The reranker answered with status 401: check its API key.", null]);
});

test("one that asks for a pause is not asked meanwhile", async () => {
  const server = await openRerankServer({
    instead: (response) => response.writeHead(429, { "retry-after": "60" }).end(),
  });
  const { ask } = rerankerOf(tei(server));
  await ask(TEXTS);
  await ask(TEXTS);
  expect(server.asked).toHaveLength(1);
});

test("it is asked a few things at once, and of one party fewer, so that others have a place", async () => {
  const server = await openRerankServer({ delayMs: 60_000 });
  const { ask } = rerankerOf(tei(server), { timeoutMs: 1000 });
  const many = Array.from({ length: 30 }, () => ask(["of the many"], "many"));
  const one = ask(["of one"], "one");
  await eventually("the other party to be asked for", async () =>
    server.asked.some(({ texts }) => texts[0] === "of one") ? true : undefined,
  );
  expect(server.asked.filter(({ texts }) => texts[0] === "of the many")).toHaveLength(4);
  expect(await Promise.all([...many, one])).toEqual(new Array(31).fill(null));
  expect(server.atOnce()).toBeLessThanOrEqual(8);
});
