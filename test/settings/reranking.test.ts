import { expect, test } from "vitest";
import { readConfig } from "../../src/compose/config.ts";
import { ConfigError } from "../../src/compose/setting-kinds.ts";

const tei = { RERANK_PROVIDER: "tei", RERANK_BASE_URL: "http://tei:8080/" };
const cohere = { RERANK_PROVIDER: "cohere", RERANK_BASE_URL: "https://api.example/v2", RERANK_MODEL: "m" };
const SECRET = "s3cret-value";

test("without any of them there is no reranker", () => {
  expect(readConfig({}).rerank).toBeNull();
});

test("a server of each kind, and the rest by default", () => {
  expect(readConfig(tei).rerank).toEqual({
    provider: "tei",
    baseUrl: "http://tei:8080",
    model: null,
    apiKey: null,
    timeoutMs: 1500,
    candidatesMax: 50,
  });
  const more = { RERANK_API_KEY: SECRET, RERANK_TIMEOUT_MS: "300", RERANK_CANDIDATES: "20" };
  expect(readConfig({ ...cohere, ...more }).rerank).toEqual({
    provider: "cohere",
    baseUrl: "https://api.example/v2",
    model: "m",
    apiKey: SECRET,
    timeoutMs: 300,
    candidatesMax: 20,
  });
});

const refused: readonly [string, Record<string, string>, RegExp][] = [
  ["an unknown provider", { ...tei, RERANK_PROVIDER: "magic" }, /RERANK_PROVIDER/],
  ["no address", { RERANK_PROVIDER: "tei" }, /needs RERANK_BASE_URL/],
  ["credentials in the address", { ...tei, RERANK_BASE_URL: `https://u:${SECRET}@tei` }, /RERANK_BASE_URL/],
  ["a key in the address", { ...tei, RERANK_BASE_URL: `https://tei/?key=${SECRET}` }, /RERANK_BASE_URL/],
  ["a key without a provider", { RERANK_API_KEY: SECRET }, /RERANK_API_KEY is set/],
  ["an address without a provider", { RERANK_BASE_URL: `http://${SECRET}` }, /RERANK_BASE_URL is set/],
  ["no model where one is named", { ...cohere, RERANK_MODEL: "" }, /needs RERANK_MODEL/],
  ["a model where there is one only", { ...tei, RERANK_MODEL: SECRET }, /RERANK_MODEL is set/],
  ["a key of many lines", { ...tei, RERANK_API_KEY: `${SECRET}\nx` }, /RERANK_API_KEY/],
  ["no time at all", { ...tei, RERANK_TIMEOUT_MS: "0" }, /RERANK_TIMEOUT_MS/],
  ["nothing to order", { ...tei, RERANK_CANDIDATES: "1" }, /RERANK_CANDIDATES/],
  ["more than is ever read", { ...tei, RERANK_CANDIDATES: "201" }, /RERANK_CANDIDATES/],
];

test.each(refused)("refused by name and without its value: %s", (_, env, says) => {
  const read = () => readConfig(env);
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(says);
  expect(read).not.toThrow(new RegExp(SECRET));
});
