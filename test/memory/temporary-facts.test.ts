/** Facts that hold for a time, and what is live again after them. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import {
  hasLiveStatus,
  isLive,
  mayBeLive,
  waitsForExpiry,
} from "../../src/adapters/postgres/memory/supersession.ts";
import { createExportSource } from "../../src/adapters/postgres/transfer/export-source.ts";
import { exportMemories } from "../../src/core/transfer/export-memories.ts";
import { maintained } from "../project/maintenance.ts";
import { ok } from "../project/workspace.ts";
import { found, freshOwner, listed, memory, query, stored } from "../support/acting.ts";
import { type FakeClock, fakeClock } from "../support/fake-clock.ts";
import { type Client, openWorld, type World } from "../support/world.ts";

let clock: FakeClock;
let world: World;
beforeAll(async () => {
  clock = fakeClock();
  world = await openWorld();
});
beforeEach(() => clock.goTo(0));
afterAll(async () => {
  await world.close();
  vi.useRealTimers();
});

const someone = (owner = freshOwner()) => world.client({ owner });

const fact = (content: string, given: Record<string, unknown> = {}) =>
  memory({ content, semantic_key: "db/host", ...given });

/** States the fact anew, until so many minutes from the start, or for good. */
async function state(client: Client, content: string, until: number | null = null, given = {}) {
  const expires = until === null ? {} : { expires_at: clock.at(until) };
  return stored(client, fact(content, { ...expires, ...given }));
}

const shown = async (client: Client, id: string) => (await client.get(`/v1/memories/${id}`)).body;

/** What lists, searches and contexts recall of the fact; they must agree. */
async function recalled(client: Client): Promise<string[]> {
  const list = await listed(client);
  const search = await found(client, "which host has the database?");
  const contents = await Promise.all(search.map(async (id) => (await shown(client, id)).content));
  expect(contents.toSorted()).toEqual(list.toSorted());
  const context = await client.post("/v1/recall/context", { query: "which host has the database?" });
  const items = context.body.items.map(({ content }: { content: string }) => content);
  expect(items.toSorted()).toEqual(list.toSorted());
  return list;
}

test("a fact that holds until an instant gives way to the one before it at that instant", async () => {
  const client = await someone();
  const usual = await state(client, "The database is on db-1.");
  const forNow = await state(client, "The database is on db-2.", 10);
  expect(await recalled(client)).toEqual(["The database is on db-2."]);
  expect(await shown(client, usual)).toMatchObject({ status: "superseded", superseded_by: forNow });
  clock.goTo(10);
  expect(await recalled(client)).toEqual(["The database is on db-1."]);
  expect(await shown(client, usual)).toMatchObject({ status: "active", superseded_by: null, version: 1 });
  expect(await shown(client, forNow)).toMatchObject({ status: "expired", version: 2 });
  const { chain } = (await client.get(`/v1/memories/${usual}/versions`)).body;
  expect(chain).toMatchObject([
    { id: usual, status: "active" },
    { id: forNow, status: "expired" },
  ]);
});

test("a search just before and just after the instant, asked again and again, counts only what is live", async () => {
  const client = await someone();
  await state(client, "The database is on db-1.");
  await state(client, "The database is on db-2.", 10);
  for (const minutes of [1, 9.999, 10, 10.001, 9, 11]) {
    clock.goTo(minutes);
    const isOver = minutes >= 10;
    const ids = await found(client, "database", { explain: true });
    expect(ids).toHaveLength(1);
    expect((await shown(client, ids[0] as string)).content).toBe(
      isOver ? "The database is on db-1." : "The database is on db-2.",
    );
  }
});

test("of a fact that is stated for a time within a time one is live at every instant", async () => {
  const client = await someone();
  await state(client, "a");
  await state(client, "b", 30);
  await state(client, "c", 20);
  await state(client, "d", 10);
  for (const [minutes, content] of [
    [1, "d"],
    [10, "c"],
    [19, "c"],
    [20, "b"],
    [30, "a"],
  ] as const) {
    clock.goTo(minutes);
    expect(await recalled(client), `at ${minutes}`).toEqual([content]);
  }
});

test("one that ends before the one above it never comes back", async () => {
  const client = await someone();
  await state(client, "a");
  await state(client, "b", 10);
  await state(client, "c", 20);
  clock.goTo(10);
  expect(await recalled(client)).toEqual(["c"]);
  clock.goTo(20);
  expect(await recalled(client)).toEqual(["a"]);
});

