/** `total` is the number of all that a list has, exactly, by whomever and however it is asked for. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { foldMemoryCounts } from "../../src/adapters/postgres/memory/total.ts";
import { applyRetention } from "../../src/core/retention/apply-retention.ts";
import { user } from "../agents/agents.ts";
import { erase } from "../erasure/stage.ts";
import { freshOwner, memory, query, stored } from "../support/acting.ts";
import { backUp } from "../support/backup.ts";
import { type FakeClock, fakeClock } from "../support/fake-clock.ts";
import { createRandom, IS_EXHAUSTIVE, type Random, rotating, runs, SEED } from "../support/random.ts";
import { type Client, openWorld, type World } from "../support/world.ts";

let clock: FakeClock;
let world: World;
beforeAll(async () => {
  clock = fakeClock();
  world = await openWorld();
});
afterAll(async () => {
  await world.close();
  vi.useRealTimers();
});

type Asking = Pick<Client, "get">;

const DAY = 24 * 60;

/** What lists are asked for, a value of each at a time and some together. */
const FILTERS: readonly Record<string, string>[] = [
  {},
  ...["%", "active", "expired", "superseded", "soft_deleted", "archived", "redacted", "started", "%ed"].map(
    (status) => ({ status }),
  ),
  ...["semantic", "working", "e%", "know%"].map((memory_type) => ({ memory_type })),
  ...["public", "w%", "%l%"].map((bucket) => ({ bucket })),
  ...["private", "team"].map((scope) => ({ scope })),
  { project_id: "p1" },
  { path: "a%" },
  ...["path", "path_under", "agent_id", "source", "metadata.n"].map((name) => ({ [name]: "%" })),
  { "metadata.n": "1" },
  { status: "%", memory_type: "w%", bucket: "work" },
  { status: "expired", scope: "team" },
  { status: "%", project_id: "p1", bucket: "%" },
];

/** A list of everything is as long as it says, whatever is asked for. */
async function expectExact(clients: readonly Asking[], hint: string, filters = FILTERS): Promise<void> {
  for (const [who, client] of clients.entries())
    for (const filter of filters) {
      const { status, body } = await client.get(`/v1/memories${query({ limit: 1000, ...filter })}`);
      expect({ status, total: body.total }, `${hint}, client ${who}, ${JSON.stringify(filter)}`).toEqual({
        status: 200,
        total: body.memories.length,
      });
    }
}

interface Place {
  readonly team: string;
  readonly ids: string[];
}

function someMemory(random: Random, { team }: Place): Record<string, unknown> {
  const place = random.below(3) === 0 ? { scope: "team", team_id: team } : {};
  const project = random.below(3) === 0 ? { provenance: { project_id: random.pick(["p1", "p2"]) } } : {};
  const fact = random.below(3) === 0 ? { semantic_key: `k${random.below(3)}` } : {};
  const expires = random.below(2) === 0 ? { expires_at: soon(random) } : {};
  return memory({
    content: `memory ${random.below(1e9)}`,
    path: random.pick(["a", "a/b", "b"]),
    bucket: random.pick(["public", "work", "knowledge"]),
    memory_type: random.pick(["semantic", "episodic", "working", "knowledge"]),
    metadata: { n: `${random.below(2)}` },
    ...place,
    ...project,
    ...fact,
    ...expires,
  });
}

/** Within three days from now, mostly within minutes. */
function soon(random: Random): string {
  const minutes = 1 + (random.below(2) ? random.below(30) : random.below(3 * DAY));
  return new Date(clock.now + minutes * 60_000).toISOString();
}

type Step = (random: Random, client: Client, place: Place) => Promise<unknown>;

async function keep({ ids }: Place, answer: ReturnType<Client["post"]>): Promise<void> {
  const { body } = await answer;
  for (const id of [body.id, ...(body.results ?? []).map((one: { id: string }) => one.id)])
    if (id !== undefined) ids.push(id);
}

const STEPS: readonly Step[] = [
  (random, client, place) => keep(place, client.post("/v1/remember", someMemory(random, place))),
  (random, client, place) => keep(place, client.post("/v1/memories", someMemory(random, place))),
  (random, client, place) =>
    keep(
      place,
      client.post("/v1/memories/batch", {
        items: Array.from({ length: 1 + random.below(5) }, () => someMemory(random, place)),
      }),
    ),
  (random, client, { ids }) =>
    client.patch(
      `/v1/memories/${random.pick(ids) ?? "none"}`,
      random.pick([
        { content: `changed ${random.below(1e9)}` },
        { bucket: "work" },
        { memory_type: "episodic" },
        { status: "archived" },
        { expires_at: null },
        { expires_at: soon(random) },
      ]),
    ),
  (random, client, { ids, team }) =>
    client.patch(
      `/v1/memories/${random.pick(ids) ?? "none"}`,
      random.below(2) ? { scope: "private" } : { scope: "team", team_id: team },
    ),
  (random, client, { ids }) =>
    client.delete(
      `/v1/memories/${random.pick(ids) ?? "none"}?mode=${random.pick(["soft_delete", "redact", "hard_delete"])}`,
    ),
  (random, client, { ids }) => client.post(`/v1/memories/${random.pick(ids) ?? "none"}/restore`),
  (random, client) => client.post("/v1/projects/p1/todos", { content: `todo ${random.below(1e9)}` }),
  () => foldMemoryCounts(world.service.sql),
];

