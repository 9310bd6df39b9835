import { afterAll, beforeAll, expect, test } from "vitest";
import { expectRefusal, found, listed, memory, stored, unguessable } from "../support/acting.ts";
import { columnsHolding } from "../support/stored-text.ts";
import { type Client, openWorld, type World } from "../support/world.ts";
import { approve, bind, confirm, register, user } from "./agents.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** A user with a key of its own. */
async function person(): Promise<{ owner: Awaited<ReturnType<typeof user>>; key: Client }> {
  const owner = await user(world);
  return { owner, key: await world.client({ owner: owner.name }) };
}

test("what the agent wrote is its user's at the very next search, and nobody else's", async () => {
  const agent = await register(world);
  const { owner, key } = await person();
  const bystander = await person();
  const word = unguessable();
  const ids = await Promise.all(
    Array.from({ length: 8 }, (_, n) => stored(agent.client, { content: `Note ${n} about ${word}.` })),
  );
  // Their indexes are built, so that the move has to reach them by the feed.
  expect(await found(key, word)).toEqual([]);
  expect(await found(agent.client, word)).toHaveLength(8);
  const formal = await bind(world, agent, owner);
  expect((await found(key, word)).sort()).toEqual([...ids].sort());
  expect((await found(formal, word)).sort()).toEqual([...ids].sort());
  expect(await found(bystander.key, word)).toEqual([]);
  const [row] = await world.service.sql`
    select count(*) filter (where m.owner_id = ${owner.id} and m.author_id = ${owner.id} and m.scope = 'private') as own,
           count(*) as total from memories m where m.id = any(${ids})`;
  expect(row).toEqual({ own: 8, total: 8 });
});

test("provenance says from whom it was adopted, and no caller can say so", async () => {
  const agent = await register(world);
  const { owner, key } = await person();
  const forged = { adopted_from: { agent_id: "forged" } };
  const id = await stored(agent.client, { provenance: { ...forged, note: "kept" } });
  const formal = await bind(world, agent, owner);
  const adopted = (await key.get(`/v1/memories/${id}`)).body;
  expect(adopted.provenance).toEqual({
    note: "kept",
    agent_id: agent.id,
    adopted_from: { agent_id: agent.id, at: expect.any(String) },
  });
  const changed = await formal.patch(`/v1/memories/${id}`, { provenance: forged, merge_provenance: false });
  expectRefusal(changed, 422, "validation_failed");
  expect((await key.get(`/v1/memories/${id}`)).body.provenance.adopted_from).toEqual(
    adopted.provenance.adopted_from,
  );
  const own = await stored(key, { provenance: forged });
  expect((await key.get(`/v1/memories/${own}`)).body.provenance).not.toHaveProperty("adopted_from");
  await key.patch(`/v1/memories/${own}`, { provenance: forged });
  expect((await key.get(`/v1/memories/${own}`)).body.provenance).not.toHaveProperty("adopted_from");
});

test("an id the user has already gives way, and what referred to it follows", async () => {
  const agent = await register(world);
  const { owner, key } = await person();
  await stored(key, { memory_id: "plan", content: "The user's plan." });
  await stored(agent.client, { memory_id: "plan", content: "The agent's plan.", semantic_key: "plan" });
  await stored(agent.client, { memory_id: "plan-0", content: "An earlier plan.", superseded_by: "plan" });
  await stored(agent.client, { memory_id: "note", content: "No clash." });
  await bind(world, agent, owner);

  expect((await key.get("/v1/memories/plan")).body).toMatchObject({ content: "The user's plan." });
  expect((await key.get("/v1/memories/note")).body).toMatchObject({ content: "No clash." });
  const { superseded_by: renamed } = (await key.get("/v1/memories/plan-0")).body;
  expect(renamed).not.toBe("plan");
  expect((await key.get(`/v1/memories/${renamed}`)).body).toMatchObject({
    content: "The agent's plan.",
    provenance: { adopted_from: { agent_id: agent.id, memory_id: "plan" } },
  });
});

test("nothing is superseded and nothing deduplicated", async () => {
  const agent = await register(world);
  const { owner, key } = await person();
  const fact = { semantic_key: "staging.db", path: "facts" };
  await key.post("/v1/memories", memory({ ...fact, content: "It is db-1." }));
  await agent.client.post("/v1/memories", memory({ ...fact, content: "It is db-2." }));
  await key.post("/v1/remember", memory({ content: "The very same." }));
  await agent.client.post("/v1/remember", memory({ content: "The very same." }));
  await bind(world, agent, owner);
  expect((await listed(key)).sort()).toEqual([
    "It is db-1.",
    "It is db-2.",
    "The very same.",
    "The very same.",
  ]);
});

