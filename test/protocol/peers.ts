import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeStores } from "../peers/make-stores.ts";
import { run } from "./run.ts";
import type { Outcome } from "./suite.ts";
import { installPeers } from "./tools.ts";

const REPOSITORY = fileURLToPath(new URL("../../", import.meta.url));
const RECORDED = join(REPOSITORY, "test/peers/stores");

/** What is read of what the peers write here. The rows of Postgres are read by a test, from a table. */
const STORES: readonly (readonly [peer: string, name: string])[] = [
  ["memory-server", "memory-server.jsonl"],
  ["mem0", "mem0.json"],
  ["mem0", "mem0-points.json"],
  ["langgraph", "langgraph.db"],
  ["zep", "graphiti.json"],
  ["basic-memory", "basic-memory"],
];

/**
 * Lets the peers' packages write their stores anew, and moves each in twice on the command line: the first time all of it, the second
 * time nothing. `--record` keeps what they wrote for the tests.
 */
export async function storesOfPeers(reports: string, options: readonly string[]): Promise<Outcome> {
  const folder = join(reports, "stores");
  const programs = await installPeers();
  await makeStores(programs, folder);
  const made = readdirSync(folder);
  if (options.includes("--record"))
    for (const name of made.filter((name) => name !== "postgres"))
      cpSync(join(folder, name), join(RECORDED, name), { recursive: true });
  const stores = STORES.filter(([, name]) => made.includes(name));
  let output = "";
  let wrong = 0;
  for (const [peer, name] of stores) {
    const dataDir = join(folder, `data-${name}`);
    const moveIn = () =>
      run(
        [
          process.execPath,
          join(REPOSITORY, "bin/recollect.js"),
          ...["import", join(folder, name), "--from", peer, "--owner", "alice"],
        ],
        { env: { DATA_DIR: dataDir, PORT: "0" } },
      );
    const [first, second] = [await moveIn(), await moveIn()];
    output += `${peer}, ${name}:\n${first}${second}`;
    const isRight =
      /[1-9]\d* memories created, 0 unchanged, 0 conflicts, 0 invalid/.test(first) &&
      /: 0 memories created, [1-9]\d* unchanged, 0 conflicts, 0 invalid/.test(second);
    if (!isRight) wrong += 1;
  }
  const missing = programs.basicMemory === null ? ", basic-memory not run: it needs Python 3.12" : "";
  return {
    passed: wrong === 0,
    counts: `${stores.length - wrong} of ${stores.length} stores${missing}`,
    output,
  };
}
