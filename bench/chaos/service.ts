import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openEmbeddedPostgres } from "../../src/adapters/embedded-postgres/open-embedded-postgres.ts";
import { eventually, kill, processesOf } from "../../test/support/processes.ts";

const REPOSITORY = fileURLToPath(new URL("../../", import.meta.url));
const STARTS_WITHIN_MS = 120_000;

/** The service as users start it, on the embedded database, with one address from start to start. */
export class Service {
  readonly url: string;
  /** How often it was killed: a request that was sent before and failed after was under way. */
  kills = 0;
  readonly #folder = mkdtempSync(join(tmpdir(), "recollect-chaos-"));
  readonly #env: Record<string, string>;
  readonly #groups: number[] = [];
  #child: ChildProcess | null = null;
  #up: Promise<unknown> = Promise.resolve();

  private constructor(port: number, settings: Readonly<Record<string, string>>) {
    this.url = `http://127.0.0.1:${port}`;
    const { PATH = "", HOME = "" } = process.env;
    const own = { DATA_DIR: join(this.#folder, "data"), PORT: String(port), LOG_LEVEL: "warn" };
    this.#env = {
      PATH,
      HOME,
      ...own,
      BOOTSTRAP_API_KEY: "chaos-bench-key-0123456789abcdef0123456789",
      ...settings,
    };
  }

  static async make(settings: Readonly<Record<string, string>>): Promise<Service> {
    return new Service(await freePort(), settings);
  }

  /** Resolves when it answers. */
  start(): Promise<unknown> {
    const child = spawn(process.execPath, ["bin/start.js", "bun"], {
      cwd: REPOSITORY,
      env: this.#env,
      stdio: ["ignore", "ignore", "inherit"],
      detached: true,
    });
    this.#child = child;
    this.#groups.push(child.pid as number);
    this.#up = eventually("the service to answer", () => this.#answers(child), {
      withinMs: STARTS_WITHIN_MS,
    });
    return this.#up;
  }

  /** Resolves while it runs or as soon as it does again. */
  up(): Promise<unknown> {
    return this.#up;
  }

  /** SIGKILL to the whole group, and a start. */
  async killAndStart(): Promise<void> {
    this.kills += 1;
    kill(-(this.#child?.pid as number));
    await this.start();
  }

  /** The same with other settings. */
  async restart(settings: Readonly<Record<string, string>>): Promise<void> {
    Object.assign(this.#env, settings);
    await this.killAndStart();
  }

  /** Resident memory of its processes, the database's not included. */
  residentMegabytes(): number {
    const group = String(this.#child?.pid);
    const rows = execFileSync("ps", ["-o", "rss=,args=", "-g", group], { encoding: "utf8" }).split("\n");
    return rows
      .filter((row) => row.includes("main.ts"))
      .reduce((sum, row) => sum + Number(row.trim().split(/\s+/)[0]) / 1024, 0);
  }

  /** What a command of the command line prints as JSON, run beside the service. */
  command(...args: string[]): unknown {
    const printed = execFileSync(process.execPath, ["bin/recollect.js", ...args, "--json"], {
      cwd: REPOSITORY,
      env: this.#env,
      encoding: "utf8",
    });
    return JSON.parse(printed);
  }

  /** Where its database listens, while it runs. */
  async database(): Promise<{ path: string; database: string; username: string }> {
    const { DATA_DIR = "" } = this.#env;
    const database = await openEmbeddedPostgres({ dataDir: DATA_DIR, role: "tool", log: () => {} });
    await database.stop();
    return database.connection;
  }

  async remove(): Promise<void> {
    const living = () => processesOf({ groups: this.#groups, folder: this.#folder });
    for (const pid of living()) kill(pid);
    await eventually("the service to end", () => living().length === 0 || undefined).catch(() => {});
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async #answers(child: ChildProcess): Promise<true | undefined> {
    if (child.exitCode !== null) throw new Error(`The service ended with ${child.exitCode}.`);
    const response = await fetch(`${this.url}/healthz`).catch(() => null);
    return response?.ok || undefined;
  }
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
