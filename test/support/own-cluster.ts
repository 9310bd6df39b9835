import { execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { onTestFinished } from "vitest";
import { freePort } from "./free-port.ts";
import { eventually, kill, processesOf } from "./processes.ts";

const INSTALLED = "/usr/lib/postgresql";

/** Where Debian puts the programs of Postgres, the newest; null where none is installed. */
export const POSTGRES_PROGRAMS: string | null = (() => {
  const versions = existsSync(INSTALLED) ? readdirSync(INSTALLED).map(Number).filter(Number.isFinite) : [];
  const newest = Math.max(0, ...versions);
  const folder = join(INSTALLED, String(newest), "bin");
  return existsSync(join(folder, "pg_basebackup")) ? folder : null;
})();

export const WITHOUT_POSTGRES = `no pg_basebackup below ${INSTALLED}: install Debian's package postgresql`;

/** Postgres refuses to run as root: then as the user that its package made. */
const AS: { uid: number; gid: number } | Record<string, never> =
  userInfo().uid === 0 && POSTGRES_PROGRAMS !== null
    ? { uid: Number(run("id", ["-u", "postgres"])), gid: Number(run("id", ["-g", "postgres"])) }
    : {};

function run(program: string, args: readonly string[], as: object = {}): string {
  return execFileSync(program, [...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    ...as,
  }).trim();
}

const program = (name: string, ...args: string[]) =>
  run(join(POSTGRES_PROGRAMS as string, name), args, { ...AS, cwd: "/" });

/** A real Postgres server of a test's own, on a port of its own, with the superuser `owner` and the user `service`. */
export interface Cluster {
  readonly port: number;
  readonly folder: string;
  /** Of a database, for the user of the service or another. */
  url(database?: string, user?: "owner" | "service"): string;
  /** Runs the work as the superuser, on a connection of its own. */
  asOwner<T>(work: (sql: postgres.Sql) => Promise<T>): Promise<T>;
  start(settings?: Readonly<Record<string, string>>): Promise<void>;
  /** In order, without waiting for clients. */
  stop(): void;
  /** SIGKILL to every process of it at once. */
  kill(): Promise<void>;
  /** A streaming replica, made by pg_basebackup, that runs. */
  replica(): Promise<Cluster>;
  /** What was a primary comes back as one that only reads, and follows nobody. */
  startAsReplica(): Promise<void>;
  /** Makes a replica the primary. */
  promote(): Promise<void>;
  /** No file of the running server, or of what it starts, may become longer; null: any may. */
  limitFiles(bytes: number | null): void;
}

export interface ClusterOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** Lines for pg_hba.conf, before those that let everybody in from this machine. */
  readonly access?: readonly string[];
  /** Files of the data folder, readable for the server alone. */
  readonly files?: Readonly<Record<string, string>>;
  /** Where its data are kept: a folder that may be on a file system of its own. */
  readonly below?: string;
  /** Where the files of the service's database are kept, apart from all else. */
  readonly tablesBelow?: string;
  /** The size of a file of its log, for a server that may write no large ones. */
  readonly logFileMegabytes?: 1 | 16;
}

/** Initialised and started; everything goes with the test. */
export async function ownCluster({
  settings = {},
  access = [],
  files = {},
  below = tmpdir(),
  tablesBelow,
  logFileMegabytes = 16,
}: ClusterOptions = {}): Promise<Cluster> {
  const folder = folderIn(below);
  run("cp", ["-a", `${initialised(logFileMegabytes)}/.`, folder]);
  for (const [name, text] of Object.entries(files)) owned(join(folder, name), text);
  if (access.length > 0) owned(join(folder, "pg_hba.conf"), `${access.join("\n")}\n`);
  const cluster = await clusterAt(folder);
  await cluster.start(settings);
  await cluster.asOwner(async (sql) => {
    await sql`create role service login`;
    if (tablesBelow === undefined) await sql`create database service owner service`;
    else {
      await sql.unsafe(`create tablespace apart location '${madeFolder(tablesBelow)}'`);
      await sql`create database service owner service tablespace apart`;
    }
  });
  return cluster;
}

const templates = new Map<number, string>();

