import { afterAll, beforeAll, expect, test } from "vitest";
import type { Role } from "../../src/core/access/team-store.ts";
import {
  expectRefusal,
  faultyPlaces,
  found,
  freshOwner,
  listed,
  stored,
  unguessable,
} from "../support/acting.ts";
import { type Client, type ClientOptions, openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** A team with a key of its own, and its users by their roles. */
async function teamOf<Name extends string>(members: Record<Name, Role>) {
  const team = await world.client({ team: freshOwner() });
  const names = Object.fromEntries(Object.keys(members).map((name) => [name, freshOwner()])) as Record<
    Name,
    string
  >;
  const as = (name: Name, options: ClientOptions = {}) => world.client({ owner: names[name], ...options });
  const clients = {} as Record<Name, Client>;
  for (const [name, role] of Object.entries(members) as [Name, Role][]) {
    clients[name] = await as(name);
    await world.service.teams.setRole(team.ownerId, clients[name].ownerId, role);
  }
  const join = (client: Client, role: Role) =>
    world.service.teams.setRole(team.ownerId, client.ownerId, role);
  return { team, teamId: team.ownerId, as, join, ...clients };
}

const toTeam = (teamId: string) => ({ scope: "team", team_id: teamId });
const HOME = { scope: "private" };

/** What of the record says where a memory is, and that the move was made whole. */
async function rowsOf(memoryId: string) {
  return world.service.sql`
    select owner_id, scope, content, version from memories where memory_id = ${memoryId} order by owner_id`;
}

test("a private memory moved to a team is the team's, to be found there at once, and its author stays", async () => {
  const { ada, bob, teamId } = await teamOf({ ada: "member", bob: "viewer" });
  const word = unguessable();
  const id = await stored(ada, { content: `The lighthouse is called ${word}.`, metadata: { a: 1 } });
  expect(await found(ada, word)).toEqual([id]);
  expect(await found(bob, word)).toEqual([]);
  const moved = await ada.patch(`/v1/memories/${id}`, toTeam(teamId));
  expect(moved).toMatchObject({
    status: 200,
    body: { id, scope: "team", team_id: teamId, version: 2, metadata: { a: 1 } },
  });
  expect(await found(bob, word)).toEqual([id]);
  expect(await found(bob, word, { team_id: teamId })).toEqual([id]);
  expect(await found(ada, word, { scope: "private" })).toEqual([]);
  expect(await listed(ada, { scope: "private" })).toEqual([]);
  expect((await bob.get(`/v1/memories/${id}`)).body).toMatchObject({ scope: "team", team_id: teamId });
  const [row] = await world.service.sql`select author_id from memories where memory_id = ${id}`;
  expect(row?.author_id).toBe(ada.ownerId);
});

test("a team's memory that its author moves home is nobody else's from then on", async () => {
  const { ada, bob, team, teamId } = await teamOf({ ada: "member", bob: "owner" });
  const word = unguessable();
  const id = await stored(ada, { content: `The harbour is called ${word}.`, ...toTeam(teamId) });
  expect(await found(bob, word)).toEqual([id]);
  const moved = await ada.patch(`/v1/memories/${id}`, HOME);
  expect(moved).toMatchObject({ status: 200, body: { id, scope: "private", team_id: null } });
  for (const other of [bob, team]) {
    expect(await found(other, word)).toEqual([]);
    expect(await found(other, "harbour", { as_of: new Date().toISOString() })).toEqual([]);
    expectRefusal(await other.get(`/v1/memories/${id}`), 404, "not_found");
    expectRefusal(await other.get(`/v1/memories/${id}/versions`), 404, "not_found");
    expectRefusal(await other.patch(`/v1/memories/${id}`, { content: "x" }), 404, "not_found");
    expectRefusal(await other.delete(`/v1/memories/${id}?mode=hard_delete`), 404, "not_found");
  }
  expect(await found(ada, word)).toEqual([id]);
});

test("a memory moves between two teams, there and back again and once more, and can then be deleted for good", async () => {
  const one = await teamOf({ ada: "member", eve: "member" });
  const two = await teamOf({ fay: "member" });
  await two.join(one.ada, "member");
  const word = unguessable();
  const id = await stored(one.ada, { content: `The ferry is called ${word}.`, ...toTeam(one.teamId) });
  for (const [to, sees, lost] of [
    [two.teamId, two.fay, one.eve],
    [one.teamId, one.eve, two.fay],
    [two.teamId, two.fay, one.eve],
    [one.teamId, one.eve, two.fay],
  ] as const) {
    expect(await one.ada.patch(`/v1/memories/${id}`, toTeam(to))).toMatchObject({
      status: 200,
      body: { team_id: to },
    });
    expect(await found(sees, word)).toEqual([id]);
    expect(await found(lost, word)).toEqual([]);
  }
  expect((await one.team.delete(`/v1/memories/${id}?mode=hard_delete`)).status).toBe(200);
  expect(await found(one.eve, word)).toEqual([]);
  expect(await found(two.fay, word)).toEqual([]);
});

test("a move and the other members of its PATCH are one change", async () => {
  const { ada, bob, teamId } = await teamOf({ ada: "member", bob: "member" });
  const id = await stored(ada, { content: "Written at home.", metadata: { mine: 1, both: 1 } });
  const change = {
    ...toTeam(teamId),
    content: "Written for all.",
    path: "shared/notes",
    bucket: "work",
    semantic_key: "for-all",
    metadata: { mine: null, both: 2 },
  };
  const moved = await ada.patch(`/v1/memories/${id}`, change);
  expect(moved).toMatchObject({
    status: 200,
    body: { version: 2, content: "Written for all.", path: "shared/notes" },
  });
  expect((await bob.get(`/v1/memories/${id}`)).body).toMatchObject({
    ...change,
    metadata: { both: 2 },
    team_id: teamId,
  });
  expect(await found(bob, "written for all")).toEqual([id]);
  // One of them refused, none is done.
  const home = await stored(ada, { content: "Stays." });
  const refused = await ada.patch(`/v1/memories/${home}`, { ...toTeam(teamId), superseded_by: "nothing" });
  expect(faultyPlaces(refused)).toEqual(["body.superseded_by"]);
  expect(await rowsOf(home)).toMatchObject([{ owner_id: ada.ownerId, version: 1 }]);
});

test("earlier states stay unread in the new space, by their history and by as_of, the mover's own included", async () => {
  const { ada, bob, team, teamId } = await teamOf({ ada: "member", bob: "owner" });
  const secret = unguessable();
  const id = await stored(ada, { content: `The salary is ${secret}.`, memory_id: unguessable("m") });
  const early = new Date().toISOString();
  await ada.patch(`/v1/memories/${id}`, { content: `The salary is ${secret} and more.` });
  const before = new Date().toISOString();
  await ada.patch(`/v1/memories/${id}`, { ...toTeam(teamId), content: "There is a salary." });
  for (const reader of [ada, bob, team]) {
    const { body } = await reader.get(`/v1/memories/${id}/versions`);
    expect(body.versions).toHaveLength(1);
    expect(JSON.stringify(body)).not.toContain(secret);
    for (const as_of of [early, before]) {
      const past = await reader.get(`/v1/memories/search?query=salary&limit=100&as_of=${as_of}`);
      expect(past).toMatchObject({ status: 200, body: { results: [] } });
    }
  }
  // What was written after the move is the team's history.
  await bob.patch(`/v1/memories/${id}`, { content: "There is no salary." });
  const { body } = await ada.get(`/v1/memories/${id}/versions`);
  expect(body.versions.map((version: { content: string }) => version.content)).toEqual([
    "There is no salary.",
    "There is a salary.",
  ]);
  expect(body.versions[1].valid_from > before).toBe(true);
  // Back home its first states are read again; those of the team are not.
  await ada.patch(`/v1/memories/${id}`, HOME);
  const home = await ada.get(`/v1/memories/${id}/versions`);
  expect(home.body.versions.map((version: { content: string }) => version.content)).toEqual([
    "There is no salary.",
    `The salary is ${secret} and more.`,
    `The salary is ${secret}.`,
  ]);
});

test("out of a team a memory is moved by its author or an admin, and by nobody else", async () => {
  const { ada, bob, cyd, dan, teamId } = await teamOf({
    ada: "member",
    bob: "member",
    cyd: "admin",
    dan: "viewer",
  });
  const id = await stored(ada, { content: "Ada's.", ...toTeam(teamId) });
  for (const other of [bob, dan])
    expectRefusal(await other.patch(`/v1/memories/${id}`, HOME), 403, "role_forbidden");
  // That a team is not there comes before what a role may do.
  const foreign = (await teamOf({ eve: "owner" })).teamId;
  expectRefusal(await dan.patch(`/v1/memories/${id}`, toTeam(foreign)), 404, "not_found");
  expect(await rowsOf(id)).toMatchObject([{ owner_id: teamId, version: 1 }]);
  expect((await cyd.patch(`/v1/memories/${id}`, HOME)).status).toBe(200);
  expect(await rowsOf(id)).toMatchObject([{ owner_id: cyd.ownerId }]);
  expectRefusal(await ada.get(`/v1/memories/${id}`), 404, "not_found");
});

test("an author whose role only reads by now moves nothing out", async () => {
  const { ada, teamId, join } = await teamOf({ ada: "member" });
  const id = await stored(ada, toTeam(teamId));
  await join(ada, "viewer");
  expectRefusal(await ada.patch(`/v1/memories/${id}`, HOME), 403, "role_forbidden");
});

test("a memory moves only to where the caller may write: no team of others, none that it reads, no user", async () => {
  const { ada, bob, teamId } = await teamOf({ ada: "viewer", bob: "member" });
  const foreign = await teamOf({ eve: "owner" });
  const id = await stored(ada, { content: "Ada's own." });
  expectRefusal(await ada.patch(`/v1/memories/${id}`, toTeam(teamId)), 403, "role_forbidden");
  for (const owner of [foreign.teamId, bob.ownerId, ada.ownerId, "00000000-0000-7000-8000-000000000000"])
    expectRefusal(await ada.patch(`/v1/memories/${id}`, toTeam(owner)), 404, "not_found");
  expect(faultyPlaces(await ada.patch(`/v1/memories/${id}`, { scope: "team" }))).toEqual(["body.team_id"]);
  expect(faultyPlaces(await ada.patch(`/v1/memories/${id}`, { team_id: teamId }))).toEqual(["body.team_id"]);
  expect(faultyPlaces(await ada.patch(`/v1/memories/${id}`, { ...HOME, team_id: teamId }))).toEqual([
    "body.team_id",
  ]);
  expect(await rowsOf(id)).toMatchObject([{ owner_id: ada.ownerId, version: 1 }]);
});

test("null and what is already so are no move", async () => {
  const { ada, teamId } = await teamOf({ ada: "member" });
  const [own, shared] = [await stored(ada), await stored(ada, toTeam(teamId))];
  for (const members of [
    { scope: null, team_id: null },
    HOME,
    { ...HOME, team_id: null },
    { scope: "private", path: "notes" },
  ])
    expect(await ada.patch(`/v1/memories/${own}`, members)).toMatchObject({
      status: 200,
      body: { version: 1 },
    });
  for (const members of [
    { scope: null, team_id: null },
    { scope: "team" },
    { team_id: teamId },
    toTeam(teamId),
  ])
    expect(await ada.patch(`/v1/memories/${shared}`, members)).toMatchObject({
      status: 200,
      body: { version: 1, team_id: teamId },
    });
});

test("a memory that is sent back whole changes nothing, wherever it lies and whatever has its id elsewhere", async () => {
  const { ada, teamId } = await teamOf({ ada: "member" });
  const other = await teamOf({ fay: "member" });
  await other.join(ada, "member");
  const id = unguessable("same");
  await stored(ada, { memory_id: id, content: "mine", provenance: { session_id: "s", tool: "x" } });
  await stored(ada, {
    memory_id: id,
    content: "theirs",
    ...toTeam(teamId),
    expires_at: "2999-01-01T00:00:00Z",
  });
  await stored(ada, {
    memory_id: id,
    content: "others'",
    ...toTeam(other.teamId),
    metadata: { b: { d: 1, c: 2 } },
  });
  const { body } = await ada.get("/v1/memories?limit=10");
  expect(body.memories).toHaveLength(3);
  for (const item of body.memories) {
    const { boundary: _, ...same } = item;
    const { scope, ...named } = same;
    // With its scope, a team's could be meant as a move of her own, whose id is taken there: the team alone names it.
    const answer = await ada.patch(`/v1/memories/${id}`, scope === "team" ? named : same);
    expect(answer.body).toMatchObject({ ...same, version: 1, updated_at: item.updated_at });
    if (scope === "team") expectRefusal(await ada.patch(`/v1/memories/${id}`, same), 409, "conflict");
  }
  expect((await ada.get("/v1/memories?limit=10")).body.memories).toEqual(body.memories);
});

test("a repeated move is a 200 that changes nothing", async () => {
  const { ada, teamId } = await teamOf({ ada: "member" });
  const id = await stored(ada);
  const first = await ada.patch(`/v1/memories/${id}`, { ...toTeam(teamId), content: "moved" });
  const again = await ada.patch(`/v1/memories/${id}`, { ...toTeam(teamId), content: "moved" });
  expect(again).toMatchObject({ status: 200, body: { version: 2, updated_at: first.body.updated_at } });
  const back = await ada.patch(`/v1/memories/${id}`, HOME);
  expect((await ada.patch(`/v1/memories/${id}`, HOME)).body).toEqual(back.body);
});

test("If-Match is asked before a move, and the state after it has another tag", async () => {
  const { ada, teamId } = await teamOf({ ada: "member" });
  const id = await stored(ada);
  const tag = (await ada.get(`/v1/memories/${id}`)).headers.get("etag") as string;
  const stale = { "if-match": '"stale"' };
  expectRefusal(await ada.patch(`/v1/memories/${id}`, toTeam(teamId), stale), 412, "precondition_failed");
  const moved = await ada.patch(`/v1/memories/${id}`, toTeam(teamId), { "if-match": tag });
  expect(moved.status).toBe(200);
  expect(moved.headers.get("etag")).not.toBe(tag);
  expectRefusal(await ada.patch(`/v1/memories/${id}`, HOME, { "if-match": tag }), 412, "precondition_failed");
});

test("an id that the new space has is a conflict, whatever has become of its holder and whoever sees it", async () => {
  const { ada, as, team, teamId } = await teamOf({ ada: "member" });
  const id = unguessable("m");
  await stored(team, { memory_id: id, content: "the team's", bucket: "knowledge" });
  const blind = await as("ada", { scopes: ["memory:read", "memory:write"] });
  await stored(ada, { memory_id: id, content: "mine" });
  const refused = await blind.patch(`/v1/memories/${id}`, toTeam(teamId));
  expectRefusal(refused, 409, "conflict");
  expect(JSON.stringify(refused.body)).not.toContain(id);
  expect(await rowsOf(id)).toMatchObject([{ version: 1 }, { version: 1 }]);
  const overwriting = { ...toTeam(teamId), content: "mine, for the team" };
  expectRefusal(await ada.patch(`/v1/memories/${id}`, overwriting), 409, "conflict");
  // The team alone says that its own is meant.
  expect((await ada.patch(`/v1/memories/${id}`, { team_id: teamId, importance: 0.9 })).body).toMatchObject({
    content: "the team's",
    importance: 0.9,
  });
  const taken = await stored(ada, {
    content: "the team's too",
    memory_id: unguessable("t"),
    ...toTeam(teamId),
  });
  await stored(ada, { content: "mine too", memory_id: taken });
  await ada.delete(`/v1/memories/${taken}`);
  // Its own is soft-deleted, and its id is not free for all that.
  const home = await as("ada", { space: { teamId } });
  expectRefusal(await home.patch(`/v1/memories/${taken}`, HOME), 422, "validation_failed");
  expectRefusal(await ada.patch(`/v1/memories/${taken}`, { ...HOME, team_id: null }), 404, "not_found");
});

test("a live memory of its key in the new space is a conflict that names nothing; an ended one is none", async () => {
  const { ada, team, as, teamId } = await teamOf({ ada: "member" });
  const key = unguessable("key");
  const held = await stored(team, { content: "the team's", semantic_key: key, path: "in/secret" });
  const id = await stored(ada, { content: "mine", semantic_key: key, path: "out" });
  const narrow = await as("ada", { space: { pathPrefix: "out" } });
  for (const client of [ada, narrow]) {
    const refused = await client.patch(`/v1/memories/${id}`, toTeam(teamId));
    expectRefusal(refused, 409, "conflict");
    expect(JSON.stringify(refused.body)).not.toContain(held);
  }
  // The key that it is given with the move counts, not the one that it had.
  const other = await stored(ada, { content: "another", semantic_key: unguessable("free") });
  expectRefusal(
    await ada.patch(`/v1/memories/${other}`, { ...toTeam(teamId), semantic_key: key }),
    409,
    "conflict",
  );
  expect(await ada.patch(`/v1/memories/${id}`, { ...toTeam(teamId), semantic_key: null })).toMatchObject({
    status: 200,
  });
  expect(
    await ada.patch(`/v1/memories/${other}`, { ...toTeam(teamId), semantic_key: key, status: "archived" }),
  ).toMatchObject({
    status: 200,
  });
});

test("what supersedes another memory or is superseded does not move away from it", async () => {
  const { ada, teamId } = await teamOf({ ada: "member" });
  const older = await stored(ada, { content: "one", semantic_key: "k" });
  const newer = await stored(ada, { content: "two", semantic_key: "k" });
  for (const id of [older, newer])
    expectRefusal(
      await ada.patch(`/v1/memories/${id}`, { ...toTeam(teamId), semantic_key: null }),
      409,
      "conflict",
    );
  // One that is no longer superseded by anything is free to go.
  await ada.patch(`/v1/memories/${older}`, { semantic_key: "other" });
  expect(
    (await ada.patch(`/v1/memories/${older}`, { ...toTeam(teamId), superseded_by: null })).body,
  ).toMatchObject({
    status: "active",
    team_id: teamId,
  });
  expect((await ada.patch(`/v1/memories/${newer}`, toTeam(teamId))).status).toBe(200);
});

test("a move may supersede by a memory of the new space, and by none of the old one", async () => {
  const { ada, teamId } = await teamOf({ ada: "member" });
  const [id, here, there] = [
    await stored(ada),
    await stored(ada, { content: "here" }),
    await stored(ada, { content: "there", ...toTeam(teamId) }),
  ];
  expect(
    faultyPlaces(await ada.patch(`/v1/memories/${id}`, { ...toTeam(teamId), superseded_by: here })),
  ).toEqual(["body.superseded_by"]);
  expect(
    (await ada.patch(`/v1/memories/${id}`, { ...toTeam(teamId), superseded_by: there })).body,
  ).toMatchObject({
    status: "superseded",
    superseded_by: there,
    team_id: teamId,
  });
});

test("a credential that is confined to a team moves nothing out of it, and a team's own key neither", async () => {
  const { ada, as, team, teamId } = await teamOf({ ada: "admin" });
  const other = await teamOf({ fay: "owner" });
  await other.join(ada, "owner");
  const id = await stored(ada, toTeam(teamId));
  for (const client of [await as("ada", { space: { teamId } }), team]) {
    expectRefusal(await client.patch(`/v1/memories/${id}`, HOME), 422, "validation_failed");
    expectRefusal(await client.patch(`/v1/memories/${id}`, toTeam(other.teamId)), 404, "not_found");
  }
  const own = await stored(ada);
  expectRefusal(
    await (await as("ada", { space: { teamId } })).patch(`/v1/memories/${own}`, toTeam(teamId)),
    404,
    "not_found",
  );
  expect(await rowsOf(id)).toMatchObject([{ owner_id: teamId, version: 1 }]);
});

test("a confined credential moves what it reaches, and only to where it reaches", async () => {
  const { ada, as, teamId } = await teamOf({ ada: "member" });
  const space = { projects: ["p"], pathPrefix: "in", buckets: ["b", "ledger"] };
  const narrow = await as("ada", { space, scopes: ["memory:read", "memory:write"] });
  const place = { path: "in/a", bucket: "b", provenance: { project_id: "p" } };
  const outside = await stored(ada, { ...place, path: "out" });
  expectRefusal(await narrow.patch(`/v1/memories/${outside}`, toTeam(teamId)), 404, "not_found");
  const id = await stored(ada, place);
  for (const elsewhere of [{ path: "out" }, { bucket: "c" }, { bucket: "ledger" }])
    expectRefusal(
      await narrow.patch(`/v1/memories/${id}`, { ...toTeam(teamId), ...elsewhere }),
      403,
      "insufficient_scope",
    );
  expect(await rowsOf(id)).toMatchObject([{ owner_id: ada.ownerId, version: 1 }]);
  expect((await narrow.patch(`/v1/memories/${id}`, toTeam(teamId))).body).toMatchObject({
    team_id: teamId,
    provenance: { project_id: "p" },
  });
});

test("a caller that may not read is answered id and status of a move, and nothing of a refusal's ground", async () => {
  const { ada, as, teamId } = await teamOf({ ada: "member" });
  const writer = await as("ada", { scopes: ["memory:update"] });
  const id = await stored(ada);
  const moved = await writer.patch(`/v1/memories/${id}`, toTeam(teamId));
  expect(moved).toMatchObject({ status: 200, body: { id, status: "active" } });
  expect(Object.keys(moved.body).sort()).toEqual(["id", "status"]);
});

test("todos and decisions are not moved, nor what was redacted or soft-deleted", async () => {
  const { ada, teamId } = await teamOf({ ada: "owner" });
  const todo = await ada.post("/v1/projects/apollo/todos", { content: "Do it." });
  expectRefusal(await ada.patch(`/v1/memories/${todo.body.todo_id}`, toTeam(teamId)), 409, "conflict");
  const [redacted, deleted] = [await stored(ada), await stored(ada)];
  await ada.delete(`/v1/memories/${redacted}?mode=redact`);
  await ada.delete(`/v1/memories/${deleted}`);
  expectRefusal(await ada.patch(`/v1/memories/${redacted}`, toTeam(teamId)), 409, "conflict");
  expectRefusal(await ada.patch(`/v1/memories/${deleted}`, toTeam(teamId)), 404, "not_found");
});

test("a move is in the audit log of the space that it left and of the one that it reached", async () => {
  const { ada, teamId } = await teamOf({ ada: "member" });
  const id = await stored(ada);
  await ada.patch(`/v1/memories/${id}`, toTeam(teamId));
  const lines = await world.service.sql`
    select owner_id, token_id, detail from audit_log
    where operation = 'move' and memory = (select id from memories where memory_id = ${id})`;
  expect(lines.map((line) => line.owner_id).sort()).toEqual([ada.ownerId, teamId].sort());
  for (const line of lines)
    expect(line).toMatchObject({ token_id: ada.tokenId, detail: { from: ada.ownerId, to: teamId } });
});

test("a moved text is no duplicate where it was, and one where it is", async () => {
  const { ada, teamId } = await teamOf({ ada: "member" });
  const content = unguessable("text ");
  const id = await stored(ada, { content });
  await ada.patch(`/v1/memories/${id}`, toTeam(teamId));
  const inTeam = await ada.post("/v1/remember", { content, path: "notes", ...toTeam(teamId) });
  expect(inTeam.body).toMatchObject({ id, deduplicated: true });
  const atHome = await ada.post("/v1/remember", { content, path: "notes" });
  expect(atHome.body).toMatchObject({ deduplicated: false });
  expect(atHome.body.id).not.toBe(id);
});

test("the vector goes with the memory: nothing has to be embedded again", async () => {
  const { ada, teamId } = await teamOf({ ada: "member" });
  const id = await stored(ada);
  const vectors = () => world.service.sql`
    select generation, encode(vector, 'hex') as vector from embeddings
    where memory = (select id from memories where memory_id = ${id})`;
  const before = await vectors();
  expect(before).toHaveLength(1);
  await ada.patch(`/v1/memories/${id}`, toTeam(teamId));
  expect(await vectors()).toEqual(before);
});

test("of two moves of one memory at once both are done, one after the other, and it lies in one place", async () => {
  const one = await teamOf({ ada: "owner", bob: "owner" });
  for (let round = 0; round < 5; round++) {
    const id = await stored(one.ada, toTeam(one.teamId));
    const answers = await Promise.all(
      [one.ada, one.bob].map((client) => client.patch(`/v1/memories/${id}`, HOME)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    const rows = await rowsOf(id);
    expect(rows).toHaveLength(1);
    const winner = answers[0]?.status === 200 ? one.ada : one.bob;
    expect(rows[0]?.owner_id).toBe(winner.ownerId);
    expect((await winner.get(`/v1/memories/${id}`)).status).toBe(200);
  }
});

test("beside creates of its id and its key in the new space a move leaves one of each", async () => {
  const { ada, team, teamId } = await teamOf({ ada: "member" });
  for (let round = 0; round < 6; round++) {
    const [id, key] = [unguessable("m"), unguessable("k")];
    await stored(ada, { memory_id: id, content: "moved", semantic_key: key });
    const [moved, created, stated] = await Promise.all([
      ada.patch(`/v1/memories/${id}`, toTeam(teamId)),
      team.post("/v1/memories", { memory_id: id, content: "made", path: "notes" }),
      team.post("/v1/memories", { content: "stated", path: "notes", semantic_key: key }),
    ]);
    expect([200, 409]).toContain(moved.status);
    expect([201, 409]).toContain(created.status);
    expect(stated.status).toBe(201);
    const live = await world.service.sql`
      select memory_id from memories where owner_id = ${teamId} and semantic_key = ${key} and status = 'active'`;
    expect(live).toHaveLength(1);
  }
});

test("beside a newer fact where it lies a move leaves no chain across two spaces", async () => {
  const { ada, teamId } = await teamOf({ ada: "member" });
  for (let round = 0; round < 6; round++) {
    const key = unguessable("k");
    const id = await stored(ada, { content: "older", semantic_key: key });
    const [moved, newer] = await Promise.all([
      ada.patch(`/v1/memories/${id}`, toTeam(teamId)),
      ada.post("/v1/memories", { content: "newer", path: "notes", semantic_key: key }),
    ]);
    expect(newer.status).toBe(201);
    const [row] = await world.service
      .sql`select owner_id, superseded_by from memories where memory_id = ${id}`;
    const expected =
      moved.status === 200
        ? { owner_id: teamId, superseded_by: null }
        : { owner_id: ada.ownerId, superseded_by: newer.body.id };
    expect(row).toMatchObject(expected);
    expect(newer.body.superseded).toEqual(moved.status === 200 ? [] : [id]);
  }
});
