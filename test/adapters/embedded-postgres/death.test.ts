import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { allGone, freshDataDir, kill, type Opener, startOpener, usedDataDir } from "./world.ts";

const committed = (opener: Opener) => opener.told.flatMap(({ committed }) => committed ?? []).length;

async function writeSome(dataDir: string): Promise<Opener> {
  const opener = startOpener(dataDir);
  await opener.outcome();
  opener.say("write");
  await opener.hears((told) => told.committed === 100);
  return opener;
}

async function countRows(dataDir: string): Promise<number> {
  const opener = startOpener(dataDir);
  expect((await opener.outcome()).failed).toBeUndefined();
  opener.say("count");
  const { count } = await opener.hears((told) => told.count !== undefined);
  opener.say("stop");
  await opener.hears(({ stopped }) => stopped === true);
  return count ?? -1;
}

test("after kill -9 of the process group no process stays, and the next start has every commit", async () => {
  const dataDir = await usedDataDir();
  const opener = await writeSome(dataDir);
  const family = opener.descendants();
  expect(family.length).toBeGreaterThan(3);
  opener.killGroup();
  // At once, while the earlier database is still shutting down.
  expect(await countRows(dataDir)).toBeGreaterThanOrEqual(committed(opener));
  await allGone(family);
});

test("after kill -9 of everything the next start has every commit", async () => {
  const dataDir = await usedDataDir();
  const opener = await writeSome(dataDir);
  const family = opener.descendants();
  opener.killGroup();
  for (const pid of family) kill(pid);
  await allGone(family);
  expect(await countRows(dataDir)).toBeGreaterThanOrEqual(committed(opener));
});

test("a postmaster that lost both its parent and its watcher is ended by the next start", async () => {
  const dataDir = await usedDataDir();
  const opener = await writeSome(dataDir);
  const family = opener.descendants();
  const postmaster = postmasterOf(dataDir);
  const shells = family.slice(0, family.indexOf(postmaster));
  for (const pid of [...shells, ...family.filter((pid) => pid === postmaster + 1)]) kill(pid);
  opener.killGroup();
  expect(await countRows(dataDir)).toBeGreaterThanOrEqual(committed(opener));
  await allGone(family);
});

test("a database that dies at run time is told in one sentence, and the next start works", async () => {
  const dataDir = await usedDataDir();
  const opener = startOpener(dataDir);
  opener.say("count");
  await opener.hears(({ count }) => count !== undefined);
  kill(postmasterOf(dataDir));
  const { died } = await opener.hears((told) => told.died !== undefined);
  expect(died).toMatch(
    /^The embedded database ended unexpectedly \(status \d+\); .*postgres\.log may say why\.$/,
  );
});

test("a first start killed in the middle of initdb is made up for by the next", async () => {
  const dataDir = freshDataDir();
  const opener = startOpener(dataDir);
  await opener.hears(({ log }) => log === "Creating the embedded database.");
  const family = opener.descendants();
  opener.killGroup();
  for (const pid of family) kill(pid);
  expect(await countRows(dataDir)).toBe(0);
});

function postmasterOf(dataDir: string): number {
  return Number.parseInt(readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8"), 10);
}
