import { expect, test } from "vitest";
import { openTransferWorld } from "./transfer-world.ts";

test("a reminder that was changed comes back with its history, and the restored database can be exported", async () => {
  const [one, two] = [await openTransferWorld(), await openTransferWorld()];
  const before = await one.client({ owner: "alice" });
  await before.post("/v1/memories", {
    memory_id: "call",
    content: "Call the bank",
    path: "errands",
    memory_type: "reminder",
    metadata: { due_at: "2030-01-31T09:00:00Z" },
  });
  await before.patch("/v1/memories/call", { metadata: { due_at: "2030-02-28T09:00:00Z" } });
  const [header, ...lines] = await one.exported();
  expect(await two.imported([header, ...lines])).toMatchObject({ conflicts: 0, invalid: 0 });

  const after = await two.client({ owner: "alice" });
  const { versions } = (await after.get("/v1/memories/call/versions")).body;
  expect(versions.at(-1)).toMatchObject({ metadata: { due_at: "2030-01-31T09:00:00Z" } });
  expect((await two.exported()).slice(1)).toEqual(lines);
});

test("an earlier state is stored as the service itself would have kept it, every column", async () => {
  const world = await openTransferWorld();
  const instant = "2024-05-01T10:00:00.123Z";
  const state = {
    path: "p",
    content: "c",
    memory_type: "reminder",
    metadata: { due_at: instant, occurred_at: instant },
    superseded_at: instant,
    occurred_at: instant,
    updated_at: instant,
    expires_at: instant,
  };
  await world.imported([
    { recollect_export: 1 },
    {
      ...state,
      memory_id: "m",
      owner: { kind: "user", name: "alice" },
      created_at: instant,
      versions: [{ ...state, valid_to: instant }],
    },
  ]);
  const [row] = await world.service.sql`
    select v.state, to_jsonb(m) as now from memory_versions v join memories m on m.id = v.memory`;
  const changing = ["revision", "seq", "changed_xid"];
  const without = (columns: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(columns).filter(([name]) => !changing.includes(name)));
  expect(without(row?.state)).toEqual(without(row?.now));
});

test("a memory with more versions than a line holds comes back with all of them, and only onto itself", async () => {
  const [one, two] = [await openTransferWorld(), await openTransferWorld()];
  const alice = await one.client({ owner: "alice" });
  await alice.post("/v1/memories", { memory_id: "m", content: "first", path: "p" });
  await alice.patch("/v1/memories/m", { content: "second" });
  // As 450 more changes would have left it.
  await one.service.sql`
    insert into memory_versions (owner_id, memory, revision, state, valid_to)
    select v.owner_id, v.memory, n, v.state || jsonb_build_object('revision', n), v.valid_to
    from memory_versions v cross join generate_series(2, 451) n`;
  await one.service.sql`update memories set revision = 452`;
  const [header, ...lines] = await one.backup();
  expect(header).toMatchObject({ count: lines.length });
  expect(lines.map(({ kind }) => kind)).toEqual(["user", "memory", "versions", "versions"]);
  expect(await two.imported([header, ...lines])).toMatchObject({ created: 4, conflicts: 0, invalid: 0 });
  expect((await two.backup()).slice(1)).toEqual(lines);
  expect(await two.imported([header, ...lines])).toMatchObject({ created: 0, unchanged: 4 });

  const changed = lines.map((line) => (line.kind === "memory" ? { ...line, content: "other" } : line));
  const owner = { kind: "user", name: "bob" } as const;
  const withoutMemory = lines.filter(({ kind }) => kind === "versions");
  expect(await two.imported([header, ...changed])).toMatchObject({ created: 0, conflicts: 3 });
  expect(await two.imported([header, ...withoutMemory], { owner })).toMatchObject({
    created: 0,
    conflicts: 2,
  });
});

test("a part of a history that comes twice is there once, and one that is not older than its memory is refused", async () => {
  const world = await openTransferWorld();
  const at = "2024-05-01T10:00:00.000Z";
  const owner = { kind: "user", name: "alice" };
  const state = { path: "p", content: "c", updated_at: at, valid_to: at };
  const part = (memory_id: string, ...revisions: number[]) => ({
    ...{ kind: "versions", owner, memory_id },
    versions: revisions.map((revision) => ({ ...state, revision })),
  });
  const memory = (memory_id: string) => ({
    ...{ kind: "memory", memory_id, owner, path: "p", content: "now", created_at: at },
    ...{ revision: 5, versions: [{ ...state, revision: 4 }] },
  });
  const file = [
    { recollect_export: 2 },
    memory("m"),
    part("m", 1, 2),
    part("m", 1, 2),
    part("m", 2, 3),
    part("m", 4),
    part("m", 5),
    memory("n"),
    part("n", 4),
    part("m", 3),
  ];
  const report = { read: 9, created: 4, unchanged: 4, conflicts: 1 };
  expect(await world.imported(file, { dryRun: true })).toMatchObject(report);
  expect(await world.imported(file)).toMatchObject(report);
  const again = { created: 0, unchanged: 8, conflicts: 1 };
  expect(await world.imported(file, { dryRun: true })).toMatchObject(again);
  expect(await world.imported(file)).toMatchObject(again);
});
