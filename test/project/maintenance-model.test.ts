import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type MaintenanceAction, maintenanceActions } from "../../src/contract/maintenance.ts";
import { expectRefusal, freshOwner, stored, unguessable } from "../support/acting.ts";
import { createRandom, type Random, runs, SEED } from "../support/random.ts";
import { columnsHolding } from "../support/stored-text.ts";
import { type Client, openWorld, type World } from "../support/world.ts";
import { age, idsOf, maintainerOf, recordOf } from "./maintenance.ts";
import { freshProject, ok, type WorkspaceClient, workspaceOf } from "./workspace.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const DAY = 86_400_000;
const COUNTED = ["expire_overdue", "archive_stale", "merge_duplicates", "purge_deleted"] as const;
type Counted = (typeof COUNTED)[number];
type Due = Record<Counted, string[]>;
const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString();

interface Limits {
  readonly stale_after_days: number;
  readonly completed_retention_days: number;
  readonly purge_deleted_after_days: number;
}

/** One workspace that is being filled, and what should be due in it. */
class Filling {
  readonly due: Due = { expire_overdue: [], archive_stale: [], merge_duplicates: [], purge_deleted: [] };
  /** Groups of the same words, of which one should stay. */
  readonly same: string[][] = [];
  readonly ids: string[] = [];

  readonly client: Client;
  readonly project: string;
  readonly limits: Limits;
  readonly random: Random;

  constructor(client: Client, project: string, limits: Limits, random: Random) {
    this.client = client;
    this.project = project;
    this.limits = limits;
    this.random = random;
  }

  get ours(): WorkspaceClient {
    return workspaceOf(this.client, this.project, "filler");
  }

  /** Never at a limit itself: half a day off. */
  days(): number {
    return this.random.below(220) + 0.5;
  }

  async memory(more: Record<string, unknown> = {}): Promise<string> {
    const id = await stored(this.client, {
      content: `${unguessable("fact")} holds for ${unguessable("thing")}.`,
      provenance: { project_id: this.project },
      path: `notes/${this.random.below(3)}`,
      ...more,
    });
    this.ids.push(id);
    return id;
  }

  async aged(id: string, days: number): Promise<void> {
    await age(world.service.sql, this.client.ownerId, id, days);
  }

  async addLive(): Promise<void> {
    const { random } = this;
    const at = () => random.pick([null, null, null, -30.5, -2.5, 2.5, 30.5]);
    const [expires, review, verified] = [at(), at(), random.pick([null, null, -400.5, -60.5, -1.5])];
    const metadata = {
      ...(review === null ? {} : { review_after: inDays(review) }),
      ...(verified === null ? {} : { last_verified_at: inDays(verified) }),
    };
    const id = await this.memory({
      metadata,
      memory_type: random.pick(["semantic", "episodic", "working"]),
      status: random.pick(["active", "started", "completed", "archived"]),
      ...(expires === null ? {} : { expires_at: inDays(expires) }),
      ...(random.below(4) === 0 ? { semantic_key: unguessable("key") } : {}),
    });
    const days = this.days();
    await this.aged(id, days);
    const { status } = (await this.client.get(`/v1/memories/${id}`)).body;
    if (status === "archived") return;
    if (expires !== null && expires < 0) this.due.expire_overdue.push(id);
    else if (this.#isStale(days, review, verified)) this.due.archive_stale.push(id);
  }

  /** A review date says when; without one it is how long ago it was changed or verified. */
  #isStale(days: number, review: number | null, verified: number | null): boolean {
    if (review !== null && review > 0) return false;
    if (review !== null && (verified === null || verified < review)) return true;
    return Math.min(days, verified === null ? days : -verified) >= this.limits.stale_after_days;
  }

  async addDeleted(): Promise<void> {
    const id = await this.memory();
    await this.client.delete(`/v1/memories/${id}`);
    const days = this.days();
    await this.aged(id, days);
    if (days >= this.limits.purge_deleted_after_days) this.due.purge_deleted.push(id);
  }

  async addTodo(): Promise<void> {
    const { todo_id } = await ok(this.ours.todo({ content: unguessable("todo"), due_at: inDays(-100) }));
    const step = this.random.pick([null, "accept", "complete", "cancel"]);
    if (step) await ok(this.ours.act(todo_id, step));
    const days = this.days();
    await this.aged(todo_id, days);
    const isOver = step === "complete" || step === "cancel";
    if (isOver && days >= this.limits.completed_retention_days) this.due.archive_stale.push(todo_id);
  }

