/** An import that is killed in the middle, as a program of its own, and run again. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openBesideServer } from "../../cli/beside-server.ts";
import { eventually } from "../../support/acting.ts";

const LINES = 4000;

test("kill -9 in the middle of an import: the same command goes on, and nothing is there twice", {
  timeout: 600_000,
}, async () => {
  const cli = await openBesideServer();
  const file = join(tmpdir(), `recollect-killed-${process.pid}.jsonl`);
  try {
    // Makes the schema.
    await cli.json("keys", "create", "--owner", "alice");
    const lines = Array.from({ length: LINES }, (_, at) => ({
      memory_id: `n${at}`,
      owner: { kind: "user", name: "alice" },
      content: `Memory ${at} of the harbour.`,
      path: "notes",
      created_at: "2025-01-01T00:00:00Z",
    }));
    writeFileSync(file, [{ recollect_export: 1 }, ...lines].map((line) => JSON.stringify(line)).join("\n"));
    const { PATH = "", HOME = "" } = process.env;
    const child = spawn(process.execPath, ["--import", "tsx", "src/cli/main.ts", "import", file], {
      env: { PATH, HOME, DATA_DIR: cli.dataDir },
      stdio: "ignore",
    });
    const ended = once(child, "exit");
    const stored = async () => (await cli.sql`select from memories`).length;
    await eventually(stored, (count) => count > 0, 300_000);
    child.kill("SIGKILL");
    await ended;
    // A batch whose commit had been sent may come in after the end of the program.
    const report = await cli.json("import", file);
    expect(report).toMatchObject({ read: LINES, conflicts: 0, invalid: 0 });
    expect(report.created + report.unchanged).toBe(LINES);
    expect(report.unchanged).toBeGreaterThan(0);
    expect(await stored()).toBe(LINES);
    expect(await cli.sql`select from embeddings`).toHaveLength(LINES);
    expect(await cli.sql`select from audit_log where operation = 'import'`).toHaveLength(LINES);
  } finally {
    rmSync(file, { force: true });
    await cli.close();
  }
});
