import { expect, test } from "vitest";
import { freshDataDir, startOpener, usedDataDir } from "./world.ts";

test("a second server is refused and told who has the folder; a tool uses the running database", async () => {
  const dataDir = await usedDataDir();
  const server = startOpener(dataDir);
  const running = await server.outcome();
  expect(running.open?.owned).toBe(true);

  const second = await startOpener(dataDir).outcome();
  expect(second.failed).toBe("DataFolderInUse");
  expect(second.message).toMatch(
    /^The data folder .* is in use by process \d+: stop it, or choose another DATA_DIR\.$/,
  );

  const tool = startOpener(dataDir, { role: "tool" });
  expect((await tool.outcome()).open).toEqual({ ...running.open, owned: false });
  tool.say("stop");
  await tool.hears(({ stopped }) => stopped === true);
  server.say("count");
  expect((await server.hears(({ count }) => count !== undefined)).count).toBe(0);
});

test("a tool alone starts the database and leaves nothing running", async () => {
  const dataDir = await usedDataDir();
  const tool = startOpener(dataDir, { role: "tool" });
  expect((await tool.outcome()).open?.owned).toBe(true);
  tool.say("stop");
  await tool.hears(({ stopped }) => stopped === true);
  expect((await startOpener(dataDir).outcome()).open?.owned).toBe(true);
});

// All three runtimes together, since each has its own idea of a file system call.
const mixed = ["bun", "node", "deno", "bun", "node", "deno", "bun", "bun"] as const;

test("of eight starters at once exactly one gets the folder, on a new one and after a kill -9", async () => {
  const dataDir = freshDataDir();
  for (const round of ["new", "killed"]) {
    const starters = mixed.map((runtime) => startOpener(dataDir, { runtime }));
    const outcomes = await Promise.all(starters.map((starter) => starter.outcome()));
    const refused = outcomes.filter(({ failed }) => failed === "DataFolderInUse");
    expect([round, outcomes.filter(({ open }) => open !== undefined).length]).toEqual([round, 1]);
    expect(refused.length).toBe(7);
    for (const starter of starters) starter.killGroup();
  }
});
