import { describe, expect, test } from "vitest";
import { DomainError } from "../../../src/core/error.ts";
import { publicPages } from "../../../src/surfaces/pages/public-pages.ts";
import { KEY, world } from "./world.ts";

const always = (response: Response) => ({
  nosniff: response.headers.get("x-content-type-options"),
  id: response.headers.get("x-request-id"),
});

describe("every answer", () => {
  test.each([
    ["GET", "/v1/memories/m", 200, {}],
    ["GET", "/nowhere", 404, {}],
    ["GET", "/v1/nowhere", 404, {}],
    ["PUT", "/v1/memories", 405, {}],
    [
      "POST",
      "/v1/remember",
      415,
      { body: "a", headers: { "content-type": "text/plain", "x-request-id": "mine" } },
    ],
    ["POST", "/v1/remember", 422, { headers: { "x-request-id": "mine" } }],
    ["GET", "/v1/memories", 401, { key: null }],
    ["GET", "/healthz", 200, { key: null }],
    ["GET", "/openapi.json", 200, { key: null }],
  ])("%s %s (%i) carries the request's id", async (method, path, status, how) => {
    const { send } = world();
    const sent = { ...how, headers: { "x-request-id": "mine", ...(how as { headers?: object }).headers } };
    const response = await send(method, path, sent);
    expect([response.status, always(response)]).toEqual([status, { nosniff: "nosniff", id: "mine" }]);
    const isPrivate = response.headers.get("cache-control") === "no-store, private";
    expect(isPrivate).toBe(path.startsWith("/v1/"));
  });

  test.each(["", "a b", "x".repeat(65), "a;b", "é"])("an id like %j is replaced", async (id) => {
    const response = await world().send("GET", "/v1/memories/m", { headers: { "x-request-id": id } });
    expect(response.headers.get("x-request-id")).toBe("request-1");
  });
});

describe("a credential", () => {
  test.each([{ "x-api-key": KEY }, { authorization: `Bearer ${KEY}` }, { authorization: `bearer  ${KEY}` }])(
    "is accepted as %j",
    async (headers) => {
      expect((await world().send("GET", "/v1/memories", { key: null, headers })).status).toBe(200);
    },
  );

  test.each([{}, { "x-api-key": "wrong" }, { authorization: `Basic ${KEY}` }, { authorization: "Bearer" }])(
    "is refused as %j, before anything is read",
    async (headers) => {
      const { calls, send } = world();
      const body = new ReadableStream(
        {
          pull() {
            throw new Error("was read");
          },
        },
        { highWaterMark: 0 },
      );
      const response = await send("POST", "/v1/remember", { key: null, headers, body });
      expect([response.status, response.headers.get("www-authenticate"), calls]).toEqual([
        401,
        'Bearer realm="recollect"',
        [],
      ]);
      expect(await response.json()).toMatchObject({
        code: "invalid_token",
        detail: "invalid_token",
        hint: expect.stringContaining("Send a valid key"),
      });
    },
  );

  test("without the scope is told so, whatever the input is", async () => {
    const response = await world({ scopes: ["memory:read"] }).send("POST", "/v1/remember", { body: {} });
    expect([response.status, (await response.json()).code]).toEqual([403, "insufficient_scope"]);
  });
});

test("the caller carries what the headers say of it", async () => {
  const { calls, send } = world();
  await send("GET", "/v1/memories/m", {
    headers: { "x-agent-id": "a-1", "x-project-id": "apollo", "x-session-id": "s-1" },
  });
  expect(calls[0]?.caller).toMatchObject({
    projectId: "apollo",
    requestId: "request-1",
    attribution: { agentId: "a-1", sessionId: "s-1", identitySource: "claim" },
  });
});

