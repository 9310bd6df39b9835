import { expect, test, vi } from "vitest";
import { createImportTarget } from "../../../src/adapters/postgres/transfer/import-target.ts";

import { type ImportReport, importMemories } from "../../../src/core/transfer/import-memories.ts";
import { erase } from "../../erasure/stage.ts";
import { createRandom } from "../../support/random.ts";
import { openTransferWorld, type TransferWorld } from "./transfer-world.ts";

const header = { recollect_export: 3 };
/** More than two batches, so that lines of one refer to those of another. */
const LINES = 2300;

test("many lines at once leave what the same lines leave one by one", async () => {
  const random = createRandom(48).next;
  const lines = Array.from({ length: LINES }, (_, at) => someLine(at, random));
  const together = await openTransferWorld();
  const one = await openTransferWorld();
  const report = await together.imported([header, ...lines]);
  const single = await inPieces(one, lines, 37);
  expect(report.conflicts).toBeGreaterThan(0);
  expect(report.invalid).toBeGreaterThan(0);
  expect(report.unchanged).toBeGreaterThan(0);
  expect(report.masked).toBeGreaterThan(0);
  expect(countsOf(report)).toEqual(countsOf(single));
  expect(await stateOf(together)).toEqual(await stateOf(one));
});

test("a bad line is named by its number, and all others are imported", async () => {
  const world = await openTransferWorld();
  const lines = Array.from({ length: LINES }, (_, at) => line(at));
  lines[1500] = { ...line(1500), importance: 7 };
  const report = await world.imported([header, ...lines.slice(0, 700), "{", ...lines.slice(700)]);
  expect(report).toMatchObject({ read: LINES + 1, created: LINES - 1, invalid: 2 });
  expect(report.complaints.map((complaint) => complaint.line)).toEqual([702, 1503]);
});

test("nobody is told of a line before it is in", async () => {
  const world = await openTransferWorld();
  const { sql } = world.service;
  const told: { read: number; stored: Promise<number> }[] = [];
  await world.imported([header, ...Array.from({ length: LINES }, (_, at) => line(at))], {
    onProgress({ read }) {
      const stored = sql`select count(*)::int as count from memories`.then(([row]) => row?.count as number);
      told.push({ read, stored });
    },
  });
  expect(told.map(({ read }) => read)).toEqual([1000, 2000, LINES]);
  for (const { read, stored } of told) expect(await stored).toBeGreaterThanOrEqual(read);
});

test("what fails while lines are read ahead is thrown, and what was written before stays", async () => {
  const world = await openTransferWorld();
  const { sql } = world.service;
  await sql`alter table memories add constraint refused check (memory_id <> 'n1200')`;
  const lines = Array.from({ length: LINES }, (_, at) => line(at));
  await expect(world.imported([header, ...lines])).rejects.toThrow();
  expect(await sql`select count(*)::int as count from memories`).toEqual([{ count: 1000 }]);
  await sql`alter table memories drop constraint refused`;
  expect(await world.imported([header, ...lines])).toMatchObject({ created: LINES - 1000, unchanged: 1000 });
});

test("whoever is erased while lines are read is somebody new in those that follow", async () => {
  const world = await openTransferWorld();
  const { ports, sql, generation } = world.service;
  const stored = async () => {
    const [row] = await sql`select count(*)::int as count from memories`;
    return row?.count;
  };
  async function* lines() {
    for (let at = 0; at < LINES + 1000; at += 1) {
      if (at === 2000) {
        await vi.waitFor(async () => expect(await stored()).toBe(2000), { timeout: 30_000 });
        await erase(world, "user", "alice");
        expect(await stored()).toBe(0);
      }
      yield { line: at + 1, offset: at, value: line(at) };
    }
  }
  const report = await importMemories({ ...ports, target: createImportTarget(sql, generation) }, lines(), {
    from: "recollect",
    owner: null,
    dryRun: false,
  });
  expect(report).toMatchObject({ created: LINES + 1000, conflicts: 0 });
  expect(await stored()).toBe(LINES - 1000);
});