test("a fact that holds for good never gives way, to whatever is below it", async () => {
  const client = await someone();
  await state(client, "a");
  await state(client, "b", 10);
  await state(client, "c");
  clock.goTo(100);
  expect(await recalled(client)).toEqual(["c"]);
  expect(await listed(client, { status: "superseded" })).toEqual(["b", "a"]);
});

test("what has expired itself by then is not live again; what expires after it is, until then", async () => {
  const client = await someone();
  await state(client, "a", 20);
  await state(client, "b", 10);
  clock.goTo(10);
  expect(await recalled(client)).toEqual(["a"]);
  clock.goTo(20);
  expect(await recalled(client)).toEqual([]);
  expect((await listed(client, { status: "expired" })).toSorted()).toEqual(["a", "b"]);
});

test("a fact that is live again is superseded by the next one, and gives way to it alone", async () => {
  const client = await someone();
  const usual = await state(client, "a");
  await state(client, "b", 10);
  clock.goTo(15);
  const { body } = await client.post("/v1/remember", fact("c", { expires_at: clock.at(30) }));
  expect(body.superseded).toEqual([usual]);
  expect(await recalled(client)).toEqual(["c"]);
  expect(await shown(client, body.id)).toMatchObject({ version: 3 });
  clock.goTo(30);
  expect(await recalled(client)).toEqual(["a"]);
  const { chain } = (await client.get(`/v1/memories/${usual}/versions`)).body;
  expect(chain.map(({ version }: { version: number }) => version)).toEqual([1, 2, 3]);
});

const REMOVALS: readonly [string, (client: Client, id: string) => Promise<{ status: number }>][] = [
  ["deleted", (client, id) => client.delete(`/v1/memories/${id}`)],
  ["redacted", (client, id) => client.post(`/v1/memories/${id}/forget`, { mode: "redact" })],
  ["deleted for good", (client, id) => client.post(`/v1/memories/${id}/forget`, { mode: "hard_delete" })],
  ["archived", (client, id) => client.patch(`/v1/memories/${id}`, { status: "archived" })],
  ["moved to another key", (client, id) => client.patch(`/v1/memories/${id}`, { semantic_key: "other" })],
  ["moved to another bucket", (client, id) => client.patch(`/v1/memories/${id}`, { bucket: "other" })],
  [
    "superseded by name",
    async (client, id) => {
      const named = await stored(client, { content: "named", path: "elsewhere" });
      return client.patch(`/v1/memories/${id}`, { superseded_by: named });
    },
  ],
];

test.each(REMOVALS)(
  "a fact that is %s before its time gives way to nothing, then or later",
  async (_, remove) => {
    const client = await someone();
    const usual = await state(client, "a");
    const forNow = await state(client, "b", 10);
    expect(await remove(client, forNow)).toMatchObject({ status: 200 });
    for (const minutes of [1, 11]) {
      clock.goTo(minutes);
      expect(await shown(client, usual)).toMatchObject({ status: "superseded" });
      expect(await listed(client)).not.toContain("a");
      expect(await found(client, "a")).not.toContain(usual);
    }
  },
);

test.each(REMOVALS)("a fact that is %s after its time has given way already", async (_, remove) => {
  const client = await someone();
  const usual = await state(client, "a");
  const forNow = await state(client, "b", 10);
  clock.goTo(11);
  expect(await remove(client, forNow)).toMatchObject({ status: 200 });
  expect(await shown(client, usual)).toMatchObject({ status: "active", superseded_by: null });
  expect(await listed(client)).toContain("a");
  expect(await found(client, "a")).toContain(usual);
});

test("facts that are deleted by a filter before their time give way to nothing", async () => {
  const client = await someone();
  await state(client, "a");
  await state(client, "b", 10);
  const asked = { filter: { path: "notes" }, mode: "hard_delete" };
  const { plan_hash } = (await client.post("/v1/memories/delete", { ...asked, dry_run: true })).body;
  const done = await client.post("/v1/memories/delete", { ...asked, dry_run: false, plan_hash });
  expect(done.body).toMatchObject({ changed: 1 });
  clock.goTo(11);
  expect(await listed(client)).toEqual([]);
  expect(await listed(client, { status: "superseded" })).toEqual(["a"]);
});

