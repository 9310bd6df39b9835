import { expect, test } from "vitest";
import { sweepAgents } from "../../../src/adapters/postgres/access/agent-sweep.ts";
import { maintenanceDefaults } from "../../../src/contract/maintenance.ts";
import { wireName } from "../../../src/core/memory/member-table.ts";
import { MEMORY_MEMBERS } from "../../../src/core/memory/memory-record.ts";
import { register } from "../../agents/agents.ts";
import { openTransferWorld, type TransferWorld } from "./transfer-world.ts";

/** Memories in every status, of a user and a team, with history. */
async function fill(world: TransferWorld) {
  const alice = await world.client({ owner: "alice" });
  const team = await world.client({ team: "core" });
  const told = {
    "x-agent-id": "scout",
    "x-agent-instance": "laptop",
    "x-session-id": "s1",
    "x-task-id": "t1",
  };
  await alice.post(
    "/v1/memories",
    {
      memory_id: "rich",
      content: 'Zürich, 東京 and \u2028 "quotes"\n\ttabs 🎈',
      path: "travel/notes",
      bucket: "work",
      memory_type: "episodic",
      metadata: {
        occurred_at: "2024-05-01T10:00:00+02:00",
        authority: "inference",
        nested: { b: [1, null, 0.1], a: 1e21 },
      },
      provenance: { project_id: "apollo", note: "kept" },
      importance: 0.1,
      confidence: 0.7,
      source: "alice",
      logic_path: "a.b.c",
      expires_at: "2990-01-01T00:00:00.123Z",
    },
    told,
  );
  await alice.post("/v1/memories", {
    memory_id: "v1",
    content: "The port is 80",
    path: "ops",
    semantic_key: "port",
  });
  await alice.post("/v1/memories", {
    memory_id: "v2",
    content: "The port is 8080",
    path: "ops",
    semantic_key: "port",
  });
  await alice.post("/v1/memories", { memory_id: "edited", content: "first", path: "ops" });
  await alice.patch("/v1/memories/edited", { content: "second", supersession_reason: "typo" });
  await alice.patch("/v1/memories/edited", { content: "third", status: "archived" });
  await alice.post("/v1/memories", { memory_id: "gone", content: "soft", path: "ops", status: "started" });
  await alice.delete("/v1/memories/gone");
  await alice.post("/v1/memories", { memory_id: "black", content: "secret stuff", path: "ops" });
  await alice.post("/v1/memories/black/forget", { mode: "redact", replacement_content: "[out]" });
  await alice.post("/v1/memories", {
    memory_id: "past",
    content: "short-lived",
    path: "ops",
    expires_at: "2020-01-01T00:00:00Z",
  });
  await team.post("/v1/memories", { memory_id: "rich", content: "The same id elsewhere", path: "team/a" });
  // More than a batch of an import, and than one of an export.
  const items = Array.from({ length: 350 }, (_, n) => ({
    content: `Note ${n}`,
    path: `team/${n % 7}`,
    provenance: { session_id: "s2" },
  }));
  expect((await team.post("/v1/memories/batch", { items })).body.stored).toBe(items.length);
  return { alice, team };
}

/** What members there are besides: of a todo, of a fact that holds for a time, and of one that a later memory states no more. */
async function fillRest(world: TransferWorld) {
  const bob = await world.client({ owner: "bob" });
  const todo = { content: "Move the port", assignee_agent_id: "coder", due_at: "2030-01-01T00:00:00Z" };
  await bob.post("/v1/projects/apollo/todos", todo);
  const fact = (memory_id: string, semantic_key: string, given = {}) =>
    bob.post("/v1/memories", { memory_id, content: memory_id, path: "ops", semantic_key, ...given });
  await fact("usual", "office");
  await fact("for-now", "office", { expires_at: "2990-01-01T00:00:00Z" });
  await fact("first", "desk");
  await fact("second", "desk");
  await bob.patch("/v1/memories/second", { semantic_key: "chair" });
}

const LINE_MEMBERS = Object.entries(MEMORY_MEMBERS).flatMap(([member, entry]) =>
  entry.line === null ? [] : [wireName(member, entry)],
);

test("an export into an empty database and out again has equal lines, in the same order", async () => {
  const [one, two] = [await openTransferWorld(), await openTransferWorld()];
  await fill(one);
  await fillRest(one);
  const [header, ...lines] = await one.backup();
  expect(header).toMatchObject({ recollect_export: 4, count: lines.length });
  const isThere = (name: string) =>
    lines.some((line) => line.kind === "memory" && (line[name] ?? null) !== null);
  expect(LINE_MEMBERS.filter((name) => !isThere(name))).toEqual([]);

  const report = await two.imported([header, ...lines]);
  expect(report).toMatchObject({
    read: lines.length,
    created: lines.length,
    unchanged: 0,
    conflicts: 0,
    invalid: 0,
    complaints: [],
  });

  const [, ...again] = await two.backup();
  expect(again).toEqual(lines);
  expect(again.map((line) => JSON.stringify(Object.keys(line)))).toEqual(
    lines.map((line) => JSON.stringify(Object.keys(line))),
  );
});