  async addDecision(): Promise<void> {
    const { decision_id } = await ok(this.ours.decision({ context: unguessable("which") }));
    const step = this.random.pick([null, "resolve", "supersede"]);
    if (step)
      await ok(this.ours.decide(decision_id, step, { resolution: "so", context: unguessable("what") }));
    const days = this.days();
    await this.aged(decision_id, days);
    if (step === "supersede" && days >= this.limits.completed_retention_days)
      this.due.archive_stale.push(decision_id);
  }

  async addSame(): Promise<void> {
    const content = `${unguessable("rule")} applies to every ${unguessable("case")}.`;
    const group: string[] = [];
    for (let at = 0; at < 2 + this.random.below(3); at += 1)
      group.push(await this.memory({ content, path: "rules" }));
    this.same.push(group);
    // The same words elsewhere are something else.
    await this.memory({ content, path: "rules/old" });
    await this.memory({ content, path: "rules", bucket: "elsewhere" });
    await this.memory({ content, path: "rules", semantic_key: unguessable("key") });
  }

  async fill(): Promise<this> {
    for (let at = 0; at < 14 + this.random.below(10); at += 1) {
      const kind = this.random.below(10);
      if (kind < 4) await this.addLive();
      else if (kind < 6) await this.addDeleted();
      else if (kind < 8) await this.addTodo();
      else if (kind < 9) await this.addDecision();
      else await this.addSame();
    }
    return this;
  }
}

async function filled(random: Random) {
  const client = await world.client({ owner: freshOwner() });
  const project = freshProject();
  const limits = {
    stale_after_days: 1 + random.below(200),
    completed_retention_days: random.below(100),
    purge_deleted_after_days: random.below(100),
  };
  const maintainer = maintainerOf(client, project);
  await ok(maintainer.set(limits));
  const filling = await new Filling(client, project, limits, random).fill();
  return { client, project, maintainer, filling };
}

/** Without what tells how often, and when last, it was changed. */
function bare(item: Record<string, unknown>): Record<string, unknown> {
  const { etag: _, audit_trail: __, version: ___, updated_at: ____, ...rest } = item;
  return rest;
}

/** Every memory, todo and decision as callers see them, but for what tells how often they were changed. */
async function seen(client: Client, project: string, ids: readonly string[]) {
  const ours = workspaceOf(client, project);
  const memories = await Promise.all(
    ids.map(async (id) => bare((await client.get(`/v1/memories/${id}`)).body)),
  );
  const deleted = await client.get("/v1/memories?status=soft_deleted&limit=1000");
  const lists = [];
  for (const status of ["open", "accepted", "completed", "cancelled"])
    lists.push(await ok(ours.todos(`?status=${status}`)));
  lists.push(await ok(ours.decisions()), await ok(ours.decisions("?status=superseded")));
  // An undo is a change: what it brings back is the latest touched.
  return { memories, deleted: deleted.body, lists: lists.map((list) => list.map(bare).sort(byText)) };
}

function byText(one: unknown, other: unknown): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
}

// biome-ignore lint/suspicious/noExplicitAny: an answer as it comes
function expectReport(report: any, { due, same }: Filling): void {
  expect(report.actions.map(({ action }: { action: string }) => action)).toEqual(maintenanceActions);
  for (const { action, matched, items } of report.actions) {
    expect(matched).toBe(items.length);
    expect(report.totals[action]).toBe(matched);
    for (const { reason } of items) expect(reason.length).toBeGreaterThan(3);
  }
  for (const action of ["expire_overdue", "archive_stale", "purge_deleted"] as const)
    expect({ action, ids: idsOf(report, action).sort() }).toEqual({ action, ids: due[action].toSorted() });
  const merges = report.actions.find(({ action }: { action: string }) => action === "merge_duplicates").items;
  for (const group of same) {
    const mine = merges.filter(({ id }: { id: string }) => group.includes(id));
    expect(mine).toHaveLength(group.length - 1);
    const staying = group.find((id) => mine.every((item: { id: string }) => item.id !== id));
    for (const { into } of mine) expect(into).toBe(staying);
  }
  expect(merges).toHaveLength(same.reduce((sum, group) => sum + group.length - 1, 0));
}

async function auditLines(ownerId: string): Promise<number> {
  const [row] = await world.service.sql`select count(*)::int as n from audit_log where owner_id = ${ownerId}`;
  return row?.n as number;
}