/** Two members of a team, and credentials of the one that are confined in every way. */
async function people() {
  const owner = await user(world);
  const other = await user(world);
  const { team } = await world.service.teams.create(freshOwner(), owner);
  await world.service.teams.add(team.id, other.id, "member");
  const writers = [
    await world.client({ owner: owner.name }),
    await world.client({ owner: other.name }),
  ] as const;
  const confined = await Promise.all([
    world.client({ owner: owner.name, scopes: ["memory:read"] }),
    world.client({ owner: owner.name, space: { buckets: ["work", "knowledge"] } }),
    world.client({ owner: owner.name, space: { projects: ["p1"] } }),
    world.client({ owner: owner.name, space: { pathPrefix: "a" } }),
    world.client({ owner: owner.name, space: { teamId: team.id, buckets: ["work"] } }),
  ]);
  return { writers, readers: [...writers, ...confined], team: team.id, owner, other };
}

test("the total is exact whatever is written at once, and as time passes, for every credential", async () => {
  clock.goTo(0);
  const random = createRandom(SEED);
  const { writers, readers, team, owner, other } = await people();
  const place: Place = { team, ids: [] };
  for (let round = 0; round < runs(60); round += 1) {
    await Promise.all(
      Array.from({ length: 12 }, () => random.pick(STEPS)(random, random.pick(writers), place)),
    );
    if (random.below(3) === 0) vi.setSystemTime(clock.now + random.pick([1, 20, DAY]) * 60_000);
    // Each round asks for other filters.
    const filters = FILTERS.filter((_, at) => IS_EXHAUSTIVE || at % runs(60) === round);
    await expectExact(readers, `seed ${SEED}, round ${round}`, filters);
  }
  // Who has left the team sees nothing of it any more.
  await world.service.teams.setRole(team, other.id, "owner");
  await world.service.teams.remove(team, owner.id);
  await expectExact(readers, `seed ${SEED}, after leaving`, rotating(FILTERS, 1 / 3));
}, 300_000);

test("what expires at an instant leaves the total at that instant, on whichever day", async () => {
  clock.goTo(0);
  const client = await world.client({ owner: freshOwner() });
  for (const minutes of [10, DAY - 1, DAY, DAY + 1, 3 * DAY])
    await stored(client, { content: `until ${minutes}`, expires_at: clock.at(minutes) });
  const total = async (status: string) => (await client.get(`/v1/memories?status=${status}`)).body.total;
  for (const [at, live] of [
    [9, 5],
    [10, 4],
    [DAY - 1, 3],
    [DAY, 2],
    [DAY + 1, 1],
    [2 * DAY, 1],
    [3 * DAY, 0],
  ] as const) {
    clock.goTo(at);
    expect([at, await total("active"), await total("expired")]).toEqual([at, live, 5 - live]);
  }
});

test("memories that nothing counted are counted anew, whoever else writes or asks", async () => {
  const { sql } = world.service;
  clock.goTo(0);
  const { writers, readers, team, owner } = await people();
  const random = createRandom(SEED);
  const place: Place = { team, ids: [] };
  for (let n = 0; n < 30; n += 1)
    await keep(place, writers[0].post("/v1/memories", someMemory(random, place)));
  await sql`delete from memory_counts where owner_id in (${owner.id}, ${team})`;
  await sql`delete from memory_count_changes where owner_id in (${owner.id}, ${team})`;
  await Promise.all([
    ...Array.from({ length: 20 }, () => random.pick(STEPS)(random, random.pick(writers), place)),
    ...readers.map((client) => client.get("/v1/memories")),
    sql`select recount_memories()`,
    foldMemoryCounts(sql),
  ]);
  await expectExact(readers, `seed ${SEED}`, rotating(FILTERS, 1 / 3));
}, 120_000);

test("the total is exact after a restore of a backup, and after retention", async () => {
  const { sql } = world.service;
  clock.goTo(0);
  const client = await world.client({ owner: freshOwner() });
  for (let n = 0; n < 4; n += 1) await stored(client, { content: `kept ${n}`, bucket: "scratch" });
  const putBack = await backUp(sql);
  for (let n = 0; n < 3; n += 1) await stored(client, { content: `lost ${n}`, bucket: "scratch" });
  await foldMemoryCounts(sql);
  expect((await client.get("/v1/memories")).body.total).toBe(7);
  await putBack();
  await expectExact([client], "after the restore");
  expect((await client.get("/v1/memories")).body.total).toBe(4);
  const rule = { bucket: "scratch", memoryType: "%", olderThanDays: 1 } as const;
  for (const [days, mode] of [
    [3, "soft_delete"],
    [6, "hard_delete"],
  ] as const) {
    clock.goTo(days * DAY);
    await applyRetention(
      { retention: world.service.retention, clock: () => clock.now },
      { memories: [{ ...rule, mode }], audit: [] },
    );
    await expectExact([client], mode);
  }
  expect((await client.get("/v1/memories?status=soft_deleted")).body.total).toBe(0);
});

test("of what is gone no label is left, nor of an owner who was erased anything", async () => {
  const { sql } = world.service;
  clock.goTo(0);
  const name = freshOwner();
  const client = await world.client({ owner: name });
  const id = await stored(client, { bucket: "gone-bucket" });
  await client.get("/v1/memories");
  await client.delete(`/v1/memories/${id}?mode=hard_delete`);
  await foldMemoryCounts(sql);
  expect(await sql`select from memory_counts where bucket = 'gone-bucket'`).toHaveLength(0);
  await stored(client, { bucket: "work" });
  await erase(world, "user", name);
  await foldMemoryCounts(sql);
  expect(await sql`select from memory_counts where owner_id = ${client.ownerId}`).toHaveLength(0);
});