test("another expires_at moves the instant; none takes it away", async () => {
  const client = await someone();
  await state(client, "a");
  const forNow = await state(client, "b", 10);
  const expire = (minutes: number | null) =>
    client.patch(`/v1/memories/${forNow}`, { expires_at: minutes === null ? null : clock.at(minutes) });
  await expire(20);
  clock.goTo(10);
  expect(await recalled(client)).toEqual(["b"]);
  await expire(15);
  clock.goTo(15);
  expect(await recalled(client)).toEqual(["a"]);
  // Prolonged after its end it holds the fact again.
  await expire(30);
  expect(await recalled(client)).toEqual(["b"]);
  await expire(null);
  clock.goTo(100);
  expect(await recalled(client)).toEqual(["b"]);
  await expire(99);
  expect(await recalled(client)).toEqual(["a"]);
});

test("in a chain another expires_at is felt at its end", async () => {
  const client = await someone();
  await state(client, "a");
  const middle = await state(client, "b", 30);
  await state(client, "c", 20);
  await client.patch(`/v1/memories/${middle}`, { expires_at: clock.at(40) });
  clock.goTo(35);
  expect(await recalled(client)).toEqual(["b"]);
  await client.delete(`/v1/memories/${middle}`);
  clock.goTo(50);
  expect(await recalled(client)).toEqual([]);
  await client.post(`/v1/memories/${middle}/restore`);
  expect(await recalled(client)).toEqual(["a"]);
});

test("hearing a fact again that holds for longer moves the instant", async () => {
  const client = await someone();
  await state(client, "a");
  await state(client, "b", 10);
  const again = await client.post("/v1/remember", fact("b", { expires_at: clock.at(20) }));
  expect(again.body).toMatchObject({ deduplicated: true });
  clock.goTo(10);
  expect(await recalled(client)).toEqual(["b"]);
  clock.goTo(20);
  expect(await recalled(client)).toEqual(["a"]);
});

test("a fact that is live again and is heard again is a duplicate", async () => {
  const client = await someone();
  const usual = await state(client, "a");
  await state(client, "b", 10);
  clock.goTo(10);
  const { body } = await client.post("/v1/remember", fact("a"));
  expect(body).toMatchObject({ id: usual, deduplicated: true, superseded: [] });
});

test("a fact that was changed while it waited is a duplicate by what it says now", async () => {
  const client = await someone();
  const usual = await state(client, "a");
  await state(client, "b", 10);
  await client.patch(`/v1/memories/${usual}`, { content: "c" });
  clock.goTo(10);
  expect(await recalled(client)).toEqual(["c"]);
  const { body } = await client.post("/v1/remember", fact("c"));
  expect(body).toMatchObject({ id: usual, deduplicated: true });
});

test("a deleted fact that is restored within its time holds it again until its end", async () => {
  const client = await someone();
  await state(client, "a");
  const forNow = await state(client, "b", 10);
  await client.delete(`/v1/memories/${forNow}`);
  expect(await recalled(client)).toEqual([]);
  expect((await client.post(`/v1/memories/${forNow}/restore`)).body).toMatchObject({ status: "active" });
  expect(await recalled(client)).toEqual(["b"]);
  clock.goTo(10);
  expect(await recalled(client)).toEqual(["a"]);
});

test("what is restored while another holds the fact for a time waits for that one's end", async () => {
  const client = await someone();
  const usual = await state(client, "a");
  await client.delete(`/v1/memories/${usual}`);
  const forNow = await state(client, "b", 10);
  expect((await client.post(`/v1/memories/${usual}/restore`)).body).toMatchObject({ status: "superseded" });
  expect(await shown(client, usual)).toMatchObject({ superseded_by: forNow });
  clock.goTo(10);
  expect(await recalled(client)).toEqual(["a"]);
});

test("a superseded fact that was deleted and is restored comes back when it would have", async () => {
  const client = await someone();
  const usual = await state(client, "a");
  await state(client, "b", 10);
  await client.delete(`/v1/memories/${usual}`);
  clock.goTo(11);
  expect((await client.post(`/v1/memories/${usual}/restore`)).body).toMatchObject({ status: "active" });
  expect(await recalled(client)).toEqual(["a"]);
});

