import { afterAll, beforeAll, expect, test } from "vitest";
import { listed, memory, stored, unguessable } from "../support/acting.ts";
import { clientOf, type HttpClient } from "../support/http-client.ts";
import { openWorld, type World } from "../support/world.ts";
import { readRules } from "./rules.ts";
import { openTargets, recorded, type Targets } from "./targets.ts";

const rules = readRules();
let world: World;
let targets: Targets;
beforeAll(async () => {
  world = await openWorld();
  targets = await openTargets(world, rules);
});
afterAll(() => world.close());

/** A memory inside of each confinement, and a change that would take it outside. */
const moves: Readonly<Record<string, Record<string, unknown>>> = {
  projects: { provenance: { project_id: "out" }, merge_provenance: false },
  "path prefix": { path: "out/there" },
  buckets: { bucket: "out" },
};

const inside = { path: "in/a", bucket: "in", provenance: { project_id: "in" } };

async function confined(confinement: string): Promise<HttpClient> {
  const member = targets.teams.get("member")?.id ?? null;
  const space = {
    team: { teamId: member },
    projects: { projects: ["in"] },
    "path prefix": { pathPrefix: "in" },
    buckets: { buckets: ["in"] },
    nothing: {},
  }[confinement];
  if (!space) throw new Error(`no credential is confined to ${confinement}`);
  const secret = await targets.issue({ kind: "api_key", owner: targets.user, space });
  return clientOf("http://localhost", secret, world.handle);
}

test.each(rules.confinements.keys.filter((key) => key !== "nothing"))(
  "a credential confined to %s moves nothing out of it",
  async (confinement) => {
    const client = await confined(confinement);
    const id = await stored(client, { ...inside, content: unguessable() });
    const [row] = await world.service.sql`select owner_id from memories where memory_id = ${id}`;
    const target = { memoryId: id, ownerId: row?.owner_id as string };
    const before = await recorded(world, target);
    const elsewhere = { team_id: targets.teams.get("owner")?.id };
    const answer = await client.patch(`/v1/memories/${id}`, moves[confinement] ?? elsewhere);
    const foretold = rules.confinements.get(confinement).moved;
    expect([answer.body.code, await recorded(world, target)]).toEqual([foretold, before]);
  },
);

test("confinements narrow one another: outside of one is outside", async () => {
  const whole = await confined("nothing");
  const space = { projects: ["in"], pathPrefix: "in", buckets: ["in"] };
  const part = clientOf(
    "http://localhost",
    await targets.issue({ kind: "skill", owner: targets.user, space }),
    world.handle,
  );
  const word = unguessable();
  const only = { ...inside, memory_type: unguessable("t") };
  const id = await stored(whole, { ...only, content: word });
  const others: string[] = [];
  for (const [name, elsewhere] of Object.entries(moves))
    others.push(await stored(whole, { ...only, content: name, ...elsewhere }));
  expect(await listed(part, { memory_type: only.memory_type })).toEqual([word]);
  expect((await part.get(`/v1/memories/${id}`)).status).toBe(200);
  for (const other of others) expect((await part.get(`/v1/memories/${other}`)).body.code).toBe("not_found");
  for (const elsewhere of Object.values(moves)) {
    const refused = await part.post("/v1/memories", memory({ ...inside, ...elsewhere }));
    expect(refused.body.code).toBe("insufficient_scope");
  }
});

test("a filter that names what is outside finds nothing, and a team one is not in is like none", async () => {
  const whole = await confined("nothing");
  await stored(whole, { ...inside, path: "out/there", content: unguessable() });
  const { otherTeam, otherUser, user } = targets;
  for (const client of [await confined("path prefix"), await confined("team")])
    for (const filter of [{ path: "out/there" }, { path: "out%" }])
      expect(await listed(client, filter)).toEqual([]);
  for (const team_id of [otherTeam.id, otherUser.id, user.id, "00000000-0000-4000-8000-000000000000"]) {
    expect(await listed(whole, { team_id })).toEqual([]);
    const search = await whole.get(`/v1/memories/search?query=x&team_id=${team_id}`);
    expect(search.body.results).toEqual([]);
    const context = await whole.post("/v1/recall/context", { query: "x", team_id });
    expect(context.body.items).toEqual([]);
    const removal = await whole.post("/v1/memories/delete", { filter: { team_id, path: "%" } });
    expect(removal.body.matched).toBe(0);
  }
});

test("a receipt is shown to the part of an owner that was given it, and to no other part", async () => {
  const [whole, part, other] = [
    await confined("nothing"),
    await confined("buckets"),
    await confined("projects"),
  ];
  const id = await stored(part, { ...inside, content: unguessable() });
  const { receipt } = (await part.delete(`/v1/memories/${id}?mode=hard_delete`)).body;
  const codes = await Promise.all(
    [whole, part, other].map(async (client) => (await client.get(`/v1/receipts/${receipt.id}`)).body.code),
  );
  expect(codes).toEqual([undefined, undefined, "not_found"]);
});

test("a team's credential for a user who has left is a credential for nothing", async () => {
  const client = await confined("team");
  const teamId = targets.teams.get("member")?.id as string;
  const id = await stored(client, { content: unguessable() });
  await world.service.sql`delete from team_members where team_id = ${teamId}`;
  expect((await client.get(`/v1/memories/${id}`)).body.code).toBe("not_found");
  expect((await client.post("/v1/memories", memory())).body.code).toBe("not_found");
  expect(await listed(client)).toEqual([]);
});
