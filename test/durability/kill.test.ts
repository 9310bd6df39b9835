/** kill -9 of a whole server under load. */
import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { httpClient } from "../support/http-client.ts";
import { eventually } from "../support/processes.ts";
import { runs, tell } from "../support/random.ts";
import { type Home, home, KEY, type ServerProcess, startServer } from "../support/server.ts";
import { allContents, faults, isAcknowledged, retry, type Write, writeUntilItDies } from "./writers.ts";

const KILLS = runs(3);
const RUNTIME = "bun";
const WRITERS = 16;
const ACKNOWLEDGED_MAX = 400;
/** About what a start takes: a kill hits any moment of it. */
const START_MS = 3000;

test(`after ${KILLS} times kill -9 of the process group every acknowledged memory is there once and nothing still runs`, {
  timeout: 240_000 + KILLS * 60_000,
}, async () => {
  const at = await home();
  const written: Write[] = [];
  const killed: number[] = [];
  let acknowledged = 0;
  for (let kills = 0; kills < KILLS; kills += 1) {
    // Every third kill comes in the middle of a start. The next start follows at once and has no help.
    if (kills % 3 === 2) killed.push(...(await killStarting(at)));
    else {
      const { server, url } = await startServer(at, RUNTIME);
      await retry(httpClient(url, KEY), written);
      // From the first list on, what the owner has is counted by its writes.
      await httpClient(url, KEY).get("/v1/memories?limit=1");
      const round = await writeAndKill(at, server, url);
      killed.push(...round.killed);
      written.push(...round.writes);
      acknowledged += round.writes.filter(isAcknowledged).length;
    }
  }
  const { server, url } = await startServer(at, RUNTIME);
  const client = httpClient(url, KEY);
  const before = await faults(client, written.filter(isAcknowledged));
  await retry(client, written);
  const after = await faults(client, written);
  const contents = await allContents(client);
  const { body: list } = await client.get("/v1/memories?limit=1");
  const orphans = () => at.processes().filter((pid) => killed.includes(pid)).length;
  await eventually("killed servers' processes to end", () => orphans() === 0 || undefined).catch(() => {});
  const counts = {
    kills: killed.length > 0 ? KILLS : 0,
    written: written.length,
    acknowledged,
    lost: before.lost.length + after.lost.length,
    notFound: before.notFound.length + after.notFound.length,
    duplicated: contents.length - new Set(contents).size,
    unknown: new Set(contents).size - written.length,
    miscounted: list.total - contents.length,
    orphans: orphans(),
  };
  tell(`${JSON.stringify(counts)}`);
  expect(counts).toMatchObject({
    lost: 0,
    notFound: 0,
    duplicated: 0,
    unknown: 0,
    miscounted: 0,
    orphans: 0,
  });
  expect(await server.stop()).toEqual({ code: 0, signal: null });
  expect(at.processes()).toEqual([]);
});

/** Kills a server at a random moment of its start, and answers the processes it had. */
async function killStarting(at: Home): Promise<number[]> {
  const server = at.start(RUNTIME, { BOOTSTRAP_API_KEY: KEY });
  await sleep(randomInt(START_MS));
  const family = at.processes();
  await server.kill();
  return family;
}

/** Kills a server after a random number of acknowledged writes, while others are under way. */
async function writeAndKill(at: Home, server: ServerProcess, url: string) {
  const family = at.processes();
  let left = randomInt(1, ACKNOWLEDGED_MAX);
  const writes = await writeUntilItDies(url, KEY, WRITERS, () => {
    left -= 1;
    if (left === 0) void server.kill();
  });
  await server.exited;
  return { killed: family, writes };
}
