import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectRefusal, faultyPlaces, freshOwner, listed, stored } from "../support/acting.ts";
import { openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

type Bare = ReturnType<World["withToken"]>;
const rotate = (client: Pick<Bare, "post">, body: object = {}) => client.post("/v1/keys/rotate", body);
const statuses = (...clients: Pick<Bare, "get">[]) =>
  Promise.all(clients.map(async (client) => (await client.get("/v1/memories")).status));

async function endOverlap(tokenId: string): Promise<void> {
  await world.service
    .sql`update tokens set expires_at = now() where id = ${tokenId} and replaced_at is not null`;
  world.service.credentials.forgetCached();
}

test("both keys are good for the overlap, then the new one alone; it may do what the old one may", async () => {
  const former = await world.client({
    owner: freshOwner(),
    scopes: ["memory:read", "memory:write"],
    space: { pathPrefix: "kept", projects: ["apollo"] },
  });
  await stored(former, { path: "kept/a", content: "from before" });
  const before = Date.now();
  const { status, body } = await rotate(former, { overlap_seconds: 3600 });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    previous_id: former.tokenId,
    expires_at: null,
    token: expect.stringMatching(/^rcl_key_/),
  });
  const lasts = Date.parse(body.previous_token_valid_until) - before;
  expect(lasts).toBeGreaterThanOrEqual(3_600_000 - 5);
  const next = world.withToken(body.token);
  expect(await statuses(former, next)).toEqual([200, 200]);
  expect(await listed(next)).toEqual(["from before"]);
  expectRefusal(
    await next.post("/v1/memories", { content: "c", path: "elsewhere" }),
    403,
    "insufficient_scope",
  );
  await endOverlap(former.tokenId);
  expect(await statuses(former, next)).toEqual([401, 200]);
});

test("an overlap of nothing ends the old key at once", async () => {
  const former = await world.client({ owner: freshOwner() });
  const { body } = await rotate(former, { overlap_seconds: 0 });
  expect(await statuses(former, world.withToken(body.token))).toEqual([401, 200]);
});

test("a lost answer is asked for again: its key ends, the deadline stays; once the new key was used it is refused", async () => {
  const former = await world.client({ owner: freshOwner() });
  const lost = await rotate(former, { overlap_seconds: 60 });
  const second = await rotate(former, { overlap_seconds: 86_400 });
  expect(second.body.previous_token_valid_until).toBe(lost.body.previous_token_valid_until);
  const next = world.withToken(second.body.token);
  expect(await statuses(world.withToken(lost.body.token), next)).toEqual([401, 200]);
  const refused = await rotate(former);
  expectRefusal(refused, 409, "conflict");
  expect(refused.body.detail).toContain(second.body.id);
  expect(await statuses(former, next)).toEqual([200, 200]);
});

test("of many who rotate one key at once, one new key is left", async () => {
  const former = await world.client({ owner: freshOwner() });
  const answers = await Promise.all(Array.from({ length: 8 }, () => rotate(former)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const seen = await statuses(...answers.map(({ body }) => world.withToken(body.token)));
  expect(seen.filter((status) => status === 200)).toHaveLength(1);
});

test("nobody prolongs a key by its own secret", async () => {
  const expiresAt = Date.now() + 50_000;
  const former = await world.client({ owner: freshOwner(), expiresAt });
  const { body } = await rotate(former);
  const [end, previous] = [body.expires_at, body.previous_token_valid_until].map(Date.parse);
  expect(end).toBe(previous);
  expect(Math.abs((end as number) - expiresAt)).toBeLessThan(2);
  const again = await rotate(former);
  expect(again.body.expires_at).toBe(body.expires_at);
});

test("every rotation has a line in the audit log, by ids alone", async () => {
  const former = await world.client({ owner: freshOwner() });
  const { body } = await rotate(former);
  const lines = await world.service.sql`
    select operation, token_id, detail from audit_log where owner_id = ${former.ownerId} and request_id is not null order by id`;
  expect(lines.map((line) => ({ ...line }))).toEqual([
    { operation: "issue_credential", token_id: body.id, detail: {} },
    { operation: "rotate_credential", token_id: former.tokenId, detail: { replaced_by: body.id } },
  ]);
});

describe("refused", () => {
  test("an overlap that is none", async () => {
    const client = await world.client({ owner: freshOwner() });
    for (const overlap_seconds of [-1, 0.5, "1", 30 * 86_400 + 1])
      expect(faultyPlaces(await rotate(client, { overlap_seconds }))).toEqual(["body.overlap_seconds"]);
    expect(await statuses(client)).toEqual([200]);
  });

  test("the bootstrap key, whose secret is a setting", async () => {
    const secret = `bootstrap-${"x".repeat(40)}`;
    await world.service.credentials.bootstrap(secret);
    expectRefusal(await rotate(world.withToken(secret)), 409, "conflict");
  });

  test("a key whose successor was revoked: it would undo that", async () => {
    const former = await world.client({ owner: freshOwner() });
    const { body } = await rotate(former);
    await world.service.credentials.revoke(body.id);
    expectRefusal(await rotate(former), 409, "conflict");
  });
});
