/** What a server says and does before it can serve, and once it has been asked to stop. */
import { request } from "node:http";
import { describe, expect, test } from "vitest";
import { type Address, connect } from "../../src/adapters/postgres/database/client.ts";
import { migrate } from "../../src/adapters/postgres/database/migrate.ts";
import { relayTo } from "../oauth/relay.ts";
import { ownDatabase } from "../support/own-database.ts";
import { eventually } from "../support/processes.ts";
import { runtimesUnderTest } from "../support/runtimes-under-test.ts";
import { home, KEY } from "../support/server.ts";

async function urlOf(address: Address): Promise<string> {
  const { address: near } = await relayTo(address);
  return "url" in near ? near.url : "";
}

const statusOf = async (url: string) => (await fetch(url)).status;

/** The status of a request over a kept connection, and whether the server asks for another the next time. */
function asked(url: string): Promise<{ status: number | undefined; connection: string | undefined }> {
  return new Promise((resolve, reject) => {
    const headers = { "x-api-key": KEY, connection: "keep-alive" };
    request(url, { headers }, (answer) => {
      answer.resume();
      resolve({ status: answer.statusCode, connection: answer.headers.connection });
    })
      .on("error", reject)
      .end();
  });
}

describe.each(runtimesUnderTest)("on %s", { timeout: 240_000 }, (runtime) => {
  test("a server that waits for its schema is alive and not ready, and serves once somebody has migrated", async () => {
    const database = await ownDatabase({ empty: true });
    const at = await home({ fresh: true, embedded: true });
    const server = at.start(runtime, {
      ...{ DATABASE_URL: await urlOf(database), BOOTSTRAP_API_KEY: KEY, MIGRATE_ON_START: "off" },
      PORT: "18761",
    });
    const url = "http://127.0.0.1:18761";
    await eventually("it to listen", () => statusOf(`${url}/healthz`).catch(() => undefined));
    expect(await statusOf(`${url}/healthz`)).toBe(200);
    for (const path of ["/readyz", "/v1/memories", "/mcp", "/docs"]) {
      const answer = await fetch(`${url}${path}`);
      expect(answer.status).toBe(503);
      expect(answer.headers.get("retry-after")).not.toBeNull();
      expect(await answer.json()).toMatchObject({
        detail: "The database schema is not up to date yet.",
      });
    }
    const sql = connect(database, 1);
    await migrate(sql);
    await sql.end();
    await server.ready();
    expect(await statusOf(`${url}/readyz`)).toBe(200);
    expect((await server.stop()).code).toBe(0);
  });

  test("a server that is asked to stop says that it is not ready, and answers until nobody comes any more", async () => {
    const at = await home();
    const server = at.start(runtime, { BOOTSTRAP_API_KEY: KEY, DRAIN_SECONDS: "5" });
    const url = await server.ready();
    expect(await asked(`${url}/readyz`)).toMatchObject({ status: 200 });
    process.kill(server.pid, "SIGTERM");
    await eventually("the server to drain", async () =>
      (await statusOf(`${url}/readyz`)) === 503 ? true : undefined,
    );
    expect(await asked(`${url}/v1/memories`)).toEqual({ status: 200, connection: "close" });
    expect(await statusOf(`${url}/healthz`)).toBe(200);
    expect(await server.exited).toEqual({ code: 0, signal: null });
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });
});
