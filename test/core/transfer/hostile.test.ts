/** Lines that no export writes: refused by themselves, with the number of the line, and in a dry run alike. */
import { expect, test } from "vitest";
import { openTransferWorld } from "./transfer-world.ts";

const header = { recollect_export: 2 };
const at = "2024-01-01T00:00:00.000Z";
const owner = { kind: "user", name: "alice" };
const actor = { agent_id: null, token_kind: "api_key", trust: "unattributed" };

const memory = (memory_id: string, more: object = {}) => ({
  ...{ kind: "memory", memory_id, owner, content: `About ${memory_id}`, path: "p", created_at: at },
  ...more,
});
const item = (memory_id: string, state: { status: string }, more: object = {}) =>
  memory(memory_id, { project_id: "apollo", item: state, item_status: state.status, ...more });
const todo = (memory_id: string, more: object = {}) =>
  item(memory_id, { ...{ kind: "todo", content: "Do it.", status: "open", priority: "low" }, ...more });
const decision = (memory_id: string) =>
  item(memory_id, { ...{ kind: "decision", context: "Which?" }, status: "proposed" });
const links = (id: string, more: object) => ({ kind: "links", owner, id, ...more });

const lines: [unknown, string | null][] = [
  [{ kind: "user", name: "alice", created_at: at }, null],
  [{ kind: "ghost", name: "x" }, "kind"],
  [{ kind: "token", hash: "x" }, "kind"],
  [
    { kind: "team", name: "t", created_at: at, members: [{ user: "alice", role: "king", since: at }] },
    "members.0.role",
  ],
  [
    { kind: "team", name: "core", created_at: at, members: [{ user: "alice", role: "owner", since: at }] },
    null,
  ],
  [
    {
      kind: "agent",
      id: "agent_018f0000-0000-7000-8000-000000000000",
      status: "bound",
      client: null,
      requested_at: at,
    },
    "status",
  ],
  [memory("plain"), null],
  [
    memory("trail", { trail: [{ at, operation: "create", from: null, to: "open", actor, note: null }] }),
    "trail",
  ],
  [
    memory("revisions", {
      revision: 1,
      versions: [{ path: "p", content: "c", updated_at: at, valid_to: at }],
    }),
    "versions.0.revision",
  ],
  [{ ...todo("no-project"), project_id: null }, "project_id"],
  [todo("blocked", { status: "blocked" }), "item.blocked_from"],
  [todo("ended", { status: "completed" }), "item.ended_at"],
  [{ ...todo("other"), item_status: "completed" }, "item_status"],
  [todo("a"), null],
  [todo("b"), null],
  [todo("c"), null],
  [{ ...todo("far"), project_id: "other" }, null],
  [decision("d"), null],
  [decision("e"), null],
  [decision("f"), null],
  [links("a", { depends_on: ["b"] }), null],
  [links("b", { depends_on: ["c"] }), null],
  [links("c", { depends_on: ["a"] }), "it would refer to itself in a circle"],
  [links("c", { depends_on: ["c"] }), "it would refer to itself in a circle"],
  [links("c", { depends_on: ["far"] }), "it refers to what is no todo of its project"],
  [links("c", { depends_on: ["plain"] }), "it refers to what is no todo of its project"],
  [links("plain", { depends_on: ["c"] }), "there is no todo of that id"],
  [links("d", { depends_on: ["c"] }), "there is no todo of that id"],
  [links("a", { depends_on: ["c"] }), "the todo of that id refers to others"],
  [links("d", { supersedes: "e" }), null],
  [links("f", { supersedes: "e" }), "the decision that it replaced was replaced by another one"],
  [links("e", { supersedes: "d" }), "it would refer to itself in a circle"],
  [{ kind: "settings", owner, project_id: "apollo", stale_after_days: 0 }, "stale_after_days"],
];

test("what no export writes is refused line by line, and the rest is restored", async () => {
  const world = await openTransferWorld();
  const file = [header, ...lines.map(([line]) => line)];
  const rehearsed = await world.imported(file, { dryRun: true });
  const real = await world.imported(file);
  expect(rehearsed).toEqual(real);
  expect(real.created).toBe(lines.filter(([, refusal]) => refusal === null).length);
  const refused = lines.flatMap(([, refusal], index) => (refusal === null ? [] : [[index + 2, refusal]]));
  expect(real.complaints.map(({ line, reason }) => [line, reason.split(":")[0]])).toEqual(refused);
});

const agent = (more: object) => ({
  ...{ kind: "agent", id: "agent_018f0000-0000-7000-8000-000000000000", client: null, requested_at: at },
  ...more,
});
const receipt = (more: object) => ({
  ...{ kind: "receipt", owner, id: "018f0000-0000-7000-8000-000000000000", digest: "0".repeat(64) },
  ...{ removed: { memories: 1 }, remaining: [], created_at: at, confirmed_at: null },
  ...more,
});

test("a line that contradicts what is there does so each time, and a receipt is its owner's", async () => {
  const world = await openTransferWorld();
  const there = [header, agent({ status: "revoked" }), receipt({})];
  await world.imported(there);
  expect(await world.imported(there)).toMatchObject({ unchanged: 2, conflicts: 0 });
  const others = [agent({ status: "denied" }), receipt({ owner: { kind: "user", name: "bob" } })];
  const file = [header, ...others.flatMap((line) => [line, line])];
  const refused = { created: 0, unchanged: 0, conflicts: 4 };
  expect(await world.imported(file, { dryRun: true })).toMatchObject(refused);
  expect(await world.imported(file)).toMatchObject(refused);
});

test("a file lets nobody into a team that has members, and credentials are nowhere in a backup", async () => {
  const world = await openTransferWorld();
  const bob = await world.service.credentials.ensureOwner("user", "bob");
  await world.service.teams.create("core", bob);
  await world.client({ owner: "bob" });
  const members = [{ user: "mallory", role: "owner", since: at }];
  const report = await world.imported([header, { kind: "team", name: "core", created_at: at, members }]);
  expect(report).toMatchObject({ created: 0, conflicts: 1 });
  const [, ...backup] = await world.backup();
  expect(backup.find(({ kind }) => kind === "team")).toMatchObject({
    members: [{ user: "bob", role: "owner" }],
  });
  const rows = await world.service.sql`
    select encode(hash, 'hex') as text from tokens union all select encode(claim_hash, 'hex') from agents`;
  expect(rows.length).toBeGreaterThan(0);
  for (const { text } of rows) expect(JSON.stringify(backup)).not.toContain(text);
});