test(`SEED ${SEED}: a report tells exactly what is due and changes nothing; an execution does it; an undo takes it back`, async () => {
  const random = createRandom(SEED);
  for (let round = 0; round < runs(12); round += 1) {
    const { client, project, maintainer, filling } = await filled(random);
    const record = await recordOf(world.service.sql, client.ownerId);
    const lines = await auditLines(client.ownerId);
    const report = await ok(maintainer.report());
    expectReport(report, filling);
    expect((await ok(maintainer.report())).plan_hash).toBe(report.plan_hash);
    expect(await recordOf(world.service.sql, client.ownerId)).toEqual(record);
    expect(await auditLines(client.ownerId)).toBe(lines);

    const before = await seen(client, project, filling.ids);
    const actions = COUNTED.filter(() => random.below(3) > 0);
    if (actions.length === 0) actions.push("archive_stale");
    const selection = random.pick(["plan", "all", "ids"]);
    const every = actions.flatMap((action) => idsOf(report, action));
    const named = every.filter(() => random.below(2) === 0);
    const noise = [unguessable("nobody"), ...filling.ids.filter(() => random.below(4) === 0)];
    const asked = {
      plan: { plan_hash: report.plan_hash },
      all: { confirm_all_matching: true },
      ids: { target_ids: [...new Set([...named, ...noise])] },
    }[selection];
    const answer = await ok(maintainer.execute({ actions: actions.toReversed(), ...asked }));
    expect(answer.status).toBe("completed");
    expect(answer.actions.map(({ action }: { action: string }) => action)).toEqual(actions);
    for (const { action, matched, changed, skipped, failed } of answer.actions) {
      expect(matched).toBe(changed + skipped.length + failed.length);
      expect(failed).toEqual([]);
      if (selection === "ids") continue;
      const ids = idsOf(report, action);
      expect({ action, matched }).toEqual({ action, matched: ids.length });
      // What an earlier action of the run has taken is not taken twice.
      const others = actions.filter((other) => other !== action);
      for (const { id } of skipped) expect(others.flatMap((other) => idsOf(report, other))).toContain(id);
    }
    const purged = actions.includes("purge_deleted") ? idsOf(report, "purge_deleted") : [];
    for (const id of selection === "ids" ? [] : purged) {
      const [row] = await world.service.sql`
          select 1 from memories where owner_id = ${client.ownerId} and memory_id = ${id}`;
      expect(row).toBeUndefined();
    }
    const after = await ok(maintainer.report());
    if (selection !== "ids") for (const action of actions) expect(idsOf(after, action)).toEqual([]);
    for (const action of COUNTED.filter((name) => !actions.includes(name) && name !== "merge_duplicates"))
      expect(idsOf(after, action)).toEqual(idsOf(report, action));

    const again = await ok(
      maintainer.execute({ actions, ...(selection === "plan" ? { confirm_all_matching: true } : asked) }),
    );
    for (const { changed, failed } of again.actions) expect([changed, failed]).toEqual([0, []]);
    if (selection !== "ids") for (const { matched } of again.actions) expect(matched).toBe(0);

    const changed = answer.actions
      .filter(({ action }: { action: string }) => action !== "purge_deleted")
      .reduce((sum: number, one: { changed: number }) => sum + one.changed, 0);
    const undo = await maintainer.undo(answer.run_id);
    if (changed === 0) {
      expectRefusal(undo, 409, "conflict");
      continue;
    }
    expect(undo.status).toBe(200);
    for (const { action, undone, skipped, failed } of undo.body.actions) {
      const done = answer.actions.find((one: { action: string }) => one.action === action);
      expect({ undone, skipped, failed }).toEqual({ undone: done.changed, skipped: [], failed: [] });
    }
    const restored = await seen(client, project, filling.ids);
    const gone = (answer.actions.find(({ action }: { action: string }) => action === "purge_deleted")
      ?.changed ?? 0) as number;
    expect(restored.memories).toEqual(before.memories);
    expect(restored.lists).toEqual(before.lists);
    expect(restored.deleted.total).toBe(before.deleted.total - gone);
    const repeated = await maintainer.undo(answer.run_id);
    expect(repeated).toMatchObject({ status: 200, body: undo.body });
    const [run] = (await ok(maintainer.runs())).filter(
      ({ run_id }: { run_id: string }) => run_id === answer.run_id,
    );
    expect(run).toMatchObject({ status: "undone", trigger: "request" });
  }
}, 600_000);

