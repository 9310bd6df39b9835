/**
 * Two servers through all that befalls what they stand on: the primary is killed and a synchronous replica takes over, the
 * old primary comes back as a replica, connections are cut, a server is killed, and Elasticsearch where it can be.
 */
import { describe, expect, onTestFinished, test } from "vitest";
import { START_SCRIPT } from "../support/elasticsearch.ts";
import { ownCluster, POSTGRES_PROGRAMS } from "../support/own-cluster.ts";
import { ownNode } from "../support/own-node.ts";
import { eventually } from "../support/processes.ts";
import { home, KEY, type ServerProcess } from "../support/server.ts";
import { lostFrom, notFoundIn, startWriters } from "./writers.ts";

const PASSWORD = "chaos-password";

/** A node that may be killed, with the settings by which servers use it; null where none can be started. */
async function engine() {
  if (START_SCRIPT === undefined) return null;
  const node = await ownNode(START_SCRIPT, PASSWORD);
  onTestFinished(() => node.remove());
  await node.start();
  const settings = {
    ELASTICSEARCH_URL: node.url,
    ELASTICSEARCH_USERNAME: "elastic",
    ELASTICSEARCH_PASSWORD: PASSWORD,
  };
  return { node, settings };
}

interface Ready {
  readonly status: number;
  readonly dependencies: Readonly<Record<string, boolean>>;
}

async function readyOf(url: string): Promise<Ready> {
  const response = await fetch(`${url}/readyz`);
  return { status: response.status, dependencies: ((await response.json()) as Ready).dependencies };
}

describe.skipIf(POSTGRES_PROGRAMS === null)("two servers on a primary with a synchronous replica", () => {
  test("lose nothing that was acknowledged and answer nothing wrong, whatever is killed", {
    timeout: 1_500_000,
  }, async () => {
    const first = await ownCluster();
    const second = await first.replica();
    // After the copy was made, which would otherwise wait for a replica of its own once it is the primary.
    await first.asOwner((owner) => owner`alter system set synchronous_standby_names = '*'`);
    await first.asOwner((owner) => owner`select pg_reload_conf()`);
    await eventually("the replica to be synchronous", async () => {
      const [row] = await first.asOwner((owner) => owner`select sync_state from pg_stat_replication`);
      return row?.sync_state === "sync" || undefined;
    });
    const search = await engine();
    const env = {
      DATABASE_URL: `postgres://service@127.0.0.1:${first.port},127.0.0.1:${second.port}/service`,
      DATABASE_CONNECTIONS: "8",
      BOOTSTRAP_API_KEY: KEY,
      LOG_LEVEL: "warn",
      ...search?.settings,
    };
    const at = await home({ fresh: true, embedded: true });
    const processes: ServerProcess[] = [at.start("node", env), at.start("bun", env)];
    const urls: (string | null)[] = await Promise.all(processes.map((process) => process.ready()));
    const written = startWriters(() => urls);
    onTestFinished(() => written.stop());

    /** Until each server has acknowledged a few more writes, by itself. */
    const goesOn = async (after: string) => {
      const before = [...written.perServer];
      await eventually(`writes after ${after}`, () => {
        expect(written.wrong.slice(0, 3)).toEqual([]);
        return written.perServer.every((count, place) => count >= (before[place] ?? 0) + 10) || undefined;
      });
    };
    const isReady = (after: string) =>
      eventually(`readiness after ${after}`, async () => {
        const all = await Promise.all(urls.map((url) => readyOf(url as string)));
        return all.every(({ status }) => status === 200) || undefined;
      });

    await goesOn("the start");
    await first.kill();
    await eventually("both to say that the database is away", async () => {
      const all = await Promise.all(urls.map((url) => readyOf(url as string)));
      return (
        all.every(({ status, dependencies }) => status === 503 && dependencies.postgres === false) ||
        undefined
      );
    });
    const promotedAt = performance.now();
    await second.promote();
    await goesOn("the failover");
    const awayMs = Math.round(performance.now() - promotedAt);
    await isReady("the failover");

    await first.startAsReplica();
    await second.asOwner(
      (owner) => owner`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'service'`,
    );
    await goesOn("cut connections");

    await processes[1]?.kill();
    urls[1] = null;
    processes[1] = at.start("bun", env);
    urls[1] = await processes[1].ready();
    await goesOn("the kill of a server");

    if (search !== null) {
      await search.node.kill();
      await goesOn("the end of Elasticsearch");
      await eventually("it to be named, and no server to be unready for it", async () => {
        const all = await Promise.all(urls.map((url) => readyOf(url as string)));
        expect(all.map(({ status }) => status)).toEqual([200, 200]);
        return all.some(({ dependencies }) => dependencies.elasticsearch === false) || undefined;
      });
      await search.node.start();
      await goesOn("its return");
    }
    await isReady("all of it");
    await written.stop();
    const servers = urls as string[];
    expect(written.wrong).toEqual([]);
    expect(await lostFrom(servers, written)).toEqual([]);
    for (const url of servers) expect(await notFoundIn(url, written, 20)).toEqual([]);
    process.stderr.write(
      `${written.acknowledged.size} writes were acknowledged; ten more by each server ${awayMs} ms after the promotion\n`,
    );
  });
});
