import { once } from "node:events";
import { Worker } from "node:worker_threads";
import postgres, { type Sql } from "postgres";
import type { OwnNode } from "../../test/support/own-node.ts";
import { eventually } from "../../test/support/processes.ts";
import { say } from "../chaos/say.ts";
import type { Service } from "../chaos/service.ts";
import { Corpus } from "../speed/corpus.ts";
import { built } from "./build.ts";
import { fill, type Share } from "./fill.ts";
import type { Place } from "./recall.ts";

const OWNERS = 40;
const ROUNDS = 2;

/** Where another worker finds the record and the engine. */
export interface SecondWorker {
  readonly connection: { readonly path: string; readonly database: string; readonly username: string };
  readonly place: Place;
  readonly alias: string;
}

/** How many outbox lines a second the service's worker does by itself, and together with another process's, in turns. */
export async function measureWorkers(
  { service, node, place, alias }: { service: Service; node: OwnNode; place: Place; alias: string },
  memories: number,
) {
  const each = Math.floor(memories / OWNERS);
  const shares: Share[] = Array.from({ length: OWNERS }, (_, n) => ({
    name: `owner-${n}`,
    first: n * each,
    count: each,
  }));
  await node.start();
  await service.start();
  const connection = await service.database();
  const sql = postgres({ ...connection, max: 2, onnotice: () => {} });
  await fill(connection, new Corpus(), shares);
  // An empty record has an index already: what was written past the service is queued as it would have been.
  await built(connection, memories, say);
  await rateOf(sql);
  const perSecond: Record<string, number[]> = { one: [], two: [] };
  let byOther = 0;
  for (let round = 0; round < ROUNDS; round++) {
    perSecond.one?.push(await rateOf(sql));
    const workerData: SecondWorker = { connection, place, alias };
    const second = new Worker(new URL("./second-worker.ts", import.meta.url), { workerData });
    await once(second, "message");
    second.on("message", (lines: number) => {
      byOther += lines;
    });
    perSecond.two?.push(await rateOf(sql));
    await second.terminate();
  }
  await sql.end();
  return {
    memories: each * OWNERS,
    owners: OWNERS,
    perSecond,
    shareOfSecond: byOther / (ROUNDS * each * OWNERS),
  };
}

/** Queues every memory anew, and answers how many lines a second were done until none was left. */
async function rateOf(sql: Sql): Promise<number> {
  const queued = await sql`
    insert into outbox (owner_id, memory, revision, kind) select owner_id, id, revision, 'put' from memories`;
  const from = performance.now();
  await eventually(
    "the outbox to be done",
    async () => {
      const [left] = await sql`select exists (select from outbox) as is_any`;
      return left?.is_any ? undefined : true;
    },
    { withinMs: 900_000, everyMs: 50 },
  );
  const rate = Math.round((1000 * queued.count) / (performance.now() - from));
  say(`${queued.count} lines, ${rate} a second`);
  return rate;
}
