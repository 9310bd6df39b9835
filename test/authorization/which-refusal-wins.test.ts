import { afterAll, beforeAll, expect, test } from "vitest";
import type { Operation } from "../../src/contract/operation.ts";
import { isForVisitors, operationList } from "../../src/contract/operations.ts";
import type { Scope } from "../../src/contract/scope.ts";
import { memory, stored, unguessable } from "../support/acting.ts";
import { clientOf, type HttpClient } from "../support/http-client.ts";
import { openWorld, type World } from "../support/world.ts";
import { readRules } from "./rules.ts";
import { openTargets, type Targets } from "./targets.ts";

const rules = readRules();
/** The refusal of a step of the page, from 1. */
const step = (number: number) => rules.order[number - 1] as string;

let world: World;
let targets: Targets;
beforeAll(async () => {
  world = await openWorld();
  targets = await openTargets(world, rules);
});
afterAll(() => world.close());

async function withScopes(...scopes: Scope[]): Promise<HttpClient> {
  const secret = await targets.issue({ kind: "api_key", owner: targets.user, scopes });
  return clientOf("http://localhost", secret, world.handle);
}

const forCredentials = operationList.filter((operation) => !isForVisitors(operation));
/** What an API key without any scope may not call. */
const refusable = forCredentials.filter(
  ({ scopes, kinds }) => scopes.length > 0 || kinds?.includes("api_key") === false,
);

/** A request that is no good in one way or the other, by a client that may not make it at all. */
const malformed: readonly [string, Record<string, string>, string | undefined][] = [
  ["with members that are not valid", {}, '{"content":5,"filter":5,"query":5,"confirmation_token":5}'],
  ["whose body is no JSON", {}, "{not json"],
  ["whose body is no JSON object", {}, "[]"],
  ["of another media type", { "content-type": "text/plain" }, "x"],
  ["with a body that is too large", {}, `"${"x".repeat(1024 * 1024)}"`],
  ["with an Idempotency-Key that is none", { "idempotency-key": "not a key" }, "{}"],
];

test.each(malformed)(
  "2 and 3 before 4: a request %s, of an operation that one may not call",
  async (_, headers, body) => {
    const client = await withScopes();
    for (const operation of refusable) {
      const answer = await send(client, operation, headers, body);
      expect([operation.name, answer.body.code]).toEqual([operation.name, step(3)]);
    }
  },
);

test.each(malformed)("1 before all else: a request %s, without a credential", async (_, headers, body) => {
  for (const operation of forCredentials) {
    const answer = await send(clientOf("http://localhost", "nobody", world.handle), operation, headers, body);
    expect([operation.name, answer.body.code]).toEqual([operation.name, step(1)]);
  }
});

function send(client: HttpClient, { http }: Operation, headers: Record<string, string>, body?: string) {
  const path = http.path.replace(/\{\w+\}/g, "unknown");
  if (http.method === "GET") return client.get(`${path}?limit=x&query=`, headers);
  if (http.method === "DELETE") return client.delete(`${path}?mode=x`, headers);
  return http.method === "PATCH" ? client.patch(path, body, headers) : client.post(path, body, headers);
}

test("1 with the attribution: headers that cannot be stored, once the credential is known", async () => {
  const headers = { "x-project-id": "not a project" };
  for (const operation of forCredentials) {
    const answers = [
      await send(await withScopes(), operation, headers, "{}"),
      await send(clientOf("http://localhost", "nobody", world.handle), operation, headers, "{}"),
    ];
    expect([operation.name, ...answers.map(({ body }) => body.code)]).toEqual([
      operation.name,
      step(4),
      step(1),
    ]);
  }
});

test("4 before 5: a malformed request is told so, though its mode or its ledger would be refused", async () => {
  const client = await withScopes("memory:delete", "memory:update");
  for (const answer of [
    await client.delete(`/v1/memories/unknown?mode=hard_delete&reason=${"x".repeat(1025)}`),
    await client.post("/v1/memories/unknown/forget", { mode: "redact", reason: 5 }),
    await client.patch("/v1/memories/unknown", { bucket: "ledger", importance: 5 }),
  ])
    expect(answer.body.code).toBe(step(4));
});

test("5 before 6: the scope for what is asked, whether the id is there, is not, or is somebody else's", async () => {
  const client = await withScopes("memory:read", "memory:delete", "memory:update");
  const whole = await withScopes("memory:write");
  const stranger = clientOf(
    "http://localhost",
    await targets.issue({ kind: "api_key", owner: targets.otherUser }),
    world.handle,
  );
  for (const id of ["unknown", await stored(whole, { content: unguessable() }), await stored(stranger)]) {
    const answers = {
      hardDelete: await client.delete(`/v1/memories/${id}?mode=hard_delete`),
      redact: await client.post(`/v1/memories/${id}/forget`, { mode: "redact" }),
      intoTheLedger: await client.patch(`/v1/memories/${id}`, { bucket: "ledger" }),
      knowledge: await client.post("/v1/recall/why", { query: "x", memory_id: id, bucket: "knowledge" }),
    };
    expect(Object.fromEntries(Object.entries(answers).map(([name, { body }]) => [name, body.code]))).toEqual({
      hardDelete: step(5),
      redact: step(5),
      intoTheLedger: step(5),
      knowledge: rules.specials.get("bucket knowledge").named,
    });
  }
});

test("5 before 6: a new memory outside of the token space, whether its team is there or not", async () => {
  const team = targets.holders.get("team");
  if (!team) throw new Error("there is no such team");
  for (const owner of [targets.user, team])
    for (const team_id of [targets.otherTeam.id, "00000000-0000-4000-8000-000000000000"]) {
      const secret = await targets.issue({ kind: "api_key", owner, space: { pathPrefix: "in" } });
      const client = clientOf("http://localhost", secret, world.handle);
      const answer = await client.post("/v1/memories", memory({ path: "out", team_id }));
      // A team's own credential reaches no other team, so none is looked up.
      const foretold = owner === team ? rules.whose.get("another team's") : step(5);
      expect([owner.kind, answer.body.code]).toEqual([owner.kind, foretold]);
    }
});

test("7 before 8: the role, before the state of what one may not change is told", async () => {
  const viewer = targets.teams.get("viewer");
  if (!viewer) throw new Error("there is no such team");
  const team = clientOf(
    "http://localhost",
    await targets.issue({ kind: "api_key", owner: viewer }),
    world.handle,
  );
  const client = await withScopes("memory:read", "memory:write");
  const id = await stored(team, { memory_id: "taken", content: unguessable() });
  const stale = { "if-match": '"stale"' };
  for (const answer of [
    await client.patch(`/v1/memories/${id}`, { importance: 1 }, stale),
    await client.delete(`/v1/memories/${id}`, stale),
    await client.post(`/v1/memories/${id}/restore`, {}),
    await client.post("/v1/memories", memory({ memory_id: "taken", team_id: viewer.id })),
    await client.patch(`/v1/memories/${id}`, { scope: "private" }),
  ])
    expect(answer.body.code).toBe(step(7));
});
