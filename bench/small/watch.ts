import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbeddedPostgres } from "../../src/adapters/embedded-postgres/open-embedded-postgres.ts";
import { createApp } from "../../src/compose/app.ts";
import { readConfig } from "../../src/compose/config.ts";
import { createLog } from "../../src/compose/log.ts";
import { openServiceOn, type Service } from "../../src/compose/service.ts";
import { bench, issueKey, quantile } from "./bench.ts";

const HELP = `Measures what watching the service costs a search.

  npm run bench:watch -- [--memories 1000] [--pairs 60] [--searches 20]

Two services in one process answer the same searches on one database in turns: one is watched (metrics and figures, no
traces), the other not. Says by how much the median pair differs, and the quartiles.
`;

const WORDS = "tea river train garden letter window market bridge piano winter harbour lantern".split(" ");

function sentence(at: number): string {
  const word = (step: number) => WORDS[(at * step + step) % WORDS.length];
  return `On day ${at} the ${word(1)} by the ${word(5)} had a ${word(7)} and a ${word(11)}.`;
}

type Send = (path: string, body?: object) => Promise<void>;

function senderTo(service: Service, token: string): Send {
  const config = readConfig({ APP_ENV: "test", LOG_LEVEL: "silent" });
  const app = createApp(service, config, createLog(config));
  return async (path, body) => {
    const response = await app.handle(
      new Request(`http://localhost${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: { "x-api-key": token, "content-type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  };
}

/** Milliseconds a search: as it seems to who waits, and of this process's processor time, which other programs disturb less. */
interface Cost {
  readonly elapsed: number;
  readonly processor: number;
}

async function searches(send: Send, count: number): Promise<Cost> {
  const begunAt = performance.now();
  const before = process.cpuUsage();
  for (let at = 0; at < count; at += 1)
    await send(`/v1/memories/search?query=${WORDS[at % WORDS.length]}+by+the+bridge`);
  const { user, system } = process.cpuUsage(before);
  return { elapsed: (performance.now() - begunAt) / count, processor: (user + system) / 1000 / count };
}

export const program = bench(
  HELP,
  { memories: 1000, pairs: 60, searches: 20 },
  async ({ memories, pairs, searches: count }) => {
    const folder = mkdtempSync(join(tmpdir(), "recollect-bench-watch-"));
    const postgres = await openEmbeddedPostgres({
      dataDir: join(folder, "data"),
      role: "server",
      log: () => {},
    });
    const open = (isWatched: boolean) =>
      openServiceOn(
        { address: postgres.connection, died: new Promise(() => {}), stop: async () => {} },
        readConfig({ APP_ENV: "test" }),
        { role: "server", isWatched, log: () => {}, report: console.error },
      );
    const services = [await open(true), await open(false)] as const;
    try {
      const { secret } = await issueKey(services[0]);
      const [watched, unwatched] = [senderTo(services[0], secret), senderTo(services[1], secret)];
      for (let at = 0; at < memories; at += 1)
        await watched("/v1/memories", { content: sentence(at), path: "bench" });
      for (let at = 0; at < 3; at += 1) for (const send of [watched, unwatched]) await searches(send, count);
      const times: { watched: Cost; unwatched: Cost }[] = [];
      for (let at = 0; at < pairs; at += 1) {
        // Each goes first in turn: whoever comes second finds the processor's caches warm.
        const first = await searches(at % 2 === 0 ? watched : unwatched, count);
        const second = await searches(at % 2 === 0 ? unwatched : watched, count);
        times.push(
          at % 2 === 0 ? { watched: first, unwatched: second } : { watched: second, unwatched: first },
        );
      }
      for (const cost of ["elapsed", "processor"] as const) {
        const ratios = times.map((pair) => pair.watched[cost] / pair.unwatched[cost]).sort((a, b) => a - b);
        const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => quantile(ratios, share).toFixed(3));
        const median = (of: "watched" | "unwatched") =>
          quantile(
            times.map((pair) => pair[of][cost]).sort((a, b) => a - b),
            0.5,
          ).toFixed(2);
        console.log(`${cost}: watched ${median("watched")} ms, unwatched ${median("unwatched")} ms a search`);
        console.log(
          `  ratio of ${pairs} pairs of ${count} searches: ${middle} (quartiles ${low} to ${high})`,
        );
      }
    } finally {
      for (const service of services) await service.close();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
