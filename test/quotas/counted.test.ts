import { afterAll, beforeAll, expect, test } from "vitest";
import { sweepAgents } from "../../src/adapters/postgres/access/agent-sweep.ts";
import {
  ALL_QUARANTINES,
  countOwners,
  foldUsage,
  usageOfOwners,
} from "../../src/adapters/postgres/memory/usage.ts";
import { approve, bind, type Registered, register, user } from "../agents/agents.ts";
import { freshOwner, memory } from "../support/acting.ts";
import { createRandom, type Random, runs, SEED } from "../support/random.ts";
import { type Client, openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

type Acting = Pick<Client, "get" | "post" | "patch" | "delete">;

interface Actor {
  readonly client: Acting;
  readonly team: string | null;
  readonly ids: string[];
  readonly todos: string[];
}

const someText = (random: Random) =>
  random.pick(["Läuft.", "db ", 'a\n"b"\t', "雪", "x"]).repeat(1 + random.below(40));

/** What there is, counted anew: of quarantines, or of everybody. */
async function recount(kinds: readonly string[] = ["user", "team", "agent"]) {
  return world.service.sql`
    with everything as (
      select owner_id, 1 as memories,
        octet_length(content) + octet_length(metadata::text) + octet_length(provenance::text) as bytes from memories
      union all
      select (state ->> 'owner_id')::uuid, 0, octet_length(state::text) from memory_versions
    ), held as (
      select everything.* from everything join owners on id = owner_id and kind in ${world.service.sql(kinds)}
    )
    select owner_id, sum(memories)::bigint as memories, sum(bytes)::bigint as bytes from held group by 1
    union all
    select ${ALL_QUARANTINES}::uuid, sum(memories)::bigint, sum(bytes)::bigint
    from held join owners o on o.id = owner_id where o.kind = 'agent' having sum(memories) > 0
    order by 1`;
}

function sumOf(rows: Iterable<{ readonly memories?: unknown; readonly bytes?: unknown }>) {
  const sum = { memories: 0, bytes: 0 };
  for (const { memories, bytes } of rows) {
    sum.memories += Number(memories);
    sum.bytes += Number(bytes);
  }
  return sum;
}

async function counted() {
  return world.service.sql`
    select owner_id, sum(memories)::bigint as memories, sum(bytes)::bigint as bytes
    from owner_usage group by 1 having sum(memories) <> 0 or sum(bytes) <> 0 order by 1`;
}

const steps: readonly ((random: Random, actor: Actor) => Promise<unknown>)[] = [
  async (random, { client, ids }) => {
    const answer = await client.post(
      "/v1/remember",
      memory({ content: someText(random), metadata: { n: random.below(3) } }),
    );
    if (answer.body.id) ids.push(answer.body.id);
  },
  async (random, { client, ids, team }) => {
    const place = team && random.below(2) ? { scope: "team", team_id: team } : {};
    const fact = random.below(2) ? { semantic_key: `k${random.below(3)}` } : {};
    const answer = await client.post(
      "/v1/memories",
      memory({ content: someText(random), ...fact, ...place }),
    );
    if (answer.body.id) ids.push(answer.body.id);
  },
  (random, { client }) =>
    client.post("/v1/memories/batch", {
      items: Array.from({ length: 1 + random.below(5) }, () => memory({ content: someText(random) })),
    }),
  (random, { client, ids }) =>
    client.patch(`/v1/memories/${random.pick(ids) ?? "none"}`, {
      content: someText(random),
      metadata: { [`m${random.below(3)}`]: someText(random) },
    }),
  (random, { client, ids, team }) =>
    client.patch(
      `/v1/memories/${random.pick(ids) ?? "none"}`,
      random.below(2) || !team ? { scope: "private" } : { scope: "team", team_id: team },
    ),
  (random, { client, ids }) => {
    const mode = random.pick(["soft_delete", "soft_delete", "redact", "hard_delete"]);
    const reason = mode === "hard_delete" || random.below(2) ? "" : "&reason=because";
    return client.delete(`/v1/memories/${random.pick(ids) ?? "none"}?mode=${mode}${reason}`);
  },
  (random, { client, ids }) => client.post(`/v1/memories/${random.pick(ids) ?? "none"}/restore`),
  async (random, { client, todos }) => {
    const answer = await client.post("/v1/projects/p/todos", { content: someText(random) });
    if (answer.body.todo_id) todos.push(answer.body.todo_id);
  },
  (random, { client, todos }) =>
    client.post(
      `/v1/projects/p/todos/${random.pick(todos) ?? "none"}/${random.pick(["accept", "complete"])}`,
      {},
    ),
  (random, { client }) => client.post("/v1/projects/p/decisions", { context: someText(random) }),
  () => foldUsage(world.service.sql),
];

async function actorOf(client: Acting, team: string | null = null): Promise<Actor> {
  return { client, team, ids: [], todos: [] };
}

test("what owners hold is counted exactly, whatever is done and however much at once", async () => {
  const random = createRandom(SEED);
  const owner = await user(world);
  const { team } = await world.service.teams.create(freshOwner(), owner);
  const agents: Registered[] = [await register(world), await register(world), await register(world)];
  const actors = [
    await actorOf(await world.client({ owner: owner.name }), team.id),
    await actorOf(await world.client({ owner: freshOwner() })),
    ...(await Promise.all(agents.map(({ client }) => actorOf(client)))),
  ];
  const one = () => random.pick(steps)(random, random.pick(actors));
  const rounds = runs(120);
  const firstBound = Math.floor(rounds / 4);
  for (let round = 0; round < rounds; round += 1) {
    const writes = Array.from({ length: 6 }, one);
    // Two servers come up with a bound while others go on writing.
    if (round === firstBound)
      writes.push(
        countOwners(world.service.sql, ["user", "team"]),
        countOwners(world.service.sql, ["user", "team"]),
      );
    await Promise.all(writes);
    const listed = await usageOfOwners(world.service.sql, 10);
    expect(sumOf(listed), `seed ${SEED}, round ${round}`).toEqual(sumOf(await recount(["user", "team"])));
    const kinds = round < firstBound ? ["agent"] : undefined;
    expect(await counted(), `seed ${SEED}, round ${round}`).toEqual(await recount(kinds));
  }
  const [bound, denied, revoked] = agents as [Registered, Registered, Registered];
  await bind(world, bound, owner);
  await denied.client.post("/v1/agents/bind/deny-current-user");
  await approve(world, revoked, owner);
  expect(await counted(), `seed ${SEED}`).toEqual(await recount());
  await world.service.sql`update agents set ended_at = now() - interval '31 days' where id = ${denied.id}`;
  await sweepAgents(world.service.sql);
  await foldUsage(world.service.sql);
  expect(await counted(), `seed ${SEED}`).toEqual(await recount());
}, 120_000);
