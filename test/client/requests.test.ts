/** What the client does with each answer there is: what it repeats, and how; what it gives up, and what it says then. */
import { describe, expect, test, vi } from "vitest";
import {
  type Attribution,
  type ClientOptions,
  createClient,
  type OperationName,
  RecollectError,
} from "../../src/client/index.ts";
import {
  answers,
  cuts,
  hangsUp,
  refuses,
  type Step,
  saysNothing,
  scriptedServer,
  steps,
} from "./scripted-server.ts";

const STORED = { id: "m", status: "remembered", deduplicated: false, superseded: [] };
const MEMORY = { content: "a", path: "p" };
const AGENT = { entry_type: "cli", client_name: "c", installation_fingerprint: "f" };

async function against(step: Step, options: Partial<ClientOptions> = {}) {
  const server = await scriptedServer(step);
  const client = createClient({ baseUrl: server.url, apiKey: "k", backOffMs: 1, ...options });
  return { client, server };
}

async function failure(call: Promise<unknown>): Promise<RecollectError> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(RecollectError);
  return error as RecollectError;
}

const PASSING: readonly (readonly [string, Step])[] = [
  ["hangs up", hangsUp],
  ["is cut in the middle of what it acknowledges", cuts(201, '{"id":"m","sta')],
  ["acknowledges in broken JSON", answers(201, '{"id":"m","sta')],
  ["acknowledges with nothing", answers(201, "")],
  ["answers a page", answers(200, "<html>", { "content-type": "text/html" })],
  ["is cut in the middle of a refusal", cuts(422, '{"detail":[{"loc":["bo')],
  ["refuses in broken JSON", answers(404, '{"detail":"Not fou')],
  ["says 429", refuses(429, "rate_limited", { "retry-after": "0" })],
  ["says 503 overloaded", refuses(503, "overloaded")],
  ["says 503 dependency_unavailable", refuses(503, "dependency_unavailable")],
  ["says 500", refuses(500, "internal")],
  ["is a gateway that says 502", answers(502, "Bad gateway", { "content-type": "text/plain" })],
];

describe.each(PASSING)("a service that %s", (_, step) => {
  test("is asked a read and a write again, the write with the key that it had", async () => {
    const { client, server } = await against(steps(step, step, answers(201, STORED)));
    expect(await client.remember(MEMORY)).toEqual(STORED);
    const keys = server.arrived.map(({ headers }) => headers["idempotency-key"]);
    expect(keys.length).toBe(3);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(keys).size).toBe(1);
    expect(new Set(server.arrived.map(({ body }) => body)).size).toBe(1);

    const reading = await against(steps(step, answers(200, { results: [] })));
    expect(await reading.client.searchMemoriesByBody({ query: "q" })).toEqual({ results: [] });
    expect(reading.server.arrived.map(({ headers }) => headers["idempotency-key"])).toEqual([
      undefined,
      undefined,
    ]);
  });

  test("is asked as often as it may be, and then the error says how often", async () => {
    const { client, server } = await against(step, { retries: 2 });
    expect(await failure(client.remember(MEMORY))).toMatchObject({ attempts: 3 });
    expect(server.arrived.length).toBe(3);
  });
});

test.each([
  [404, "not_found"],
  [409, "conflict"],
  [412, "precondition_failed"],
  [401, "invalid_token"],
])("a refusal with %d %s is final, and nothing was done", async (status, code) => {
  const { client, server } = await against(refuses(status, code, { "x-request-id": "r-1" }));
  expect(await failure(client.remember(MEMORY))).toMatchObject({
    name: "RecollectError",
    message: `It is ${code}.`,
    code,
    status,
    requestId: "r-1",
    isOutcomeUnknown: false,
    attempts: 1,
  });
  expect(server.arrived.length).toBe(1);
});

test("a failed validation names its places", async () => {
  const issue = { loc: ["body", "content"], msg: "is too long", type: "too_big" };
  const { client } = await against(answers(422, { detail: [issue], code: "validation_failed" }));
  expect(await failure(client.remember(MEMORY))).toMatchObject({
    code: "validation_failed",
    message: "body.content: is too long",
    issues: [issue],
  });
});

