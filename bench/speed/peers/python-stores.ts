import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Lexicon } from "../../../src/recall/language/lexicon.ts";
import type { Timing } from "../closed-loop.ts";
import type { Corpus } from "../corpus.ts";
import type { Counter } from "../requests.ts";
import type { Peer } from "./peer.ts";

const SCRIPT = fileURLToPath(new URL("./stores.py", import.meta.url));

/**
 * Chroma and pgvector in a Python of their own, which times each call itself. Their vectors are those of the built-in
 * embedder; what it takes to make a query's is counted.
 */
export async function openPythonStores(
  python: string,
  folder: string,
  { corpus, lexicon, size, added }: { corpus: Corpus; lexicon: Lexicon; size: number; added: Counter },
): Promise<Peer[]> {
  const child = spawn(python, [SCRIPT, folder], { stdio: ["pipe", "pipe", "pipe"] });
  const written: string[] = [];
  createInterface({ input: child.stderr }).on("line", (line) => written.push(line));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (command: object) => {
    child.stdin.write(`${JSON.stringify(command)}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error(`The peers' process ended: ${written.slice(-5).join("\n")}`);
    return JSON.parse(value);
  };
  const memories = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => {
      const { content, path } = corpus.memory(from + at);
      return { id: `m${from + at}`, content, path, vector: [...lexicon.embed(content)] };
    });
  let asked = 0;
  const peers: Peer[] = [];
  for (const [peer, name] of [
    ["chroma", "Chroma"],
    ["pgvector", "pgvector and full text, by hand"],
  ] as const) {
    console.error(`filling ${name}`);
    await ask({ do: "fill", peer, memories: memories(0, size) });
    peers.push({
      name,
      search: async (count) => {
        const queries = [];
        const embeddedMs: number[] = [];
        for (let at = 0; at < count; at += 1) {
          const text = corpus.query(asked++);
          const from = performance.now();
          const vector = [...lexicon.embed(text)];
          embeddedMs.push(performance.now() - from);
          queries.push({ text, vector });
        }
        const { latencies_ms } = await ask({ do: "search", peer, queries });
        return timing(latencies_ms.map((ms: number, at: number) => ms + (embeddedMs[at] ?? 0)));
      },
      add: async (count) => {
        const given = memories(added.next, count);
        added.next += count;
        return timing((await ask({ do: "add", peer, memories: given })).latencies_ms);
      },
      close: async () => {
        child.stdin.end();
        if (child.exitCode === null) await new Promise((resolve) => child.once("exit", resolve));
      },
    });
  }
  return peers;
}

function timing(latenciesMs: readonly number[]): Timing {
  return { latenciesMs, elapsedMs: latenciesMs.reduce((sum, ms) => sum + ms, 0) };
}
