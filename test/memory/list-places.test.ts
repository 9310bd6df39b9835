/** Pages one after the other are what lies there in the list, whatever is written, removed or expires in between. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { user } from "../agents/agents.ts";
import { freshOwner, memory, stored } from "../support/acting.ts";
import { backUp } from "../support/backup.ts";
import { type FakeClock, fakeClock } from "../support/fake-clock.ts";
import { createRandom, type Random, runs, SEED } from "../support/random.ts";
import { type Client, openWorld, type World } from "../support/world.ts";
import { idsOf, listed, whole } from "./pages.ts";

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

/** So many copies of each of the owner's memories, older than it, several at an instant, some archived or expiring soon. */
async function multiply(owner: string, times: number): Promise<void> {
  await world.service.sql`
    insert into memories (id, owner_id, memory_id, author_id, author_token, scope, path, bucket, memory_type, status,
      content, version, importance, confidence, metadata, provenance, expires_at, created_at, updated_at)
    select gen_random_uuid(), m.owner_id, gen_random_uuid()::text, m.author_id, m.author_token, m.scope, m.path, m.bucket,
      m.memory_type, case when i % 7 = 3 then 'archived' else 'active' end, m.content, 1, 0.5, 1, '{}', '{}',
      case when i % 11 = 5 then ${clock.now}::timestamptz + (i % 500) * interval '1 minute' end,
      m.created_at - i / 3 * interval '1 millisecond', m.updated_at
    from memories m, generate_series(1, ${times}::int) i where m.owner_id = ${owner}
      and m.memory_id = (select memory_id from memories where owner_id = ${owner} order by seq limit 1)`;
}

interface Stage {
  readonly owner: string;
  readonly team: string;
  readonly client: Client;
}

type Step = (random: Random, stage: Stage, ids: readonly string[]) => Promise<unknown>;

const STEPS: readonly Step[] = [
  (_, { client }) => client.post("/v1/memories", memory({ content: "New." })),
  (_, { client, team }) =>
    client.post("/v1/memories", memory({ content: "Ours.", scope: "team", team_id: team })),
  (random, { client }) =>
    client.post(
      "/v1/memories",
      memory({ content: "Soon.", expires_at: clock.at(minutes() + 1 + random.below(9)) }),
    ),
  (random, { client }, ids) =>
    client.patch(
      `/v1/memories/${random.pick(ids)}`,
      random.pick([{ status: "archived" }, { content: "Changed." }]),
    ),
  (random, { client }, ids) => client.patch(`/v1/memories/${random.pick(ids)}`, { bucket: "other" }),
  (random, { client }, ids) =>
    client.delete(
      `/v1/memories/${random.pick(ids)}?mode=${random.pick(["soft_delete", "redact", "hard_delete"])}`,
    ),
  (random, { client, team }, ids) =>
    client.patch(
      `/v1/memories/${random.pick(ids)}`,
      random.pick<object>([{ scope: "private" }, { scope: "team", team_id: team }]),
    ),
  (random, { client }) =>
    client.post(
      "/v1/memories",
      memory({ semantic_key: `k${random.below(2)}`, expires_at: clock.at(minutes() + 3) }),
    ),
  (_, { client }) => client.post("/v1/projects/p1/todos", { content: "A todo." }),
  (random, { owner }) => multiply(owner, random.pick([1, 20, 1100])),
  async () => {},
];

const START = Date.parse("2031-01-01T00:00:00Z");
const minutes = () => Math.round((clock.now - START) / 60_000);

async function staged(): Promise<Stage> {
  const owner = await user(world);
  const { team } = await world.service.teams.create(freshOwner(), owner);
  const client = await world.client({ owner: owner.name });
  await stored(client, { content: "Mine." });
  await stored(client, { content: "Ours.", scope: "team", team_id: team.id });
  await multiply(owner.id, 1800);
  await multiply(team.id, 700);
  return { owner: owner.id, team: team.id, client };
}

test("a page is what lies there, whatever was written since another was read, and whatever is being written", async () => {
  const random = createRandom(SEED);
  const stage = await staged();
  const { client } = stage;
  const filters: readonly Record<string, string>[] = [
    {},
    { status: "%" },
    { scope: "private" },
    { bucket: "public" },
  ];
  const nextOf = new Map<number, number>();
  for (let round = 0; round < runs(100); round += 1) {
    const which = random.below(filters.length);
    const filter = filters[which] as Record<string, string>;
    const before = await whole(client, filter);
    const limit = random.pick([1, 20, 100]);
    const at = nextOf.get(which) ?? before.length >> 1;
    // Somebody leafs while others write.
    await Promise.all([
      ...Array.from({ length: random.below(3) }, () => random.pick(STEPS)(random, stage, before)),
      ...[at, at + limit, random.below(before.length)].map((offset) =>
        listed(client, { ...filter, limit, offset }),
      ),
    ]);
    if (random.below(3) === 0) vi.setSystemTime(clock.now + random.pick([1, 5, 50]) * 60_000);
    const all = await whole(client, filter);
    for (const offset of [at, at + limit, Math.max(0, at - limit), 1000 + random.below(all.length)]) {
      const page = await listed(client, { ...filter, limit, offset });
      const hint = `seed ${SEED}, round ${round}, ${JSON.stringify(filter)}, offset ${offset}, limit ${limit}`;
      expect({ ids: idsOf(page), total: page.total }, hint).toEqual({
        ids: all.slice(offset, offset + limit),
        total: all.length,
      });
      expect(page.next_cursor === null, hint).toBe(offset + limit >= all.length);
    }
    const next = at + limit;
    nextOf.set(which, next < all.length ? next : 1000 + random.below(all.length >> 1));
  }
}, 300_000);

test("who leaves a team, and whoever reads after a backup was put back, is shown no page of before", async () => {
  const { client, owner, team } = await staged();
  const other = await user(world);
  const leaf = async () => {
    const all = await whole(client, {});
    for (const offset of [1500, 1520, 1540]) {
      const page = await listed(client, { limit: 20, offset });
      expect({ offset, ids: idsOf(page), total: page.total }).toEqual({
        offset,
        ids: all.slice(offset, offset + 20),
        total: all.length,
      });
    }
  };
  await leaf();
  await world.service.teams.add(team, other.id, "owner");
  await world.service.teams.remove(team, owner);
  await leaf();
  const putBack = await backUp(world.service.sql);
  await client.delete(`/v1/memories/${(await whole(client, {})).at(-3)}?mode=hard_delete`);
  await leaf();
  await putBack();
  await leaf();
}, 300_000);