test("another page's refusal is told by its status, and not asked again", async () => {
  const { client, server } = await against(answers(403, "<html>", { "content-type": "text/html" }));
  expect(await failure(client.remember(MEMORY))).toMatchObject({ code: "unexpected_answer", status: 403 });
  expect(server.arrived.length).toBe(1);
});

test("where a write may have been done the error says so; of a read it never does", async () => {
  const { client, server } = await against(hangsUp, { retries: 1 });
  expect(await failure(client.remember(MEMORY))).toMatchObject({
    code: "connection_failed",
    message: `The connection to ${server.url} could not be made, or broke.`,
    isOutcomeUnknown: true,
  });
  expect(await failure(client.getMemory({ memory_id: "m" }))).toMatchObject({ isOutcomeUnknown: false });
});

test("a change with if_match that its own first attempt may have made stale says so", async () => {
  const { client, server } = await against(steps(cuts(200, "{"), refuses(412, "precondition_failed")));
  const error = await failure(client.updateMemory({ memory_id: "m", content: "b", if_match: '"1"' }));
  expect(error).toMatchObject({ code: "precondition_failed", isOutcomeUnknown: true, attempts: 2 });
  expect(server.arrived.map(({ headers }) => headers["if-match"])).toEqual(['"1"', '"1"']);
  expect(server.arrived.map(({ body }) => body)).toEqual(['{"content":"b"}', '{"content":"b"}']);
});

test("while the first attempt still runs the same key is waited for; another conflict is final", async () => {
  const running = refuses(409, "conflict");
  const { client } = await against(steps(hangsUp, running, running, answers(201, STORED)));
  expect(await client.remember(MEMORY)).toEqual(STORED);
});

test.each([
  ["hangs up", hangsUp, 1],
  ["acknowledges in broken JSON", answers(201, "{"), 1],
  ["says 500", refuses(500, "internal"), 1],
  ["says 429", refuses(429, "rate_limited"), 3],
  ["says 503 overloaded", refuses(503, "overloaded"), 3],
])(
  "what hands out a token is asked again only where nothing was begun: a service that %s",
  async (_, step, times) => {
    const { client, server } = await against(step, { retries: 2 });
    const error = await failure(client.registerAgent(AGENT));
    expect([server.arrived.length, error.isOutcomeUnknown]).toEqual([times, times === 1]);
  },
);

test.each([
  ["seconds", () => "100", 100_000],
  ["a date", () => new Date(Date.now() + 101_000).toUTCString(), 99_000],
])("a Retry-After beyond patience, %s, is not waited for, and the error has it", async (_, after, least) => {
  const { client, server } = await against((request, response, number) =>
    refuses(429, "rate_limited", { "retry-after": after() })(request, response, number),
  );
  const error = await failure(client.remember(MEMORY));
  expect(error.code).toBe("rate_limited");
  expect(error.retryAfterMs).toBeGreaterThanOrEqual(least);
  expect(error.retryAfterMs).toBeLessThanOrEqual(101_000);
  expect(server.arrived.length).toBe(1);
});

test("no answer within its time is a failure like any other", async () => {
  const half: Step = (_, response) =>
    void response.writeHead(201, { "content-type": "application/json" }).write("{");
  const { client, server } = await against(steps(saysNothing, half, answers(201, STORED)), {
    timeoutMs: 300,
  });
  expect(await client.remember(MEMORY)).toEqual(STORED);
  expect(server.arrived.length).toBe(3);
  const silent = await against(saysNothing, { timeoutMs: 50, retries: 1 });
  expect(await failure(silent.client.remember(MEMORY))).toMatchObject({
    code: "timed_out",
    attempts: 2,
    isOutcomeUnknown: true,
  });
});

test("an aborted signal rejects with its reason: before, during a request, and while it waits", async () => {
  const { client, server } = await against(saysNothing);
  await expect(client.remember(MEMORY, { signal: AbortSignal.abort("early") })).rejects.toBe("early");
  expect(server.arrived.length).toBe(0);

  const during = new AbortController();
  const running = client.remember(MEMORY, { signal: during.signal });
  setTimeout(() => during.abort("now"), 50);
  await expect(running).rejects.toBe("now");

  const waiting = await against(refuses(503, "overloaded", { "retry-after": "60" }));
  const later = new AbortController();
  const call = waiting.client.remember(MEMORY, { signal: later.signal });
  void vi
    .waitFor(() => expect(waiting.server.arrived.length).toBe(1), 10_000)
    .then(() => setTimeout(() => later.abort("enough"), 100));
  await expect(call).rejects.toBe("enough");
  // It was told to wait, and did.
  expect(waiting.server.arrived.length).toBe(1);
});