describe("a plan that is no more", () => {
  /** Three stale memories, and the plan to archive them. */
  async function planned() {
    const client = await world.client({ owner: freshOwner() });
    const project = freshProject();
    const ids: string[] = [];
    for (let at = 0; at < 3; at += 1) {
      const content = `${unguessable("fact")} stands.`;
      const metadata = at === 2 ? { review_after: inDays(-1) } : {};
      ids.push(await stored(client, { content, metadata, provenance: { project_id: project } }));
      await age(world.service.sql, client.ownerId, ids[at] as string, 200);
    }
    const maintainer = maintainerOf(client, project);
    const { plan_hash } = await ok(maintainer.report());
    return { client, project, maintainer, ids, plan_hash, id: ids[1] as string };
  }
  type Planned = Awaited<ReturnType<typeof planned>>;

  const changes: [string, (at: Planned) => Promise<unknown>][] = [
    [
      "other content of what is due as before",
      async ({ client, ids, maintainer }) => {
        const last = `/v1/memories/${ids.at(-1)}`;
        await client.patch(last, { content: "Nobody has agreed to archive this." });
        expect(idsOf(await ok(maintainer.report()), "archive_stale")).toHaveLength(3);
      },
    ],
    ["other content", ({ client, id }) => client.patch(`/v1/memories/${id}`, { content: "Other words." })],
    ["a soft delete", ({ client, id }) => client.delete(`/v1/memories/${id}`)],
    ["a hard delete", ({ client, id }) => client.delete(`/v1/memories/${id}?mode=hard_delete`)],
    ["redaction", ({ client, id }) => client.delete(`/v1/memories/${id}?mode=redact`)],
    ["archiving by hand", ({ client, id }) => client.patch(`/v1/memories/${id}`, { status: "archived" })],
    [
      "verification",
      ({ client, id }) =>
        client.patch(`/v1/memories/${id}`, { metadata: { last_verified_at: inDays(-0.1) } }),
    ],
    ["another limit", ({ maintainer }) => maintainer.set({ stale_after_days: 50 })],
    ["expiry", ({ client, id }) => client.patch(`/v1/memories/${id}`, { expires_at: inDays(-1) })],
    [
      "one more that is due",
      async ({ client, project }) => {
        const provenance = { project_id: project };
        const id = await stored(client, { content: unguessable("more"), provenance });
        await age(world.service.sql, client.ownerId, id, 200);
      },
    ],
  ];
  test.each(changes)("after %s is refused with plan_changed, and nothing is done", async (_, change) => {
    const at = await planned();
    await change(at);
    const record = await recordOf(world.service.sql, at.client.ownerId);
    const refused = await at.maintainer.execute({ actions: ["archive_stale"], plan_hash: at.plan_hash });
    expectRefusal(refused, 409, "plan_changed");
    expect(await recordOf(world.service.sql, at.client.ownerId)).toEqual(record);
    expect(await ok(at.maintainer.runs())).toEqual([]);
  });

  test("of another workspace is refused, and what has not changed goes on", async () => {
    const [one, other] = [await planned(), await planned()];
    const foreign = await one.maintainer.execute({ actions: ["archive_stale"], plan_hash: other.plan_hash });
    expectRefusal(foreign, 409, "plan_changed");
    // Deleting a memory changes what purging would do later, not what is to be purged now.
    await stored(one.client, { content: unguessable("fresh"), provenance: { project_id: one.project } });
    const done = await ok(one.maintainer.execute({ actions: ["archive_stale"], plan_hash: one.plan_hash }));
    expect(done.actions).toMatchObject([{ action: "archive_stale", matched: 3, changed: 3 }]);
    expectRefusal(
      await one.maintainer.execute({ actions: ["archive_stale"], plan_hash: one.plan_hash }),
      409,
      "plan_changed",
    );
  });
});