test("an etag is a header too", async () => {
  const { send } = world({ answer: () => ({ id: "m", etag: '"m-1"' }) });
  const response = await send("GET", "/v1/memories/m");
  expect([response.headers.get("etag"), await response.json()]).toEqual([
    '"m-1"',
    { id: "m", etag: '"m-1"' },
  ]);
  const { send: sendPlain } = world({ answer: () => ({ id: "m", status: "active" }) });
  expect((await sendPlain("PATCH", "/v1/memories/m", { body: {} })).headers.get("etag")).toBeNull();
});

test("If-Match reaches the operation", async () => {
  const { calls, send } = world();
  await send("PATCH", "/v1/memories/m", { body: {}, headers: { "if-match": '"m-1", "m-2"' } });
  expect(calls[0]?.input.if_match).toBe('"m-1", "m-2"');
});

describe("Idempotency-Key", () => {
  test.each(["a", "!".repeat(255)])("of visible characters reaches the operation: %s", async (key) => {
    const { calls, send } = world();
    await send("POST", "/v1/memories/m/restore", { headers: { "idempotency-key": key } });
    expect(calls[0]?.invocation?.idempotencyKey).toBe(key);
  });

  test.each(["", "a b", "x".repeat(256), "é"])("like %j is refused", async (key) => {
    const response = await world().send("POST", "/v1/remember", {
      headers: { "idempotency-key": key },
      body: {},
    });
    expect([response.status, (await response.json()).detail[0].loc]).toEqual([
      422,
      ["header", "idempotency-key"],
    ]);
  });

  test.each([
    ["POST", "/v1/recall/context", { query: "q" }],
    ["PATCH", "/v1/memories/m", {}],
  ])("says nothing to %s %s", async (method, path, body) => {
    const { calls, send } = world();
    await send(method, path, { headers: { "idempotency-key": "a b" }, body });
    expect(calls[0]?.invocation?.idempotencyKey).toBeNull();
  });
});

describe("HEAD", () => {
  test.each(["/v1/memories/m", "/v1/memories", "/healthz", "/openapi.json", "/v1/nowhere"])(
    "answers like GET without the body: %s",
    async (path) => {
      const get = await world().send("GET", path);
      const head = await world().send("HEAD", path);
      const length = (await get.arrayBuffer()).byteLength;
      expect([head.status, await head.text()]).toEqual([get.status, ""]);
      expect(head.headers.get("content-length")).toBe(String(length));
      expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
    },
  );
});

