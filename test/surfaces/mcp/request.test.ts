import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Elysia } from "elysia";
import { describe, expect, test } from "vitest";
import { DomainError } from "../../../src/core/error.ts";
import { contextAnswer } from "./answers.ts";
import { textOf, world } from "./world.ts";

const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });

test.each([
  ["no credential", { Authorization: "" }],
  ["an unknown key", { Authorization: "Bearer nonsense" }],
  ["another scheme", { Authorization: "Basic key-ada" }],
])("%s is 401, before the body is looked at", async (_, headers) => {
  const { post, calls } = world();
  const response = await post("not json", headers);
  expect(response.status).toBe(401);
  expect(response.headers.get("WWW-Authenticate")).toMatch(/^Bearer resource_metadata="/);
  expect(response.headers.get("X-Request-Id")).toBe("request-1");
  expect(response.headers.get("Cache-Control")).toContain("no-store");
  expect(await response.json()).toEqual({
    code: "invalid_token",
    detail: "invalid_token",
    hint: expect.stringContaining("Send a valid key"),
  });
  expect(calls).toEqual([]);
});

test("the body of a request that is refused is taken in, so that the client is not cut off before it is answered", async () => {
  const request = new Request("http://localhost/mcp", {
    method: "POST",
    body: new Blob(["x".repeat(200_000)]).stream(),
    duplex: "half",
  } as RequestInit);
  expect((await world().surface.handle(request)).status).toBe(401);
  expect(request.bodyUsed).toBe(true);
});

test("a client with a wrong key is told that it is not authorized", async () => {
  await expect(world().connect("nonsense")).rejects.toThrow(/401|unauthorized/i);
});

test("the key may also come as X-API-Key", async () => {
  expect((await world().post(list, { Authorization: "", "X-API-Key": "key-ada" })).status).toBe(200);
});

test.each([
  ["Host", "evil.example", 403],
  ["Host", "127.0.0.1.evil.example:8787", 403],
  ["Host", "127.0.0.1:8787", 200],
  ["Host", "localhost", 200],
  ["Host", "[::1]:8787", 200],
  ["Host", "memory.example", 200],
  ["Host", "MEMORY.example:443", 200],
  ["Origin", "https://evil.example", 403],
  ["Origin", "null", 403],
  ["Origin", "https://memory.example:8443", 200],
  ["Origin", "https://memory.example", 403],
  ["Origin", "http://localhost:6274", 403],
  ["Origin", "http://localhost:5173", 200],
])("%s %s is %i", async (header, value, status) => {
  const { post, logged } = world(undefined, {
    publicUrl: "https://Memory.example:8443",
    corsOrigins: ["http://localhost:5173"],
  });
  const response = await post(list, { [header]: value });
  expect(response.status).toBe(status);
  if (status === 200) expect(logged).toEqual([]);
});

test("a page of an allowed origin may ask first and read the answer, and no other", async () => {
  const { surface, post } = world(undefined, { corsOrigins: ["https://app.example"] });
  const asked = (origin: string) =>
    surface.handle(
      new Request("http://localhost/mcp", {
        method: "OPTIONS",
        headers: { origin, "access-control-request-method": "POST" },
      }),
    );
  const may = await asked("https://app.example");
  expect([may.status, may.headers.get("access-control-allow-origin")]).toEqual([204, "https://app.example"]);
  // The wildcard stands for every header but this one.
  expect(may.headers.get("access-control-allow-headers")).toBe("Authorization, *");
  expect((await asked("https://evil.example")).headers.get("access-control-allow-origin")).toBe(null);
  const { headers } = await post(list, { Origin: "https://app.example", Authorization: "" });
  expect(headers.get("access-control-allow-origin")).toBe("https://app.example");
  expect(headers.get("access-control-expose-headers")).toContain("WWW-Authenticate");
});

test("a public URL without a host stops the start", () => {
  expect(() => world(undefined, { publicUrl: "not a host" })).toThrow();
});

test("a body over 1 MiB is 413, one below it is read", async () => {
  const { post, calls } = world();
  const call = (content: string) =>
    JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "recall_context", arguments: { query: content } },
    });
  expect((await post(call("x".repeat(1024 * 1024)))).status).toBe(413);
  expect(calls).toEqual([]);
  expect((await post(call("x".repeat(1024 * 1024 - 200)))).status).toBe(200);
  expect(calls).toHaveLength(1);
});

