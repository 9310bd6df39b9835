/** `recollect retention`, the program itself, beside a server: what it says would go, what goes, and what it refuses. */
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openEmbeddedPostgres } from "../../src/adapters/embedded-postgres/open-embedded-postgres.ts";
import { listed, stored } from "../support/acting.ts";
import { openWorldOn } from "../support/world.ts";
import { recollect, temporaryFolder } from "./cli.ts";

const RETENTION = JSON.stringify({
  memories: [
    { bucket: "cha%", older_than_days: 30, mode: "hard_delete" },
    { bucket: "scratch", older_than_days: 30, mode: "soft_delete" },
  ],
  audit: [{ operation: "create", older_than_days: 730 }],
});

async function besideServer() {
  const dataDir = join(temporaryFolder(), "data");
  const postgres = await openEmbeddedPostgres({ dataDir, role: "server", log: () => {} });
  const world = await openWorldOn({ address: postgres.connection, drop: () => postgres.stop() });
  onTestFinished(() => world.close());
  const client = await world.client();
  const run = (args: string[], env: Record<string, string> = { RETENTION }) =>
    recollect(["retention", ...args], { env: { DATA_DIR: dataDir, ...env } });
  return { client, sql: world.service.sql, run };
}

test("retention counts with --dry-run and changes nothing, removes just that without, and is done then", async () => {
  const { client, sql, run } = await besideServer();
  for (const [content, bucket] of Object.entries({
    one: "chat",
    two: "chat",
    three: "scratch",
    four: "work",
  }))
    await stored(client, { content, bucket });
  await stored(client, { content: "held", bucket: "chat", metadata: { legal_hold: true } });
  await sql`update memories set updated_at = updated_at - interval '40 days'`;
  await stored(client, { content: "young", bucket: "chat" });
  const all = (await listed(client)).toSorted();

  const dry = await run(["--dry-run"]);
  expect(dry).toMatchObject({ status: 0, stdout: expect.stringContaining("WOULD REMOVE") });
  expect(dry.stdout).toContain("hard_delete bucket cha%, type %, older than 30 days");
  const counted = JSON.parse((await run(["--dry-run", "--json"])).stdout);
  expect(counted).toMatchObject({
    dry_run: true,
    rules: [
      { of: "memories", rule: { bucket: "cha%" }, count: 2 },
      { of: "memories", rule: { bucket: "scratch" }, count: 1 },
      { of: "audit", count: 0 },
    ],
  });
  expect((await listed(client)).toSorted()).toEqual(all);

  const done = JSON.parse((await run(["--json"])).stdout);
  expect(done).toMatchObject({ dry_run: false, rules: [{ count: 2 }, { count: 1 }, { count: 0 }] });
  expect((await listed(client)).toSorted()).toEqual(["four", "held", "young"]);
  const again = JSON.parse((await run(["--json"])).stdout);
  expect(again.rules.map(({ count }: { count: number }) => count)).toEqual([0, 0, 0]);
}, 180_000);

test("without rules, or with rules that it does not understand whole, it removes nothing and says so", async () => {
  const { client, sql, run } = await besideServer();
  await stored(client, { content: "old", bucket: "chat" });
  await sql`update memories set updated_at = updated_at - interval '4000 days'`;
  expect(await run([], {})).toEqual({
    status: 1,
    stdout: "",
    stderr: "RETENTION has no rules, so nothing is removed because of its age. Set RETENTION first.\n",
  });
  const wrong = await run([], { RETENTION: '{"memories": [{"older_than_days": 30}]}' });
  expect(wrong).toMatchObject({ stdout: "", stderr: expect.stringContaining("RETENTION") });
  expect(wrong.status).not.toBe(0);
  expect(await listed(client)).toEqual(["old"]);
}, 120_000);