test("earlier states move along, and soft-deleted memories too", async () => {
  const agent = await register(world);
  const { owner, key } = await person();
  const id = await stored(agent.client, { content: "First." });
  await agent.client.patch(`/v1/memories/${id}`, { content: "Second." });
  await stored(agent.client, { memory_id: "gone", content: "Deleted." });
  await agent.client.delete("/v1/memories/gone");
  const before = (await agent.client.get(`/v1/memories/${id}/versions`)).body;
  await bind(world, agent, owner);
  const after = (await key.get(`/v1/memories/${id}/versions`)).body;
  expect(after.versions.map((each: { content: string }) => each.content)).toEqual(
    before.versions.map((each: { content: string }) => each.content),
  );
  expect(after.versions.length).toBeGreaterThan(0);
  expect(await key.post("/v1/memories/gone/restore")).toMatchObject({ status: 200 });
  expect(await found(key, "Deleted")).toContain("gone");
});

test("the same create again is known after the move", async () => {
  const agent = await register(world);
  const { owner } = await person();
  const create = memory({ memory_id: "same", content: "Once only." });
  await agent.client.post("/v1/memories", create);
  const formal = await bind(world, agent, owner);
  expect(await formal.post("/v1/memories", create)).toMatchObject({ status: 201, body: { id: "same" } });
  expect(await listed(formal)).toEqual(["Once only."]);
  expectRefusal(
    await formal.post("/v1/memories", { ...create, content: "Another." }),
    409,
    "memory_id_conflict",
  );
});

test("the same create of somebody else is no repetition: its id is taken, and nothing of theirs is said to be stored", async () => {
  const agent = await register(world);
  const { owner, key } = await person();
  const create = memory({ memory_id: "same", content: "Once only.", importance: 0.9 });
  await agent.client.post("/v1/memories", create);
  await bind(world, agent, owner);
  for (const path of ["/v1/memories", "/v1/remember"])
    expectRefusal(await key.post(path, create), 409, "memory_id_conflict");
  const { body } = await key.post("/v1/memories/batch", { items: [create] });
  expect(body).toMatchObject({ stored: 0, results: [{ error: { code: "memory_id_conflict" } }] });
});

test("what the user says later is stored as its own, however equal to what was adopted", async () => {
  const agent = await register(world);
  const { owner, key } = await person();
  const said = memory({ content: "Say it again.", importance: 0.9 });
  const id = (await agent.client.post("/v1/remember", said)).body.id;
  await bind(world, agent, owner);
  const own = await key.post("/v1/remember", memory({ content: "Say it again." }));
  expect(own.body).toMatchObject({ deduplicated: false });
  expect(own.body.id).not.toBe(id);
  expect((await key.get(`/v1/memories/${id}`)).body.importance).toBe(0.5);
  // Nor does a change bring it back into the comparison.
  await key.patch(`/v1/memories/${id}`, { source: "looked at" });
  const again = await key.post("/v1/remember", memory({ content: "Say it again." }));
  expect(again.body).toMatchObject({ deduplicated: true, id: own.body.id });
});

test("with one granted project, what has none comes to lie there, and what has another one stays", async () => {
  const agent = await register(world);
  const { owner, key } = await person();
  const [bare, placed] = [
    await stored(agent.client, { content: "Without." }),
    await stored(agent.client, { content: "With.", provenance: { project_id: "zeus" } }),
  ];
  await agent.client.patch(`/v1/memories/${bare}`, { importance: 0.9 });
  const formal = await bind(world, agent, owner, { projects: ["apollo"] });
  expect((await key.get(`/v1/memories/${bare}`)).body.provenance).toMatchObject({ project_id: "apollo" });
  expectRefusal(await key.get(`/v1/memories/${placed}`), 404, "not_found");
  expect(await listed(key)).toEqual(["Without."]);
  expect(await listed(formal)).toEqual(["Without."]);
  expect((await formal.get(`/v1/memories/${bare}/versions`)).body.versions).not.toEqual([]);
});