test("a superseded fact that is restored after its time had come gives place to who holds it by now", async () => {
  const client = await someone();
  const usual = await state(client, "a");
  await state(client, "b", 10);
  await client.delete(`/v1/memories/${usual}`);
  clock.goTo(11);
  await state(client, "c");
  expect((await client.post(`/v1/memories/${usual}/restore`)).body).toMatchObject({ status: "superseded" });
  expect(await recalled(client)).toEqual(["c"]);
});

test.each(["started", "completed"])("a fact that was %s is that again, by every filter", async (status) => {
  const client = await someone();
  const usual = await state(client, "a", null, { status });
  await state(client, "b", 10);
  expect(await listed(client, { status })).toEqual([]);
  expect(await found(client, "a", { status })).toEqual([]);
  clock.goTo(10);
  expect(await shown(client, usual)).toMatchObject({ status });
  for (const filter of [status, "active", "%ted", "%"]) {
    const isOfStatus = filter !== "%ted" || status === "started" || status === "completed";
    expect((await listed(client, { status: filter })).includes("a"), filter).toBe(isOfStatus);
    expect((await found(client, "a", { status: filter })).includes(usual), filter).toBe(isOfStatus);
  }
  for (const filter of ["superseded", "super%"]) {
    expect(await listed(client, { status: filter })).toEqual([]);
    expect(await found(client, "a", { status: filter })).toEqual([]);
  }
});

test("a fact that is live again is changed as a live one, and only what changes its status ends its link", async () => {
  const client = await someone();
  const usual = await state(client, "a");
  const forNow = await state(client, "b", 10);
  clock.goTo(11);
  const seen = await client.get(`/v1/memories/${usual}`);
  const same = await client.patch(`/v1/memories/${usual}`, { status: "active" });
  expect(same.headers.get("etag")).toBe(seen.headers.get("etag"));
  const changed = await client.patch(
    `/v1/memories/${usual}`,
    { content: "a, by now" },
    { "If-Match": seen.headers.get("etag") as string },
  );
  expect(changed).toMatchObject({
    status: 200,
    body: { status: "active", version: 2, superseded_by: null, content: "a, by now" },
  });
  const after = await client.get(`/v1/memories/${usual}`);
  expect(after.headers.get("etag")).toBe(changed.headers.get("etag"));
  const { versions } = (await client.get(`/v1/memories/${usual}/versions`)).body;
  expect(versions.map((version: { status: string }) => version.status)).toEqual([
    "active",
    "active",
    "active",
  ]);
  await client.patch(`/v1/memories/${forNow}`, { expires_at: clock.at(20) });
  expect(await recalled(client)).toEqual(["b"]);
  clock.goTo(20);
  expect(await recalled(client)).toEqual(["a, by now"]);
  expect((await client.patch(`/v1/memories/${usual}`, { status: "started" })).body).toMatchObject({
    status: "started",
    superseded_by: null,
  });
  expect((await client.delete(`/v1/memories/${usual}`)).body).toMatchObject({ status: "soft_deleted" });
  expect((await client.post(`/v1/memories/${usual}/restore`)).body).toMatchObject({ status: "started" });
  expect(await recalled(client)).toEqual(["a, by now"]);
});

test("a reminder that is live again is due, and can be completed", async () => {
  const client = await someone();
  const project = { project_id: "p" };
  const reminder = { memory_type: "reminder", metadata: { due_at: clock.at(5) }, provenance: project };
  const usual = await state(client, "water the plants", null, reminder);
  const forNow = await state(client, "water the cactus", 10, reminder);
  const due = async () => {
    const { body } = await client.post("/v1/projects/p/context", {});
    return body.action_items.map((item: { id: string }) => item.id);
  };
  clock.goTo(6);
  expect(await due()).toEqual([forNow]);
  expect(await client.post(`/v1/reminders/${usual}/complete`)).toMatchObject({ status: 404 });
  clock.goTo(10);
  expect(await due()).toEqual([usual]);
  const completed = await client.post(`/v1/reminders/${usual}/complete`);
  expect(completed).toMatchObject({ status: 200, body: { status: "completed" } });
  expect(await shown(client, usual)).toMatchObject({ status: "completed", superseded_by: null });
});

