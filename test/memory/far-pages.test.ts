/** A page is what lies there in the list, however far it is and from whichever end it is read. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { user } from "../agents/agents.ts";
import { freshOwner, stored } from "../support/acting.ts";
import { createRandom, IS_EXHAUSTIVE, rotating, SEED } from "../support/random.ts";
import { openWorld, type World } from "../support/world.ts";
import { idsOf, listed, whole } from "./pages.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** So many copies of each of the owner's memories, several at an instant, some archived, of a project, or expiring. */
async function multiply(owner: string, times: number): Promise<void> {
  await world.service.sql`
    insert into memories (id, owner_id, memory_id, author_id, author_token, scope, path, bucket, memory_type, status,
      project_id, content, version, importance, confidence, metadata, provenance, expires_at, created_at, updated_at)
    select id, owner_id, id::text, author_id, author_token, scope, path, bucket, memory_type,
      case when i % 7 = 3 then 'archived' else 'active' end, case when i % 3 = 0 then 'p1' end, content, 1, 0.5, 1, '{}', '{}',
      case when i % 11 = 5 then now() + (i % 5 - 2) * interval '9 hours' end, created_at + i / 4 * interval '1 millisecond', updated_at
    from (
      select gen_random_uuid() as id, m.owner_id, m.author_id, m.author_token, m.scope, m.path, m.bucket, m.memory_type,
        m.content, m.created_at, m.updated_at, i
      from memories m, generate_series(1, ${times}::int) i where m.owner_id = ${owner}
    ) copies`;
}

test("a page at any offset is that part of the whole list, with its total and the cursor of what follows", async () => {
  const random = createRandom(SEED);
  const owner = await user(world);
  const { team } = await world.service.teams.create(freshOwner(), owner);
  const client = await world.client({ owner: owner.name });
  await stored(client, { content: "Mine." });
  await stored(client, { content: "Ours.", scope: "team", team_id: team.id });
  await multiply(owner.id, 2600);
  await multiply(team.id, 1500);
  const confined = await world.client({ owner: owner.name, space: { projects: ["p1"] } });
  const filters: readonly Record<string, string>[] = [
    {},
    { status: "%" },
    { scope: "private" },
    { status: "expired" },
    { path: "%" },
    { created_before: new Date(Date.now() + 86_400_000).toISOString() },
  ];
  for (const [who, reader] of [client, confined].entries())
    for (const filter of rotating(filters, 1 / 3)) {
      const all = await whole(reader, filter);
      const middle = all.length >> 1;
      const edges = [999, 1000, 1001, middle - 1, middle, middle + 1, all.length - 21, all.length - 20];
      const ends = [all.length - 19, all.length - 1, all.length, all.length + 1, 1_000_000];
      const some = Array.from({ length: 12 }, () => random.below(all.length + 1));
      for (const offset of [...edges, ...ends, ...some].filter((one) => one >= 0)) {
        const limit = random.pick([1, 20, 100]);
        const page = await listed(reader, { ...filter, limit, offset });
        const hint = `seed ${SEED}, reader ${who}, ${JSON.stringify(filter)}, offset ${offset}, limit ${limit}`;
        expect({ ids: idsOf(page), total: page.total }, hint).toEqual({
          ids: all.slice(offset, offset + limit),
          total: all.length,
        });
        expect(page.next_cursor === null, hint).toBe(offset + limit >= all.length);
        if (page.next_cursor === null) continue;
        const next = await listed(reader, { ...filter, limit, cursor: page.next_cursor });
        expect(idsOf(next), hint).toEqual(all.slice(offset + limit, offset + 2 * limit));
      }
    }
}, 300_000);

const ROUNDS = IS_EXHAUSTIVE ? 12 : 4;
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

test("the end of a list is where it lies now, whatever was written or removed since it was last read", async () => {
  const random = createRandom(SEED);
  const owner = await user(world);
  const client = await world.client({ owner: owner.name });
  await stored(client, { content: "First." });
  await world.service.sql`
    insert into memories (id, owner_id, memory_id, author_id, author_token, scope, path, bucket, memory_type, status, content,
      version, importance, confidence, metadata, provenance, created_at, updated_at)
    select id, owner_id, id::text, author_id, author_token, scope, path, bucket, memory_type, status, content, 1, 0.5, 1, '{}',
      '{}', created_at + i / 4 * interval '1 millisecond', updated_at
    from (
      select gen_random_uuid() as id, m.owner_id, m.author_id, m.author_token, m.scope, m.path, m.bucket, m.memory_type,
        m.status, m.content, m.created_at, m.updated_at, i
      from memories m, generate_series(1, 2500) i where m.owner_id = ${owner.id}
    ) copies`;
  for (let round = 0; round < ROUNDS; round++) {
    for (const status of ["active", "%"]) {
      const all = await whole(client, { status });
      for (const from of [1, 0, 3, -1, 20, 21, 1100]) {
        const offset = all.length - from;
        const page = await listed(client, { status, limit: 20, offset });
        const hint = `seed ${SEED}, round ${round}, status ${status}, ${from} before the end`;
        expect({ ids: idsOf(page), total: page.total, isLast: page.next_cursor === null }, hint).toEqual({
          ids: all.slice(offset, offset + 20),
          total: all.length,
          isLast: from <= 20,
        });
      }
    }
    const oldest = (await whole(client, { status: "%" })).slice(-30);
    for (let n = random.below(3); n > 0; n--)
      await stored(client, { content: `Written in round ${round}, ${n}.` });
    // Its total is told by looking at what expires today from then on.
    if (round === ROUNDS >> 1) await stored(client, { content: "It expires.", expires_at: inAnHour() });
    const archived = await client.patch(`/v1/memories/${random.pick(oldest)}`, { status: "archived" });
    expect(archived.status).toBe(200);
    if (random.next() < 0.7) await client.delete(`/v1/memories/${random.pick(oldest)}`);
  }
}, 300_000);
