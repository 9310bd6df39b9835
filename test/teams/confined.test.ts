import { afterAll, beforeAll, expect, test } from "vitest";
import { expectRefusal, faultyPlaces, found, freshOwner, listed, memory, stored } from "../support/acting.ts";
import { everyRequestById } from "../support/every-route.ts";
import { fingerprint } from "../support/stored-text.ts";
import { openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** An owner of two teams, with a key for everything and one that is confined to the first team. */
async function confinedToTeam() {
  const { teams } = world.service;
  const owner = freshOwner();
  const whole = await world.client({ owner });
  const user = { id: whole.ownerId, kind: "user", name: owner } as const;
  const { team } = await teams.create(freshOwner(), user);
  const { team: other } = await teams.create(freshOwner(), user);
  const confined = await world.client({ owner, space: { teamId: team.id } });
  return { whole, confined, userId: user.id, teamId: team.id, otherId: other.id };
}

test("it reads nothing of its user's own, nor of the user's other teams", async () => {
  const { whole, confined, teamId, otherId } = await confinedToTeam();
  const shared = await stored(whole, { content: "word of the team", team_id: teamId });
  const hidden = [
    await stored(whole, { content: "word of one's own" }),
    await stored(whole, { content: "word of another team", team_id: otherId }),
  ];
  for (const status of ["active", "%"]) {
    expect(await listed(confined, { status })).toEqual(["word of the team"]);
    expect(await found(confined, "word", { status })).toEqual([shared]);
  }
  expect((await confined.get("/v1/memories")).body.total).toBe(1);
  expect(await listed(confined, { scope: "private" })).toEqual([]);
  for (const team_id of [otherId, whole.ownerId]) {
    expect([await listed(confined, { team_id }), await found(confined, "word", { team_id })]).toEqual([
      [],
      [],
    ]);
  }
  for (const [path, more] of [
    ["/v1/recall/context", {}],
    ["/v1/recall/why", { memory_id: shared }],
  ] as const) {
    const answer = await confined.post(path, { query: "word", ...more });
    expect(answer.status).toBe(200);
    expect(JSON.stringify(answer.body)).toContain(shared);
    expect(JSON.stringify(answer.body)).not.toMatch(/one's own|another team/);
  }
  const before = await fingerprint(world.service.sql);
  for (const id of hidden) {
    for (const [name, send] of Object.entries(everyRequestById(confined, id))) {
      const answer = await send();
      expect([name, answer.status, answer.body.code]).toEqual([name, 404, "not_found"]);
    }
  }
  const everything = { filter: { path: "%" } };
  expect((await confined.post("/v1/memories/delete", everything)).body.matched).toBe(1);
  expect(await fingerprint(world.service.sql)).toBe(before);
});

test("what it writes is the team's, by the user, and goes nowhere else", async () => {
  const { whole, confined, teamId, otherId, userId } = await confinedToTeam();
  const places = [{}, { scope: "team" }, { team_id: teamId }, { scope: "team", team_id: teamId }];
  for (const [n, place] of places.entries()) {
    const id = await stored(confined, { content: `a fact ${n}`, ...place });
    expect((await whole.get(`/v1/memories/${id}`)).body).toMatchObject({ scope: "team", team_id: teamId });
    const [row] = await world.service.sql`select owner_id, author_id from memories where memory_id = ${id}`;
    expect(row).toEqual({ owner_id: teamId, author_id: userId });
  }
  const count = async () => (await whole.get("/v1/memories")).body.total;
  const before = await count();
  for (const path of ["/v1/memories", "/v1/remember"]) {
    expect(faultyPlaces(await confined.post(path, memory({ scope: "private" })))).toEqual(["body.scope"]);
    for (const team_id of [otherId, userId, "00000000-0000-4000-8000-000000000000"]) {
      expectRefusal(await confined.post(path, memory({ team_id })), 404, "not_found");
      expectRefusal(await confined.post(path, memory({ scope: "team", team_id })), 404, "not_found");
    }
  }
  const items = [{ scope: "private" }, { team_id: otherId }, { team_id: userId }, { content: "in a batch" }];
  const batch = await confined.post("/v1/memories/batch", { items: items.map(memory) });
  expect(batch.body.results.map((result: { error?: { code: string } }) => result.error?.code)).toEqual([
    "validation_failed",
    "not_found",
    "not_found",
    undefined,
  ]);
  expect(await count()).toBe(before + 1);
});

test("the team's id, fact and text are not confused with the user's own of the same", async () => {
  const { whole, confined, teamId } = await confinedToTeam();
  const fact = { memory_id: "same", semantic_key: "k", content: "same text" };
  await stored(whole, { ...fact, metadata: { of: "user" } });
  const remembered = await confined.post("/v1/remember", memory({ ...fact, metadata: { of: "team" } }));
  expect(remembered.body).toMatchObject({ deduplicated: false, superseded: [] });
  expect((await confined.get("/v1/memories/same")).body.metadata).toEqual({ of: "team" });
  expect((await whole.get("/v1/memories/same")).body.metadata).toEqual({ of: "user" });
  await confined.patch("/v1/memories/same", { metadata: { changed: true } });
  await confined.delete("/v1/memories/same?mode=hard_delete");
  expect((await whole.get("/v1/memories/same")).body.metadata).toEqual({ of: "user" });
  expect(await listed(whole, { team_id: teamId })).toEqual([]);
});

test("the rest of its space confines it further", async () => {
  const { whole, teamId, userId } = await confinedToTeam();
  const [{ name }] = await world.service.sql<
    [{ name: string }]
  >`select name from owners where id = ${userId}`;
  const narrow = await world.client({ owner: name, space: { teamId, pathPrefix: "in", projects: ["p"] } });
  const inside = await stored(narrow, { path: "in/a" });
  await stored(whole, { path: "in/a", team_id: teamId });
  await stored(whole, { path: "in/a", provenance: { project_id: "p" } });
  expect(await found(narrow, "staging database")).toEqual([inside]);
  expectRefusal(await narrow.post("/v1/memories", memory({ path: "out" })), 403, "insufficient_scope");
});

test("it reaches nothing at all, not even the user's own, once the user has left", async () => {
  const { whole, confined, teamId, userId } = await confinedToTeam();
  const shared = await stored(confined, { content: "word shared" });
  const own = await stored(whole, { content: "word own" });
  const heir = await world.service.credentials.ensureOwner("user", freshOwner());
  await world.service.teams.setRole(teamId, heir.id, "owner");
  await world.service.teams.remove(teamId, userId);
  for (const id of [shared, own]) {
    for (const [name, send] of Object.entries(everyRequestById(confined, id))) {
      const answer = await send();
      expect([name, answer.status, answer.body.code]).toEqual([name, 404, "not_found"]);
    }
  }
  expect([await listed(confined), await found(confined, "word")]).toEqual([[], []]);
  expect((await confined.post("/v1/recall/context", { query: "word" })).body.items).toEqual([]);
  expectRefusal(await confined.post("/v1/memories", memory()), 404, "not_found");
  expectRefusal(await confined.post("/v1/memories", memory(), { "Idempotency-Key": "k" }), 404, "not_found");
  const batch = await confined.post("/v1/memories/batch", { items: [memory()] });
  expect(batch.body.results[0].error.code).toBe("not_found");
  expect((await confined.post("/v1/memories/delete", { filter: { path: "%" } })).body.matched).toBe(0);
  expect(await found(whole, "word")).toEqual([own]);
});