describe("a refusal", () => {
  const failing = (error: unknown, isUnavailable = false) =>
    world({
      answer: () => {
        throw error;
      },
      deps: { isUnavailable: () => isUnavailable },
    });

  test("has a detail and a code", async () => {
    const { send } = failing(new DomainError("plan_changed", "Look again."));
    const response = await send("GET", "/v1/memories/m");
    expect(response.headers.get("content-type")).toBe("application/json");
    expect([response.status, await response.json()]).toEqual([
      409,
      { detail: "Look again.", code: "plan_changed" },
    ]);
  });

  test("of the input lists what is wrong, and never the refused value", async () => {
    const response = await world().send("POST", "/v1/remember", {
      body: { content: 5, path: "p", bucket: "a secret\u0000" },
    });
    const text = await response.text();
    expect([response.status, JSON.parse(text).code]).toEqual([422, "validation_failed"]);
    expect(text).not.toContain("secret");
  });

  test.each([
    "application/problem+json",
    "application/json;q=0.5, application/problem+json",
    "text/html, application/problem+json;q=0.9, */*;q=0.8",
    "APPLICATION/Problem+JSON",
    "application/problem+json, application/json",
  ])("is a problem document where %j is accepted", async (accept) => {
    const response = await world().send("POST", "/v1/remember", { headers: { accept }, body: { path: "p" } });
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await response.json()).toEqual({
      type: "urn:recollect:problem:validation_failed",
      title: "The request is not valid",
      status: 422,
      code: "validation_failed",
      detail: "The request is not valid.",
      errors: [{ loc: ["body", "content"], msg: "is required", type: "missing" }],
    });
  });

  test.each([
    "*/*",
    "application/*",
    "application/json",
    "application/problem+json;q=0",
    "application/problem+json;q=0.1, application/json",
    "application/problem+json;q=high",
    "application/problem+jsonx",
    ",;,=,",
  ])("is an ordinary one where %j is", async (accept) => {
    const response = await world().send("GET", "/nowhere", { headers: { accept } });
    expect(response.headers.get("content-type")).toBe("application/json");
  });

  test.each([
    ["GET", "/nowhere", 404],
    ["PUT", "/v1/memories", 405],
    ["POST", "/readyz", 405],
  ])("of %s %s is a problem document too", async (method, path, status) => {
    const response = await world().send(method, path, { headers: { accept: "application/problem+json" } });
    expect([response.status, (await response.json()).status]).toEqual([status, status]);
  });

  test("of our own making tells nothing but the request's id", async () => {
    const { lines, send } = failing(new TypeError("secret of db-2", { cause: new Error("deep secret") }));
    const response = await send("GET", "/v1/memories/m");
    expect([response.status, await response.json()]).toEqual([
      500,
      {
        detail:
          "Something went wrong on our side. Give the operators the X-Request-Id of this answer: they find the reason by it.",
        code: "internal",
      },
    ]);
    expect(lines[0]).toMatchObject({
      status: 500,
      code: "internal",
      requestId: "request-1",
      fault: { name: "TypeError" },
    });
    expect(lines[0]?.fault?.frames[0]).toMatch(/answers\.test\.ts/);
    expect(JSON.stringify(lines)).not.toContain("secret");
  });

  test.each(["text", null, undefined, { code: "x" }])("of a thrown %j is a 500 as well", async (thrown) => {
    expect((await failing(thrown).send("GET", "/v1/memories/m")).status).toBe(500);
  });

  test("for a dependency that is away says when to come back", async () => {
    const { lines, send } = failing(Object.assign(new Error("x"), { code: "ECONNREFUSED" }), true);
    const response = await send("GET", "/v1/memories/m");
    expect([response.status, response.headers.get("retry-after"), (await response.json()).code]).toEqual([
      503,
      "2",
      "dependency_unavailable",
    ]);
    expect(lines[0]?.fault).toMatchObject({ name: "Error", code: "ECONNREFUSED" });
  });

  test("says how long to wait where that is known", async () => {
    const { send } = failing(new DomainError("dependency_unavailable", "Later.", { retryAfterSeconds: 6.2 }));
    expect((await send("GET", "/v1/memories/m")).headers.get("retry-after")).toBe("7");
  });

  test("from the credential store is told the same way", async () => {
    const { send } = world({
      deps: {
        credentials: { authenticate: () => Promise.reject(new Error("gone")) },
        isUnavailable: () => true,
      },
    });
    expect((await send("GET", "/v1/memories")).status).toBe(503);
  });
});

test("one line is logged of each request, without what is in it", async () => {
  const { lines, send } = world();
  await send("GET", "/v1/memories/secret-id?reason=secret", { headers: { "x-agent-name": "secret" } });
  await send("POST", "/v1/remember", { body: { content: "secret", path: "secret", importance: "secret" } });
  await send("GET", "/secret", { key: "secret" });
  await send("GET", "/v1/memories", { key: "secret" });
  expect(lines.map(({ ms, ...line }) => ({ ...line, timed: ms >= 0 }))).toEqual([
    {
      method: "GET",
      route: "/v1/memories/{memory_id}",
      status: 200,
      requestId: "request-1",
      tokenId: "token-1",
      ownerId: "owner-1",
      operation: "getMemory",
      outcome: "ok",
      timed: true,
    },
    {
      method: "POST",
      route: "/v1/remember",
      status: 422,
      requestId: "request-2",
      tokenId: "token-1",
      ownerId: "owner-1",
      operation: "remember",
      outcome: "validation_failed",
      code: "validation_failed",
      timed: true,
    },
    {
      method: "GET",
      route: null,
      status: 404,
      requestId: "request-3",
      tokenId: null,
      ownerId: null,
      operation: null,
      outcome: "not_found",
      code: "not_found",
      timed: true,
    },
    {
      method: "GET",
      route: "/v1/memories",
      status: 401,
      requestId: "request-4",
      tokenId: null,
      ownerId: null,
      operation: "listMemories",
      outcome: "invalid_token",
      code: "invalid_token",
      timed: true,
    },
  ]);
});

