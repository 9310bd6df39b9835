/** The ids of users and teams, which clients name: they are kept where that takes nothing from anybody. */
import { expect, test } from "vitest";
import { register } from "../../agents/agents.ts";
import { openTransferWorld, type TransferWorld } from "./transfer-world.ts";

const header = { recollect_export: 2 };
const at = "2024-01-01T00:00:00.000Z";
const user = (name: string, id?: string) => ({ kind: "user", name, id, created_at: at });
const team = (name: string, id?: string) => ({ kind: "team", name, id, created_at: at, members: [] });
const uuid = (n: number) => `018f0000-0000-7000-8000-00000000000${n}`;

/** The id of each owner, by kind and name. */
async function ownersOf(world: TransferWorld): Promise<Record<string, string>> {
  const rows = await world.service.sql`select kind, name, id from owners`;
  return Object.fromEntries(rows.map(({ kind, name, id }) => [`${kind} ${name}`, id]));
}

test("after a restore into an empty database a client names its team as it did before", async () => {
  const [one, two] = [await openTransferWorld(), await openTransferWorld()];
  const [before, core] = [await one.client({ owner: "alice" }), await one.client({ team: "core" })];
  await one.service.teams.setRole(core.ownerId, before.ownerId, "member");
  const toTeam = { scope: "team", team_id: core.ownerId, path: "p" };
  await before.post("/v1/memories", { ...toTeam, memory_id: "m", content: "The port is 80." });
  expect(await two.imported(await one.backup())).toMatchObject({ conflicts: 0, invalid: 0 });

  expect(await ownersOf(two)).toEqual(await ownersOf(one));
  const after = await two.client({ owner: "alice" });
  const { body } = await after.get(`/v1/memories?team_id=${core.ownerId}`);
  expect(body.memories).toMatchObject([{ id: "m", team_id: core.ownerId }]);
  const stored = await after.post("/v1/memories", { ...toTeam, content: "The host is called rock." });
  expect(stored).toMatchObject({ status: 201 });
});

test("an owner of that name keeps the id that it has, and an id that is another's is given to nobody", async () => {
  const world = await openTransferWorld();
  const [bob, agent] = [await world.client({ owner: "bob" }), await register(world)];
  const before = await ownersOf(world);
  const quarantine = Object.entries(before).find(([name]) => name.startsWith("agent "))?.[1];
  const file = [
    header,
    user("bob", uuid(1)),
    user("mallory", bob.ownerId.toUpperCase()),
    user("trudy", quarantine),
    user("kept", uuid(2)),
    user("second", uuid(2)),
    team("bob", bob.ownerId),
    team("core", uuid(3)),
    {
      kind: "memory",
      memory_id: "m",
      owner: { kind: "user", name: "mallory" },
      path: "p",
      created_at: at,
      content: "M",
    },
  ];
  expect(await world.imported(file)).toMatchObject({ created: 7, unchanged: 1, invalid: 0, conflicts: 0 });
  const after = await ownersOf(world);
  expect(after).toMatchObject({ ...before, "user kept": uuid(2), "team core": uuid(3) });
  expect(Object.keys(after)).toHaveLength(Object.keys(before).length + 6);
  expect(new Set(Object.values(after)).size).toBe(Object.keys(after).length);
  expect((await bob.get("/v1/memories")).body.memories).toEqual([]);
  expect((await agent.client.get("/v1/memories")).body.memories).toEqual([]);
  expect(await world.imported(file)).toMatchObject({ created: 0, unchanged: 8 });
  expect(await ownersOf(world)).toEqual(after);
});

test("two imports at once, of which each gives an id to another name, make both owners", async () => {
  const world = await openTransferWorld();
  const files = [
    [header, user("a", uuid(1)), user("b", uuid(2))],
    [header, user("a", uuid(2)), user("b", uuid(1)), user("c", uuid(1))],
  ];
  for (const report of await Promise.all(files.map((file) => world.imported(file))))
    expect(report).toMatchObject({ invalid: 0, conflicts: 0 });
  expect(Object.keys(await ownersOf(world)).sort()).toEqual(["user a", "user b", "user c"]);
});

test("an id that is none is refused with its line", async () => {
  const world = await openTransferWorld();
  const { complaints } = await world.imported([header, user("a", "1"), team("t", "agent_1")]);
  expect(complaints.map(({ reason }) => reason.split(":")[0])).toEqual(["id", "id"]);
});
