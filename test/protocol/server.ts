import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../support/free-port.ts";
import { endAll, run, start } from "./run.ts";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const START_WITHIN_MS = 300_000;
const STOP_WITHIN_MS = 30_000;

/** A server with a database of its own, as users start it. */
export interface Server {
  readonly url: string;
  /** A key of the owner `local` with every scope. */
  readonly key: string;
  /** What the command line prints with --json, beside this server. */
  recollect(...args: readonly string[]): Promise<unknown>;
  /** Ends it and removes its database. */
  stop(): Promise<void>;
}

/**
 * Starts a server on a free port of loopback, or where an earlier one listened that was stopped; rejects with what it wrote
 * if it does not come up.
 */
export async function startServer(insteadOf?: Pick<Server, "url">): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), "recollect-protocol-"));
  const port = insteadOf ? Number(new URL(insteadOf.url).port) : await freePort();
  const key = `key-${randomBytes(24).toString("hex")}`;
  const env = {
    APP_ENV: "development",
    HOST: "127.0.0.1",
    PORT: String(port),
    DATA_DIR: join(folder, "data"),
    LOG_LEVEL: "warn",
    // A suite registers more agents than one network may have that nobody has claimed.
    AGENT_UNCLAIMED_PER_NETWORK_MAX: "10000",
    BOOTSTRAP_API_KEY: key,
  };
  const { child, ran } = start([process.execPath, "bin/start.js", "bun"], { cwd: repository, env });
  const stop = async () => {
    const timer = setTimeout(endAll, STOP_WITHIN_MS);
    child.kill("SIGTERM");
    await ran;
    clearTimeout(timer);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  // Where this program is interrupted, too.
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const url = `http://127.0.0.1:${port}`;
  const early = ran.then(({ output }) => Promise.reject(new Error(`The server did not stay up:\n${output}`)));
  early.catch(() => {});
  try {
    await Promise.race([answers(`${url}/readyz`), early]);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url,
    key,
    stop,
    recollect: async (...args) => {
      // Standard output alone is JSON; what is said beside it is not there where all goes well.
      const output = await run([process.execPath, "bin/recollect.js", ...args, "--json"], {
        cwd: repository,
        env,
      });
      return JSON.parse(output.slice(output.indexOf("{"), output.lastIndexOf("}") + 1));
    },
  };
}

async function answers(address: string): Promise<void> {
  const until = performance.now() + START_WITHIN_MS;
  while (performance.now() < until) {
    const isUp = await fetch(address).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${address} did not answer within ${START_WITHIN_MS} ms.`);
}
