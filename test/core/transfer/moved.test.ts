/** Memories that were moved to another owner: their versions say whose they were, and are read as before. */
import { expect, test } from "vitest";
import { found } from "../../support/acting.ts";
import type { Client } from "../../support/world.ts";
import { openTransferWorld, type TransferWorld } from "./transfer-world.ts";

const header = { recollect_export: 2 };
const at = "2024-01-01T00:00:00.000Z";
const alice = { kind: "user", name: "alice" } as const;
const bob = { kind: "user", name: "bob" } as const;
const movers = { kind: "team", name: "movers" } as const;
const HOME = { scope: "private" };

/** Alice and Bob, who is a viewer of the team of both. */
async function clientsOf(world: TransferWorld) {
  const [mover, viewer, team] = [
    await world.client({ owner: "alice" }),
    await world.client({ owner: "bob" }),
    await world.client({ team: "movers" }),
  ];
  return { alice: mover, bob: viewer, team };
}

/** A memory with two states at home and two in the team, and the instants between them. */
async function openMoved() {
  const world = await openTransferWorld();
  const { teams } = world.service;
  const clients = await clientsOf(world);
  await teams.setRole(clients.team.ownerId, clients.alice.ownerId, "member");
  await teams.setRole(clients.team.ownerId, clients.bob.ownerId, "viewer");
  const instants: string[] = [];
  const change = async (body: object) => {
    instants.push(new Date().toISOString());
    expect(await clients.alice.patch("/v1/memories/mv", body)).toMatchObject({ status: 200 });
  };
  await clients.alice.post("/v1/memories", {
    memory_id: "mv",
    path: "p",
    content: "mv original secret words",
  });
  await change({ content: "mv second words" });
  await change({ scope: "team", team_id: clients.team.ownerId, content: "mv third words" });
  await change({ content: "mv fourth words" });
  return { world, clients, instants };
}

const versionsFor = async (client: Client) => (await client.get("/v1/memories/mv/versions")).body.versions;

/** What each of them is told of the history, and finds in it. */
async function told(world: TransferWorld, instants: readonly string[]) {
  const clients = await clientsOf(world);
  const answers = Object.entries(clients).map(async ([name, client]) => [
    name,
    {
      versions: (await versionsFor(client)).map(
        ({ team_id: _, ...version }: { team_id?: string }) => version,
      ),
      found: await Promise.all(instants.map((as_of) => found(client, "mv words", { as_of }))),
    },
  ]);
  return Object.fromEntries(await Promise.all(answers));
}

const contents = (versions: readonly { content: string }[]) => versions.map(({ content }) => content);

test("a memory that was moved comes back with all its versions, and each is read where it was before", async () => {
  const [{ world: one, instants }, two] = [await openMoved(), await openTransferWorld()];
  const lines = await one.backup();
  expect(lines.find(({ kind }) => kind === "memory")).toMatchObject({
    owner: movers,
    versions: [
      { content: "mv original secret words", owner: alice },
      { content: "mv second words", owner: alice },
      { content: "mv third words" },
    ],
  });
  expect(await two.imported(lines)).toMatchObject({ conflicts: 0, invalid: 0 });
  expect((await two.backup()).slice(1)).toEqual(lines.slice(1));

  const before = await told(one, instants);
  expect(contents(before.bob.versions)).toEqual(["mv fourth words", "mv third words"]);
  expect(before.bob.found).toEqual([[], [], ["mv"]]);
  expect(await told(two, instants)).toEqual(before);

  const home = async (world: TransferWorld) => {
    const client = await world.client({ owner: "alice" });
    expect(await client.patch("/v1/memories/mv", HOME)).toMatchObject({ status: 200 });
    return versionsFor(client);
  };
  const [past, restored] = [await home(one), await home(two)];
  expect(contents(restored)).toEqual(["mv fourth words", "mv second words", "mv original secret words"]);
  expect(restored.slice(1)).toEqual(past.slice(1));
});

test("versions beyond those in the line of their memory say whose they were as well", async () => {
  const [{ world: one }, two] = [await openMoved(), await openTransferWorld()];
  // As 450 more changes at home would have left it.
  await one.service.sql`update memory_versions set revision = revision + 450 where revision > 1`;
  await one.service.sql`update memories set revision = revision + 450`;
  await one.service.sql`
    insert into memory_versions (owner_id, memory, revision, state, valid_to)
    select v.owner_id, v.memory, n, v.state || jsonb_build_object('revision', n), v.valid_to
    from memory_versions v cross join generate_series(2, 451) n where v.revision = 1`;
  const [first, ...lines] = await one.backup();
  expect(first).toMatchObject({ count: lines.length });
  const parts = lines.filter(({ kind }) => kind === "versions") as { versions: { owner?: unknown }[] }[];
  expect(parts.flatMap(({ versions }) => versions).map(({ owner }) => owner)).toEqual(Array(253).fill(alice));
  expect(await two.imported([first, ...lines])).toMatchObject({ conflicts: 0, invalid: 0 });
  expect((await two.backup()).slice(1)).toEqual(lines);
  expect(await two.imported([first, ...lines])).toMatchObject({ created: 0, unchanged: lines.length });
});

