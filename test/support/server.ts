import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inject, onTestFinished } from "vitest";
import { openEmbeddedPostgres } from "../../src/adapters/embedded-postgres/open-embedded-postgres.ts";
import { connect } from "../../src/adapters/postgres/database/client.ts";
import { migrate } from "../../src/adapters/postgres/database/migrate.ts";
import { ownDatabase } from "./own-database.ts";
import { eventually, kill, processesOf } from "./processes.ts";

export const runtimes = ["bun", "deno", "node"] as const;
export type Runtime = (typeof runtimes)[number];

const repository = fileURLToPath(new URL("../../", import.meta.url));
/** How long a start may take on a machine that has much else to do. */
const START_WITHIN_MS = 110_000;

/** The key of servers that are not told to make their own. */
export const KEY = "test-key-0123456789abcdef0123456789abcdef";

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A server as users start it, in a process group of its own. */
export interface ServerProcess {
  readonly pid: number;
  readonly exited: Promise<Exit>;
  stdout(): string;
  stderr(): string;
  /** Its address, once it answers; rejects with what it wrote if it ends before. */
  ready(withinMs?: number): Promise<string>;
  /** SIGTERM to the process that was started, as a supervisor would. */
  stop(): Promise<Exit>;
  /** SIGKILL to the whole group at once. */
  kill(): Promise<Exit>;
}

/** Where a server keeps its data, from one start to the next. It goes with the test, and so does all that runs on it. */
export interface Home {
  readonly dataDir: string;
  /** Of the outside database; null where it is the embedded one below `dataDir`. */
  readonly url: string | null;
  /** By the launcher itself, by npm, or by the command that is given. */
  start(runtime: Runtime, env?: Record<string, string>, by?: "npm" | readonly string[]): ServerProcess;
  /** Every process that belongs to a server of this home, its database's included. */
  processes(): number[];
}

/**
 * A home with a database of its own: below `DATA_DIR`, or on the Postgres of `TEST_DATABASE_URL` unless `embedded`.
 * `fresh` is one that no server has seen; otherwise it is migrated, which saves the time of making one. `checkout`: where the
 * service is started from.
 */
export async function home({ fresh = false, embedded = false, checkout = repository } = {}): Promise<Home> {
  const folder = mkdtempSync(join(tmpdir(), "recollect-server-"));
  const dataDir = join(folder, "data");
  const groups: number[] = [];
  onTestFinished(async () => {
    await endAll(groups, folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const database =
    embedded || inject("databaseServer").kind === "socket" ? null : await ownDatabase({ empty: fresh });
  if (database === null && !fresh) {
    cpSync(await madeDataDir(), dataDir, {
      recursive: true,
      filter: (path) => !path.includes("/data/lock/"),
    });
  }
  const url = database && "url" in database ? database.url : null;
  const place = url === null ? {} : { DATABASE_URL: url };
  return {
    dataDir,
    url,
    processes: () => processesOf({ groups, folder }),
    start(runtime, env = {}, by) {
      const server = startProcess(runtime, { DATA_DIR: dataDir, ...place, ...env }, { by, checkout });
      groups.push(server.pid);
      return server;
    },
  };
}

/** Starts a server with the test's key and waits until it answers. */
export async function startServer(
  at: Home,
  runtime: Runtime,
  env: Record<string, string> = {},
): Promise<{ server: ServerProcess; url: string }> {
  const server = at.start(runtime, { BOOTSTRAP_API_KEY: KEY, ...env });
  return { server, url: await server.ready() };
}

const NPM_SCRIPTS: Readonly<Record<Runtime, string>> = {
  bun: "start",
  deno: "start:deno",
  node: "start:node",
};

function startProcess(
  runtime: Runtime,
  env: Record<string, string>,
  { by, checkout }: { by: "npm" | readonly string[] | undefined; checkout: string },
): ServerProcess {
  const { PATH = "", HOME = "", TMPDIR } = process.env;
  const [program, ...args] =
    by === "npm" ? ["npm", "run", NPM_SCRIPTS[runtime]] : (by ?? [process.execPath, "bin/start.js", runtime]);
  const child = spawn(program as string, args, {
    cwd: checkout,
    // Nothing else of the test runner's environment; and without the encoder, whose thread each server would start.
    env: { PATH, HOME, ...(TMPDIR ? { TMPDIR } : {}), PORT: "0", MULTILINGUAL_MODEL: "off", ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const { pid } = child;
  if (pid === undefined) throw new Error("The server could not be spawned.");
  const letGo = endWithThisProcess(pid);
  const exited = new Promise<Exit>((resolve) => {
    child.once("close", (code, signal) => {
      letGo();
      resolve({ code, signal });
    });
  });
  let exit: Exit | null = null;
  void exited.then((how) => {
    exit = how;
  });
  const stdout = textOf(child.stdout);
  const stderr = textOf(child.stderr);
  return {
    pid,
    exited,
    stdout,
    stderr,
    ready: (withinMs = START_WITHIN_MS) =>
      eventually(
        () => `the ${runtime} server, which said: ${stdout()}${stderr()}`,
        async () => {
          if (exit) throw new Error(`The ${runtime} server ended with ${JSON.stringify(exit)}: ${stderr()}`);
          const url = /Recollect is ready at ([^\s"]+)/.exec(stderr() + stdout())?.[1];
          if (url && (await fetch(`${url}/healthz`)).ok) return url;
        },
        { withinMs },
      ),
    stop: () => ended(() => child.kill("SIGTERM"), exited),
    kill: () => ended(() => kill(-pid), exited),
  };
}

/** Ends the group when this process is gone, however it went: a group of its own hears no Ctrl-C. */
function endWithThisProcess(group: number): () => void {
  const watcher = spawn("sh", ["-c", `read _; kill -KILL -- -${group}`], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  return () => void watcher.kill("SIGKILL");
}

async function ended(end: () => void, exited: Promise<Exit>): Promise<Exit> {
  end();
  return exited;
}

function textOf(stream: ChildProcess["stdout"]): () => string {
  let text = "";
  stream?.setEncoding("utf8").on("data", (more: string) => {
    text += more;
  });
  return () => text;
}

async function endAll(groups: readonly number[], folder: string): Promise<void> {
  for (const group of groups) kill(-group);
  // The database ends by itself then; what does not within a while is ended, since this is only cleaning up.
  const areGone = () => (processesOf({ groups, folder }).length === 0 ? true : undefined);
  await eventually("the database to end", areGone).catch(() => {
    for (const pid of processesOf({ groups, folder })) kill(pid);
  });
}

let template: Promise<string> | undefined;

/** A migrated data folder, to be copied: one for each process that runs tests. */
function madeDataDir(): Promise<string> {
  template ??= makeDataDir();
  return template;
}

async function makeDataDir(): Promise<string> {
  const dataDir = join(mkdtempSync(join(inject("sharedFolder"), "template-")), "data");
  const postgres = await openEmbeddedPostgres({ dataDir, role: "server", log: () => {} });
  const sql = connect(postgres.connection, 2);
  await migrate(sql);
  await sql.end();
  await postgres.stop();
  return dataDir;
}
