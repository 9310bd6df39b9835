import { describe, expect, test } from "vitest";
import { readConfig } from "../../src/compose/config.ts";
import { ConfigError } from "../../src/compose/setting-kinds.ts";

const node = { ELASTICSEARCH_URL: "https://es-1:9200, https://es-2:9200" };
const model = { EMBEDDING_PROVIDER: "openai", EMBEDDING_MODEL: "m", EMBEDDING_DIMENSIONS: "384" };
const SECRET = "s3cret-value";

describe("what is read", () => {
  test("without any of them: no engine, and the builtin embedder", () => {
    const config = readConfig({});
    expect(config.elasticsearch).toBeNull();
    expect(config.embedding).toEqual({ current: { provider: "builtin" }, previous: null, timeoutMs: 1500 });
  });

  test("several nodes, a key, and the rest by default", () => {
    expect(readConfig({ ...node, ELASTICSEARCH_API_KEY: "abc=" }).elasticsearch).toEqual({
      nodes: ["https://es-1:9200", "https://es-2:9200"],
      auth: { apiKey: "abc=" },
      caFile: null,
      indexPrefix: "recollect",
      shards: null,
      memoriesPerShard: 500_000,
      replicas: null,
      timeoutMs: 1000,
    });
  });

  test("a model, and the one before it", () => {
    const previous = { EMBEDDING_PREVIOUS_PROVIDER: "builtin" };
    const { embedding } = readConfig({ ...model, EMBEDDING_BASE_URL: "http://tei:8080/v1/", ...previous });
    expect(embedding.current).toEqual({
      provider: "openai",
      baseUrl: "http://tei:8080/v1",
      model: "m",
      apiKey: null,
      dimensions: 384,
    });
    expect(embedding.previous).toEqual({ provider: "builtin" });
  });
});

describe("what is refused, by name and without its value", () => {
  const refused: readonly [string, Record<string, string>, RegExp][] = [
    ["no address", { ELASTICSEARCH_URL: "es-1" }, /ELASTICSEARCH_URL/],
    ["credentials in the address", { ELASTICSEARCH_URL: `https://u:${SECRET}@es` }, /ELASTICSEARCH_API_KEY/],
    ["one bad address of two", { ELASTICSEARCH_URL: "https://es-1, ftp://es-2" }, /ELASTICSEARCH_URL/],
    ["a key without an address", { ELASTICSEARCH_API_KEY: SECRET }, /ELASTICSEARCH_URL/],
    [
      "two ways of signing in",
      { ...node, ELASTICSEARCH_API_KEY: SECRET, ELASTICSEARCH_USERNAME: "u", ELASTICSEARCH_PASSWORD: SECRET },
      /keep one/,
    ],
    ["a user without a password", { ...node, ELASTICSEARCH_USERNAME: "u" }, /ELASTICSEARCH_PASSWORD/],
    ["a password without a user", { ...node, ELASTICSEARCH_PASSWORD: SECRET }, /ELASTICSEARCH_USERNAME/],
    [
      "certificates without TLS",
      { ELASTICSEARCH_URL: "http://es", ELASTICSEARCH_CA_FILE: "/ca.pem" },
      /ELASTICSEARCH_CA_FILE/,
    ],
    ["a prefix in capitals", { ...node, ELASTICSEARCH_INDEX_PREFIX: "Memory" }, /ELASTICSEARCH_INDEX_PREFIX/],
    ["no time at all", { ...node, ELASTICSEARCH_TIMEOUT_MS: "0" }, /ELASTICSEARCH_TIMEOUT_MS/],
    ["a key of many lines", { ...node, ELASTICSEARCH_API_KEY: `${SECRET}\nx` }, /ELASTICSEARCH_API_KEY/],
    ["an unknown provider", { EMBEDDING_PROVIDER: "magic" }, /EMBEDDING_PROVIDER/],
    ["a provider without a model", { EMBEDDING_PROVIDER: "openai", EMBEDDING_DIMENSIONS: "3" }, /_MODEL/],
    ["a model for the builtin provider", { EMBEDDING_API_KEY: SECRET }, /EMBEDDING_API_KEY/],
    ["a previous model without a provider", { ...model, EMBEDDING_PREVIOUS_MODEL: "n" }, /PREVIOUS_PROVIDER/],
    [
      "a previous model that is the current one",
      {
        ...model,
        EMBEDDING_PREVIOUS_PROVIDER: "openai",
        EMBEDDING_PREVIOUS_MODEL: "m",
        EMBEDDING_PREVIOUS_DIMENSIONS: "384",
      },
      /EMBEDDING_PREVIOUS/,
    ],
    [
      "more dimensions than the engine holds",
      { ...node, ...model, EMBEDDING_DIMENSIONS: "5000" },
      /EMBEDDING_DIMENSIONS/,
    ],
  ];

  test.each(refused)("%s", (_, env, says) => {
    const read = () => readConfig(env);
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(says);
    expect(read).not.toThrow(new RegExp(SECRET));
  });
});
