import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { QUARANTINE_BYTES_MAX, QUARANTINE_MEMORIES_MAX } from "../../src/core/memory/write-rules.ts";
import { expectRefusal, found, listed, memory, stored, unguessable } from "../support/acting.ts";
import { openWorld, type World } from "../support/world.ts";
import { register, user } from "./agents.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const batch = (n: number, content = "A note.") => ({
  items: Array.from({ length: n }, () => memory({ content })),
});

test("agents, users and teams see nothing of each other's", async () => {
  const [one, two] = [await register(world), await register(world)];
  const owner = await user(world);
  const { team } = await world.service.teams.create(`team-${owner.name}`, owner);
  const key = await world.client({ owner: owner.name });
  const word = unguessable();
  const ids = {
    one: await stored(one.client, { content: `${word} one` }),
    two: await stored(two.client, { content: `${word} two` }),
    owner: await stored(key, { content: `${word} owner` }),
    team: await stored(key, { content: `${word} team`, scope: "team", team_id: team.id }),
  };
  expect(await found(one.client, word)).toEqual([ids.one]);
  expect(await found(two.client, word)).toEqual([ids.two]);
  expect((await found(key, word)).sort()).toEqual([ids.owner, ids.team].sort());
  for (const id of [ids.two, ids.owner, ids.team]) {
    expectRefusal(await one.client.get(`/v1/memories/${id}`), 404, "not_found");
    expectRefusal(await one.client.patch(`/v1/memories/${id}`, { content: "x" }), 404, "not_found");
    expectRefusal(await one.client.delete(`/v1/memories/${id}?mode=hard_delete`), 404, "not_found");
  }
  expectRefusal(await key.get(`/v1/memories/${ids.one}`), 404, "not_found");
  for (const team_id of [team.id, owner.id]) {
    const write = await one.client.post("/v1/memories", memory({ scope: "team", team_id }));
    expectRefusal(write, 404, "not_found");
  }
});

test("an agent belongs to no team, and no row can say that it does", async () => {
  const agent = await register(world);
  const owner = await user(world);
  const { team } = await world.service.teams.create(`team-${owner.name}`, owner);
  const { sql } = world.service;
  const [row] = await sql`select quarantine_id from agents where id = ${agent.id}`;
  await expect(
    sql`insert into team_members (team_id, user_id, role) values (${team.id}, ${row?.quarantine_id}, 'owner')`,
  ).rejects.toMatchObject({ code: "23503" });
  const write = await agent.client.post("/v1/memories", memory({ scope: "team", team_id: team.id }));
  expectRefusal(write, 404, "not_found");
});

test("a temporary agent has neither knowledge nor ledger", async () => {
  const { client } = await register(world);
  expectRefusal(await client.get("/v1/memories?bucket=knowledge"), 403, "knowledge_scope_required");
  expectRefusal(await client.post("/v1/memories", memory({ bucket: "ledger" })), 403, "insufficient_scope");
});

test("of fifty writes at the edge of the quota exactly those that fit are taken", async () => {
  const { client } = await register(world);
  expect((await client.post("/v1/memories/batch", batch(QUARANTINE_MEMORIES_MAX - 20))).body.stored).toBe(
    QUARANTINE_MEMORIES_MAX - 20,
  );
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => client.post("/v1/memories", memory({ content: `Edge ${n}.` }))),
  );
  expect(answers.filter((answer) => answer.status === 201)).toHaveLength(20);
  for (const answer of answers.filter((each) => each.status !== 201)) {
    expectRefusal(answer, 403, "quota_exceeded");
    expect(answer.body.detail).toContain("bind this agent");
  }
  expect((await client.get("/v1/memories?limit=1")).body.total).toBe(QUARANTINE_MEMORIES_MAX);
});

test("a batch that does not fit stores what fits, and no fact is superseded by one that does not", async () => {
  const { client } = await register(world);
  await client.post("/v1/memories", memory({ semantic_key: "db", content: "It is db-1." }));
  const filled = await client.post("/v1/memories/batch", batch(QUARANTINE_MEMORIES_MAX));
  expect(filled.body).toMatchObject({ stored: QUARANTINE_MEMORIES_MAX - 1, failed: 1 });
  const newer = { items: [memory({ semantic_key: "db", content: "It is db-2." })] };
  expect((await client.post("/v1/memories/batch", newer)).body).toMatchObject({ stored: 0, failed: 1 });
  expect(await listed(client, { limit: 1, offset: QUARANTINE_MEMORIES_MAX - 1 })).toEqual(["It is db-1."]);
});

test("text is bounded, however it is brought in", async () => {
  const { client } = await register(world);
  const big = "x".repeat(60_000);
  const id = await stored(client, { content: "small" });
  const statuses: number[] = [];
  for (let n = 0; n < 20; n += 1) {
    statuses.push((await client.patch(`/v1/memories/${id}`, { content: `${n} ${big}` })).status);
  }
  expect(new Set(statuses)).toEqual(new Set([200, 403]));
  expectRefusal(await client.post("/v1/memories", memory({ content: big.repeat(1) })), 403, "quota_exceeded");
  const [row] = await world.service.sql`
    select coalesce(sum(octet_length(v.state::text)), 0)::bigint as bytes from memory_versions v where v.memory = ${id}`;
  expect(Number(row?.bytes)).toBeLessThan(QUARANTINE_BYTES_MAX + 70_000);
});

test("text that repeats bring along is bounded as well", async () => {
  const { client } = await register(world);
  const id = (await client.post("/v1/remember", memory())).body.id;
  const statuses: number[] = [];
  for (let n = 0; n < 60; n += 1) {
    const metadata = { [`k${n}`]: "x".repeat(40_000) };
    const said = memory({ content: `Note ${n >> 1}.`, metadata });
    statuses.push((await client.post("/v1/remember", n % 2 ? said : { ...said, metadata: {} })).status);
  }
  expect(new Set(statuses)).toEqual(new Set([201, 403]));
  const [row] = await world.service.sql`
    select (select sum(octet_length(m.metadata::text)) from memories m where m.owner_id = a.quarantine_id)::bigint as bytes
    from agents a join memories own on own.owner_id = a.quarantine_id and own.memory_id = ${id}`;
  expect(Number(row?.bytes)).toBeLessThanOrEqual(QUARANTINE_BYTES_MAX);
});

test("where a quarantine is full nothing is done with the text of a new memory", async () => {
  const { client } = await register(world);
  await client.post("/v1/memories/batch", batch(QUARANTINE_MEMORIES_MAX));
  const embed = vi.spyOn(world.service.ports.embedder, "embed");
  try {
    expectRefusal(await client.post("/v1/memories", memory()), 403, "quota_exceeded");
    expect((await client.post("/v1/memories/batch", batch(5))).body).toMatchObject({ stored: 0, failed: 5 });
    expect(embed).not.toHaveBeenCalled();
  } finally {
    embed.mockRestore();
  }
});

test("deleting makes room again", async () => {
  const { client } = await register(world);
  await client.post("/v1/memories/batch", batch(QUARANTINE_MEMORIES_MAX - 1));
  const id = await stored(client);
  expectRefusal(await client.post("/v1/memories", memory({ content: "One more." })), 403, "quota_exceeded");
  await client.delete(`/v1/memories/${id}?mode=hard_delete`);
  expect(await client.post("/v1/memories", memory({ content: "One more." }))).toMatchObject({ status: 201 });
});