test("a reminder that is live again as completed is no longer due, and among a project's recent memories", async () => {
  const client = await someone();
  const provenance = { project_id: "p" };
  const reminder = { memory_type: "reminder", metadata: { due_at: clock.at(5) }, provenance };
  const usual = await state(client, "water the plants", null, reminder);
  clock.goTo(6);
  expect(await client.post(`/v1/reminders/${usual}/complete`)).toMatchObject({ status: 200 });
  const recent = async () => {
    const { body } = await client.post("/v1/projects/p/context", {});
    expect(body.action_items).toEqual([]);
    return body.recent_memories.map((item: { id: string }) => item.id);
  };
  expect(await recent()).toEqual([usual]);
  const forNow = await state(client, "nothing to water", 10, { provenance });
  expect(await recent()).toEqual([forNow]);
  clock.goTo(10);
  expect(await recent()).toEqual([usual]);
});

test("conflicts of a change name the fact that is live again", async () => {
  const client = await someone();
  const usual = await state(client, "a");
  await state(client, "b", 10);
  const other = await stored(client, { content: "c" });
  clock.goTo(10);
  const { body } = await client.patch(`/v1/memories/${other}`, {
    semantic_key: "db/host",
    detect_conflicts: true,
  });
  expect(body.conflicts).toMatchObject([{ id: usual, reason: "same_semantic_key" }]);
});

test("as of an instant there is what was live then, whatever became of it", async () => {
  const client = await someone();
  await state(client, "a");
  clock.goTo(1);
  const forNow = await state(client, "b", 10);
  clock.goTo(12);
  await client.patch(`/v1/memories/${forNow}`, { expires_at: clock.at(20) });
  clock.goTo(30);
  await state(client, "c", 40);
  clock.goTo(50);
  for (const [minutes, content] of [
    [0.5, "a"],
    [5, "b"],
    [11, "a"],
    [15, "b"],
    [25, "a"],
    [35, "c"],
    [45, "a"],
  ] as const) {
    const ids = await found(client, "host", { as_of: clock.at(minutes) });
    const contents = await Promise.all(ids.map(async (id) => (await shown(client, id)).content));
    expect(contents, `as of ${minutes}`).toEqual([content]);
  }
});

test("a credential that does not reach what is live again cannot supersede it", async () => {
  const owner = freshOwner();
  const whole = await someone(owner);
  const part = await world.client({ owner, space: { pathPrefix: "mine" } });
  await state(whole, "a", null, { path: "theirs" });
  await state(whole, "b", 10, { path: "theirs" });
  clock.goTo(10);
  expect((await part.post("/v1/remember", fact("c", { path: "mine/x" }))).status).toBe(409);
});

test("a filter by status pages and counts what is live again", async () => {
  const client = await someone();
  await state(client, "a");
  await state(client, "b", 10);
  clock.goTo(10);
  expect((await client.get(`/v1/memories${query({ limit: 1 })}`)).body).toMatchObject({
    total: 1,
    memories: [{ content: "a" }],
  });
});

test("maintenance that archives an expired fact leaves what is live again after it", async () => {
  const client = await someone();
  const ours = maintained(client, world);
  const key = { semantic_key: "db/host" };
  const usual = await ours.stored(key);
  const forNow = await ours.stored({ ...key, expires_at: clock.at(10) });
  clock.goTo(11);
  expect(await ours.due("expire_overdue")).toEqual([forNow]);
  const run = await ok(ours.execute({ actions: ["expire_overdue"], confirm_all_matching: true }));
  expect([await ours.status(usual), await ours.status(forNow)]).toEqual(["active", "archived"]);
  await ok(ours.undo(run.run_id));
  expect([await ours.status(usual), await ours.status(forNow)]).toEqual(["active", "expired"]);
});

test("maintenance archives what is live again once it is stale or has expired, and an undo makes it that again", async () => {
  const client = await someone();
  const ours = maintained(client, world);
  const [stale, expired] = [{ semantic_key: "a" }, { semantic_key: "b" }];
  const usual = await ours.stored(stale);
  await ours.stored({ ...stale, expires_at: clock.at(10) });
  const brief = await ours.stored({ ...expired, expires_at: clock.at(20) });
  await ours.stored({ ...expired, expires_at: clock.at(10) });
  expect(await ours.due("archive_stale")).toEqual([]);
  clock.goTo(60 * 24 * 400);
  expect(await ours.due("archive_stale")).toEqual([usual]);
  expect(await ours.due("expire_overdue")).toContain(brief);
  const run = await ok(
    ours.execute({ actions: ["archive_stale", "expire_overdue"], confirm_all_matching: true }),
  );
  expect([await ours.status(usual), await ours.status(brief)]).toEqual(["archived", "archived"]);
  await ok(ours.undo(run.run_id));
  expect([await ours.status(usual), await ours.status(brief)]).toEqual(["active", "expired"]);
});

