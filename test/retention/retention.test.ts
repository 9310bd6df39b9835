/** What is removed for its age, by rules of the operator's settings, and what no rule removes. */
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../src/compose/config.ts";
import { applyRetention, dryRun } from "../../src/core/retention/apply-retention.ts";
import type { RetentionPolicy } from "../../src/core/retention/policy.ts";
import { freshOwner, query, stored } from "../support/acting.ts";
import { openWorld } from "../support/world.ts";

const policyOf = (rules: unknown): RetentionPolicy =>
  readConfig({ RETENTION: JSON.stringify(rules) }).retention;

const EVERYTHING = policyOf({ memories: [{ older_than_days: 30, mode: "hard_delete" }] });

async function ownWorld() {
  const world = await openWorld();
  onTestFinished(() => world.close());
  const { sql, retention } = world.service;
  const client = await world.client({ owner: freshOwner() });
  return {
    world,
    sql,
    client,
    ports: { retention, clock: Date.now },
    /** Makes all there is older. */
    age: async (days: number) => {
      await sql`update memories set updated_at = updated_at - make_interval(days => ${days})`;
      await sql`update audit_log set at = at - make_interval(days => ${days})`;
    },
    left: async () =>
      (await sql`select content from memories where status <> 'soft_deleted' order by content`).map(
        ({ content }) => content as string,
      ),
  };
}

test("without the setting nothing is ever removed", () => {
  expect(readConfig({}).retention).toEqual({ memories: [], audit: [] });
});

test.each([
  "no JSON",
  '{"memories": [{"older_than_days": 30}]}',
  '{"memories": [{"older_than_days": 0, "mode": "hard_delete"}]}',
  '{"memories": [{"older_than_days": 30, "mode": "hard_delete", "buckets": "chat"}]}',
  '{"memory": []}',
])("a policy that is not understood whole stops the start: %s", (RETENTION) => {
  expect(() => readConfig({ RETENTION })).toThrow("RETENTION");
});

test("a dry run counts and changes nothing, the real one removes just that, with receipts and a line of its own", async () => {
  const { sql, client, ports, age, left } = await ownWorld();
  for (let n = 0; n < 7; n += 1) await stored(client, { content: `old ${n}`, bucket: "chat" });
  await stored(client, { content: "elsewhere", bucket: "work" });
  await stored(client, { content: "an episode", bucket: "chat", memory_type: "episodic" });
  await age(40);
  await stored(client, { content: "young", bucket: "chat" });
  const policy = policyOf({
    memories: [{ bucket: "cha%", memory_type: "semantic", older_than_days: 30, mode: "hard_delete" }],
  });
  const before = await left();
  expect((await dryRun(ports, policy)).map(({ count }) => count)).toEqual([7]);
  expect(await left()).toEqual(before);
  expect((await applyRetention(ports, policy)).map(({ count }) => count)).toEqual([7]);
  expect(await left()).toEqual(["an episode", "elsewhere", "young"]);
  expect((await applyRetention(ports, policy)).map(({ count }) => count)).toEqual([0]);
  const lines =
    await sql`select operation, detail from audit_log where operation in ('retention', 'hard_delete') order by id`;
  expect(lines.filter(({ operation }) => operation === "hard_delete")).toHaveLength(7);
  expect(lines.at(-1)).toMatchObject({
    operation: "retention",
    detail: { memories: 7, mode: "hard_delete" },
  });
  expect(await sql`select (removed ->> 'memories')::int as count from receipts`).toEqual([{ count: 7 }]);
  const { body } = await client.get(`/v1/memories/search${query({ query: "old", limit: 50 })}`);
  expect(body.results.filter(({ content }: { content: string }) => content.startsWith("old"))).toEqual([]);
});

test("what is held, pinned, verified, a todo, a reminder, knowledge or of the ledger stays, however old", async () => {
  const { sql, client, ports, age, left } = await ownWorld();
  await stored(client, { content: "held", metadata: { legal_hold: true } });
  await stored(client, { content: "held by a case", metadata: { legal_hold: "case 12" } });
  await stored(client, { content: "pinned", metadata: { pinned: true } });
  await stored(client, { content: "verified" });
  await sql`update memories set metadata = '{"authority": "verified"}' where content = 'verified'`;
  await stored(client, { content: "what is known", memory_type: "knowledge" });
  await stored(client, { content: "spent", bucket: "ledger" });
  await stored(client, {
    content: "call",
    memory_type: "reminder",
    metadata: { due_at: "2020-01-01T00:00:00Z" },
  });
  await client.post("/v1/projects/p/todos", { content: "a todo" });
  await stored(client, { content: "gone", metadata: { legal_hold: false, pinned: null } });
  const kept = (await left()).filter((content) => content !== "gone");
  await age(400);
  await applyRetention(ports, EVERYTHING);
  expect(await left()).toEqual(kept);
  // A rule that names them reaches them.
  await applyRetention(
    ports,
    policyOf({ memories: [{ bucket: "ledger", older_than_days: 30, mode: "hard_delete" }] }),
  );
  expect(await left()).toEqual(kept.filter((content) => content !== "spent"));
});

test("a soft deletion can be taken back, and is stopped and gone on with between two portions", async () => {
  const { client, ports, age, left } = await ownWorld();
  const ids = [];
  for (let n = 0; n < 3; n += 1) ids.push(await stored(client, { content: `old ${n}` }));
  await age(40);
  const policy = policyOf({ memories: [{ older_than_days: 30, mode: "soft_delete" }] });
  const stopping = new AbortController();
  stopping.abort();
  expect(
    (await applyRetention(ports, policy, { signal: stopping.signal })).map(({ count }) => count),
  ).toEqual([0]);
  expect(await left()).toHaveLength(3);
  await applyRetention(ports, policy);
  expect(await left()).toEqual([]);
  expect((await client.post(`/v1/memories/${ids[0]}/restore`)).status).toBe(200);
  expect(await left()).toEqual(["old 0"]);
});

test("audit lines go by operation and age, but for those that tell of retention and erasures", async () => {
  const { sql, client, ports, age } = await ownWorld();
  await stored(client, { content: "one" });
  await sql`insert into audit_log (owner_id, operation) values (${client.ownerId}, 'retention')`;
  await age(800);
  await stored(client, { content: "two" });
  const policy = policyOf({ audit: [{ operation: "create", older_than_days: 730 }] });
  expect((await dryRun(ports, policy)).map(({ count }) => count)).toEqual([1]);
  await applyRetention(ports, policy);
  const all = policyOf({ audit: [{ older_than_days: 730 }] });
  await applyRetention(ports, all);
  const lines =
    await sql`select operation from audit_log where owner_id = ${client.ownerId} and operation in ('create', 'retention') order by id`;
  expect(lines.map(({ operation }) => operation)).toEqual(["retention", "create"]);
  // Each rule that removed something has said so, to the operator alone; what removes nothing leaves no line.
  const told = () => sql`
    select detail from audit_log where operation = 'retention' and owner_id <> ${client.ownerId} order by id`;
  const [first] = await told();
  expect(first?.detail).toEqual({
    by: "retention",
    of: "audit",
    operation: "create",
    older_than_days: 730,
    lines: 1,
  });
  const before = (await told()).length;
  await applyRetention(ports, all);
  expect(await told()).toHaveLength(before);
});