test("members go where REST carries them; numbers and records are spelled as a query spells them, null is left out", async () => {
  const { client, server } = await against(answers(200, {}));
  await client.searchMemories({
    query: "ü & ?",
    limit: 3,
    explain: true,
    team_id: null,
    metadata: { "a b": "c" },
  });
  await client.deleteMemory({ memory_id: "a:b", mode: "redact", if_match: '"2"', reason: undefined });
  await client.acceptTodo({ project_id: "p", todo_id: "t" });
  const query = new URL(server.arrived[0]?.url ?? "", server.url).searchParams;
  expect([...query]).toEqual([
    ["query", "ü & ?"],
    ["limit", "3"],
    ["explain", "true"],
    ["metadata.a b", "c"],
  ]);
  expect(server.arrived[1]).toMatchObject({ method: "DELETE", url: "/v1/memories/a%3Ab?mode=redact" });
  expect(server.arrived[1]?.headers["if-match"]).toBe('"2"');
  expect(server.arrived[2]).toMatchObject({ url: "/v1/projects/p/todos/t/accept", body: "" });
});

test.each(["", ".", "..", "\ud800"])(
  "an id that would lead elsewhere is refused and not sent: %j",
  async (id) => {
    const { client, server } = await against(answers(200, {}));
    expect(await failure(client.getMemory({ memory_id: id }))).toMatchObject({
      code: "validation_failed",
      issues: [{ loc: ["path", "memory_id"] }],
    });
    expect(server.arrived.length).toBe(0);
  },
);

test("a redirection is not followed: nobody else is told the key", async () => {
  const elsewhere = await scriptedServer(answers(200, {}));
  const { client } = await against((_, response) => {
    response.writeHead(307, { location: elsewhere.url }).end();
  });
  expect(await failure(client.remember(MEMORY))).toMatchObject({ code: "unexpected_answer", status: 307 });
  expect(elsewhere.arrived.length).toBe(0);
});

test("who asks is said in headers: the request's words over the client's, and a key that is renewed", async () => {
  let key = 0;
  const { client, server } = await against(steps(refuses(503, "overloaded"), answers(200, {})), {
    apiKey: () => `k${++key}`,
    agent: { id: "planner", name: "Планировщик", instance: "i-1" },
    sessionId: "s-1",
    projectId: "apollo",
  });
  await client.getMemory({ memory_id: "m" }, { attribution: { agent: { id: "coder" }, taskId: "t-1" } });
  expect(server.arrived.map(({ headers }) => headers["x-api-key"])).toEqual(["k1", "k2"]);
  const { headers } = server.arrived[0] ?? {};
  expect(headers).toMatchObject({
    "x-agent-id": "coder",
    "x-agent-instance": "i-1",
    "x-session-id": "s-1",
    "x-task-id": "t-1",
    "x-project-id": "apollo",
  });
  // In UTF-8, of which Node gives each byte as a character.
  expect(Buffer.from(String(headers?.["x-agent-name"]), "latin1").toString()).toBe("Планировщик");
  for (const sessionId of ["a\nx-other: 1", " s", "\ud800", ""]) {
    const client = createClient({ baseUrl: server.url, sessionId });
    await expect(client.getMemory({ memory_id: "m" })).rejects.toThrow(TypeError);
  }
  const token = createClient({ baseUrl: `${server.url}/`, accessToken: "a", sessionId: "š" });
  await token.getMemory({ memory_id: "m" }, { attribution: { sessionId: "s" } });
  expect(server.arrived.at(-1)).toMatchObject({
    url: "/v1/memories/m",
    headers: { authorization: "Bearer a" },
  });
});

