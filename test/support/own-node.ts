import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually, kill, processesOf } from "./processes.ts";

/** A node that nobody else uses, and that may be killed. */
export interface OwnNode {
  readonly url: string;
  /** Basic authentication of its only user. */
  readonly authorization: string;
  /** Starts it and waits until it is ready. The data are those of the last start, unless `fresh`. */
  start(options?: { readonly fresh?: boolean }): Promise<void>;
  /** SIGKILL, to its server and all around it. */
  kill(): Promise<void>;
  /** Kills it and removes its data. */
  remove(): Promise<void>;
}

const STARTS_WITHIN_MS = 600_000;

/**
 * A node with security on, started by `script PORT FOLDER`; its user is `elastic`. Its port stays the same from one
 * start to the next.
 */
export async function ownNode(script: string, password: string): Promise<OwnNode> {
  const folder = mkdtempSync(join(tmpdir(), "recollect-node-"));
  const port = await freePort();
  let data = join(folder, "0");
  let starts = 0;
  let child: ChildProcess | null = null;
  const kill9 = async () => {
    const group = child?.pid;
    const living = () => processesOf({ groups: group === undefined ? [] : [group], folder });
    for (const pid of living()) kill(pid);
    await eventually("the node to end", () => living().length === 0 || undefined);
    child = null;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    authorization: `Basic ${Buffer.from(`elastic:${password}`).toString("base64")}`,
    async start({ fresh = false } = {}) {
      starts += 1;
      if (fresh) data = join(folder, String(starts));
      child = startProcess(script, port, data, password);
      await isReady(child);
    },
    kill: kill9,
    async remove() {
      await kill9();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function startProcess(script: string, port: number, data: string, password: string): ChildProcess {
  return spawn(script, [String(port), data], {
    env: {
      ...process.env,
      ES_HEAP: process.env.ES_HEAP ?? "512m",
      ES_OPTS: process.env.ES_OPTS ?? "-XX:TieredStopAtLevel=1",
      ES_PASSWORD: password,
    },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
}

async function isReady(child: ChildProcess): Promise<void> {
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  await eventually(
    "the node to start",
    () => {
      if (child.exitCode !== null) throw new Error(`The node ended with ${child.exitCode}: ${said}`);
      return said.includes("READY") || undefined;
    },
    { withinMs: STARTS_WITHIN_MS, everyMs: 200 },
  );
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
