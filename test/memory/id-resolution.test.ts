import { afterAll, beforeAll, expect, test } from "vitest";
import { expectRefusal, freshOwner, stored, unguessable } from "../support/acting.ts";
import { openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** One id, used by a member for a memory of its own and by its team; and who sees which. */
async function sameId(members: Record<string, unknown> = {}) {
  const team = await world.client({ team: freshOwner() });
  const user = await world.client({ owner: freshOwner() });
  await world.service.teams.setRole(team.ownerId, user.ownerId, "owner");
  const id = unguessable("same");
  // The team's is the older one: age decides nothing between one's own and a team's.
  await stored(team, { memory_id: id, content: "The team's.", ...members });
  await stored(user, { memory_id: id, content: "My own.", ...members });
  const statusOf = async () => {
    const rows = await world.service.sql`select owner_id, status from memories where memory_id = ${id}`;
    const of = (ownerId: string) => rows.find((row) => row.owner_id === ownerId)?.status ?? "gone";
    return { own: of(user.ownerId), team: of(team.ownerId) };
  };
  return { team, user, id, teamId: team.ownerId, statusOf };
}

test("one's own memory is meant before the team's, by every operation on an id", async () => {
  const { user, id, statusOf } = await sameId({ memory_type: "reminder" });
  const path = `/v1/memories/${id}`;
  expect((await user.get(path)).body.content).toBe("My own.");
  expect((await user.get(`${path}/versions`)).body.versions).toMatchObject([{ content: "My own." }]);
  expect((await user.patch(path, { importance: 0.9 })).body.content).toBe("My own.");
  const feedback = await user.post("/v1/recall/feedback", { memory_id: id, helpful: false });
  expect(feedback.body.confidence).toBeCloseTo(0.9);
  await user.post(`/v1/reminders/${id}/complete`, {});
  expect(await statusOf()).toEqual({ own: "completed", team: "active" });
  await user.delete(path);
  expect(await statusOf()).toEqual({ own: "soft_deleted", team: "active" });
});

test("a soft-deleted memory of one's own does not give way to the team's, by any operation", async () => {
  const { user, id, statusOf } = await sameId({ memory_type: "reminder" });
  const path = `/v1/memories/${id}`;
  await user.delete(path);
  expectRefusal(await user.get(path), 404, "not_found");
  expectRefusal(await user.get(`${path}/versions`), 404, "not_found");
  expectRefusal(await user.post("/v1/recall/why", { query: "own", memory_id: id }), 404, "not_found");
  expectRefusal(await user.patch(path, { importance: 1 }), 404, "not_found");
  expectRefusal(await user.post("/v1/recall/feedback", { memory_id: id, helpful: true }), 404, "not_found");
  expectRefusal(await user.post(`/v1/reminders/${id}/complete`, {}), 404, "not_found");
  for (const again of [await user.delete(path), await user.post(`${path}/forget`, {})])
    expect(again).toMatchObject({ status: 200, body: { status: "soft_deleted" } });
  expect(await statusOf()).toEqual({ own: "soft_deleted", team: "active" });
  expect((await user.post(`${path}/restore`)).status).toBe(200);
  expect(await statusOf()).toEqual({ own: "active", team: "active" });
});

test("the source of a todo or decision is the memory that reading its id answers", async () => {
  const { user, team, id, teamId } = await sameId();
  const todo = await user.post("/v1/projects/apollo/todos", { content: "Look again.", source_memory_id: id });
  const decision = await user.post("/v1/projects/apollo/decisions", {
    context: "Which one?",
    source_memory_id: id,
  });
  const shown = async () => [
    (await user.get(`/v1/projects/apollo/todos/${todo.body.todo_id}`)).body.source_memory_status,
    (await user.get(`/v1/projects/apollo/decisions/${decision.body.decision_id}`)).body.source_memory_status,
  ];
  expect(await shown()).toEqual(["active", "active"]);
  await user.delete(`/v1/memories/${id}`);
  expectRefusal(await user.get(`/v1/memories/${id}`), 404, "not_found");
  expect(await shown()).toEqual(["missing", "missing"]);
  await user.delete(`/v1/memories/${id}?mode=hard_delete`);
  expect((await user.get(`/v1/memories/${id}`)).body.team_id).toBe(teamId);
  await team.patch(`/v1/memories/${id}`, { status: "archived" });
  expect(await shown()).toEqual(["archived", "archived"]);
});

test("once one's own memory is gone for good its id means the team's", async () => {
  const { user, id, statusOf } = await sameId();
  const path = `/v1/memories/${id}`;
  await user.delete(path);
  await user.delete(`${path}?mode=hard_delete`);
  expect(await statusOf()).toEqual({ own: "gone", team: "active" });
  expect((await user.get(path)).body.content).toBe("The team's.");
  await user.delete(path);
  expect(await statusOf()).toEqual({ own: "gone", team: "soft_deleted" });
});

test("a change that names the team means the memory there, whatever has become of one's own and of that", async () => {
  const { user, id, teamId, statusOf } = await sameId();
  const path = `/v1/memories/${id}`;
  const ofTeam = { team_id: teamId };
  expect((await user.patch(path, { ...ofTeam, importance: 0.9 })).body).toMatchObject({
    content: "The team's.",
    team_id: teamId,
    importance: 0.9,
  });
  await user.delete(path);
  expect((await user.patch(path, { ...ofTeam, importance: 0.8 })).body.content).toBe("The team's.");
  await user.post(`${path}/restore`);
  const team = await world.client({ owner: freshOwner() });
  await world.service.teams.setRole(teamId, team.ownerId, "member");
  await team.delete(path);
  expect(await statusOf()).toEqual({ own: "active", team: "soft_deleted" });
  expectRefusal(await user.patch(path, { ...ofTeam, importance: 0.7 }), 404, "not_found");
});