/** A data folder that no server has used, to be copied: initdb takes seconds. One for each process that runs tests. */
function initialised(logFileMegabytes: number): string {
  const known = templates.get(logFileMegabytes);
  if (known !== undefined) return known;
  const made = madeFolder(tmpdir());
  process.once("exit", () => rmSync(join(made, ".."), { recursive: true, force: true, maxRetries: 5 }));
  const sizes = `--wal-segsize=${logFileMegabytes}`;
  program("initdb", "-D", made, "-U", "owner", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C", sizes);
  templates.set(logFileMegabytes, made);
  return made;
}

/** A data folder below one that goes with the test. */
function folderIn(below: string): string {
  const data = madeFolder(below);
  const folder = join(data, "..");
  onTestFinished(async () => {
    await killAll(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return data;
}

function madeFolder(below: string): string {
  const folder = mkdtempSync(join(below, "recollect-cluster-"));
  const data = join(folder, "data");
  mkdirSync(data, { mode: 0o700 });
  if ("uid" in AS) for (const path of [folder, data]) chownSync(path, AS.uid as number, AS.gid as number);
  return data;
}

function owned(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 });
  if ("uid" in AS) chownSync(path, AS.uid as number, AS.gid as number);
}

async function killAll(folder: string): Promise<void> {
  await eventually("the server to be gone", () => {
    const left = processesOf({ groups: [], folder });
    for (const pid of left) kill(pid);
    return left.length === 0 ? true : undefined;
  });
}

async function clusterAt(folder: string): Promise<Cluster> {
  const port = await freePort();
  const url = (database = "service", user = "service") => `postgres://${user}@127.0.0.1:${port}/${database}`;
  async function asOwner<T>(work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
    const sql = postgres(url("postgres", "owner"), { max: 1, onnotice: () => {}, connect_timeout: 5 });
    return work(sql).finally(() => sql.end({ timeout: 1 }));
  }
  let started: Readonly<Record<string, string>> = {};
  const cluster: Cluster = {
    port,
    folder,
    url,
    asOwner,
    async start(settings = started) {
      started = settings;
      rmSync(join(folder, "postmaster.pid"), { force: true });
      const all = {
        fsync: "off",
        listen_addresses: "127.0.0.1",
        unix_socket_directories: "",
        wal_keep_size: "256MB",
        // What is asked of it beyond the service: replication, and tests as its owner.
        max_connections: "60",
        ...settings,
      };
      const args = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
      const server = spawn(
        join(POSTGRES_PROGRAMS as string, "postgres"),
        ["-D", folder, "-p", String(port), ...args],
        {
          ...AS,
          cwd: folder,
          stdio: ["ignore", "ignore", process.env.TEST_POSTGRES_LOG ? "inherit" : "ignore"],
        },
      );
      let isOver = false;
      server.once("exit", () => {
        isOver = true;
      });
      await eventually("the server to take connections", async () => {
        if (isOver) throw new Error("The server ended as it started: TEST_POSTGRES_LOG=1 shows why.");
        const isThere = await asOwner((sql) => sql`select 1`).then(
          () => true,
          (error: { code?: string }) => error.code === "53300",
        );
        return isThere || undefined;
      });
    },
    stop: () => void program("pg_ctl", "stop", "-D", folder, "-m", "fast", "-w"),
    kill: () => killAll(folder),
    async replica() {
      const data = folderIn(tmpdir());
      program(
        "pg_basebackup",
        "-D",
        data,
        "-R",
        "-X",
        "stream",
        "-c",
        "fast",
        "--no-sync",
        "-d",
        url("", "owner"),
      );
      const other = await clusterAt(data);
      await other.start();
      return other;
    },
    async startAsReplica() {
      owned(join(folder, "standby.signal"), "");
      await cluster.start();
    },
    async promote() {
      program("pg_ctl", "promote", "-D", folder, "-w");
    },
    limitFiles(bytes) {
      for (const pid of processesOf({ groups: [], folder }))
        run("prlimit", [`--pid=${pid}`, `--fsize=${bytes ?? "unlimited"}:`], AS);
    },
  };
  return cluster;
}