test("a part has of the versions of others that there were some, and nothing of what they said", async () => {
  const [{ world: one, clients, instants }, two] = [await openMoved(), await openTransferWorld()];
  const part = await one.backup({ owner: movers });
  expect(JSON.stringify(part)).not.toContain("secret");
  expect(JSON.stringify(part)).not.toContain("second");
  expect(await two.imported(part)).toMatchObject({ conflicts: 0, invalid: 0 });
  expect((await two.backup({ owner: movers })).slice(1)).toEqual(part.slice(1));
  const [before, after] = [await told(one, instants), await told(two, instants)];
  expect(after.team).toEqual(before.team);

  const viewer = await two.client({ owner: "alice" });
  expect(await viewer.patch("/v1/memories/mv", HOME)).toMatchObject({ status: 200 });
  expect(contents(await versionsFor(viewer))).toEqual(["mv fourth words"]);

  await clients.alice.patch("/v1/memories/mv", HOME);
  const own = await one.backup({ owner: alice });
  expect(JSON.stringify(own)).toContain("secret");
  expect(JSON.stringify(own)).not.toContain("third");
});

test("an import to one owner gives it the memory's own versions and its own, and of others that there were some", async () => {
  const { world: one } = await openMoved();
  const lines = await one.exported();
  for (const [owner, read] of [
    [bob, ["mv fourth words", "mv third words"]],
    [movers, ["mv fourth words", "mv third words"]],
    [alice, ["mv fourth words", "mv third words", "mv second words", "mv original secret words"]],
  ] as const) {
    const two = await openTransferWorld();
    expect(await two.imported(lines, { owner })).toMatchObject({ created: 1, invalid: 0 });
    const client = await two.client(owner.kind === "team" ? { team: owner.name } : { owner: owner.name });
    expect(contents(await versionsFor(client))).toEqual(read);
    const rows = await two.service.sql`select from memory_versions where state::text like '%secret%'`;
    expect(rows).toHaveLength(owner === alice ? 1 : 0);
    expect((await two.service.sql`select from memory_versions`).length).toBe(3);
  }
});

test("a version is read by nobody but its owner, and by that one only where the memory is its own", async () => {
  const world = await openTransferWorld();
  const clients = await clientsOf(world);
  const { teams } = world.service;
  await teams.setRole(clients.team.ownerId, clients.alice.ownerId, "owner");
  await teams.setRole(clients.team.ownerId, clients.bob.ownerId, "viewer");
  const version = (content: string, more: object) => ({
    ...{ path: "p", content, updated_at: at, valid_to: "2024-01-02T00:00:00.000Z", ...more },
  });
  const memory = {
    ...{ kind: "memory", memory_id: "mv", owner: movers, author: alice, path: "p", content: "mv now" },
    ...{ created_at: at, updated_at: "2024-01-03T00:00:00.000Z", revision: 9 },
  };
  const versions = [
    version("mv of alice", { revision: 1, owner: alice }),
    version("mv of bob", { revision: 2, owner: bob }),
    version("mv of the team", { revision: 3 }),
    version("mv of the team by name", { revision: 4, owner: movers }),
    version("mv of nobody", { revision: 5, owner: null }),
  ];
  const more = { kind: "versions", owner: movers, memory_id: "mv" };
  const file = [
    header,
    { ...memory, versions },
    { ...more, versions: [version("mv later of bob", { revision: 6, owner: bob })] },
    { ...more, versions: [version("mv x", { revision: 7, owner: { kind: "agent", name: "a" } })] },
  ];
  const report = { created: 2, invalid: 1, conflicts: 0 };
  expect(await world.imported(file, { dryRun: true })).toMatchObject(report);
  expect(await world.imported(file)).toMatchObject(report);
  const ofTeam = ["mv now", "mv of the team by name", "mv of the team"];
  for (const client of Object.values(clients)) expect(contents(await versionsFor(client))).toEqual(ofTeam);
  expect(await world.service.sql`select from memory_versions where state::text like '%of nobody%'`).toEqual(
    [],
  );
  await clients.alice.patch("/v1/memories/mv", HOME);
  expect(contents(await versionsFor(clients.alice))).toEqual(["mv now", "mv of alice"]);
});