test("events of many memories come in their order, and those that end are remembered", async () => {
  const world = await openTransferWorld();
  const { sql } = world.service;
  const ends = "2999-01-01T00:00:00Z";
  const lines = Array.from({ length: 50 }, (_, at) => line(at, at % 5 === 0 ? { expires_at: ends } : {}));
  await world.imported([header, ...lines]);
  // Some may be in the log already.
  const noted = await sql`
    select memory_id from (
      select 2 as place, seq as at, memory_id from event_inbox union all select 1, position, memory_id from events
    ) e order by place, at`;
  expect(noted.map(({ memory_id }) => memory_id)).toEqual(lines.map(({ memory_id }) => memory_id));
  const [row] = await sql`select count(*)::int as count from event_instants where kind = 'expired'`;
  expect(row).toEqual({ count: 10 });
});

function line(at: number, members: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    kind: "memory",
    memory_id: `n${at}`,
    owner: { kind: "user", name: "alice" },
    content: `Memory ${at} of the harbour.`,
    path: "notes",
    bucket: "public",
    memory_type: "semantic",
    created_at: new Date(Date.parse("2025-01-01T00:00:00Z") + at * 1000).toISOString(),
    ...members,
  };
}

/** Some are the same as an earlier one, some contradict one, some are not valid, some hold a secret, some end. */
function someLine(at: number, random: () => number): Record<string, unknown> {
  const some = (share: number) => random() < share;
  if (at > 0 && some(0.05)) return line(Math.floor(random() * at));
  const owner = some(0.2)
    ? { owner: { kind: "team", name: `team-${Math.floor(random() * 3)}` }, scope: "team" }
    : { owner: { kind: "user", name: `user-${Math.floor(random() * 3)}` } };
  return line(at, {
    ...owner,
    // Lines of one file may state the same fact, and those of two may not: each has its own here.
    ...(some(0.1) ? { semantic_key: `fact-${at}` } : {}),
    ...(some(0.05) ? { memory_id: `n${Math.floor(random() * LINES)}` } : {}),
    ...(some(0.02) ? { importance: 7 } : {}),
    ...(some(0.05)
      ? { content: `The key is ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}, number ${at}.` }
      : {}),
    ...(some(0.1) ? { expires_at: "2999-01-01T00:00:00Z" } : {}),
    ...(some(0.1) ? { status: "archived" } : {}),
    ...(some(0.2) ? { metadata: { n: at, nested: { text: "„ä“\t\\n" } } } : {}),
  });
}

/** The lines in imports of their own, a few at a time: each knows of the others only what is stored. */
async function inPieces(
  world: TransferWorld,
  lines: readonly unknown[],
  size: number,
): Promise<Pick<ImportReport, "read" | "created" | "unchanged" | "conflicts" | "invalid">> {
  const sum = { read: 0, created: 0, unchanged: 0, conflicts: 0, invalid: 0 };
  for (let at = 0; at < lines.length; at += size) {
    const report = await world.imported([header, ...lines.slice(at, at + size)]);
    for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += report[name];
  }
  return sum;
}

function countsOf({
  read,
  created,
  unchanged,
  conflicts,
  invalid,
}: Omit<ImportReport, "kinds" | "complaints" | "interrupted">) {
  return { read, created, unchanged, conflicts, invalid };
}

async function stateOf(world: TransferWorld): Promise<unknown> {
  const { sql } = world.service;
  const [, ...lines] = await world.exported();
  const rows = await sql`
    select o.name, m.memory_id, encode(m.dedupe_hash, 'hex') as dedupe, encode(e.vector, 'hex') as vector, e.passages
    from memories m join owners o on o.id = m.owner_id left join embeddings e on e.memory = m.id order by 1, 2`;
  const [counts] = await sql`
    select (select count(*) from audit_log where operation = 'import')::int as audited,
           (select count(*) from outbox)::int as queued, (select count(*) from event_instants)::int as instants`;
  return { lines: lines.map((one) => JSON.stringify(one)).sort(), rows, counts };
}
