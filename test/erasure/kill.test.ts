/** An erasure that is killed in the middle, as a program of its own, and asked for again. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { openBesideServer } from "../cli/beside-server.ts";
import { eventually } from "../support/acting.ts";

test("kill -9 in the middle of an erasure loses nothing of it: the same command finishes", {
  timeout: 300_000,
}, async () => {
  const cli = await openBesideServer();
  try {
    const { owner_id } = await cli.json("keys", "create", "--owner", "alice");
    await cli.sql`
      insert into memories (id, owner_id, author_id, author_token, memory_id, path, bucket, scope, memory_type, status, content,
        importance, confidence, metadata, provenance, version, created_at, updated_at)
      select gen_random_uuid(), ${owner_id}, ${owner_id}, ${owner_id}, 'm' || n, 'p', 'b', 'private', 'semantic', 'active',
        'memory ' || n, 0.5, 0.5, '{}', '{}', 1, now(), now() from generate_series(1, 15000) n`;
    const removed = async () => {
      const [row] = await cli.sql`select removed -> 'memories' as memories, finished_at from erasures`;
      return { memories: Number(row?.memories ?? 0), isDone: row !== undefined && row.finished_at !== null };
    };
    for (const round of [1, 2, 3]) {
      const before = (await removed()).memories;
      const { PATH = "", HOME = "" } = process.env;
      const child = spawn(
        process.execPath,
        ["--import", "tsx", "src/cli/main.ts", "users", "erase", "alice", "--yes"],
        {
          env: { PATH, HOME, DATA_DIR: cli.dataDir },
          stdio: "ignore",
        },
      );
      await eventually(removed, ({ memories }) => memories > before, 60_000);
      child.kill("SIGKILL");
      await once(child, "exit");
      const { memories, isDone } = await removed();
      const [left] = await cli.sql`select count(*)::int as rows from memories`;
      expect([round, isDone, memories + left?.rows]).toEqual([round, false, 15_000]);
    }
    const receipt = await cli.json("users", "erase", "alice", "--yes");
    expect(receipt).toMatchObject({ state: "pending", removed: { memories: 15_000, owners: 1, tokens: 1 } });
    expect(await cli.sql`select from memories`).toHaveLength(0);
    expect(await cli.json("users", "list")).toEqual([]);
  } finally {
    await cli.close();
  }
});
