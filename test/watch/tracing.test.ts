/** Traces, from the door through the use case to Postgres and the index, as a collector gets them. */
import { expect, test } from "vitest";
import { runtimesUnderTest } from "../support/runtimes-under-test.ts";
import { home, KEY, startServer } from "../support/server.ts";
import { openWorld } from "../support/world.ts";
import { otlpReceiver, type ReceivedSpan } from "./otlp-receiver.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";

/** The names of the spans on the way from the sender's own to that of this name, outermost first. */
function waysTo(spans: readonly ReceivedSpan[], name: string): string[][] {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const wayOf = (span: ReceivedSpan): string[] => {
    const parent = byId.get(span.parentSpanId ?? "");
    return [...(parent === undefined ? [span.parentSpanId ?? "nobody"] : wayOf(parent)), span.name];
  };
  return spans.filter((span) => span.name === name).map(wayOf);
}

test.each(runtimesUnderTest)(
  "on %s a request is one tree, below the span that its sender names",
  async (runtime) => {
    const collector = await otlpReceiver();
    const { server, url } = await startServer(await home(), runtime, {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      INSTANCE_NAME: "one-of-ours",
    });
    const send = (path: string, init: RequestInit, traceparent: string | null) =>
      fetch(`${url}${path}`, {
        ...init,
        headers: {
          "x-api-key": KEY,
          "content-type": "application/json",
          ...(traceparent && { traceparent }),
        },
      });
    const memory = { content: "Unguessable words stand here.", path: "nobody/knows" };
    const written = await send(
      "/v1/remember",
      { method: "POST", body: JSON.stringify(memory) },
      `00-${TRACE}-${PARENT}-01`,
    );
    expect(written.status).toBe(201);
    const found = await send("/v1/memories/search?query=unguessable", {}, `00-${TRACE}-${PARENT}-01`);
    expect((await found.json()).results.length).toBe(1);
    // Malformed or not to be kept.
    await send("/v1/memories?limit=1", {}, `00-${TRACE.slice(1)}-${PARENT}-01`);
    await send("/v1/memories?limit=2", {}, `00-${TRACE.replace("0af", "1af")}-${PARENT}-00`);
    await server.stop();

    const ours = collector.spans.filter(({ traceId }) => traceId === TRACE);
    const search = "operation searchMemories";
    const door = "GET /v1/memories/search";
    expect(waysTo(ours, search)).toEqual([[PARENT, door, search]]);
    for (const stage of ["place", "reach", "embed_query", "index", "rank", "read", "contradictions"])
      expect(waysTo(ours, `stage ${stage}`)).toContainEqual([PARENT, door, search, `stage ${stage}`]);
    const operation = ours.find(({ name }) => name === search);
    expect(operation?.attributes).toMatchObject({ "gen_ai.operation.name": "search_memory" });
    const statements = waysTo(ours, "postgres select").filter((way) => way.includes(search));
    expect(statements).toContainEqual([PARENT, door, search, "stage read", "postgres select"]);
    const remember = [PARENT, "POST /v1/remember", "operation remember"];
    expect(waysTo(ours, "postgres with")).toContainEqual([...remember, "postgres with"]);
    const within = ours
      .filter(({ name }) => name.startsWith("postgres "))
      .flatMap(({ name }) => waysTo(ours, name));
    expect(within.some((way) => way.at(-2) === "postgres transaction")).toBe(true);

    const [root] = ours.filter(({ name }) => name === door);
    expect(root?.attributes).toMatchObject({
      "http.route": "/v1/memories/search",
      "http.response.status_code": 200,
    });
    expect(collector.resources[0]).toMatchObject({
      "service.name": "recollect",
      "service.instance.id": "one-of-ours",
    });
    // A trace of its own where the sender's is malformed; none where it is not to be kept.
    const lists = collector.spans.filter(({ name }) => name === "GET /v1/memories");
    expect(lists.map(({ parentSpanId, traceId }) => [parentSpanId, traceId === TRACE])).toEqual([
      [null, false],
    ]);
    for (const word of ["Unguessable", "unguessable", "nobody", "knows", KEY])
      expect(collector.text()).not.toContain(word);
  },
);

test("the log names the trace, and a collector that is away fails no request and keeps nobody from stopping", async () => {
  const server = await startServer(await home(), "bun", {
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9",
    LOG_LEVEL: "debug",
  });
  const traceparent = `00-${TRACE}-${PARENT}-01`;
  const answer = await fetch(`${server.url}/v1/memories`, { headers: { "x-api-key": KEY, traceparent } });
  expect(answer.status).toBe(200);
  expect((await server.server.stop()).code).toBe(0);
  const line = server.server
    .stdout()
    .split("\n")
    .find((one) => one.includes("listMemories"));
  expect(JSON.parse(line ?? "{}")).toMatchObject({
    traceId: TRACE,
    outcome: "ok",
    operation: "listMemories",
  });
});

test("without a collector no trace is named", async () => {
  const world = await openWorld();
  expect(world.service.watching.watch.traceId()).toBe(null);
  await world.close();
});
