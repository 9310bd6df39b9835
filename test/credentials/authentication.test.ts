import { afterAll, beforeAll, expect, test } from "vitest";
import { expectRefusal, freshOwner, listed, memory, stored } from "../support/acting.ts";
import { everyRequest } from "../support/every-route.ts";
import { fingerprint } from "../support/stored-text.ts";
import { openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const someone = () => world.client({ owner: freshOwner() });

test.each(["", "wrong", "rcl_key_", "Bearer x", "'; drop table tokens; --", "x".repeat(5000)])(
  "with the token %j every route is invalid_token, and nothing is read or written",
  async (token) => {
    const id = await stored(await someone(), { content: "not for strangers" });
    const before = await fingerprint(world.service.sql);
    for (const send of Object.values(everyRequest(world.withToken(token), id))) {
      const answer = await send();
      expectRefusal(answer, 401, "invalid_token");
      expect(answer.body).toMatchObject({
        detail: "invalid_token",
        hint: expect.stringContaining("Send a valid key"),
      });
      expect(answer.headers.get("www-authenticate")).toContain("Bearer");
      expect(JSON.stringify(answer.body)).not.toContain("not for strangers");
    }
    expect(await fingerprint(world.service.sql)).toBe(before);
  },
);

test("the credential is checked before anything of the request is", async () => {
  const stranger = world.withToken("wrong");
  for (const answer of [
    await stranger.post("/v1/memories", "{not json"),
    await stranger.post("/v1/memories", {}),
    await stranger.post("/v1/memories", "x".repeat(2_000_000)),
    await stranger.get("/v1/memories?limit=x"),
    await stranger.post("/v1/memories", "x", { "content-type": "text/plain" }),
    await stranger.get("/v1/memories/%00"),
    await stranger.get("/v1/memories", { "x-project-id": "not a project" }),
    await stranger.post("/v1/memories", memory(), { "idempotency-key": "ü" }),
  ])
    expectRefusal(answer, 401, "invalid_token");
});

test("a key is taken from X-API-Key and from Authorization: Bearer", async () => {
  const client = await someone();
  const nobody = world.withToken("");
  for (const authorization of [`Bearer ${client.token}`, `bearer  ${client.token} `]) {
    expect((await nobody.get("/v1/memories", { authorization })).status).toBe(200);
  }
  for (const authorization of [client.token, `Basic ${client.token}`, "Bearer", `Bearer ${client.token} x`]) {
    expectRefusal(await nobody.get("/v1/memories", { authorization }), 401, "invalid_token");
  }
});

test("an expired token is refused", async () => {
  const client = await world.client({ owner: freshOwner(), expiresAt: Date.now() - 1 });
  expectRefusal(await client.get("/v1/memories"), 401, "invalid_token");
});

test("a token works until it expires, and not a moment longer", async () => {
  const expiresAt = Date.now() + 1000;
  const client = await world.client({ owner: freshOwner(), expiresAt });
  // A burst of requests, so that whatever is remembered of the token is fresh when it expires.
  for (;;) {
    const { status } = await client.get("/v1/memories");
    if (Date.now() >= expiresAt) break;
    expect(status).toBe(200);
  }
  expectRefusal(await client.get("/v1/memories"), 401, "invalid_token");
});

test("a revoked token is refused at once, and no other", async () => {
  const owner = freshOwner();
  const [revoked, other] = [await world.client({ owner }), await world.client({ owner })];
  expect((await revoked.get("/v1/memories")).status).toBe(200);
  await world.service.credentials.revoke(revoked.tokenId);
  expectRefusal(await revoked.post("/v1/memories", memory()), 401, "invalid_token");
  expect(await listed(other)).toEqual([]);
});

test("who claims to be an agent, an owner or a project is still only its credential", async () => {
  const [client, stranger] = [await someone(), await someone()];
  const id = await stored(client, { provenance: { agent_id: "ada", project_id: "apollo" } });
  const claims = {
    "x-agent-id": "ada",
    "x-agent-name": client.ownerId,
    "x-project-id": "apollo",
    "x-session-id": "s",
  };
  expectRefusal(await stranger.get(`/v1/memories/${id}`, claims), 404, "not_found");
  expect((await stranger.get("/v1/memories", claims)).body.total).toBe(0);
  expect((await stranger.get("/v1/memories/search?query=staging+database", claims)).body.results).toEqual([]);
});

test("a token is never stored as it is, and no answer repeats it", async () => {
  const client = await someone();
  const rows = await world.service.sql`select t::text as row from tokens t`;
  expect(rows.map(({ row }) => row).join()).not.toContain(client.token);
  for (const send of Object.values(everyRequest(client, "unknown"))) {
    const { headers, body } = await send();
    expect(JSON.stringify(body) + JSON.stringify([...headers])).not.toContain(client.token);
  }
});
