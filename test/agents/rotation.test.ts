import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { grantableScopes, type Scope, scopes } from "../../src/contract/scope.ts";
import type { TokenSpace } from "../../src/core/access/credential.ts";
import { narrowedSpace } from "../../src/core/agent/tokens.ts";
import { DomainError } from "../../src/core/error.ts";
import { isBelow } from "../../src/core/memory/access.ts";
import { expectRefusal, faultyPlaces, listed, stored } from "../support/acting.ts";
import { runs } from "../support/random.ts";
import { openWorld, type World } from "../support/world.ts";
import { bind, register, user } from "./agents.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

type Bare = ReturnType<World["withToken"]>;
const rotate = (client: Bare) => client.post("/v1/agents/rotate");
const issue = (client: Bare, body: Record<string, unknown> = {}) => client.post("/v1/skill/tokens", body);
const statusesOf = async (clients: readonly Bare[]) =>
  Promise.all(clients.map(async (client) => (await client.get("/v1/memories")).status));

async function bound(approval: Parameters<typeof bind>[3] = {}): Promise<Bare> {
  return bind(world, await register(world), await user(world), approval);
}

describe("rotation", () => {
  test("the former token is good for a minute more, and may not rotate again once the new one was used", async () => {
    const former = await bound();
    const before = Date.now();
    const answer = await rotate(former);
    expect(answer).toMatchObject({ status: 200, body: { agent_id: expect.any(String) } });
    const until = Date.parse(answer.body.previous_token_valid_until);
    expect(until - before).toBeGreaterThanOrEqual(60_000);
    expect(until - Date.now()).toBeLessThanOrEqual(60_000);
    const next = world.withToken(answer.body.token);
    expect(await statusesOf([former, next])).toEqual([200, 200]);
    expectRefusal(await rotate(former), 409, "conflict");
    await world.service.sql`update tokens set expires_at = now() where replaced_at is not null`;
    world.service.credentials.forgetCached();
    expect(await statusesOf([former, next])).toEqual([401, 200]);
    expect(Date.parse((await next.get("/v1/agents/status")).body.expires_at) - before).toBeGreaterThan(
      89 * 86_400_000,
    );
  });

  test("a token that ends sooner than the overlap is not prolonged", async () => {
    const former = await bound();
    const { sql } = world.service;
    const { agent_id } = (await former.get("/v1/agents/status")).body;
    await sql`update tokens set expires_at = now() + interval '20 seconds' where agent_id = ${agent_id} and kind = 'agent_formal'`;
    const answer = await rotate(former);
    expect(Date.parse(answer.body.previous_token_valid_until)).toBeLessThan(Date.now() + 21_000);
  });

  test("there are never more than two", async () => {
    const first = await bound();
    const second = world.withToken((await rotate(first)).body.token);
    const third = world.withToken((await rotate(second)).body.token);
    expect(await statusesOf([first, second, third])).toEqual([401, 200, 200]);
  });

  test("a lost answer: the former token rotates again, which ends the first answer's token and moves no deadline", async () => {
    const former = await bound();
    const lost = (await rotate(former)).body;
    const again = await rotate(former);
    const third = await rotate(former);
    for (const { status, body } of [again, third]) {
      expect(status).toBe(200);
      expect(body).toEqual({
        agent_id: lost.agent_id,
        token: expect.stringMatching(/^rcl_agent_/),
        previous_token_valid_until: lost.previous_token_valid_until,
      });
    }
    expect(new Set([lost, again.body, third.body].map(({ token }) => token)).size).toBe(3);
    const clients = [lost.token, again.body.token, third.body.token].map((token) => world.withToken(token));
    expect(await statusesOf([former, ...clients])).toEqual([200, 401, 401, 200]);
    expectRefusal(await rotate(former), 409, "conflict");
    expect(await statusesOf([former, ...clients])).toEqual([200, 401, 401, 200]);
  });

  test("after the overlap the former token rotates no more, though the new one was never used", async () => {
    const former = await bound();
    const { token } = (await rotate(former)).body;
    await world.service.sql`update tokens set expires_at = now() where replaced_at is not null`;
    world.service.credentials.forgetCached();
    expectRefusal(await rotate(former), 401, "invalid_token");
    expect(await statusesOf([world.withToken(token)])).toEqual([200]);
  });

  test("of many rotations of a token at once each is answered, and the token of one is good", async () => {
    const former = await bound();
    const answers = await Promise.all(Array.from({ length: 8 }, () => rotate(former)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(new Set(answers.map(({ body }) => body.previous_token_valid_until)).size).toBe(1);
    const next = answers.map(({ body }) => world.withToken(body.token));
    expect((await statusesOf(next)).sort()).toEqual([200, ...Array(7).fill(401)]);
    expect(await statusesOf([former])).toEqual([200]);
  });

  test("a token that was let in once is not ended by the former one's rotating beside it", async () => {
    for (let round = 0; round < 12; round += 1) {
      const former = await bound();
      const next = world.withToken((await rotate(former)).body.token);
      const [used, again] = await Promise.all([next.get("/v1/memories"), rotate(former)]);
      expect([
        [200, 409],
        [401, 200],
      ]).toContainEqual([used.status, again.status]);
      expect(await statusesOf([next])).toEqual([used.status]);
    }
  });

  test("only a formal token rotates", async () => {
    const agent = await register(world);
    expectRefusal(await rotate(agent.client), 403, "insufficient_scope");
    const skill = world.withToken((await issue(await bound())).body.token);
    for (const client of [skill, await world.client()]) {
      expectRefusal(await rotate(client), 403, "insufficient_scope");
      expectRefusal(await issue(client), 403, "insufficient_scope");
      expectRefusal(await client.get("/v1/agents/status"), 403, "insufficient_scope");
    }
  });
});

describe("skill tokens", () => {
  test("have what their issuer has unless less is asked for, and outlive its rotation", async () => {
    const formal = await bound({ projects: ["apollo", "zeus"] });
    const whole = await issue(formal, { name: "notes" });
    expect(whole).toMatchObject({
      status: 201,
      body: {
        scopes: ["memory:read", "memory:write"],
        projects: ["apollo", "zeus"],
        path_prefix: null,
        buckets: null,
      },
    });
    const part = await issue(formal, {
      scopes: ["read:memories"],
      projects: ["zeus"],
      path_prefix: "notes",
      buckets: ["public"],
      expires_in_days: 1,
    });
    expect(part.body).toMatchObject({
      scopes: ["memory:read"],
      projects: ["zeus"],
      path_prefix: "notes",
      buckets: ["public"],
    });
    expect(Date.parse(part.body.expires_at)).toBeLessThanOrEqual(Date.now() + 86_400_000);
    await stored(formal, { content: "In zeus.", path: "notes/a", provenance: { project_id: "zeus" } });
    await stored(formal, { content: "In apollo.", path: "notes/a", provenance: { project_id: "apollo" } });
    const skill = world.withToken(part.body.token);
    expect(await listed(skill)).toEqual(["In zeus."]);
    expectRefusal(
      await skill.post("/v1/memories", { content: "x", path: "notes" }),
      403,
      "insufficient_scope",
    );
    await rotate(formal);
    expect(await statusesOf([skill, world.withToken(whole.body.token)])).toEqual([200, 200]);
  });

  test("what is wider is refused at the member that is", async () => {
    const formal = await bound({ scopes: ["memory:read"], projects: ["apollo"] });
    expect(faultyPlaces(await issue(formal, { scopes: ["memory:read", "memory:write"] }))).toEqual([
      "body.scopes.1",
    ]);
    expect(faultyPlaces(await issue(formal, { projects: ["apollo", "zeus"] }))).toEqual(["body.projects.1"]);
    expect(faultyPlaces(await issue(formal, { expires_in_days: 91 }))).toEqual(["body.expires_in_days"]);
    expect(faultyPlaces(await issue(formal, { scopes: ["*"] }))).toEqual(["body.scopes.0"]);
  });

  test("one scope of several that memory:write includes can be asked for", async () => {
    const formal = await bound();
    expect((await issue(formal, { scopes: ["memory:delete"] })).body.scopes).toEqual(["memory:delete"]);
  });

  test("end no later than their issuer", async () => {
    const formal = await bound();
    await rotate(formal);
    const { body } = await issue(formal);
    expect(Date.parse(body.expires_at)).toBeLessThanOrEqual(Date.now() + 60_000);
  });

  test("reach nothing that their issuer does not", () => {
    const names = fc.constantFrom("a", "b", "c", "a/b", "a/b/c", "ab");
    const some = fc.option(fc.uniqueArray(names, { minLength: 1, maxLength: 4 }), { nil: null });
    const space = fc.record({
      teamId: fc.constantFrom(null, "team"),
      projects: some,
      pathPrefix: fc.option(names, { nil: null }),
      buckets: some,
    });
    const asked = fc.record({ projects: some, path_prefix: fc.option(names, { nil: null }), buckets: some });
    const place = fc.record({ path: names, bucket: names, project: fc.option(names, { nil: null }) });
    fc.assert(
      fc.property(space, asked, place, (issuer, wish, at) => {
        const narrowed = orRefusal(() => narrowedSpace(issuer, wish));
        if (narrowed === null) return;
        expect(narrowed.teamId).toBe(issuer.teamId);
        if (reaches(narrowed, at)) expect(reaches(issuer, at)).toBe(true);
      }),
      { numRuns: runs(3000) },
    );
  });

  test("hold no scope that their issuer does not, whatever both are", async () => {
    const every = Object.keys(scopes) as Scope[];
    const some = fc.uniqueArray(fc.constantFrom(...every), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(some, some, async (granted, asked) => {
        const formal = await bound({ scopes: granted });
        const answer = await issue(formal, { scopes: asked });
        const write = granted.includes("memory:write")
          ? every.filter((scope) => /update|delete|restore|redact/.test(scope))
          : [];
        // What erases a whole owner is granted to no skill.
        const isWithin = asked.every(
          (scope) => grantableScopes.includes(scope) && [...granted, ...write].includes(scope),
        );
        expect(answer.status).toBe(isWithin ? 201 : 422);
        if (isWithin) expect([...answer.body.scopes].sort()).toEqual([...asked].sort());
      }),
      { numRuns: 15 },
    );
  });
});

function orRefusal(work: () => TokenSpace): TokenSpace | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof DomainError && error.code === "validation_failed") return null;
    throw error;
  }
}

function reaches(
  { projects, pathPrefix, buckets }: TokenSpace,
  at: { path: string; bucket: string; project: string | null },
): boolean {
  return (
    (projects === null || (at.project !== null && projects.includes(at.project))) &&
    (pathPrefix === null || isBelow(at.path, pathPrefix)) &&
    (buckets === null || buckets.includes(at.bucket))
  );
}
