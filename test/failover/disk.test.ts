/**
 * A server whose Postgres has no room left says so, refuses writes, goes on to answer, and loses nothing that it acknowledged:
 * on file systems that are really full, and where files may grow no more.
 */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Cluster, ownCluster, POSTGRES_PROGRAMS } from "../support/own-cluster.ts";
import { eventually, processesOf } from "../support/processes.ts";
import { home, KEY } from "../support/server.ts";
import { samplesOf } from "../watch/open-metrics.ts";
import { lostFrom, notFoundIn, startWriters } from "./writers.ts";

const METRICS_TOKEN = "metrics-token-0123456789abcdef0123456789";

/** A file system in memory; null where this user may mount none. It goes with the test. */
function smallDisk(megabytes: number): string | null {
  const folder = mkdtempSync(join(tmpdir(), "recollect-disk-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  try {
    const options = `size=${megabytes}m,mode=0755`;
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder], { stdio: "ignore" });
  } catch {
    return null;
  }
  onTestFinished(() => void execFileSync("umount", ["--lazy", folder]));
  return folder;
}

/** Takes what room there is, to the last byte; answers how to give it back. */
function fill(disk: string): () => void {
  const path = join(disk, "ballast");
  const file = openSync(path, "w");
  for (const size of [1024 * 1024, 4096, 1])
    try {
      for (;;) writeSync(file, Buffer.alloc(size, 1));
    } catch (error) {
      if ((error as { code?: string }).code !== "ENOSPC") throw error;
    }
  closeSync(file);
  return () => rmSync(path);
}

/** What becomes full, and how. */
interface Disk {
  readonly cluster: Cluster;
  /** Takes all room, and answers how to give it back. */
  readonly fill: () => () => void;
}

async function fullTables(): Promise<Disk | null> {
  const disk = smallDisk(64);
  if (disk === null) return null;
  return { cluster: await ownCluster({ tablesBelow: disk }), fill: () => fill(disk) };
}

async function fullDisk(): Promise<Disk | null> {
  const disk = smallDisk(160);
  if (disk === null) return null;
  // Little is kept of the log, so that it asks for room soon.
  const settings = { min_wal_size: "2MB", max_wal_size: "8MB", wal_keep_size: "0", wal_recycle: "off" };
  const cluster = await ownCluster({ below: disk, logFileMegabytes: 1, settings });
  return { cluster, fill: () => fill(disk) };
}

/** As under a quota: no file of the server may be longer than the longest that there is, which needs no right at all. */
async function noLongerFiles(): Promise<Disk> {
  const cluster = await ownCluster({ logFileMegabytes: 1 });
  return {
    cluster,
    fill() {
      cluster.limitFiles(1024 * 1024);
      return () => cluster.limitFiles(null);
    },
  };
}

async function readyOf(url: string) {
  const response = await fetch(`${url}/readyz`);
  const { dependencies, degraded } = (await response.json()) as {
    dependencies: Record<string, boolean>;
    degraded?: Record<string, string>;
  };
  return { status: response.status, dependencies, degraded };
}

async function metric(url: string, name: string, labels: Record<string, string>): Promise<number> {
  const page = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  const found = samplesOf(await page.text()).find(
    (one) =>
      one.name === name && Object.entries(labels).every(([label, value]) => one.labels[label] === value),
  );
  return found?.value ?? 0;
}

async function serverOn(cluster: Cluster) {
  const at = await home({ fresh: true, embedded: true });
  const server = at.start("node", {
    DATABASE_URL: cluster.url(),
    DATABASE_CONNECTIONS: "8",
    BOOTSTRAP_API_KEY: KEY,
    METRICS_TOKEN,
    LOG_LEVEL: "warn",
  });
  const url = await server.ready();
  const written = startWriters(() => [url]);
  onTestFinished(() => written.stop());
  const goesOn = async (after: string) => {
    const before = written.acknowledged.size;
    await eventually(`writes after ${after}`, () => written.acknowledged.size >= before + 20 || undefined, {
      withinMs: 120_000,
    });
  };
  return { url, written, goesOn };
}

describe.skipIf(POSTGRES_PROGRAMS === null)("a database without room", () => {
  test.each([
    ["the file system of its tables is full", fullTables],
    ["its files may not become longer", noLongerFiles],
  ])(
    "%s: writes are refused and named, all else goes on, and so do writes when there is room",
    {
      timeout: 300_000,
    },
    async (_, made) => {
      // Where nothing can be mounted, the limit on files stands for the disk as well.
      const { cluster, fill } = (await made()) ?? (await noLongerFiles());
      const { url, written, goesOn } = await serverOn(cluster);
      await goesOn("the start");
      expect(await readyOf(url)).toMatchObject({ status: 200, dependencies: { postgres: true, disk: true } });
      const giveBack = fill();
      const refused = await eventually("a write to be refused", async () => {
        const response = await fetch(`${url}/v1/memories`, {
          method: "POST",
          headers: { "x-api-key": KEY, "content-type": "application/json" },
          body: JSON.stringify({ content: randomBytes(20_000).toString("base64"), path: "x" }),
        });
        return response.status === 201 ? undefined : response;
      });
      expect([refused.status, await refused.json()]).toMatchObject([503, { code: "dependency_unavailable" }]);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(await readyOf(url)).toMatchObject({
        status: 200,
        dependencies: { postgres: true, disk: false },
        degraded: { disk: "the database has no room for what is written" },
      });
      expect(await metric(url, "recollect_dependency_up", { dependency: "disk" })).toBe(0);
      // What was acknowledged is read and recalled meanwhile.
      expect(await notFoundIn(url, written, 5)).toEqual([]);
      giveBack();
      await goesOn("there was room again");
      await written.stop();
      await eventually(
        "it to be well again",
        async () => (await readyOf(url)).dependencies.disk || undefined,
      );
      expect(written.wrong).toEqual([]);
      expect(await lostFrom([url], written)).toEqual([]);
      expect(await notFoundIn(url, written, 20)).toEqual([]);
    },
  );

  test("a disk that its log is on as well: whatever Postgres makes of it, nothing acknowledged is lost", {
    timeout: 300_000,
  }, async () => {
    const { cluster, fill } = (await fullDisk()) ?? (await noLongerFiles());
    const { url, written, goesOn } = await serverOn(cluster);
    await goesOn("the start");
    const giveBack = fill();
    // It ends itself where it has no room for its log, and may not come back as long as there is none.
    await eventually("the log to need room", () =>
      cluster
        .asOwner((owner) => owner`select pg_logical_emit_message(false, 'fill', repeat('x', 2000000))`)
        .then(
          () => undefined,
          () => true,
        ),
    );
    await eventually("it to be named", async () => {
      const { dependencies } = await readyOf(url);
      return dependencies.disk === false || dependencies.postgres === false || undefined;
    });
    giveBack();
    await eventually("Postgres, which whoever supervises it starts again", async () => {
      if (processesOf({ groups: [], folder: cluster.folder }).length === 0) await cluster.start();
      return cluster
        .asOwner((owner) => owner`select 1`)
        .then(
          () => true,
          () => undefined,
        );
    });
    await goesOn("there was room again");
    await written.stop();
    await eventually("it to be well again", async () => {
      const { status, dependencies } = await readyOf(url);
      return (status === 200 && dependencies.disk) || undefined;
    });
    expect(written.wrong).toEqual([]);
    expect(await lostFrom([url], written)).toEqual([]);
  });
});