test("the service treats restored memories as its own: recall, history, the same create again, restore", async () => {
  const [one, two] = [await openTransferWorld(), await openTransferWorld()];
  const { alice: before } = await fill(one);
  await two.imported(await one.exported());
  const alice = await two.client({ owner: "alice" });

  const found = await alice.get("/v1/memories/search?query=which+port");
  expect(found.body.results.map((result: { id: string }) => result.id)).toContain("v2");
  expect(found.body.results.map((result: { id: string }) => result.id)).not.toContain("v1");

  const historyFor = async (client: typeof alice) => {
    const { body } = await client.get("/v1/memories/edited/versions");
    return body.versions.map(({ provenance: _, ...version }: Record<string, unknown>) => version);
  };
  expect(await historyFor(alice)).toEqual(await historyFor(before));
  expect((await alice.get("/v1/memories/v1")).body).toMatchObject({
    status: "superseded",
    superseded_by: "v2",
  });

  const again = await alice.post("/v1/memories", {
    memory_id: "v2",
    content: "The port is 8080",
    path: "ops",
    semantic_key: "port",
  });
  expect([again.status, again.body.id]).toEqual([201, "v2"]);
  expect((await alice.post("/v1/memories/gone/restore")).body).toEqual({ id: "gone", status: "started" });
  expect((await alice.patch("/v1/memories/edited", { content: "fourth" })).status).toBe(200);
  expect(await historyFor(alice)).toHaveLength((await historyFor(before)).length + 1);
});

test("an agent that nobody wanted, of which only its end is left, keeps nothing else from coming back", async () => {
  const [one, two] = [await openTransferWorld(), await openTransferWorld()];
  const agent = await register(one);
  await agent.client.post("/v1/agents/bind/deny-current-user");
  await one.service.sql`update agents set ended_at = ended_at - make_interval(days => 31)`;
  await sweepAgents(one.service.sql);
  await (await one.client({ owner: "alice" })).post("/v1/memories", { content: "Kept.", path: "p" });
  const lines = await one.backup();
  expect(lines[2]).toMatchObject({ kind: "agent", id: agent.id, status: "denied", client: null });
  expect(await two.imported(lines)).toMatchObject({ created: 3, conflicts: 0, invalid: 0 });
  expect((await two.backup()).slice(1)).toEqual(lines.slice(1));
  expect(await two.imported(lines)).toMatchObject({ created: 0, unchanged: 3 });
});

test("filters narrow an export to an owner, a project and a status", async () => {
  const world = await openTransferWorld();
  await fill(world);
  const ids = async (filter: Parameters<TransferWorld["exported"]>[0]) =>
    (await world.exported(filter)).slice(1).map((line) => line.memory_id);
  const alice = { kind: "user", name: "alice" } as const;

  expect(await ids({ owner: alice, status: "kept" })).toEqual([
    "rich",
    "v1",
    "v2",
    "edited",
    "black",
    "past",
  ]);
  expect(await ids({ owner: alice, status: "active" })).toEqual(["rich", "v2"]);
  expect(await ids({ owner: alice, status: "all" })).toContain("gone");
  expect(await ids({ projectId: "apollo" })).toEqual(["rich"]);
  const bare = (await world.exported({ owner: alice, withVersions: false })).slice(1);
  expect(bare.every((line) => (line.versions as unknown[]).length === 0)).toBe(true);
  await expect(world.exported({ owner: { kind: "user", name: "nobody" } })).rejects.toThrow(
    "There is no user named nobody.",
  );
});

test("an export is one snapshot: what is written meanwhile is not in it", async () => {
  const world = await openTransferWorld();
  const { team } = await fill(world);
  const { createExportSource } = await import("../../../src/adapters/postgres/transfer/export-source.ts");
  const source = createExportSource(world.service.sql);
  const filter = {
    owner: null,
    projectId: null,
    status: "all",
    withVersions: true,
    now: Date.now(),
  } as const;
  const seen = await source.snapshot(filter, async ({ count, batches }) => {
    let rows = 0;
    for await (const batch of batches()) {
      if (rows === 0) await team.post("/v1/memories", { content: "late", path: "team/late" });
      rows += batch.length;
    }
    return { count, rows };
  });
  expect(seen.rows).toBe(seen.count);
});

test("what was stored in a project that is refused by now is exported and restored", async () => {
  const source = await openTransferWorld();
  const alice = await source.client({ owner: "alice" });
  await alice.post("/v1/memories", {
    memory_id: "old",
    content: "An old place.",
    path: "p",
    project_id: "x",
  });
  await source.service.sql`update memories set project_id = '..' where memory_id = 'old'`;
  const lines = await source.backup({ projectId: ".." });
  const [, memory] = lines;
  expect(memory).toMatchObject({ memory_id: "old", project_id: ".." });
  const at = "2026-01-01T00:00:00Z";
  const client = { entry_type: "mcp", client_name: "c", installation_fingerprint: "f", project_id: "." };
  const approval = { by: "alice", at, scopes: ["memory:read"], team: null, projects: [".."] };
  const agent = { kind: "agent", id: "agent_018f0000-0000-7000-8000-000000000000", status: "revoked" };
  const settings = {
    ...{ kind: "settings", owner: memory?.owner, project_id: "..", updated_at: at, updated_by: "scout" },
    ...maintenanceDefaults,
  };
  lines.splice(1, 0, { ...agent, client, approval, requested_at: at, ended_at: at });
  lines.push(settings);
  const target = await openTransferWorld();
  expect(await target.imported(lines)).toMatchObject({ created: 3, invalid: 0, complaints: [] });
  expect((await target.exported())[1]).toMatchObject({ memory_id: "old", project_id: ".." });
});
