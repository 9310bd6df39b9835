import { expect, test } from "vitest";
import { createImportTarget } from "../../../src/adapters/postgres/transfer/import-target.ts";
import { importMemories } from "../../../src/core/transfer/import-memories.ts";
import { readExport } from "../../../src/core/transfer/read-lines.ts";
import { githubToken } from "../../support/secrets.ts";
import { columnsHolding } from "../../support/stored-text.ts";
import { bytesOf, openTransferWorld } from "./transfer-world.ts";

const HEADER = { recollect_export: 1 };
const line = (given: Record<string, unknown>) => ({
  memory_id: "deploy",
  owner: { kind: "user", name: "alice" },
  path: "notes",
  content: "plain",
  created_at: "2026-01-31T09:00:00Z",
  ...given,
});
const withSecrets = line({
  content: `now ${githubToken}`,
  metadata: { note: githubToken },
  create_hash: "ab".repeat(32),
  versions: [
    {
      path: "notes",
      content: `then ${githubToken}`,
      updated_at: "2026-01-31T09:00:00Z",
      valid_to: "2026-02-01T09:00:00Z",
    },
  ],
});

test("an import masks memories and their versions, counts the lines, and the same file again changes nothing", async () => {
  const world = await openTransferWorld();
  const lines = [HEADER, withSecrets, line({ memory_id: "other" })];
  expect(await world.imported(lines)).toMatchObject({ created: 2, invalid: 0, masked: 1 });
  expect(await columnsHolding(world.service.sql, githubToken)).toEqual([]);
  const [, restored] = await world.exported();
  expect(restored).toMatchObject({
    content: "now [secret:github_token]",
    metadata: { note: "[secret:github_token]" },
    create_hash: null,
    versions: [{ content: "then [secret:github_token]" }],
  });
  expect(await world.imported(lines)).toMatchObject({ created: 0, unchanged: 2, conflicts: 0 });
});

test("what todos and decisions say is masked too, in their state, their trails and long histories", async () => {
  const world = await openTransferWorld();
  const at = "2026-01-31T09:00:00Z";
  const said = `It is ${githubToken}.`;
  const actor = { agent_id: null, token_kind: "api_key", trust: "unattributed" };
  const item = (memory_id: string, state: { kind: string; status: string }) =>
    line({
      ...{ memory_id, project_id: "apollo", item_status: state.status },
      item: { ...state, extra: { said } },
      trail: [{ at, operation: "change", from: null, to: state.status, actor, note: said }],
      revision: 3,
    });
  const state = { path: "notes", content: said, updated_at: at, valid_to: at, reason: said };
  const lines = [
    { recollect_export: 2 },
    item("blocked", {
      ...{ kind: "todo", content: said, priority: "low" },
      ...{ status: "blocked", blocked_from: "open", blocked_reason: said },
    }),
    item("done", {
      ...{ kind: "todo", content: said, priority: "low" },
      ...{ status: "completed", ended_at: at, end_note: said },
    }),
    item("decided", {
      ...{ kind: "decision", context: said, options: [said] },
      ...{ status: "resolved", resolution: said, resolved_at: at },
    }),
    {
      ...{ kind: "versions", owner: { kind: "user", name: "alice" }, memory_id: "done" },
      versions: [{ ...state, revision: 1 }],
    },
  ];
  expect(await world.imported(lines)).toMatchObject({ created: 4, invalid: 0, masked: 4 });
  expect(await columnsHolding(world.service.sql, githubToken)).toEqual([]);
  const [, blocked, done, decided] = await world.exported();
  const masked = "It is [secret:github_token].";
  expect(blocked).toMatchObject({
    item: { content: masked, blocked_reason: masked, extra: { said: masked } },
    trail: [{ note: masked }],
  });
  expect(done).toMatchObject({ item: { end_note: masked }, versions: [{ content: masked, reason: masked }] });
  expect(decided).toMatchObject({ item: { context: masked, options: [masked], resolution: masked } });
});

test("a file without secrets is reported as before", async () => {
  const world = await openTransferWorld();
  expect(await world.imported([HEADER, line({})])).not.toHaveProperty("masked");
});

test("where the policy refuses, the line is invalid, with kind and place and without the text", async () => {
  const world = await openTransferWorld();
  const { ports, sql, generation } = world.service;
  const secrets = { ...ports.secrets, policy: "refuse" } as const;
  const lines = [HEADER, withSecrets, line({ memory_id: "other" })];
  const report = await importMemories(
    { ...ports, secrets, target: createImportTarget(sql, generation) },
    readExport(bytesOf(lines.map((each) => JSON.stringify(each)).join("\n"))).records,
    { from: "recollect", owner: null, dryRun: false },
  );
  expect(report).toMatchObject({ created: 1, invalid: 1 });
  expect(report.complaints[0]?.reason).toContain("github_token in content");
  expect(JSON.stringify(report)).not.toContain(githubToken);
  expect(await columnsHolding(sql, githubToken)).toEqual([]);
});
