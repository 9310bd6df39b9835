import { afterAll, beforeAll, expect, test } from "vitest";
import { expectRefusal, faultyPlaces, found, freshOwner, listed, memory, stored } from "../support/acting.ts";
import { everyRequestById } from "../support/every-route.ts";
import { type Client, openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const someone = () => world.client({ owner: freshOwner() });

type Role = "owner" | "admin" | "member" | "viewer";

async function setRole(team: string, user: string, role: Role | null): Promise<void> {
  await world.service.sql`delete from team_members where team_id = ${team} and user_id = ${user}`;
  if (role)
    await world.service
      .sql`insert into team_members (team_id, user_id, role) values (${team}, ${user}, ${role})`;
}

/** A team, a credential of its own, and a user in it. */
async function teamWith(role: Role | null) {
  const team = await world.client({ team: freshOwner() });
  const user = await someone();
  await setRole(team.ownerId, user.ownerId, role);
  return { team, user, teamId: team.ownerId };
}

test("a team's credential writes team memories, and cannot write private ones", async () => {
  const { team, teamId } = await teamWith(null);
  const id = await stored(team);
  expect((await team.get(`/v1/memories/${id}`)).body).toMatchObject({ scope: "team", team_id: teamId });
  expect(faultyPlaces(await team.post("/v1/memories", memory({ scope: "private" })))).toEqual(["body.scope"]);
});

test("a user's memory is private unless a team is named, and scope team needs the team", async () => {
  const { user, teamId } = await teamWith("member");
  const id = await stored(user);
  expect((await user.get(`/v1/memories/${id}`)).body).toMatchObject({ scope: "private", team_id: null });
  expect(faultyPlaces(await user.post("/v1/memories", memory({ scope: "team" })))).toEqual(["body.team_id"]);
  expectRefusal(
    await user.post("/v1/memories", memory({ scope: "private", team_id: teamId })),
    422,
    "validation_failed",
  );
  const shared = await stored(user, { scope: "team", team_id: teamId });
  expect((await user.get(`/v1/memories/${shared}`)).body).toMatchObject({ scope: "team", team_id: teamId });
});

test("members read what is the team's, and nobody reads what is private of another", async () => {
  const { team, user, teamId } = await teamWith("viewer");
  const other = await someone();
  await setRole(teamId, other.ownerId, "owner");
  const [shared, secret] = [
    await stored(other, { scope: "team", team_id: teamId, content: "shared word" }),
    await stored(other, { content: "private word" }),
  ];
  for (const reader of [team, user]) {
    expect((await reader.get(`/v1/memories/${shared}`)).body.content).toBe("shared word");
    expectRefusal(await reader.get(`/v1/memories/${secret}`), 404, "not_found");
    expect(await listed(reader)).toEqual(["shared word"]);
    expect(await found(reader, "word")).toEqual([shared]);
    expect(JSON.stringify((await reader.post("/v1/recall/context", { query: "word" })).body)).not.toContain(
      "private word",
    );
  }
});

test("a search covers the caller's own and its teams, and with team_id that team only", async () => {
  const { team, user, teamId } = await teamWith("member");
  const second = await world.client({ team: freshOwner() });
  await setRole(second.ownerId, user.ownerId, "viewer");
  const ids = [
    await stored(user, { content: "word own" }),
    await stored(team, { content: "word one" }),
    await stored(second, { content: "word two" }),
  ];
  expect((await found(user, "word")).sort()).toEqual(ids.toSorted());
  expect(await found(user, "word", { team_id: teamId })).toEqual([ids[1]]);
  expect(await listed(user, { team_id: second.ownerId })).toEqual(["word two"]);
  expect(await listed(user, { scope: "private" })).toEqual(["word own"]);
  expect((await found(user, "word", { scope: "team" })).sort()).toEqual([ids[1], ids[2]].sort());
  const { body } = await user.post("/v1/recall/context", { query: "word", team_id: teamId });
  expect(body.items).toMatchObject([{ id: ids[1] }]);
});

test("a team one is no member of is not there: nothing to read, not_found to write", async () => {
  const { team, teamId } = await teamWith(null);
  const stranger = await someone();
  const id = await stored(team);
  expect(await listed(stranger, { team_id: teamId })).toEqual([]);
  expect(await found(stranger, "database", { team_id: teamId })).toEqual([]);
  expectRefusal(await stranger.post("/v1/memories", memory({ team_id: teamId })), 404, "not_found");
  expectRefusal(
    await stranger.post("/v1/remember", memory({ team_id: "00000000-0000-4000-8000-000000000000" })),
    404,
    "not_found",
  );
  for (const send of Object.values(everyRequestById(stranger, id)))
    expectRefusal(await send(), 404, "not_found");
  expectRefusal(
    await (await world.client({ team: freshOwner() })).post("/v1/memories", memory({ team_id: teamId })),
    404,
    "not_found",
  );
});

test.each<[Role, boolean, boolean]>([
  ["viewer", false, false],
  ["member", true, false],
  ["admin", true, true],
  ["owner", true, true],
])("a %s of the team writes: %s, and deletes for good: %s", async (role, writes, erases) => {
  const { team, user, teamId } = await teamWith(role);
  const expectAllowed = (answer: Awaited<ReturnType<typeof user.get>>, isAllowed: boolean) => {
    if (isAllowed)
      expect([answer.status, answer.body]).toEqual([
        expect.toSatisfy((status) => status === 200 || status === 201),
        expect.anything(),
      ]);
    else expectRefusal(answer, 403, "role_forbidden");
  };
  const reminder = { memory_type: "reminder", content: "r", metadata: { due_at: "2030-01-01T00:00:00Z" } };
  const [id, due] = [await stored(team), await stored(team, reminder)];
  expect((await user.get(`/v1/memories/${id}`)).status).toBe(200);
  expectAllowed(await user.post("/v1/memories", memory({ team_id: teamId, content: "new" })), writes);
  expectAllowed(await user.post("/v1/remember", memory({ team_id: teamId })), writes);
  expectAllowed(await user.patch(`/v1/memories/${id}`, { importance: 0.7 }), writes);
  expectAllowed(await user.post(`/v1/reminders/${due}/complete`), writes);
  expectAllowed(await user.post("/v1/recall/feedback", { memory_id: id, helpful: true }), writes);
  expectAllowed(await user.delete(`/v1/memories/${id}`), writes);
  await team.delete(`/v1/memories/${id}`);
  expectAllowed(await user.post(`/v1/memories/${id}/restore`), writes);
  for (const mode of ["redact", "hard_delete"]) {
    expectAllowed(await user.delete(`/v1/memories/${id}?mode=${mode}`), erases);
    expectAllowed(await user.post(`/v1/memories/${await stored(team)}/forget`, { mode }), erases);
  }
  const batch = await user.post("/v1/memories/batch", { items: [memory({ team_id: teamId })] });
  expect(batch.body.results[0].error?.code).toBe(writes ? undefined : "role_forbidden");
});

test("a role that changes holds from the next request on", async () => {
  const { team, user, teamId } = await teamWith("viewer");
  const id = await stored(team);
  const write = () => user.patch(`/v1/memories/${id}`, { importance: Math.random() });
  expectRefusal(await write(), 403, "role_forbidden");
  await setRole(teamId, user.ownerId, "member");
  expect((await write()).status).toBe(200);
  expect(await found(user, "staging database")).toEqual([id]);
  await setRole(teamId, user.ownerId, null);
  expectRefusal(await write(), 404, "not_found");
  expect(await listed(user)).toEqual([]);
  expect(await found(user, "staging database")).toEqual([]);
});

test("one's own memory comes first where a team has the same id", async () => {
  const { team, user } = await teamWith("member");
  await stored(team, { memory_id: "same", content: "the team's" });
  expect((await user.get("/v1/memories/same")).body.content).toBe("the team's");
  await stored(user, { memory_id: "same", content: "mine" });
  expect((await user.get("/v1/memories/same")).body.content).toBe("mine");
  await user.delete("/v1/memories/same?mode=hard_delete");
  expect((await user.get("/v1/memories/same")).body.content).toBe("the team's");
});

test("private and team facts of one key do not replace each other, nor do equal texts deduplicate", async () => {
  const { team, user, teamId } = await teamWith("member");
  const shared = await stored(team, { content: "one", semantic_key: "k" });
  expect(
    (await user.post("/v1/remember", memory({ content: "two", semantic_key: "k" }))).body.superseded,
  ).toEqual([]);
  expect(
    (await user.post("/v1/remember", memory({ content: "one", semantic_key: "k2" }))).body.deduplicated,
  ).toBe(false);
  const again = await user.post(
    "/v1/remember",
    memory({ content: "three", semantic_key: "k", team_id: teamId }),
  );
  expect(again.body.superseded).toEqual([shared]);
});

test("a viewer's equal or newer team memory is refused and touches nothing", async () => {
  const { team, user, teamId } = await teamWith("viewer");
  const id = await stored(team, { semantic_key: "k", importance: 0.3 });
  expectRefusal(
    await user.post("/v1/remember", memory({ semantic_key: "k", team_id: teamId })),
    403,
    "role_forbidden",
  );
  expect((await team.get(`/v1/memories/${id}`)).body.importance).toBe(0.3);
});

test("a viewer of a team can still delete its own memories by a filter", async () => {
  const { team, user } = await teamWith("viewer");
  await stored(team, { path: "old", content: "the team's" });
  await stored(user, { path: "old", content: "mine" });
  const { status, body } = await user.post("/v1/memories/delete", {
    filter: { path: "old", scope: "private" },
  });
  expect({ status, matched: body.matched }).toEqual({ status: 200, matched: 1 });
});

test.each([
  ["deletion", (user: Client, id: string) => user.delete(`/v1/memories/${id}`)],
  ["restoration", (user: Client, id: string) => user.post(`/v1/memories/${id}/restore`)],
  [
    "feedback",
    (user: Client, id: string) => user.post("/v1/recall/feedback", { memory_id: id, helpful: true }),
  ],
  ["completion", (user: Client, id: string) => user.post(`/v1/reminders/${id}/complete`, {})],
])("a viewer's %s is refused at once, whoever is changing the memory meanwhile", async (_, refused) => {
  const { team, user } = await teamWith("viewer");
  const id = await stored(team, { memory_type: "reminder", metadata: { due_at: "2031-01-31T09:00:00Z" } });
  await world.service.sql.begin(async (change) => {
    await change`select from memories where memory_id = ${id} and owner_id = ${team.ownerId} for update`;
    expectRefusal(await refused(user, id), 403, "role_forbidden");
  });
});

test("a deletion by filter waits for nothing that it may not remove", async () => {
  const { team, user } = await teamWith("viewer");
  const id = await stored(team, { path: "old", content: "the team's", semantic_key: "k" });
  await stored(user, { path: "old", content: "mine" });
  await world.service.sql.begin(async (change) => {
    await change`select from memories where memory_id = ${id} and owner_id = ${team.ownerId} for update`;
    const filter = { path: "old" };
    const { body: plan } = await user.post("/v1/memories/delete", { filter });
    const request = { filter, dry_run: false, plan_hash: plan.plan_hash };
    const { status, body } = await user.post("/v1/memories/delete", request);
    expect({ status, changed: body.changed }).toEqual({ status: 200, changed: 1 });
  });
});
