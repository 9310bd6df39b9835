import { expect, test } from "vitest";
import { comparable, openTransferWorld, type TransferWorld } from "./transfer-world.ts";

const header = { recollect_export: 1 };
const created_at = "2024-01-01T00:00:00.000Z";
const owner = { kind: "user", name: "alice" };

function line(memory_id: string, more: Record<string, unknown> = {}) {
  return { memory_id, owner, content: `About ${memory_id}`, path: "notes", created_at, ...more };
}

async function contents(world: TransferWorld) {
  return (await world.exported()).slice(1).map((exported) => `${exported.memory_id}: ${exported.content}`);
}

test("the same file again writes nothing", async () => {
  const world = await openTransferWorld();
  const lines = [header, line("a"), line("b", { metadata: { x: [1, { y: 2 }] } })];
  expect(await world.imported(lines)).toMatchObject({ read: 2, created: 2 });
  const before = await world.exported();
  expect(await world.imported(lines)).toMatchObject({ read: 2, created: 0, unchanged: 2, conflicts: 0 });
  expect((await world.exported()).slice(1)).toEqual(before.slice(1));
});

test("an id that holds something else is a conflict and is not overwritten, in the database and in the file", async () => {
  const world = await openTransferWorld();
  await world.imported([header, line("a")]);
  const report = await world.imported([
    header,
    line("a", { content: "Other words" }),
    line("b"),
    line("b"),
    line("b", { path: "x" }),
  ]);
  expect(report).toMatchObject({ read: 4, created: 1, unchanged: 1, conflicts: 2, invalid: 0 });
  expect(report.complaints).toEqual([
    {
      line: 2,
      memory_id: "a",
      kind: "conflict",
      reason: "this owner has a memory of that id with another content",
    },
    {
      line: 5,
      memory_id: "b",
      kind: "conflict",
      reason: "an earlier line has the same id with other members",
    },
  ]);
  expect(await contents(world)).toEqual(["a: About a", "b: About b"]);
});

test("a live memory of a fact that another one states already is a conflict; a superseded one is not", async () => {
  const world = await openTransferWorld();
  const fact = { semantic_key: "port" };
  await world.imported([header, line("now", fact)]);
  const report = await world.imported([
    header,
    line("old", { ...fact, status: "superseded", superseded_by: "now" }),
    line("rival", fact),
    line("elsewhere", { ...fact, bucket: "work" }),
  ]);
  expect(report).toMatchObject({ created: 2, conflicts: 1 });
  expect(report.complaints).toMatchObject([
    {
      memory_id: "rival",
      reason:
        'the live memory "now" states the same fact (semantic_key); keep that one and leave out this line, or forget it and import again',
    },
  ]);
});

test("a memory that is to state its fact again later is a conflict as well where another one states it", async () => {
  const world = await openTransferWorld();
  const fact = { semantic_key: "door" };
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const superseded = { status: "superseded", superseded_by: "today", superseded_at: created_at };
  const lines = [
    header,
    line("usual", {
      ...{ ...fact, ...superseded, superseded_by_key: true, superseded_status: "active" },
      superseded_until: expires_at,
    }),
    line("today", { ...fact, expires_at }),
  ];
  const other = { owner: { kind: "user", name: "bob" } } as const;
  expect(await world.imported(lines, other)).toMatchObject({ created: 2, conflicts: 0 });
  expect(await world.imported(lines, other)).toMatchObject({ unchanged: 2, conflicts: 0 });

  await world.imported([header, line("there", fact)]);
  expect(await world.imported(lines, { dryRun: true })).toMatchObject({ created: 0, conflicts: 2 });
  expect(await world.imported(lines)).toMatchObject({ created: 0, conflicts: 2 });
});

test("several live memories of one fact in one file come back as they were, in one run or two", async () => {
  const world = await openTransferWorld();
  const lines = [header, ...Array.from({ length: 1010 }, (_, n) => line(`n${n}`, { semantic_key: "port" }))];
  expect(await world.imported(lines, { dryRun: true })).toMatchObject({ created: 1010, conflicts: 0 });
  const controller = new AbortController();
  const { signal } = controller;
  await world.imported(lines, { signal, onProgress: () => controller.abort() });
  expect(await world.imported(lines)).toMatchObject({ created: 10, unchanged: 1000, conflicts: 0 });
  const stranger = [header, line("stranger", { semantic_key: "port" })];
  expect(await world.imported(stranger)).toMatchObject({ created: 0, conflicts: 1 });
});

test("a dry run says what the real one does, and changes nothing", async () => {
  const world = await openTransferWorld();
  await world.imported([header, line("there"), line("fact", { semantic_key: "k" })]);
  const before = await world.exported();
  const lines: unknown[] = [
    header,
    line("there"),
    line("there", { content: "other" }),
    line("rival", { semantic_key: "k" }),
    "{",
  ];
  // More than a batch, with repetitions across batches, of an owner that does not exist yet.
  for (let n = 0; n < 700; n += 1) lines.push(line(`n${n % 650}`, { owner: { kind: "team", name: "new" } }));
  lines.push(line("n3", { owner: { kind: "team", name: "new" }, content: "changed" }));

  const rehearsed = await world.imported(lines, { dryRun: true });
  expect(await world.exported()).toEqual([expect.anything(), ...before.slice(1)]);
  expect(await world.service.sql`select from owners where name = 'new'`).toHaveLength(0);
  const real = await world.imported(lines);
  const { complaints: _, ...counts } = rehearsed;
  expect(real).toMatchObject(counts);
  expect(real).toMatchObject({ read: 705, created: 650, unchanged: 51, conflicts: 3, invalid: 1 });
});