describe("the service's own paths", () => {
  const get = (path: string, options: Parameters<typeof world>[0] = {}, headers = {}) =>
    world(options).send("GET", path, { key: null, headers });

  test("/healthz is well where every dependency is away", async () => {
    const response = await get("/healthz", {
      deps: {
        readiness: () => ({ needed: { postgres: "it does not answer" }, others: {}, isStopping: true }),
        isUnavailable: () => true,
      },
    });
    expect([response.status, await response.json()]).toEqual([200, { status: "ok", version: "0.1.0" }]);
  });

  test("/readyz names what is missing", async () => {
    expect((await get("/readyz")).status).toBe(200);
    const needed = { postgres: "it does not answer" };
    const others = { index: null, embedder: "it keeps failing" };
    const response = await get("/readyz", {
      deps: { readiness: () => ({ needed, others, isStopping: false }) },
    });
    expect([response.status, response.headers.get("retry-after"), await response.json()]).toEqual([
      503,
      "2",
      {
        detail: "Not available: postgres.",
        code: "dependency_unavailable",
        dependencies: { postgres: false, index: true, embedder: false },
        unavailable: needed,
        degraded: { embedder: "it keeps failing" },
      },
    ]);
  });

  test("/readyz is well without what the service goes on without, and not once the server is stopping", async () => {
    const states = { needed: { postgres: null }, others: { elasticsearch: "it cannot be reached" } };
    const asked = async (isStopping: boolean) => {
      const response = await get("/readyz", { deps: { readiness: () => ({ ...states, isStopping }) } });
      return [response.status, await response.json()];
    };
    const dependencies = { postgres: true, elasticsearch: false };
    const degraded = { elasticsearch: "it cannot be reached" };
    expect(await asked(false)).toEqual([200, { status: "ready", dependencies, degraded }]);
    expect(await asked(true)).toEqual([
      503,
      {
        detail: "The server is stopping.",
        code: "dependency_unavailable",
        dependencies,
        unavailable: {},
        degraded,
      },
    ]);
  });

  test("/ shows people where to begin, and machines where things are", async () => {
    const accept = "text/html,application/xhtml+xml,*/*;q=0.8";
    const forPeople = await get("/", { deps: { pages: publicPages } }, { accept });
    expect([forPeople.status, forPeople.headers.get("content-type")]).toEqual([
      200,
      "text/html; charset=utf-8",
    ]);
    const page = await forPeople.text();
    for (const path of ["/admin", "/docs", "/SKILL.md"]) expect(page).toContain(`href="${path}"`);
    expect(await (await get("/")).json()).toMatchObject({ service: "recollect", openapi: "/openapi.json" });
  });
});

test("a route that others add answers, and fails, by the same rules", async () => {
  const { surface, lines } = world();
  surface.get("/added/:name", ({ params }) => {
    if (params.name === "bad") throw new Error("a secret");
    return "added";
  });
  expect(await (await surface.fetch(new Request("http://localhost/added/good"))).text()).toBe("added");
  const response = await surface.fetch(new Request("http://localhost/added/bad"));
  expect([response.status, (await response.json()).code]).toEqual([500, "internal"]);
  expect(JSON.stringify(lines)).not.toContain("secret");
});