test("approved for a team, the memories become the team's; a viewer's agent leaves them where they are", async () => {
  const { owner, key } = await person();
  const { team } = await world.service.teams.create(`team-${owner.name}`, owner);
  const mate = await person();
  await world.service.teams.setRole(team.id, mate.owner.id, "viewer");

  const agent = await register(world);
  const id = await stored(agent.client, { content: "For all of us." });
  await bind(world, agent, owner, { teamId: team.id });
  expect((await mate.key.get(`/v1/memories/${id}`)).body).toMatchObject({ scope: "team", team_id: team.id });

  const viewers = await register(world);
  const own = await stored(viewers.client, { content: "For me." });
  await bind(world, viewers, mate.owner, { teamId: team.id, scopes: ["memory:read"] });
  for (const reader of [key, mate.key])
    expectRefusal(await reader.get(`/v1/memories/${own}`), 404, "not_found");
});

test("deleted for good after the move, nothing of it is left", async () => {
  const agent = await register(world);
  const { owner, key } = await person();
  const [earlier, later] = [unguessable(), unguessable()];
  const id = await stored(agent.client, { content: `It was ${earlier}.`, metadata: { tag: earlier } });
  await agent.client.patch(`/v1/memories/${id}`, { content: `It is ${later}.` });
  await bind(world, agent, owner);
  expect(await columnsHolding(world.service.sql, later)).not.toEqual([]);
  expect(await key.delete(`/v1/memories/${id}?mode=hard_delete`)).toMatchObject({ status: 200 });
  expect(await columnsHolding(world.service.sql, earlier)).toEqual([]);
  expect(await columnsHolding(world.service.sql, later)).toEqual([]);
});

test("what the agent writes or changes once it is approved was shown to nobody, and moves no more", async () => {
  const agent = await register(world);
  const { owner, key } = await person();
  await stored(agent.client, { memory_id: "seen", content: "Seen." });
  await stored(agent.client, { memory_id: "changed", content: "Seen too." });
  await stored(agent.client, { memory_id: "followed", content: "Seen as well.", semantic_key: "fact" });
  const token = await approve(world, agent, owner);
  await stored(agent.client, { memory_id: "later", content: "Unseen." });
  await agent.client.patch("/v1/memories/changed", { content: "Unseen too." });
  await stored(agent.client, { memory_id: "follower", content: "Unseen as well.", semantic_key: "fact" });
  expect(await confirm(agent, token)).toMatchObject({ status: 200 });
  expect(await listed(key, { status: "%" })).toEqual(["Seen."]);
});

test("a write that races with the binding moves where it was there at the approval, and else not", async () => {
  for (let round = 0; round < 4; round += 1) {
    const agent = await register(world);
    const { owner, key } = await person();
    await stored(agent.client, { content: "Before." });
    const token = await approve(world, agent, owner);
    const [confirmed, ...writes] = await Promise.all([
      confirm(agent, token),
      ...Array.from({ length: 10 }, (_, n) =>
        agent.client.post("/v1/memories", memory({ content: `Race ${n}.` })),
      ),
    ]);
    expect(confirmed).toMatchObject({ status: 200 });
    expect(writes.every((answer) => [201, 401].includes(answer.status))).toBe(true);
    expect(await listed(key, { limit: 100 })).toEqual(["Before."]);
  }
});

test("writes of the user go on while memories come to it", async () => {
  const { owner, key } = await person();
  const agent = await register(world);
  for (let n = 0; n < 10; n += 1) await stored(agent.client, { memory_id: `m-${n}`, content: `Agent ${n}.` });
  const token = await approve(world, agent, owner);
  const [confirmed, ...writes] = await Promise.all([
    confirm(agent, token),
    ...Array.from({ length: 10 }, (_, n) =>
      key.post("/v1/memories", memory({ memory_id: `m-${n}`, content: `User ${n}.` })),
    ),
  ]);
  expect(confirmed).toMatchObject({ status: 200 });
  // Whoever came second: the user's write is refused for the taken id, or the agent's memory is renamed.
  const refused = writes.filter((answer) => answer.status !== 201);
  for (const answer of refused) expectRefusal(answer, 409, "memory_id_conflict");
  expect(await listed(key, { limit: 100 })).toHaveLength(20 - refused.length);
});

test("the quarantine's index lets go of what has moved", async () => {
  const agent = await register(world);
  const { owner } = await person();
  const id = await stored(agent.client);
  const [quarantine] = await world.service.sql`select owner_id from memories where id = ${id}`;
  await bind(world, agent, owner);
  const [buried] = await world.service.sql`
    select t.revision = m.revision as is_current from tombstones t join memories m on m.id = t.memory
    where t.memory = ${id} and t.owner_id = ${quarantine?.owner_id}`;
  expect(buried).toEqual({ is_current: true });
});
