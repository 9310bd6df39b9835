/** Real processes and folders for the tests of this folder, cleaned up after each test. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { inject, onTestFinished } from "vitest";
import { openEmbeddedPostgres } from "../../../src/adapters/embedded-postgres/open-embedded-postgres.ts";
import { identifyProcess } from "../../../src/adapters/embedded-postgres/process-identity.ts";

const repository = fileURLToPath(new URL("../../../", import.meta.url));
const program = fileURLToPath(new URL("./child.ts", import.meta.url));

/** The command of each runtime that runs a file. */
const runtimes = {
  node: [process.execPath, "--import", "tsx"],
  tsx: [join(repository, "node_modules/.bin/tsx")],
  bun: [join(repository, "node_modules/.bin/bun")],
  deno: [join(repository, "node_modules/.bin/deno"), "run", "-A"],
} as const;

let template: Promise<string> | undefined;

/** A data folder that was started before: a copy, since making one takes longer than most tests. */
export async function usedDataDir(): Promise<string> {
  template ??= makeTemplate();
  const dataDir = freshDataDir();
  cpSync(await template, dataDir, { recursive: true, filter: (path) => !path.includes("/lock/") });
  return dataDir;
}

async function makeTemplate(): Promise<string> {
  const dataDir = join(mkdtempSync(join(inject("sharedFolder"), "used-")), "data");
  await (await openEmbeddedPostgres({ dataDir, role: "server", log: () => {} })).stop();
  return dataDir;
}

/** One line that `child.ts` wrote. */
interface Told {
  open?: { path: string; database: string; username: string; owned: boolean };
  failed?: string;
  message?: string;
  committed?: number;
  count?: number;
  died?: string;
  stopped?: boolean;
  log?: string;
}

/** A path for a data folder that does not exist yet. */
export function freshDataDir(): string {
  const parent = mkdtempSync(join(tmpdir(), "recollect-test-"));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true, maxRetries: 5 }));
  return join(parent, "data");
}

export interface Opener {
  told: Told[];
  /** The first line, of those so far and those to come, that `isIt` accepts. */
  hears(isIt: (told: Told) => boolean): Promise<Told>;
  /** `open` or `failed`. */
  outcome(): Promise<Told>;
  say(command: "stop" | "write" | "count"): void;
  /** Every process below it, the database's own included. */
  descendants(): number[];
  killGroup(): void;
}

/** Starts `child.ts`, on the runtime of `npm start` unless told, in a process group of its own. Call it after `freshDataDir`: it must be cleaned up before. */
export function startOpener(
  dataDir: string,
  options: { role?: "server" | "tool"; runtime?: keyof typeof runtimes; env?: Record<string, string> } = {},
): Opener {
  const [command, ...args] = runtimes[options.runtime ?? "bun"];
  const child = spawn(command, [...args, program, dataDir, options.role ?? "server"], {
    cwd: repository,
    env: { ...process.env, ...options.env },
    stdio: ["pipe", "pipe", "inherit"],
    detached: true,
  });
  const opener = follow(child);
  onTestFinished(async () => {
    const family = opener.descendants();
    opener.killGroup();
    await allGone(family);
  });
  return opener;
}

function follow(child: ChildProcess): Opener {
  const told: Told[] = [];
  let wake = () => {};
  let next = new Promise<void>((resolve) => {
    wake = resolve;
  });
  let isOver = false;
  const advance = () => {
    wake();
    next = new Promise((resolve) => {
      wake = resolve;
    });
  };
  const { stdin, stdout, pid } = child;
  if (stdin === null || stdout === null || pid === undefined) throw new Error("the child has no pipes");
  stdin.on("error", () => {});
  createInterface({ input: stdout })
    .on("line", (line) => {
      told.push(JSON.parse(line) as Told);
      advance();
    })
    .on("close", () => {
      isOver = true;
      advance();
    });
  const hears = async (isIt: (told: Told) => boolean): Promise<Told> => {
    for (;;) {
      const found = told.find(isIt);
      if (found !== undefined) return found;
      if (isOver) throw new Error(`the child ended after saying ${JSON.stringify(told)}`);
      await next;
    }
  };
  return {
    told,
    hears,
    outcome: () => hears((line) => line.open !== undefined || line.failed !== undefined),
    say: (command) => void stdin.write(`${command}\n`),
    descendants: () => descendantsOf(pid),
    killGroup: () => kill(-pid),
  };
}

/** Resolves when none of the processes is left; a zombie is none. */
export async function allGone(pids: number[]): Promise<void> {
  while (pids.some((pid) => identifyProcess(pid) !== undefined)) await sleep(20);
}

export function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It was gone already.
  }
}

function descendantsOf(root: number): number[] {
  const all = livingProcesses();
  const found: number[] = [];
  const visit = (parent: number) => {
    for (const { pid, ppid } of all) {
      if (ppid !== parent) continue;
      found.push(pid);
      visit(pid);
    }
  };
  visit(root);
  return found;
}

function livingProcesses(): { pid: number; ppid: number }[] {
  const table = execFileSync("ps", ["-A", "-o", "pid=,ppid=,stat="], { encoding: "utf8" });
  return table
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , state]) => !state?.startsWith("Z"))
    .map(([pid, ppid]) => ({ pid: Number(pid), ppid: Number(ppid) }));
}
