import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadLexicon } from "../../../src/adapters/embedding/builtin.ts";
import { merged, quantileMs } from "../closed-loop.ts";
import type { Corpus } from "../corpus.ts";
import { type Contestant, interleave } from "../interleave.ts";
import { type Running, withClients } from "../processes.ts";
import { inFloor, repeating, search, storing } from "../requests.ts";
import { milliseconds, ratio, type Table } from "../table.ts";
import { install } from "./install.ts";
import { openMcpMemory } from "./mcp-memory.ts";
import type { Peer } from "./peer.ts";
import { openPythonStores } from "./python-stores.ts";

/** Beyond what any of them is filled with; each adds memories of its own. */
const FIRST_ADDED = 10_000_000;

/**
 * One client's searches with words that were not asked for before, and its single adds, beside the same in other stores
 * filled with the same memories, all in turns. `folder` keeps what is installed for the next run.
 */
export async function measurePeers(
  { server, floor }: { server: Running; floor: Running },
  corpus: Corpus,
  { size, seconds, folder }: { size: number; seconds: number; folder: string },
): Promise<Table> {
  const { python, mcpMemory, missing } = await install(folder);
  const data = await mkdtemp(join(tmpdir(), "recollect-peers-"));
  const added = { next: FIRST_ADDED };
  const peers: Peer[] = [];
  try {
    if (python)
      peers.push(
        ...(await openPythonStores(python, data, { corpus, lexicon: await loadLexicon(), size, added })),
      );
    if (mcpMemory) peers.push(await openMcpMemory(mcpMemory, data, { corpus, size, added }));
    return await withClients(server, 1, (ours) =>
      withClients(floor, 1, async ([bare]) => {
        const asked = { next: FIRST_ADDED };
        const searches: Record<string, Contestant> = {
          Recollect: repeating(ours, (client) => search(client, corpus, asked)),
          "SQLite's full text": inFloor(bare, `/sqlite/${size}`, (count) => ({ clients: 1, count })),
        };
        const adds: Record<string, Contestant> = { Recollect: storing(ours, corpus, added) };
        for (const peer of peers) {
          searches[peer.name] = peer.search;
          adds[peer.name] = peer.add;
        }
        return tableOf(
          size,
          await interleave(searches, seconds / 2),
          await interleave(adds, seconds / 2),
          missing,
        );
      }),
    );
  } finally {
    for (const peer of peers) await peer.close();
    await rm(data, { recursive: true, force: true });
  }
}

type Turns = Awaited<ReturnType<typeof interleave<string>>>;

function tableOf(size: number, searches: Turns, adds: Turns, missing: readonly string[]): Table {
  const at = (turns: Turns, name: string, share: number) =>
    turns[name] ? quantileMs(merged(turns[name]), share) : Number.NaN;
  const shown = (ms: number) => (Number.isNaN(ms) ? "" : milliseconds(ms));
  const share = (turns: Turns, name: string) => {
    const value = at(turns, name, 0.5) / at(turns, "Recollect", 0.5);
    return Number.isNaN(value) ? "" : ratio(value);
  };
  return {
    title: `Beside other stores, ${size} memories, one client`,
    columns: ["", "search p50", "p95", "of ours", "one add p50", "p95", "of ours"],
    rows: Object.keys(searches).map((name) => [
      name,
      ...[0.5, 0.95].map((q) => shown(at(searches, name, q))),
      share(searches, name),
      ...[0.5, 0.95].map((q) => shown(at(adds, name, q))),
      share(adds, name),
    ]),
    remark: [
      "Recollect answers over HTTP with a key, hybrid and ranked, and what it acknowledges is on disk. SQLite: any of the",
      "query's words, in process and memory. Chroma and pgvector: in or beside a Python process that is handed our vectors.",
      "MCP reference memory: over stdio, by the exact query; it reads its whole file with each call.",
      ...missing.map((reason) => `Not measured: ${reason}`),
    ].join("\n"),
  };
}