test("a batch of an old revision holds ten messages, and a larger one is 413", async () => {
  const { post, calls } = world();
  const call = (id: number, extra: string) =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"recall_context","arguments":{"query":"tea"${extra}}}}`;
  const send = (count: number, extra = "") =>
    post(`[${Array.from({ length: count }, (_, id) => call(id, extra)).join(",")}]`);
  const taken = await send(10);
  expect([taken.status, (await taken.text()).split("event: message").length - 1]).toEqual([200, 10]);
  expect(calls).toHaveLength(10);
  const refused = await send(11);
  expect(refused.status).toBe(413);
  expect(await refused.json()).toMatchObject({ code: "payload_too_large" });
  expect((await send(11, ',"max_items":9007199254740993')).status).toBe(413);
  expect(calls).toHaveLength(10);
});

test("an argument that is an integer no double holds exactly is refused where it stands, as a tool's error", async () => {
  const { post, calls } = world();
  const call = (integer: string) =>
    `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"remember","arguments":{"content":"c","path":"p",
      "metadata":{"ids":[1,${integer}]}}}}`;
  const response = await post(call("9007199254740993"));
  expect(response.status).toBe(200);
  expect(await response.text()).toContain(
    JSON.stringify({
      detail: [
        {
          loc: ["body", "metadata", "ids", 1],
          msg: "is an integer that a JSON number cannot hold exactly: send it as a string",
          type: "integer_inexact",
        },
      ],
    }).slice(1, -1),
  );
  expect(calls).toEqual([]);
  await post(call("9007199254740992"));
  expect(calls).toHaveLength(1);
});

describe("whoever takes JSON and names no event stream is answered with JSON", () => {
  const call = (id: number) => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: "recall_context", arguments: { query: "q" }, _meta: { progressToken: id } },
  });
  const answerTo = (id: number) => ({
    id,
    result: { content: [{ text: contextAnswer("ada").context_text }] },
  });
  const post = async (body: unknown, accept: string | null) => {
    const { surface } = world();
    const request = new Request("http://localhost/mcp", {
      method: "POST",
      headers: { authorization: "Bearer key-ada", "content-type": "application/json" },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    if (accept !== null) request.headers.set("accept", accept);
    return surface.handle(request);
  };

  test.each([
    ["*/*"],
    ["application/json"],
    ["application/*"],
    ["application/json;q=0.5, text/html"],
    ["text/html, */*;q=0.1"],
    ["text/event-stream;q=0, */*"],
    [""],
    [null],
  ])("Accept: %s", async (accept) => {
    for (const [body, answer] of [
      [call(1), answerTo(1)],
      [
        [call(1), call(2)],
        [answerTo(1), answerTo(2)],
      ],
      [JSON.parse(list), { id: 1, result: { tools: expect.anything() } }],
    ]) {
      const response = await post(body, accept);
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
      expect(await response.json()).toMatchObject(answer as object);
    }
    const told = await post({ jsonrpc: "2.0", method: "notifications/initialized" }, accept);
    expect([told.status, await told.text()]).toEqual([202, ""]);
    expect((await post("{", accept)).status).toBe(400);
  });

  test.each(["text/html", "application/json;q=0", "image/*"])("Accept: %s is 406", async (accept) => {
    expect((await post(call(1), accept)).status).toBe(406);
  });

  test("who names event streams is answered with one", async () => {
    const response = await post(call(1), "application/json, text/event-stream");
    expect(response.headers.get("content-type")).toBe("text/event-stream");
  });
});

test.each([
  ["malformed JSON", '{"secret-text', {}, 400, -32_700],
  ["no JSON-RPC", '{"hello":1}', {}, 400, undefined],
  ["another media type", list, { "Content-Type": "text/plain" }, 415, undefined],
  ["an unknown method", '{"jsonrpc":"2.0","id":1,"method":"memory/steal"}', {}, 200, -32_601],
])("%s is a protocol error that does not repeat what was sent", async (_, body, headers, status, code) => {
  const response = await world().post(body, headers);
  expect(response.status).toBe(status);
  const text = await response.text();
  if (code !== undefined) expect(text).toContain(`"code":${code}`);
  expect(text).not.toContain("secret-text");
});

test.each(["GET", "DELETE", "OPTIONS"])("%s is 405: there are no sessions", async (method) => {
  const headers = { Authorization: "Bearer key-ada", Accept: "text/event-stream" };
  const response = await world().surface.fetch(new Request("http://localhost/mcp", { method, headers }));
  expect(response.status).toBe(405);
  expect(response.headers.get("Allow")).toBe("POST");
});

test("an attribution header that cannot be stored is 422", async () => {
  const response = await world().post(list, { "X-Project-Id": "not a project" });
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({
    code: "validation_failed",
    detail: [{ loc: ["header", "x-project-id"] }],
  });
});

test("a header that says who asks by a word for nothing says nothing", async () => {
  const { post, calls } = world();
  const body = (given: unknown) =>
    JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "recall_context", arguments: given },
    });
  const headers = { "X-Project-Id": "null", "X-Agent-Id": "None", "X-Session-Id": "undefined" };
  expect((await post(body({ query: "q" }), headers)).status).toBe(200);
  expect(calls[0]?.caller).toMatchObject({
    projectId: null,
    attribution: { agentId: null, sessionId: null },
  });
});

test.each([
  ["null", null, {}],
  ["an object as text", '{"query":"q","max_items":"3"}', { query: "q", max_items: 3 }],
  ["members as text", { query: "3", max_items: "3", path: "" }, { query: "3", max_items: 3 }],
])("arguments may be %s", async (_, given, input) => {
  const { post, calls } = world();
  const params = { name: "recall_context", arguments: given };
  const answer = await post(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }));
  expect(answer.status).toBe(200);
  expect(calls).toMatchObject([{ name: "recallContext" }]);
  expect(calls[0]?.input).toEqual(input);
  const list = await post('{"jsonrpc":"2.0","id":1,"method":"tools/list","params":null}');
  expect(await list.text()).toContain("recall_context");
});

test("credentials that cannot be looked up are 503 or 500, with nothing of what is inside", async () => {
  const failing = (error: Error) =>
    world(undefined, {
      credentials: {
        authenticate: async () => {
          throw error;
        },
      },
    });
  const away = await failing(
    new DomainError("dependency_unavailable", "Away.", { retryAfterSeconds: 2 }),
  ).post(list);
  expect([away.status, away.headers.get("Retry-After")]).toEqual([503, "2"]);
  const { post, lines } = failing(new Error("password=hunter2"));
  const broken = await post(list);
  expect(broken.status).toBe(500);
  expect(await broken.text()).not.toContain("hunter2");
  expect(lines).toMatchObject([{ status: 500, requestId: "request-1", fault: { name: "Error" } }]);
  expect(JSON.stringify(lines)).not.toContain("hunter2");
});

test("each request is one line of the log, as at every door", async () => {
  const { post, lines } = world();
  await post(list);
  await post(list, { Authorization: "Bearer nobody" });
  expect(lines).toMatchObject([
    { method: "POST", route: "/mcp", status: 200, requestId: "request-1", tokenId: "token-ada" },
    { method: "POST", route: "/mcp", status: 401, tokenId: null, code: "invalid_token" },
  ]);
});

test("nobody holds a stream open: there is nothing to be told", async () => {
  const { connect } = world();
  const client = await connect("key-ada");
  await expect(client.listen({ toolsListChanged: true })).rejects.toThrow();
});

test("it works as a plugin of an application", async () => {
  const { surface } = world();
  const app = new Elysia().use(surface);
  const client = new Client({ name: "test", version: "1.0.0" });
  const transport = new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), {
    fetch: (url, init) => app.handle(new Request(url, init)),
    requestInit: { headers: { Authorization: "Bearer key-ada" } },
  });
  await client.connect(transport);
  const result = await client.callTool({ name: "recall_context", arguments: { query: "q" } });
  expect(textOf(result)).toContain("### Recollect Context");
  await client.close();
});