test("complaints name the line and the member, never the content", async () => {
  const world = await openTransferWorld();
  const report = await world.imported([
    header,
    line("ok"),
    "",
    "not json SECRET",
    line("bad/SECRET id"),
    line("p", { path: "///" }),
    line("i", { importance: 7 }),
    line("u", { SECRET: 1 }),
    line("s", { status: "expired" }),
    line("w", { owner: { kind: "team", name: "x" }, scope: "private" }),
    line("m", { metadata: { due_at: "SECRET" } }),
    line("h", { created_at: "yesterday" }),
    { ...line("o"), owner: undefined },
    line("n", { content: "a\u0000b" }),
  ]);
  expect(report).toMatchObject({ read: 12, created: 1, invalid: 11 });
  expect(JSON.stringify(report)).not.toContain("SECRET");
  expect(report.complaints.map(({ line: at, memory_id }) => [at, memory_id])).toEqual([
    [4, null],
    [5, null],
    [6, "p"],
    [7, "i"],
    [8, "u"],
    [9, "s"],
    [10, "w"],
    [11, "m"],
    [12, "h"],
    [13, "o"],
    [14, "n"],
  ]);
  expect(report.complaints.map((complaint) => complaint.reason.split(":")[0])).toEqual([
    "is not JSON, or is cut short",
    "memory_id",
    "path",
    "importance",
    "has a member that is not known here",
    "status",
    "scope",
    "metadata.due_at",
    "created_at",
    "owner",
    "content",
  ]);
});

test("only the first 20 complaints are listed, and all are counted", async () => {
  const world = await openTransferWorld();
  const report = await world.imported([
    header,
    ...Array.from({ length: 50 }, (_, n) => line(`x${n}`, { version: 0 })),
  ]);
  expect(report.invalid).toBe(50);
  expect(report.complaints.map((complaint) => complaint.line)).toEqual(
    Array.from({ length: 20 }, (_, n) => n + 2),
  );
});

test("a stopped import keeps whole batches, and goes on when it is run again", async () => {
  const world = await openTransferWorld();
  const lines = [header, ...Array.from({ length: 2500 }, (_, n) => line(`n${n}`))];
  const controller = new AbortController();
  const stopped = await world.imported(lines, {
    signal: controller.signal,
    onProgress: () => controller.abort(),
  });
  expect(stopped).toMatchObject({ interrupted: true, read: 1000, created: 1000 });
  expect(await world.imported(lines)).toMatchObject({ interrupted: false, created: 1500, unchanged: 1000 });
});

test("--owner gives everything to one owner; another author stays who it was", async () => {
  const world = await openTransferWorld();
  const bob = { kind: "user", name: "bob" } as const;
  await world.imported(
    [
      header,
      line("own", { author: owner }),
      line("other", { owner: { kind: "team", name: "t" }, scope: "team", author: owner }),
    ],
    { owner: bob },
  );
  const [, own, other] = await world.exported();
  expect(own).toMatchObject({ owner: bob, author: bob, scope: "private" });
  expect(other).toMatchObject({ owner: bob, author: owner, scope: "private" });
});

test("each row comes with its audit line, outbox line and vector", async () => {
  const world = await openTransferWorld();
  await world.imported([header, line("a"), line("b")]);
  const { sql, generation } = world.service;
  expect(
    await sql`select from audit_log where operation = 'import' and detail = '{"from": "recollect"}'`,
  ).toHaveLength(2);
  expect(await sql`select from embeddings where generation = ${generation}`).toHaveLength(2);
});

test("two imports of the same file at once create each memory once", async () => {
  const world = await openTransferWorld();
  const lines = [
    header,
    ...Array.from({ length: 400 }, (_, n) => line(`n${n}`, { semantic_key: `k${n % 350}`, bucket: `b${n}` })),
  ];
  const reports = await Promise.all([
    world.imported(lines),
    world.imported([...lines].reverse().slice(0, -1).toSpliced(0, 0, header)),
    world.imported(lines),
  ]);
  expect(reports.reduce((sum, report) => sum + report.created, 0)).toBe(400);
  expect(reports.every((report) => report.conflicts === 0)).toBe(true);
  expect((await world.exported()).slice(1)).toHaveLength(400);
});

test("what another system says of itself is not believed: only a person can vouch", async () => {
  const world = await openTransferWorld();
  await world.imported([header, line("a", { metadata: { authority: "verified" } })]);
  await world.imported([header, line("b", { metadata: { authority: "verified" } })], { from: "mem0" });
  const [, a, b] = (await world.exported()).map((exported, at) =>
    at === 0 ? exported : comparable(exported),
  );
  expect(a?.metadata).toEqual({ authority: "verified" });
  expect(b?.metadata).toEqual({ authority: "observation" });
});
