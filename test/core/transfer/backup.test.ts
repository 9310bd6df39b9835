/** A database that was filled at random, exported, imported into an empty one and exported again. */
import { expect, test } from "vitest";
import { bind, register, user } from "../../agents/agents.ts";
import { maintainerOf } from "../../project/maintenance.ts";
import { NEEDS, ok, workspaceOf } from "../../project/workspace.ts";
import { createRandom, type Random, RUNS } from "../../support/random.ts";
import type { Client } from "../../support/world.ts";
import { createGenerator } from "../../worlds/generate.ts";
import { play } from "../../worlds/play.ts";
import { openModel } from "../../worlds/shrink.ts";
import { openStage } from "../../worlds/stage.ts";
import { openTransferWorld, type TransferWorld } from "./transfer-world.ts";

type Line = Record<string, unknown>;

const SEEDS = Array.from({ length: RUNS }, (_, n) => n + 1);
const STEPS = 80;
const PROJECT = "apollo";
const MINUTES = 10 * 60_000;

/** Users, teams, agents and memories in every state, as the random worlds make them. */
async function playWorld(world: TransferWorld, seed: number) {
  const [stage, model, generator] = [
    await openStage(world),
    openModel(),
    createGenerator(createRandom(seed)),
  ];
  for (const step of generator.opening()) await play(stage, model, step);
  for (let n = 0; n < STEPS; n++) await play(stage, model, generator.step(model));
}

/** Todos and decisions in every state, that wait for and replace one another. */
async function playProject(client: Client, random: Random) {
  const ids = { todos: [] as string[], decisions: [] as string[] };
  for (let n = 0; n < 40; n++) {
    const ours = workspaceOf(client, PROJECT, random.pick(["a", "b", null]));
    const isTodo = random.next() < 0.7;
    const known = isTodo ? ids.todos : ids.decisions;
    if (known.length < 3 || random.next() < 0.2) {
      const common = { metadata: { n: [n, { deep: 0.1 }] }, due_at: "2030-01-01T00:00:00Z" };
      const depends_on = ids.todos.filter(() => random.next() < 0.4);
      const made = await (isTodo
        ? ours.todo({ ...common, depends_on, priority: random.pick(["low", "normal", "urgent"]) })
        : ours.decision({ ...common, options: ["Postgres", "SQLite"], impact_level: "high" }));
      known.push(isTodo ? made.body.todo_id : made.body.decision_id);
      continue;
    }
    const id = random.pick(known);
    const operation = random.pick(
      isTodo
        ? ["accept", "assign", "block", "unblock", "complete", "cancel"]
        : ["resolve", "supersede", "reopen"],
    );
    const answer = await (isTodo
      ? ours.act(id, operation, NEEDS[operation])
      : ours.decide(id, operation, NEEDS[operation]));
    if (operation === "supersede" && answer.status === 200) ids.decisions.push(answer.body[1].decision_id);
  }
  await removeSome(client, ids);
}

/** Of each, one is corrected and then deleted, one redacted, and one deleted and restored. */
async function removeSome(client: Client, ids: { todos: string[]; decisions: string[] }) {
  for (const [list, known] of Object.entries(ids)) {
    const [deleted, redacted, restored] = known.map((id) => `/v1/projects/${PROJECT}/${list}/${id}`);
    await ok(client.patch(deleted as string, { metadata: { corrected: true } }));
    await ok(client.delete(`${deleted}?reason=done+twice`));
    await ok(client.delete(`${redacted}?mode=redact`));
    await ok(client.delete(restored as string));
    await ok(client.post(`${restored}/restore`));
  }
}

