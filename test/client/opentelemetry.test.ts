import { readFileSync } from "node:fs";
import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { expect, test } from "vitest";
import { GEN_AI_OPERATIONS } from "../../src/adapters/watch/gen-ai-operations.ts";
import { createClient } from "../../src/client/index.ts";
import { type TraceMemoryOptions, traceMemory } from "../../src/client/integrations/opentelemetry.ts";

const baseUrl = "https://memory.example";
const FACT = "Apollo is deployed on Thursdays.";

/** A traced client of a service that answers so, and the spans it has made. */
function traced(status: number, body: object, options: TraceMemoryOptions = {}) {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const answer = async () =>
    new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
  const client = createClient({ baseUrl, apiKey: "the-key", retries: 0, fetch: answer });
  return {
    client: traceMemory(client, provider.getTracer("test"), { baseUrl, ...options }),
    spans: () => exporter.getFinishedSpans(),
  };
}

const pack = { items: [{ id: "m-1", content: FACT, score: 0.9, metadata: {} }], context_text: FACT };

test("a recall is a span search_memory, with counts and no content", async () => {
  const { client, spans } = traced(200, pack);
  await client.recallContext({ query: "When is Apollo deployed?" });
  await client.call("recallContext", { query: "When is Apollo deployed?" });
  await client.forUser("ada").recallContext({ query: "When is Apollo deployed?" });
  expect(spans()).toHaveLength(3);
  for (const span of spans()) {
    expect([span.name, span.kind]).toEqual(["search_memory", SpanKind.CLIENT]);
    expect(span.attributes).toEqual({
      "gen_ai.operation.name": "search_memory",
      "gen_ai.memory.record.count": 1,
      "server.address": "memory.example",
      "server.port": 443,
    });
  }
});

test("queries and memories are in spans only by opting in", async () => {
  const { client, spans } = traced(200, pack, { captureContent: true });
  await client.recallContext({ query: "When is Apollo deployed?" });
  expect(spans()[0]?.attributes).toMatchObject({
    "gen_ai.memory.query.text": "When is Apollo deployed?",
    "gen_ai.memory.records": JSON.stringify(pack.items),
  });
});

test("a failure is an error by its code, without the message, and rejects as ever", async () => {
  const { client, spans } = traced(404, { code: "not_found", detail: `There is no ${FACT}` });
  await expect(client.forgetMemory({ memory_id: "m-1" })).rejects.toMatchObject({ code: "not_found" });
  const [span] = spans();
  expect([span?.name, span?.status]).toEqual(["delete_memory", { code: SpanStatusCode.ERROR }]);
  expect(span?.attributes).toMatchObject({ "error.type": "not_found", "gen_ai.memory.record.id": "m-1" });
  expect(JSON.stringify([span?.attributes, span?.events])).not.toContain(FACT);
});

test("other operations have no span", async () => {
  const { client, spans } = traced(200, { memories: [], total: 0, next_cursor: null });
  await client.listMemories();
  expect(spans()).toEqual([]);
});

test("the Python client names operations alike", () => {
  const source = readFileSync(new URL("../../packages/python/generate.py", import.meta.url), "utf8");
  const table = /^GEN_AI_OPERATIONS = \{\n(.*?)^\}/ms.exec(source)?.[1] ?? "";
  const named = [...table.matchAll(/"(\w+)": "(\w+)"/g)].map(([, id, name]) => [id, name]);
  expect(Object.fromEntries(named)).toEqual(GEN_AI_OPERATIONS);
});
