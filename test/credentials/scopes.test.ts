import { afterAll, beforeAll, expect, test } from "vitest";
import type { Scope } from "../../src/contract/scope.ts";
import { expectRefusal, freshOwner, memory, stored, unguessable } from "../support/acting.ts";
import { everyRequest } from "../support/every-route.ts";
import { type Answer, type Client, openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const writes = ["remember", "store", "batch"];
const reads = ["list", "search", "searchByBody", "recall", "context", "get", "versions", "why"];
const soft = ["softDelete", "forgetSoftly"];
const hard = ["hardDelete", "forgetForGood"];
const redacts = ["redact", "forgetText"];
const changes = ["update", "completeReminder", "feedback"];
const everyWrite = [...writes, ...soft, ...hard, ...redacts, ...changes, "restore", "receipt"];

test.each<[Scope[], string[]]>([
  [[], []],
  [["memory:read"], [...reads, "receipt"]],
  [["memory:write"], everyWrite],
  [["memory:update"], changes],
  [["memory:delete"], soft],
  // How many match a filter tells what is there: deleting by filter is for those who may read as well.
  [
    ["memory:delete", "memory:read"],
    [...soft, "deleteMatching", ...reads, "receipt"],
  ],
  [["memory:restore"], ["restore"]],
  [["memory:redact"], [...redacts, "receipt"]],
  [["memory:hard_delete"], [...hard, "receipt"]],
  [["knowledge:read"], []],
  [["ledger:write"], []],
])("a credential with %j can do exactly what it names", async (scopes, allowed) => {
  const client = await world.client({ owner: freshOwner(), scopes });
  // An unknown id tells the two apart: the scope is checked first, then there is nothing.
  const permitted: string[] = [];
  for (const [name, send] of Object.entries(everyRequest(client, "unknown"))) {
    const answer = await send();
    if (answer.status === 403) expectRefusal(answer, 403, "insufficient_scope");
    else permitted.push(name);
  }
  expect(permitted.sort()).toEqual(allowed.toSorted());
});

test("the scope is checked before the id is looked up and before the input is", async () => {
  const owner = freshOwner();
  const id = await stored(await world.client({ owner }));
  const reader = await world.client({ owner, scopes: ["memory:read"] });
  const writer = await world.client({ owner, scopes: ["memory:delete"] });
  for (const known of [id, "unknown"]) {
    for (const answer of [
      await reader.patch(`/v1/memories/${known}`, { content: 5 }),
      await reader.delete(`/v1/memories/${known}?mode=x`),
      await reader.post(`/v1/memories/${known}/restore`),
      await writer.get(`/v1/memories/${known}`),
      await writer.delete(`/v1/memories/${known}?mode=hard_delete`),
      await writer.post(`/v1/memories/${known}/forget`, { mode: "redact" }),
    ]) {
      expectRefusal(answer, 403, "insufficient_scope");
    }
  }
});

test("memory:delete soft-deletes through DELETE and forget, and nothing for good", async () => {
  const owner = freshOwner();
  const whole = await world.client({ owner });
  const narrow = await world.client({ owner, scopes: ["memory:delete"] });
  for (const forget of [
    (id: string) => narrow.delete(`/v1/memories/${id}`),
    (id: string) => narrow.post(`/v1/memories/${id}/forget`, {}),
  ]) {
    const id = await stored(whole);
    expectRefusal(await narrow.delete(`/v1/memories/${id}?mode=hard_delete`), 403, "insufficient_scope");
    expectRefusal(
      await narrow.post(`/v1/memories/${id}/forget`, { mode: "hard_delete" }),
      403,
      "insufficient_scope",
    );
    expect((await forget(id)).body).toEqual({
      id,
      mode: "soft_delete",
      status: "soft_deleted",
      reversible: true,
    });
    expectRefusal(await narrow.post(`/v1/memories/${id}/restore`), 403, "insufficient_scope");
    expect((await whole.post(`/v1/memories/${id}/restore`)).status).toBe(200);
  }
});

test.each<[Scope, string]>([
  ["memory:hard_delete", "hard_delete"],
  ["memory:redact", "redact"],
])("%s alone is enough for the mode %s, by both ways, with its receipt", async (scope, mode) => {
  const owner = freshOwner();
  const whole = await world.client({ owner });
  const narrow = await world.client({ owner, scopes: [scope] });
  for (const forget of [
    (id: string) => narrow.delete(`/v1/memories/${id}?mode=${mode}`),
    (id: string) => narrow.post(`/v1/memories/${id}/forget`, { mode }),
  ]) {
    const { status, body } = await forget(await stored(whole));
    expect(status).toBe(200);
    expect((await narrow.get(`/v1/receipts/${body.receipt.id}`)).status).toBe(200);
  }
  expectRefusal(await narrow.delete(`/v1/memories/${await stored(whole)}`), 403, "insufficient_scope");
});

test("a caller without memory:read is answered ids and status, never what is stored", async () => {
  const owner = freshOwner();
  const whole = await world.client({ owner });
  const blind = await world.client({ owner, scopes: ["memory:write"] });
  const word = unguessable();
  const given = {
    content: `a ${word}`,
    path: word,
    bucket: word,
    source: word,
    metadata: { [word]: word },
    memory_type: "reminder",
    semantic_key: word,
  };
  const id = await stored(whole, given);
  const patched = await blind.patch(`/v1/memories/${id}`, { importance: 0.9 });
  expect(patched.body).toEqual({ id, status: "active" });
  for (const answer of [
    patched,
    await blind.post("/v1/remember", { ...given, dedupe: true }),
    await blind.post("/v1/recall/feedback", { memory_id: id, helpful: true }),
    await blind.post(`/v1/reminders/${id}/complete`, {}),
    await blind.delete(`/v1/memories/${id}`),
    await blind.post(`/v1/memories/${id}/restore`),
    await blind.post("/v1/memories", { ...memory(), memory_id: id }),
    await blind.patch(`/v1/memories/${id}`, { content: "x" }, { "if-match": '"stale"' }),
    await blind.delete(`/v1/memories/${id}?mode=redact`),
  ])
    expect(JSON.stringify(answer.body)).not.toContain(word);
});

test("feedback does not tell a caller without memory:read the confidence of what it cannot read", async () => {
  const owner = freshOwner();
  const id = await stored(await world.client({ owner }), { confidence: 0.371 });
  const blind = await world.client({ owner, scopes: ["memory:write"] });
  const { body } = await blind.post("/v1/recall/feedback", { memory_id: id, helpful: true });
  expect(Object.keys(body).sort()).toEqual(["id", "status"]);
});

test("a change by a caller without memory:read carries no ETag", async () => {
  const owner = freshOwner();
  const id = await stored(await world.client({ owner }));
  const blind = await world.client({ owner, scopes: ["memory:update"] });
  expect((await blind.patch(`/v1/memories/${id}`, { importance: 1 })).headers.get("etag")).toBeNull();
});

test("the bucket ledger needs ledger:write to be written, and none to be read", async () => {
  const owner = freshOwner();
  const plain = await world.client({ owner, scopes: ["memory:read", "memory:write"] });
  const ledger = await world.client({ owner, scopes: ["memory:read", "memory:write", "ledger:write"] });
  for (const path of ["/v1/memories", "/v1/remember"]) {
    expectRefusal(await plain.post(path, memory({ bucket: "ledger" })), 403, "insufficient_scope");
  }
  const id = await stored(ledger, { bucket: "ledger" });
  expect((await plain.get(`/v1/memories/${id}`)).status).toBe(200);
});

test.each<[string, (client: Client, inLedger: string, elsewhere: string) => Promise<Answer>]>([
  ["changes what is in the ledger", (client, id) => client.patch(`/v1/memories/${id}`, { content: "x" })],
  [
    "moves anything out of the ledger",
    (client, id) => client.patch(`/v1/memories/${id}`, { bucket: "public" }),
  ],
  [
    "moves anything into the ledger",
    (client, _, id) => client.patch(`/v1/memories/${id}`, { bucket: "ledger" }),
  ],
  ["deletes from the ledger", (client, id) => client.delete(`/v1/memories/${id}`)],
  ["deletes from the ledger for good", (client, id) => client.delete(`/v1/memories/${id}?mode=hard_delete`)],
  ["redacts in the ledger", (client, id) => client.post(`/v1/memories/${id}/forget`, { mode: "redact" })],
])("without ledger:write nobody %s", async (_, attempt) => {
  const owner = freshOwner();
  const plain = await world.client({ owner, scopes: ["memory:read", "memory:write"] });
  const ledger = await world.client({ owner });
  const [inLedger, elsewhere] = [
    await stored(ledger, { bucket: "ledger" }),
    await stored(ledger, { content: "elsewhere" }),
  ];
  expectRefusal(await attempt(plain, inLedger, elsewhere), 403, "insufficient_scope");
  expect((await ledger.get(`/v1/memories/${inLedger}`)).body).toMatchObject({
    status: "active",
    bucket: "ledger",
    version: 1,
  });
});

test("the legacy names stand for read and write", async () => {
  const owner = freshOwner();
  const client = await world.client({ owner, scopes: ["read:memories", "write:memories"] as never });
  const id = await stored(client);
  expect((await client.get(`/v1/memories/${id}`)).status).toBe(200);
});

test("there is no wildcard", async () => {
  const client = await world.client({ owner: freshOwner(), scopes: ["*", "memory:*"] as never });
  for (const send of Object.values(everyRequest(client, "unknown")))
    expectRefusal(await send(), 403, "insufficient_scope");
});