/** What the worlds do not come to: settings, reminders, an adopted quarantine, facts that are live twice, moves. */
async function fillTheRest(world: TransferWorld, client: Client) {
  await ok(maintainerOf(client, PROJECT).set({ automatic_actions: ["expire_overdue"], stale_after_days: 7 }));
  const reminder = { path: "r", memory_type: "reminder", content: "Call the bank." };
  const due_at = "2020-01-01T09:00:00Z";
  for (const [id, metadata] of [
    ["once", { due_at }],
    ["daily", { due_at, recurrence: "FREQ=DAILY", time_zone: "Europe/Berlin" }],
  ] as const) {
    await client.post("/v1/memories", { ...reminder, memory_id: id, metadata });
    await ok(client.post(`/v1/reminders/${id}/complete`, { note: "They were closed." }));
  }
  for (const [id, key] of [
    ["first", "port"],
    ["second", "address"],
  ])
    await client.post("/v1/memories", {
      memory_id: id,
      path: "f",
      content: `It is ${id}.`,
      semantic_key: key,
    });
  await ok(client.patch("/v1/memories/second", { semantic_key: "port" }));
  const door = { path: "f", semantic_key: "door" };
  await client.post("/v1/memories", { ...door, memory_id: "usual", content: "The door is locked." });
  const expires_at = new Date(Date.now() + 86_400_000).toISOString();
  await client.post("/v1/memories", {
    ...door,
    memory_id: "today",
    content: "The door is open.",
    expires_at,
  });
  const team = await world.client({ team: "movers" });
  await world.service.teams.setRole(team.ownerId, client.ownerId, "member");
  const to = { scope: "team", team_id: team.ownerId, content: "Said to the team." };
  for (const memory_id of ["moved", "returned"]) {
    await client.post("/v1/memories", { memory_id, path: "m", content: "Said at home." });
    await ok(client.patch(`/v1/memories/${memory_id}`, { content: "Said again at home." }));
    await ok(client.patch(`/v1/memories/${memory_id}`, to));
    await ok(client.patch(`/v1/memories/${memory_id}`, { content: "Said again to the team." }));
  }
  await ok(client.patch("/v1/memories/returned", { scope: "private" }));
  await ok(client.post("/v1/recall/feedback", { memory_id: "first", helpful: true }));
  const agent = await register(world);
  await agent.client.post("/v1/memories", { memory_id: "told", path: "a", content: "The port is 80." });
  await agent.client.post(`/v1/projects/${PROJECT}/todos`, { content: "Look at the port." });
  const bound = await bind(world, agent, await user(world, "alice"));
  await bound.post("/v1/memories", {
    path: "a",
    content: "The port is 81.",
    provenance: { project_id: PROJECT },
  });
}

/** Without what differs between two databases or two moments: revisions, which credential, how long ago. */
function comparable(body: unknown): unknown {
  const hidden = new Set(["etag", "suspended_reason", "score", "urgency", "request_id"]);
  return JSON.parse(JSON.stringify(body, (name, value) => (hidden.has(name) ? undefined : value)));
}

async function answers(world: TransferWorld) {
  const client = await world.client({ owner: "alice" });
  const base = `/v1/projects/${PROJECT}`;
  const list = (await client.get("/v1/memories?status=%25&limit=1000")).body;
  const found = (await client.get("/v1/memories/search?query=which+port+is+it&limit=50")).body.results;
  const pack = await ok(client.post(`${base}/context`, { recent_hours: 24 }));
  return comparable({
    list,
    found: found.map(({ id }: { id: string }) => id),
    versions: await Promise.all(
      ["once", "daily", "told", "second", "usual", "moved", "returned"].map(
        async (id) => (await client.get(`/v1/memories/${id}/versions`)).body,
      ),
    ),
    todos: (await client.get(`${base}/todos`)).body,
    decisions: (await client.get(`${base}/decisions`)).body,
    settings: (await client.get(`${base}/maintenance/settings`)).body,
    pack: {
      agent_states: pack.agent_states,
      action_items: pack.action_items,
      decisions: pack.decisions,
      timeline: pack.timeline,
      governance_caveats: pack.governance_caveats,
    },
  });
}

/** When the last store confirmed a removal is of the database that was left. */
const settled = (line: Line) => (line.kind === "receipt" ? { ...line, confirmed_at: null } : line);

test.each(SEEDS)(
  "export, import and export again are equal, and the restored service answers alike (seed %i)",
  async (seed) => {
    const [one, two] = [await openTransferWorld(), await openTransferWorld()];
    await playWorld(one, seed);
    const alice = await one.client({ owner: "alice" });
    await playProject(alice, createRandom(seed));
    await fillTheRest(one, alice);

    const [header, ...lines] = await one.backup();
    const kinds = new Set(lines.map(({ kind }) => kind));
    expect([...kinds]).toEqual(
      expect.arrayContaining(["user", "team", "agent", "memory", "links", "settings"]),
    );
    expect(header).toMatchObject({ recollect_export: 4, count: lines.length });

    const nothing = { conflicts: 0, invalid: 0, complaints: [] };
    const whole = { ...nothing, created: lines.length, unchanged: 0 };
    expect(await two.imported([header, ...lines], { dryRun: true })).toMatchObject(whole);
    expect(await two.imported([header, ...lines])).toMatchObject(whole);
    const [, ...again] = await two.backup();
    expect(again.map(settled)).toEqual(lines.map(settled));
    expect(await two.imported([header, ...lines])).toMatchObject({ ...nothing, unchanged: lines.length });
    expect(await answers(two)).toEqual(await answers(one));
  },
  MINUTES,
);

test("what was made within one millisecond stands in the same order after an import", async () => {
  const [one, two] = [await openTransferWorld(), await openTransferWorld()];
  for (const owner of ["a", "b", "c"]) await one.client({ owner });
  await one.service.sql`
    update owners set created_at = timestamptz '2026-01-01T00:00:00.001Z'
      + case name when 'a' then 3 when 'b' then 2 else 1 end * interval '1 microsecond'`;

  const [header, ...lines] = await one.backup();
  expect(lines.map(({ name }) => name)).toEqual(["a", "b", "c"]);
  await two.imported([header, ...lines]);
  expect((await two.backup()).slice(1)).toEqual(lines);
});
