/** How many rows of memories a page of a list reads, by Postgres' own count: no more for an owner that has thousands. */
import { expect, onTestFinished, test } from "vitest";
import { connect, type Sql, type TransactionSql } from "../../../src/adapters/postgres/database/client.ts";
import { createMemoryStore } from "../../../src/adapters/postgres/memory/memory-store.ts";
import { everyLiveMemory, type MemoryFilter } from "../../../src/core/memory/memory-filter.ts";
import { ownDatabase } from "../../support/own-database.ts";
import { caller, OWNER } from "./whole-caller.ts";

const MEMORIES = 5000;
const DAY_MS = 86_400_000;

/** Thousands of usual memories, and a few of each unusual kind among the oldest. */
async function filled(): Promise<Sql> {
  const sql = connect(await ownDatabase(), 2);
  onTestFinished(() => sql.end({ timeout: 1 }));
  await sql`insert into owners (id, kind, name) values (${OWNER}, 'user', 'alice')`;
  await sql`
    insert into memories (id, owner_id, memory_id, author_id, author_token, scope, path, bucket, memory_type, status,
      project_id, content, version, importance, confidence, metadata, provenance, expires_at, created_at, updated_at)
    select gen_random_uuid(), ${OWNER}, 'm' || i, ${OWNER}, ${OWNER}, 'private', 'p',
      case when i between 1 and 5 then 'rare' else 'public' end,
      case when i between 11 and 15 then 'reminder' else 'semantic' end,
      case when i between 21 and 25 then 'soft_deleted' else 'active' end,
      case when i between 31 and 35 then 'project' end, 'Said ' || i, 1, 0.5, 1, '{}', '{}',
      case when i % 100 = 50 then now() + interval '3 days' end, t.at, t.at
    from generate_series(1, ${MEMORIES}::int) i
    cross join lateral (select '2030-01-01'::timestamptz + i * interval '1 second' as at) t`;
  await sql`vacuum analyze memories`;
  return sql;
}

async function rowsRead(tx: TransactionSql): Promise<number> {
  const [row] = await tx`
    select seq_tup_read + idx_tup_fetch as read from pg_stat_xact_user_tables where relid = 'memories'::regclass`;
  return Number(row?.read ?? 0);
}

test("a page reads as many rows as it has, wherever it is and whatever it is of; its total reads none", async () => {
  const sql = await filled();
  const now = Date.now();
  const oldest = Date.parse("2030-01-01T00:00:31Z");
  const first = { limit: 20, offset: 0, after: null };
  const last = { ...first, after: { createdAt: oldest, seq: Number.MAX_SAFE_INTEGER } };
  const lists: readonly [Partial<MemoryFilter>, typeof first | typeof last, number][] = [
    [{}, first, MEMORIES - 5],
    [{}, last, MEMORIES - 5],
    [{ status: "%" }, last, MEMORIES - 5],
    [{ memoryTypes: ["semantic"] }, first, MEMORIES - 10],
    [{ memoryTypes: ["reminder"] }, first, 5],
    [{ bucket: "rare" }, first, 5],
    [{ status: "soft_deleted" }, first, 5],
    [{ projectId: "project" }, first, 5],
    [{ projectId: "none" }, first, 0],
  ];
  for (const [asked, page, total] of lists)
    await sql.begin(async (tx) => {
      const store = createMemoryStore(tx as unknown as Sql);
      const filter = { ...everyLiveMemory(now), withoutItems: true, ...asked };
      const before = await rowsRead(tx);
      const listed = await store.list(caller, filter, page);
      expect({ asked, total: listed.total, memories: listed.memories.length }).toMatchObject({
        total,
        memories: Math.min(total, page.limit),
      });
      // Where it looks whether there is another page, it reads one more; what has no place in the list, it walks past.
      expect({ asked, read: (await rowsRead(tx)) - before }).toEqual({
        asked,
        read: expect.toSatisfy((read: number) => read >= listed.memories.length && read <= 20 + 1 + 15),
      });
    });
});

test("what expires today is looked at, and nothing else", async () => {
  const sql = await filled();
  const now = Date.now();
  const filter = { ...everyLiveMemory(now + 3 * DAY_MS), withoutItems: true };
  const page = { limit: 1, offset: 0, after: null };
  await createMemoryStore(sql).list(caller, filter, page);
  await sql.begin(async (tx) => {
    const before = await rowsRead(tx);
    const { total } = await createMemoryStore(tx as unknown as Sql).list(caller, filter, page);
    expect(total).toBe(MEMORIES - 5 - MEMORIES / 100);
    const read = (await rowsRead(tx)) - before;
    expect(read).toBeGreaterThanOrEqual(MEMORIES / 100);
    expect(read).toBeLessThanOrEqual(MEMORIES / 100 + 10);
  });
});

test("pages of everything are planned once, also while memories expire today", async () => {
  const sql = await filled();
  const now = Date.now();
  // Fewer than the planner expects of a day that it does not know.
  await sql`update memories set expires_at = now() + interval '5 days' where memory_id in ('m1', 'm2', 'm3')`;
  await sql`vacuum analyze memories`;
  await sql.begin(async (tx) => {
    const store = createMemoryStore(tx as unknown as Sql);
    for (const days of [0, 5])
      for (let n = 0; n < 12; n++) {
        const filter = { ...everyLiveMemory(now + days * DAY_MS), withoutItems: true };
        await store.list(caller, filter, { limit: 20, offset: 0, after: null });
      }
    const statements = await tx`
      select custom_plans, generic_plans, statement like '%of_today%' as looks from pg_prepared_statements
      where statement like '%as total from unnest%' and custom_plans + generic_plans > 5`;
    expect(statements.map(({ looks }) => looks).sort()).toEqual([false, true]);
    // Postgres compares the first five plans with one for all.
    for (const { custom_plans, generic_plans } of statements)
      expect({ custom_plans, generic_plans }).toEqual({
        custom_plans: 5,
        generic_plans: expect.toSatisfy((plans: number) => plans > 5),
      });
  });
});
