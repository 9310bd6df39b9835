import { afterAll, beforeAll, expect, test } from "vitest";
import type { Scope } from "../../src/contract/scope.ts";
import { memory, query, stored, unguessable } from "../support/acting.ts";
import { clientOf, type HttpClient } from "../support/http-client.ts";
import { type Answer, openWorld, type World } from "../support/world.ts";
import { readRules } from "./rules.ts";
import { openTargets, type Targets } from "./targets.ts";

const rules = readRules();
let world: World;
let targets: Targets;
beforeAll(async () => {
  world = await openWorld();
  targets = await openTargets(world, rules);
});
afterAll(() => world.close());

async function withScopes(scopes?: readonly Scope[]): Promise<HttpClient> {
  const given = scopes === undefined ? {} : { scopes };
  return clientOf(
    "http://localhost",
    await targets.issue({ kind: "api_key", owner: targets.user, ...given }),
    world.handle,
  );
}

/** `bucket knowledge` as the member of a memory and of a filter. */
const asMember = (subject: string) => Object.fromEntries([subject.split(" ")]) as Record<string, string>;

type Ask = (client: HttpClient, filter: Record<string, string>, id: string) => Promise<Answer>;

/** Everything that can name a bucket or a type. */
const asks: Readonly<Record<string, Ask>> = {
  listMemories: (client, filter) => client.get(`/v1/memories${query(filter)}`),
  searchMemories: (client, filter) => client.get(`/v1/memories/search${query({ query: "x", ...filter })}`),
  recallContext: (client, filter) => client.post("/v1/recall/context", { query: "x", ...filter }),
  recallWhy: (client, filter, id) => client.post("/v1/recall/why", { query: "x", memory_id: id, ...filter }),
  deleteMatching: (client, filter) => client.post("/v1/memories/delete", { filter }),
};

const named = rules.specials.keys.flatMap((subject) =>
  Object.keys(asks).flatMap((ask) => [false, true].map((has) => [ask, subject, has] as const)),
);

test.each(named)("%s that asks for the %s by name; with its scope: %s", async (ask, subject, has) => {
  const special = rules.specials.get(subject);
  const scopes = ["memory:read", "memory:write", ...(has ? [special.scope] : [])] as Scope[];
  const client = await withScopes(scopes);
  const id = await stored(await withScopes(), { content: unguessable() });
  const answer = await asks[ask]?.(client, asMember(subject), id);
  const foretold = has ? "allowed" : special.named;
  expect(answer?.body.code ?? "allowed").toBe(foretold);
});

test("include_knowledge is asking for it by name", async () => {
  const ask = async (scopes: Scope[]) =>
    (await (await withScopes(scopes)).post("/v1/recall/context", { query: "x", include_knowledge: true }))
      .body.code;
  expect(await ask(["memory:read"])).toBe(rules.specials.get("bucket knowledge").named);
  expect(await ask(["memory:read", "knowledge:read"])).toBeUndefined();
});

test("a pattern that only knowledge matches is a wildcard: nothing, and no refusal", async () => {
  await stored(await withScopes(), { bucket: "knowledge", content: unguessable() });
  const client = await withScopes(["memory:read"]);
  for (const bucket of ["knowledge%", "%nowledge", "k%e"]) {
    const answer = await client.get(`/v1/memories${query({ bucket })}`);
    expect([answer.status, answer.body.total]).toEqual([200, 0]);
  }
});

test.each([
  [
    "updateMemory",
    (client: HttpClient, id: string) => client.patch(`/v1/memories/${id}`, { bucket: "ledger" }),
  ],
  ["storeMemory", (client: HttpClient) => client.post("/v1/memories", memory({ bucket: "ledger" }))],
  ["remember", (client: HttpClient) => client.post("/v1/remember", memory({ bucket: "ledger" }))],
] as const)("%s writes the ledger with its scope only", async (_, write) => {
  const foretold = rules.specials.get("bucket ledger").created;
  const id = await stored(await withScopes(), { content: unguessable() });
  expect((await write(await withScopes(["memory:write"]), id)).body.code).toBe(foretold);
  expect((await write(await withScopes(["memory:write", "ledger:write"]), id)).body.code).toBeUndefined();
  // Alone it is enough for nothing.
  expect((await write(await withScopes(["ledger:write"]), id)).body.code).toBe("insufficient_scope");
});

test("an equal memory or an older fact in knowledge or the ledger is not written over, and not named", async () => {
  const whole = await withScopes();
  const client = await withScopes(["memory:read", "memory:write"]);
  const key = unguessable();
  const content = unguessable();
  const id = await stored(whole, { memory_type: "knowledge", semantic_key: key, content });
  for (const body of [
    memory({ content: unguessable(), semantic_key: key }),
    memory({ content, memory_type: "knowledge", semantic_key: key }),
  ]) {
    const answer = await client.post("/v1/remember", body);
    expect(answer.body.code).toBe("conflict");
    expect(JSON.stringify(answer.body)).not.toContain(id);
  }
});
