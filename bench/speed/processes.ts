import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { commandOf } from "../../bin/runtime.js";
import { openEmbeddedPostgres } from "../../src/adapters/embedded-postgres/open-embedded-postgres.ts";
import type { Corpus } from "./corpus.ts";
import { HttpClient } from "./http-client.ts";

const SERVER = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
const COMMAND = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
const BENCH = fileURLToPath(new URL("./main.ts", import.meta.url));
export const KEY = "speed-bench-key-0123456789abcdef0123456789";
const REMOVE_AGAIN_MS = 300;
/** Room for the largest owner of a growth run. */
const INDEX_MEMORY_MB = "4096";

/** A process that says where it can be reached. */
export interface Running {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

export const RUNTIMES = ["bun", "deno", "node"] as const;
export type Runtime = (typeof RUNTIMES)[number];

/** Node is the one on the path: this process may be none. */
function commandLine(runtime: Runtime): string[] {
  const [program, ...rest] = commandOf(runtime) as string[];
  return [runtime === "node" ? "node" : (program as string), ...rest];
}

/** A data folder of its own, with all that runs on it. */
export class Home {
  readonly #folder = mkdtempSync(join(tmpdir(), "recollect-speed-"));
  readonly #dataDir = join(this.#folder, "data");
  readonly #children: ChildProcess[] = [];

  /** The service as users start it, on the runtime that this process runs on unless another is named. */
  async server(settings: Record<string, string> = {}, runtime?: Runtime): Promise<Running> {
    const env = {
      DATA_DIR: this.#dataDir,
      PORT: "0",
      LOG_LEVEL: "warn",
      BOOTSTRAP_API_KEY: KEY,
      INDEX_MEMORY_MB,
      ...settings,
    };
    const command = runtime ? commandLine(runtime) : [process.execPath, ...profiling()];
    return this.#start([...command, SERVER], env, "stderr");
  }

  /** The process of `floor.ts`, on the same database. */
  floor(corpus: Corpus): Promise<Running> {
    const { name, queryWords } = corpus;
    const words = queryWords === null ? [] : [String(queryWords)];
    return this.#start([process.execPath, BENCH, "--floor", this.#dataDir, name, ...words], {}, "stdout");
  }

  /** A key of a user of that name, made beside the running server. */
  key(owner: string, options: readonly string[] = []): string {
    const { PATH = "", HOME = "" } = process.env;
    const command = [COMMAND, "keys", "create", "--owner", owner, "--json", ...options];
    const made = execFileSync(process.execPath, command, {
      encoding: "utf8",
      env: { PATH, HOME, DATA_DIR: this.#dataDir },
      stdio: ["ignore", "pipe", "ignore"],
    });
    return (JSON.parse(made) as { token: string }).token;
  }

  /** A file of its own, which goes with it. */
  file(name: string): string {
    return join(this.#folder, name);
  }

  /** A command beside the running server, on Node, as `recollect` runs those that are no quick question. */
  command(args: readonly string[]): ChildProcess {
    const { PATH = "", HOME = "" } = process.env;
    const child = spawn("node", ["--import", "tsx", COMMAND, ...args], {
      cwd: fileURLToPath(new URL("../..", import.meta.url)),
      env: { PATH, HOME, DATA_DIR: this.#dataDir },
      stdio: ["ignore", "pipe", "ignore"],
    });
    this.#children.push(child);
    return child;
  }

  /** Where its database listens, while its server runs. */
  async database(): Promise<{ path: string; database: string; username: string }> {
    const database = await openEmbeddedPostgres({ dataDir: this.#dataDir, role: "tool", log: () => {} });
    await database.stop();
    return database.connection;
  }

  async remove(): Promise<void> {
    // The last started goes first: the floor lives on the server's database.
    for (const child of this.#children.toReversed()) await end(child);
    // What a database that was being made still writes goes as well.
    for (let tries = 0; tries < 10 && existsSync(this.#folder); tries += 1) {
      await rm(this.#folder, { recursive: true, force: true }).catch(() => {});
      await sleep(REMOVE_AGAIN_MS);
    }
  }

  async #start(
    command: readonly string[],
    settings: Record<string, string>,
    says: "stdout" | "stderr",
  ): Promise<Running> {
    const { PATH = "", HOME = "", TMPDIR } = process.env;
    const env = { PATH, HOME, ...(TMPDIR ? { TMPDIR } : {}), ...settings };
    const [program, ...args] = command as [string, ...string[]];
    const child = spawn(program, args, {
      cwd: this.#folder,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#children.push(child);
    return { url: await urlIn(child, says), pid: child.pid as number, stop: () => end(child) };
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

/** Clients of a process, to be closed after use. */
export async function withClients<T>(
  running: Running,
  count: number,
  use: (clients: HttpClient[]) => Promise<T>,
): Promise<T> {
  const clients = Array.from({ length: count }, () => new HttpClient(running.url, { "x-api-key": KEY }));
  try {
    return await use(clients);
  } finally {
    for (const client of clients) client.close();
  }
}

/** Resident memory of a process, without its children. */
export function residentMegabytes({ pid }: Pick<Running, "pid">): number {
  return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1024;
}

/** `SPEED_PROFILE=folder` has the server write a CPU profile when it stops. */
function profiling(): string[] {
  const folder = process.env.SPEED_PROFILE;
  return folder ? ["--cpu-prof", "--cpu-prof-md", `--cpu-prof-dir=${folder}`] : [];
}

/** The first URL the process writes; what it wrote is the error if it ends before. */
async function urlIn(child: ChildProcess, says: "stdout" | "stderr"): Promise<string> {
  const written: string[] = [];
  for (const stream of [child.stdout, child.stderr] as Readable[]) {
    createInterface({ input: stream }).on("line", (line) => written.length < 100 && written.push(line));
  }
  const lines = createInterface({ input: child[says] as Readable });
  return new Promise((resolve, reject) => {
    lines.on("line", (line) => {
      const url = /https?:\/\/\S+/.exec(line)?.[0];
      if (url) resolve(url);
    });
    child.once("exit", () => reject(new Error(`A process ended at once: ${written.join("\n")}`)));
  });
}
