/** What `/readyz` says of a database that is really stopped, or hangs. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openEmbeddedPostgres } from "../../src/adapters/embedded-postgres/open-embedded-postgres.ts";
import { createApp } from "../../src/compose/app.ts";
import { createLog } from "../../src/compose/log.ts";
import { openServiceOn } from "../../src/compose/service.ts";
import { eventually, processesOf } from "../support/processes.ts";
import { serviceConfig } from "../support/service-config.ts";

/** A service whose Postgres is its own: nobody else misses it. */
async function ownService() {
  const folder = mkdtempSync(join(tmpdir(), "recollect-readiness-"));
  const dataDir = join(folder, "data");
  const postgres = await openEmbeddedPostgres({ dataDir, role: "server", log: () => {} });
  const config = serviceConfig({
    LOG_LEVEL: "silent",
    ELASTICSEARCH_URL: "http://127.0.0.1:9",
  });
  const database = {
    address: postgres.connection,
    died: new Promise<string>(() => {}),
    stop: async () => {},
  };
  const service = await openServiceOn(database, config, { role: "server", log: () => {}, report: () => {} });
  const app = createApp(service, config, createLog(config));
  onTestFinished(async () => {
    await service.close();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const processes = () => processesOf({ groups: [], folder: dataDir });
  const ask = async (path: string) => {
    const response = await app.handle(new Request(`http://localhost${path}`));
    return {
      status: response.status,
      retryAfter: Number(response.headers.get("retry-after")),
      body: (await response.json()) as { dependencies?: object; detail?: string },
    };
  };
  return {
    ask,
    stop: () => postgres.stop(),
    signal: (signal: "SIGSTOP" | "SIGCONT") => {
      for (const pid of processes()) process.kill(pid, signal);
    },
  };
}

const NOT_READY = {
  status: 503,
  retryAfter: expect.toSatisfy((seconds) => seconds > 0),
  body: {
    code: "dependency_unavailable",
    detail: "Not available: postgres.",
    dependencies: { postgres: false, elasticsearch: false },
    unavailable: { postgres: "it does not answer" },
    degraded: { elasticsearch: "it cannot be reached" },
  },
};

test("a database that hangs is named, by many probes at once, and the first probe afterwards is well again", async () => {
  const service = await ownService();
  expect(await service.ask("/readyz")).toMatchObject({
    status: 200,
    body: { dependencies: { postgres: true, elasticsearch: false } },
  });
  onTestFinished(() => service.signal("SIGCONT"));
  service.signal("SIGSTOP");
  const probes = await Promise.all(Array.from({ length: 50 }, () => service.ask("/readyz")));
  for (const probe of probes) expect(probe).toMatchObject(NOT_READY);
  expect((await service.ask("/healthz")).status).toBe(200);
  service.signal("SIGCONT");
  await eventually("the database to be back", async () =>
    (await service.ask("/readyz")).status === 200 ? true : undefined,
  );
});

test("a database that is down is named", async () => {
  const service = await ownService();
  expect((await service.ask("/readyz")).status).toBe(200);
  await service.stop();
  for (let probe = 0; probe < 3; probe += 1) expect(await service.ask("/readyz")).toMatchObject(NOT_READY);
  expect((await service.ask("/healthz")).status).toBe(200);
});
