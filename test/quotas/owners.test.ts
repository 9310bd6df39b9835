import { afterAll, beforeAll, expect, test } from "vitest";
import { approve, confirm, register, user } from "../agents/agents.ts";
import { expectRefusal, freshOwner, memory, stored } from "../support/acting.ts";
import { openWorld, type World } from "../support/world.ts";

const MEMORIES_MAX = 20;
const BYTES_MAX = 60_000;

let world: World;
beforeAll(async () => {
  world = await openWorld({ OWNER_MEMORIES_MAX: String(MEMORIES_MAX), OWNER_BYTES_MAX: String(BYTES_MAX) });
});
afterAll(() => world.close());

const full = (count: number) => ({
  items: Array.from({ length: count }, (_, n) => memory({ content: `Note ${n}.` })),
});

async function filled(owner = freshOwner()) {
  const client = await world.client({ owner });
  const id = await stored(client);
  expect((await client.post("/v1/memories/batch", full(MEMORIES_MAX - 1))).body.stored).toBe(
    MEMORIES_MAX - 1,
  );
  return { client, id };
}

test("an owner that has as many memories as it may is told so on every way in, and may read and delete", async () => {
  const { client, id } = await filled();
  const refusals = [
    await client.post("/v1/remember", memory({ content: "One more." })),
    await client.post("/v1/memories", memory({ content: "One more." })),
    await client.post("/v1/projects/p/todos", { content: "Do it." }),
    await client.post("/v1/projects/p/decisions", { context: "Which?" }),
  ];
  for (const answer of refusals) {
    expectRefusal(answer, 403, "quota_exceeded");
    expect(answer.body.detail).toContain(`${MEMORIES_MAX} memories`);
    expect(answer.body.detail).toContain("hard_delete");
  }
  const batch = await client.post("/v1/memories/batch", full(2));
  expect(batch.body).toMatchObject({ stored: 0, failed: 2 });
  expect(batch.body.results[0].error.code).toBe("quota_exceeded");
  expect((await client.get("/v1/memories?limit=1")).body.total).toBe(MEMORIES_MAX);
  expect((await client.patch(`/v1/memories/${id}`, { content: "It is db-3." })).status).toBe(200);
  expect((await client.delete(`/v1/memories/${id}?mode=hard_delete`)).status).toBe(200);
  expect((await client.post("/v1/memories", memory())).status).toBe(201);
});

test("a repeat of what is there is no new memory", async () => {
  const { client } = await filled();
  const repeat = await client.post("/v1/remember", memory());
  expect(repeat).toMatchObject({ status: 201, body: { deduplicated: true } });
});

test("former versions count, and what is deleted for good makes room", async () => {
  const client = await world.client({ owner: freshOwner() });
  const id = await stored(client);
  const statuses: number[] = [];
  for (let n = 0; n < 10; n += 1)
    statuses.push(
      (await client.patch(`/v1/memories/${id}`, { content: `${n}${"x".repeat(10_000)}` })).status,
    );
  expect(statuses).toContain(403);
  expect(statuses.indexOf(403)).toBeLessThan(7);
  const restored = async () => {
    await client.delete(`/v1/memories/${id}?mode=soft_delete&reason=${"r".repeat(500)}`);
    return client.post(`/v1/memories/${id}/restore`);
  };
  let answer = await restored();
  while (answer.status === 200) answer = await restored();
  expectRefusal(answer, 403, "quota_exceeded");
  expect((await client.delete(`/v1/memories/${id}?mode=hard_delete`)).status).toBe(200);
  expect((await client.post("/v1/memories", memory())).status).toBe(201);
});

test("of writes at once exactly those that fit are taken, at two servers", async () => {
  const client = await world.client({ owner: freshOwner() });
  const other = await world.replica();
  const write = (n: number) =>
    n % 2
      ? client.post("/v1/memories", memory({ content: `Edge ${n}.` }))
      : other(
          new Request("http://localhost/v1/memories", {
            method: "POST",
            headers: { "x-api-key": client.token, "content-type": "application/json" },
            body: JSON.stringify(memory({ content: `Edge ${n}.` })),
          }),
        );
  const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => write(n)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(MEMORIES_MAX);
  expect(answers.filter(({ status }) => status === 403)).toHaveLength(50 - MEMORIES_MAX);
});

test("a move into a team, and what an agent wrote before, need room where they go", async () => {
  const owner = await user(world);
  const { team } = await world.service.teams.create(freshOwner(), owner);
  const { client, id } = await filled(owner.name);
  const agent = await register(world);
  await stored(agent.client);
  expectRefusal(await confirm(agent, await approve(world, agent, owner)), 403, "quota_exceeded");
  const place = { scope: "team", team_id: team.id };
  const items = full(MEMORIES_MAX).items.map((item) => ({ ...item, ...place }));
  expect((await client.post("/v1/memories/batch", { items })).body.stored).toBe(MEMORIES_MAX);
  expectRefusal(await client.patch(`/v1/memories/${id}`, place), 403, "quota_exceeded");
  await client.delete(`/v1/memories/${id}?mode=hard_delete`);
  expect((await confirm(agent, await approve(world, agent, owner))).status).toBe(200);
});