test("a list in pages is read to its end, from where it is told to begin", async () => {
  const page = (ids: readonly string[], next: string | null) =>
    answers(200, { memories: ids.map((id) => ({ id })), total: 3, next_cursor: next });
  const { client, server } = await against(steps(page(["a", "b"], "c1"), page(["c"], null)));
  const ids: string[] = [];
  for await (const { id } of client.each("listMemories", { limit: 2, offset: 1 })) ids.push(id);
  expect(ids).toEqual(["a", "b", "c"]);
  expect(server.arrived.map(({ url }) => url)).toEqual([
    "/v1/memories?limit=2&offset=1",
    "/v1/memories?limit=2&cursor=c1",
  ]);
  const whole = await against(answers(200, [{ todo_id: "t" }]));
  const todos = [];
  for await (const todo of whole.client.each("listTodos", { project_id: "p" })) todos.push(todo.todo_id);
  expect(todos).toEqual(["t"]);
});

test("a list that takes nothing is gone through by its name alone", async () => {
  const { client } = await against(answers(200, { memories: [{ id: "m" }], total: 1, next_cursor: null }));
  const ids: string[] = [];
  for await (const { id } of client.each("listMemories")) ids.push(id);
  expect(ids).toEqual(["m"]);
});

test("no time limit is no time limit, also of what timers cannot count", async () => {
  const { client, server } = await against(answers(200, STORED), { timeoutMs: Number.POSITIVE_INFINITY });
  expect(await client.remember(MEMORY, { retries: 0 })).toEqual(STORED);
  expect(await client.remember(MEMORY, { retries: 0, timeoutMs: 2 ** 40 })).toEqual(STORED);
  expect(server.arrived.length).toBe(2);
});

test("what no header carries is the caller's mistake, told at once and not tried again", async () => {
  const { client, server } = await against(answers(201, STORED));
  await expect(client.remember(MEMORY, { idempotencyKey: "ключ" })).rejects.toThrow(TypeError);
  const keyed = createClient({ baseUrl: server.url, apiKey: "k\nx-other: 1" });
  await expect(keyed.remember(MEMORY)).rejects.toThrow(TypeError);
  expect(server.arrived.length).toBe(0);
});

test("a key that never comes is no longer waited for once the signal is aborted", async () => {
  const { client, server } = await against(answers(200, {}), { apiKey: () => new Promise<string>(() => {}) });
  const abort = new AbortController();
  const call = client.remember(MEMORY, { signal: abort.signal });
  const events = client.events({ signal: abort.signal }).next();
  abort.abort("enough");
  await expect(call).rejects.toBe("enough");
  expect((await events).done).toBe(true);
  expect(server.arrived.length).toBe(0);
});

test("what a key's function throws is thrown as it is, and is no failure of the service", async () => {
  const lost = new Error("The vault is closed.");
  const { client } = await against(answers(200, {}), { apiKey: () => Promise.reject(lost) });
  await expect(client.remember(MEMORY)).rejects.toBe(lost);
});

test("an abort is heard where a fetch of the caller's own does not listen", async () => {
  const client = createClient({ baseUrl: "http://localhost", fetch: () => new Promise(() => {}) });
  const abort = new AbortController();
  const call = client.remember(MEMORY, { signal: abort.signal });
  setTimeout(() => abort.abort("enough"), 20);
  await expect(call).rejects.toBe("enough");
});

test("what is undefined in a request says nothing, and leaves what the client was made for", async () => {
  const { client, server } = await against(answers(200, {}), { agent: { id: "a" }, sessionId: "s" });
  const attribution = { agent: { id: undefined }, sessionId: undefined } as unknown as Attribution;
  await client.getMemory({ memory_id: "m" }, { attribution });
  expect(server.arrived[0]?.headers).toMatchObject({ "x-agent-id": "a", "x-session-id": "s" });
});

test("an operation that there is not is told by its name", async () => {
  const { client } = await against(answers(200, {}));
  await expect(client.call("recallEverything" as OperationName, {} as never)).rejects.toThrow(
    new TypeError("There is no operation recallEverything."),
  );
});

test.each(["ftp://a.example", "http://a.example/?x=1", "nowhere"])(
  "an address that is none is refused: %s",
  (baseUrl) => {
    expect(() => createClient({ baseUrl })).toThrow(TypeError);
  },
);
