/** A server whose disk is full says so, refuses writes and loses none: on a small file system of its own. */
import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../support/processes.ts";
import { home, KEY } from "../support/server.ts";
import { lostFrom, startWriters } from "./writers.ts";

/** A file system in memory of so many megabytes; null where this user may not mount one. */
function smallDisk(megabytes: number): string | null {
  if (userInfo().uid !== 0) return null;
  const folder = mkdtempSync(join(tmpdir(), "recollect-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=0755`, "tmpfs", folder], {
      stdio: "ignore",
    });
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
  onTestFinished(() => {
    execFileSync("umount", ["--lazy", folder]);
    rmSync(folder, { recursive: true });
  });
  return folder;
}

/** Writes until nothing more fits. */
function fill(path: string): void {
  const file = openSync(path, "w");
  try {
    for (const size of [1024 * 1024, 8192, 1])
      try {
        for (;;) writeSync(file, Buffer.alloc(size));
      } catch (error) {
        if ((error as { code?: string }).code !== "ENOSPC") throw error;
      }
  } finally {
    closeSync(file);
  }
}

test("a full disk", { timeout: 600_000 }, async ({ skip }) => {
  const disk = smallDisk(400);
  if (disk === null) return skip("only root may mount a small file system");
  const at = await home({ fresh: true, embedded: true });
  const server = at.start("node", {
    DATA_DIR: join(disk, "data"),
    BOOTSTRAP_API_KEY: KEY,
    LOG_LEVEL: "error",
  });
  onTestFinished(async () => void (await server.stop()));
  const url = await server.ready();
  const ready = async () => {
    const response = await fetch(`${url}/readyz`);
    return {
      status: response.status,
      body: (await response.json()) as Record<string, Record<string, unknown>>,
    };
  };
  const written = startWriters(() => [url]);
  onTestFinished(() => written.stop());
  const writes = async (more: number) => {
    const before = written.acknowledged.size;
    await eventually("writes", () => written.acknowledged.size >= before + more || undefined);
  };
  await writes(20);
  expect((await ready()).body.dependencies).toMatchObject({ postgres: true, disk: true });
  const ballast = join(disk, "ballast");
  fill(ballast);
  expect(await ready()).toMatchObject({
    status: 200,
    body: { dependencies: { disk: false }, degraded: { disk: expect.stringContaining("full") } },
  });
  // Of the log there is room for a while; then writes are refused.
  await eventually(
    "a write to be refused",
    async () => {
      const response = await fetch(`${url}/v1/memories`, {
        method: "POST",
        headers: { "x-api-key": KEY, "content-type": "application/json" },
        body: JSON.stringify({
          content: Array.from({ length: 9000 }, () => Math.random().toString(36))
            .join(" ")
            .slice(0, 60_000),
          path: "x",
        }),
      }).catch(() => null);
      return response?.status === 503 || undefined;
    },
    { withinMs: 120_000 },
  );
  rmSync(ballast);
  await writes(20);
  await eventually("readiness", async () => (await ready()).body.dependencies?.disk === true || undefined);
  await written.stop();
  expect(written.wrong).toEqual([]);
  expect(await lostFrom([url], written)).toEqual([]);
});