test("maintenance that archives a fact before its time lets it give way to nothing, until an undo", async () => {
  const client = await someone();
  const ours = maintained(client, world);
  const key = { semantic_key: "db/host" };
  const usual = await ours.stored(key);
  const days = 60 * 24;
  const forNow = await ours.stored({ ...key, expires_at: clock.at(500 * days) });
  clock.goTo(400 * days);
  const run = await ok(ours.execute({ actions: ["archive_stale"], confirm_all_matching: true }));
  expect([await ours.status(usual), await ours.status(forNow)]).toEqual(["superseded", "archived"]);
  clock.goTo(501 * days);
  expect(await ours.status(usual)).toBe("superseded");
  await ok(ours.undo(run.run_id));
  expect([await ours.status(usual), await ours.status(forNow)]).toEqual(["active", "expired"]);
});

test("an export of what is active has what is live again", async () => {
  const client = await someone();
  await state(client, "a");
  await state(client, "b", 10);
  clock.goTo(10);
  const owner = { kind: "user", name: await nameOf(client.ownerId) } as const;
  const ports = { source: createExportSource(world.service.sql), clock: () => clock.now };
  const lines: string[] = [];
  const filter = { owner, projectId: null, status: "active", withVersions: false } as const;
  await exportMemories(ports, filter, { write: async (text) => void lines.push(text) });
  const exported = lines.flatMap((text) => text.trim().split("\n")).map((line) => JSON.parse(line));
  expect(exported.filter(({ kind }) => kind === "memory").map(({ content }) => content)).toEqual(["a"]);
});

async function nameOf(ownerId: string): Promise<string> {
  const [row] = await world.service.sql`select name from owners where id = ${ownerId}`;
  return row?.name as string;
}

// Partitions have indexes of the same columns with names of their own.
const isWhole = process.env.TEST_PARTITIONED !== "1";
test.runIf(isWhole)("what may be live again is looked up by the indexes of live memories", async () => {
  const { sql } = world.service;
  const plans = await sql.begin(async (tx) => {
    await tx`set local enable_seqscan = off`;
    await tx`set local enable_bitmapscan = off`;
    const live = isLive(tx, clock.now);
    const open = hasLiveStatus(tx, tx`('active', 'started')`, clock.now);
    const owner = "00000000-0000-4000-8000-000000000001";
    return [
      await tx`explain select from memories m where m.owner_id = ${owner} and m.dedupe_hash = '\\x00' and ${live}`,
      await tx`
        explain select from memories m where m.owner_id = ${owner} and m.project_id = 'p' and m.memory_type = 'reminder'
          and m.due_at is not null and ${open} order by m.due_at limit 1`,
      await tx`
        explain select greatest(m.version, m.fact_version) from memories m where m.owner_id = ${owner}
          and m.semantic_key = 'k' order by greatest(m.version, m.fact_version) desc limit 1`,
    ].map((rows) => rows.map((row) => row["QUERY PLAN"]).join("\n"));
  });
  expect(plans[0]).toContain("memories_by_dedupe");
  expect(plans[1]).toContain("memories_by_due");
  expect(plans[2]).toContain("memories_by_fact");
});

test.runIf(isWhole)("a fact that has changed often is looked up among what may be live", async () => {
  const client = await someone();
  for (let at = 0; at < 300; at += 1) await state(client, `${at}`);
  const { sql } = world.service;
  await sql`analyze memories`;
  const [row] = await sql`select semantic_key from memories where owner_id = ${client.ownerId} limit 1`;
  const rows = await sql`
    explain select from memories m where m.owner_id = ${client.ownerId} and m.semantic_key = ${row?.semantic_key}
      and ${mayBeLive(sql)} and (${isLive(sql, clock.now)} or ${waitsForExpiry(sql, clock.now)})`;
  const plan = rows.map((line) => line["QUERY PLAN"]).join("\n");
  expect(plan).toContain("Index Scan using memories_current_of_fact");
  expect(plan).not.toContain("Bitmap");
});
