/** What needs no credential, and what may arrive in the query although there is a body. */
import { describe, expect, test } from "vitest";
import { KEY, world } from "./world.ts";

const registration = { entry_type: "cli", client_name: "c", installation_fingerprint: "f" };

describe("an operation for visitors", () => {
  test("needs no credential", async () => {
    const { calls, lines, send } = world();
    const response = await send("POST", "/v1/agents/register", { key: null, body: registration });
    expect([response.status, calls[0]?.name, calls[0]?.visitor]).toEqual([
      200,
      "registerAgent",
      { address: null, network: null, requestId: "request-1" },
    ]);
    expect(lines[0]?.tokenId).toBeNull();
  });

  test("accepts one that is valid", async () => {
    const { calls, lines, send } = world();
    await send("POST", "/v1/agents/register", { body: registration });
    expect([calls.length, lines[0]?.tokenId]).toEqual([1, "token-1"]);
  });

  test.each([{ "x-api-key": "wrong" }, { authorization: "Bearer wrong" }, { authorization: `Basic ${KEY}` }])(
    "refuses one that is not: %j",
    async (headers) => {
      const { calls, send } = world();
      const response = await send("POST", "/v1/agents/register", { key: null, headers, body: registration });
      expect([response.status, (await response.json()).code, calls]).toEqual([401, "invalid_token", []]);
    },
  );

  test("validates as any other", async () => {
    const response = await world().send("POST", "/v1/agents/register", { key: null, body: {} });
    expect([response.status, (await response.json()).code]).toEqual([422, "validation_failed"]);
  });

  test("is told the address of the socket", async () => {
    const { calls, fetch } = world();
    const request = new Request("http://localhost/v1/agents/register", {
      method: "POST",
      headers: { "content-type": "application/json", "x-forwarded-for": "198.51.100.7" },
      body: JSON.stringify(registration),
    });
    await fetch(Object.assign(request, { ip: "::ffff:192.0.2.1" }));
    expect(calls[0]?.visitor?.address).toBe("192.0.2.1");
  });
});

describe("a member that may be in the query too", () => {
  const confirm = "/v1/agents/bind/confirm-current-user";
  const token = async (path: string, body?: object) => {
    const { calls, send } = world({ kind: "agent_temporary" });
    const response = await send("POST", path, body === undefined ? {} : { body });
    return [response.status, calls[0]?.input.confirmation_token];
  };

  test("is taken from there where there is no body", async () => {
    expect(await token(`${confirm}?confirmation_token=from+query`)).toEqual([200, "from query"]);
    expect(await token(`${confirm}?confirmation_token=q`, {})).toEqual([200, "q"]);
  });

  test("is the same in the body", async () => {
    expect(await token(confirm, { confirmation_token: "b" })).toEqual([200, "b"]);
    expect(await token(`${confirm}?confirmation_token=b`, { confirmation_token: "b" })).toEqual([200, "b"]);
    expect((await token(`${confirm}?confirmation_token=q`, { confirmation_token: "b" }))[0]).toBe(422);
  });

  test("is missed where it is in neither", async () => {
    expect((await token(confirm))[0]).toBe(422);
  });

  test("does not make other members appear", async () => {
    const { calls, send } = world();
    await send("POST", "/v1/remember?content=q", { body: { content: "b", path: "p" } });
    await send("POST", "/v1/remember?path=q", { body: { content: "b" } });
    expect(calls.map(({ input }) => input.content)).toEqual(["b"]);
  });
});

test("an Idempotency-Key says nothing where nothing can be repeated", async () => {
  const { calls, send } = world({ kind: "agent_formal" });
  await send("POST", "/v1/agents/rotate", { headers: { "idempotency-key": "k" } });
  await send("POST", "/v1/agents/rotate", { headers: { "idempotency-key": "" } });
  expect(calls.map(({ invocation }) => invocation?.idempotencyKey)).toEqual([null, null]);
});