describe("what must not be lost", () => {
  async function workspace() {
    const client = await world.client({ owner: freshOwner() });
    const project = freshProject();
    const keep = async (given: Record<string, unknown>, days = 0) => {
      const id = await stored(client, { provenance: { project_id: project }, ...given });
      await age(world.service.sql, client.ownerId, id, days);
      return id;
    };
    const statusOf = async (id: string) => (await client.get(`/v1/memories/${id}`)).body.status;
    return { client, project, keep, statusOf, maintainer: maintainerOf(client, project) };
  }
  const everything = async (
    maintainer: ReturnType<typeof maintainerOf>,
    actions: readonly MaintenanceAction[],
  ) => ok(maintainer.execute({ actions, confirm_all_matching: true }));

  test("a reminder that was set long ago for a day to come stays", async () => {
    const { keep, statusOf, maintainer } = await workspace();
    const reminder = { content: "Renew the certificate.", memory_type: "reminder" };
    const id = await keep({ ...reminder, metadata: { due_at: inDays(30) } }, 200);
    const yearly = { due_at: inDays(200), recurrence: "FREQ=YEARLY" };
    const recurring = await keep({ ...reminder, content: "Renew the domain.", metadata: yearly }, 165);
    await everything(maintainer, ["expire_overdue", "archive_stale"]);
    expect([await statusOf(id), await statusOf(recurring)]).toEqual(["active", "active"]);
  });

  test("a fresh duplicate of a stale memory does not go down with it", async () => {
    const { keep, statusOf, maintainer } = await workspace();
    const content = "The vault is in the cellar.";
    const stale = await keep({ content, importance: 0.9 }, 200);
    const fresh = await keep({ content, importance: 0.2 });
    await everything(maintainer, ["archive_stale", "merge_duplicates"]);
    expect([await statusOf(stale), await statusOf(fresh)]).toContain("active");
  });

  test("what says other values, or belongs to another session, day or person, is no duplicate", async () => {
    const { keep, maintainer } = await workspace();
    const content = "The backup of the ledger runs at 03:00 on host db-2.";
    await keep({ content });
    await keep({ content: "The backup of the ledger runs at 04:00 on host db-2." });
    await keep({ content: "The backup of the ledger never runs at 03:00 on host db-2." });
    await keep({ content, memory_type: "episodic" });
    await keep({ content, status: "completed" });
    await keep({ content, metadata: { occurred_at: "2024-01-01T00:00:00Z" } });
    for (const session_id of ["s-1", "s-2"])
      await keep({ content: "Sorting the ledger.", memory_type: "working", provenance: { session_id } });
    expect(idsOf(await ok(maintainer.report()), "merge_duplicates")).toEqual([]);
  });

  test("what lives longer stays: a memory never goes into one that expires before it", async () => {
    const { keep, maintainer, statusOf } = await workspace();
    const content = "The spare key is under the third stone.";
    const brief = await keep({ content, importance: 1, expires_at: inDays(1) });
    const lasting = await keep({ content, importance: 0.1 });
    await everything(maintainer, ["merge_duplicates"]);
    expect(await statusOf(lasting)).toBe("active");
    expect(["active", "superseded", "archived"]).toContain(await statusOf(brief));
  });

  test("purging leaves nothing behind and says so in receipts", async () => {
    const { client, keep, maintainer } = await workspace();
    const word = unguessable("word");
    const id = await keep({ content: `The ${word}.` });
    await client.patch(`/v1/memories/${id}`, { content: `The other ${word}.` });
    await client.delete(`/v1/memories/${id}`);
    await age(world.service.sql, client.ownerId, id, 31);
    const [done] = (await everything(maintainer, ["purge_deleted"])).actions;
    expect(done).toMatchObject({ matched: 1, changed: 1, skipped: [], failed: [] });
    expect(done.receipts.length).toBeGreaterThan(0);
    for (const receipt of done.receipts)
      expect((await client.get(`/v1/receipts/${receipt}`)).body).toMatchObject({ id: receipt });
    expect(await columnsHolding(world.service.sql, word)).toEqual([]);
  });

  test("a scan limit looks at so many, says that there was more, and its plan does no more than it listed", async () => {
    const { keep, maintainer } = await workspace();
    for (let at = 0; at < 9; at += 1) await keep({ content: unguessable("old") }, 200 + at);
    const report = await ok(maintainer.report({ scan_limit: 4 }));
    expect(report).toMatchObject({
      scan_limit: 4,
      scanned: 4,
      truncated: true,
      totals: { archive_stale: 4 },
    });
    const done = await ok(maintainer.execute({ actions: ["archive_stale"], plan_hash: report.plan_hash }));
    expect(done).toMatchObject({ truncated: true, actions: [{ matched: 4, changed: 4 }] });
    const rest = await ok(maintainer.report());
    expect(rest).toMatchObject({ truncated: false, totals: { archive_stale: 5 } });
    const least = await everything(maintainer, ["archive_stale"]);
    expect(least).toMatchObject({ truncated: false, actions: [{ changed: 5 }] });
  });
});
