/**
 * An exclusive lock on a data folder that needs no `flock` (Node, Bun and Deno have none in common) and no cleaning up
 * after kill -9. Each claim is a numbered file. The highest number is the current one, and it counts only while the
 * process that it names is alive.
 *
 * Why two processes never both hold the lock: a claim appears whole, by link(2), which fails if the number is taken. So
 * of all processes that saw n as the highest number, only one gets n + 1. A process that paused between looking and
 * linking may find its number free again because that file was swept, but only after a higher one existed. The highest
 * is never deleted, not even on release, so by looking again after linking the late process sees that it lost.
 */
import { randomUUID } from "node:crypto";
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { DataFolder } from "./data-folder.ts";
import { DataFolderInUse, EmbeddedDatabaseError } from "./errors.ts";
import { identifyProcess, type ProcessIdentity, thisHost } from "./process-identity.ts";

export interface FolderLock {
  release(): void;
}

/** Either the folder is ours now, or its database is running and can be used. */
export type ClaimedFolder = { lock: FolderLock } | { runningSocket: string };

const pollMs = 100;
/** A command waits for a server that is starting, and a server for a command: neither takes long. */
const patienceMs = { tool: 90_000, server: 15_000 };
/** A killed server takes a moment to end, longer on a busy machine. */
const dyingMs = 3000;

/**
 * Locks the folder or, for a tool, finds the running database of the process that holds it.
 *
 * @throws DataFolderInUse if a living server holds it (role "server"). A killed server first gets a moment to end.
 */
export async function claimDataFolder(
  folder: DataFolder,
  options: { dataDir: string; role: "server" | "tool"; log: (message: string) => void },
): Promise<ClaimedFolder> {
  const { role } = options;
  const startedAt = Date.now();
  let hasLogged = false;
  for (;;) {
    const { number, claim } = currentClaim(folder.locks);
    if (claim === undefined || !(await isHeld(claim))) {
      const lock = takeLock(folder.locks, ourClaim(folder, role), number);
      if (lock !== undefined) return { lock };
      continue;
    }
    if (role === "tool" && (await answers(claim.socket))) return { runningSocket: claim.socket };
    const areBothServers = role === "server" && claim.role === "server";
    const patience = areBothServers ? dyingMs : patienceMs[role];
    if (Date.now() - startedAt > patience)
      throw role === "server" ? inUse(options.dataDir, claim) : notAnswering(options.dataDir, claim);
    if (!hasLogged && !areBothServers) {
      options.log(`Waiting for process ${claim.process.pid}, which has the data folder.`);
      hasLogged = true;
    }
    await sleep(pollMs);
  }
}

/** Whether something listens on the socket. */
function answers(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    const end = (isListening: boolean) => () => {
      socket.destroy();
      resolve(isListening);
    };
    socket.once("connect", end(true));
    socket.once("error", end(false));
  });
}

async function isHeld(claim: Claim): Promise<boolean> {
  if (claim.isReleased) return false;
  // A pid of another container is meaningless here. Check its socket instead.
  if (claim.process.host !== thisHost()) return answers(claim.socket);
  return identifyProcess(claim.process.pid)?.started === claim.process.started;
}

function ourClaim(folder: DataFolder, role: "server" | "tool"): Claim {
  const us = identifyProcess(process.pid);
  if (us === undefined) {
    throw new EmbeddedDatabaseError(
      "The embedded database cannot lock its folder because neither /proc nor ps shows this process: mount /proc, or set DATABASE_URL.",
    );
  }
  return { process: us, role, socket: folder.socket, isReleased: false };
}

function inUse(dataDir: string, { process }: Claim): DataFolderInUse {
  return new DataFolderInUse(dataDir, { pid: process.pid, isElsewhere: process.host !== thisHost() });
}

function notAnswering(dataDir: string, { process }: Claim): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(
    `Process ${process.pid} has the data folder ${dataDir} but its database does not answer: look at its log, or stop it.`,
  );
}

/** The holder of a claim, as others see it. */
interface Claim {
  process: ProcessIdentity;
  role: "server" | "tool";
  socket: string;
  isReleased: boolean;
}

// Listing a folder while files come and go may miss one. With a few claims kept, the listing still sees a higher one.
const claimsKept = 8;

/** The claim of the highest number, alive or not. */
function currentClaim(folder: string): { number: number; claim: Claim | undefined } {
  for (;;) {
    const number = claimNumbers(folder).at(-1) ?? 0;
    const text = number === 0 ? "" : readIfThere(join(folder, String(number)));
    if (text !== undefined) return { number, claim: parseClaim(text) };
  }
}

/** Publishes `claim` with the number after `above`. Returns undefined if another process was faster. */
function takeLock(folder: string, claim: Claim, above: number): FolderLock | undefined {
  const number = above + 1;
  if (!publish(folder, claim, number)) return undefined;
  const numbers = claimNumbers(folder);
  if (numbers.at(-1) !== number) {
    rmSync(join(folder, String(number)), { force: true });
    return undefined;
  }
  sweep(folder, number - claimsKept);
  return { release: () => replace(folder, { ...claim, isReleased: true }, number) };
}

function publish(folder: string, claim: Claim, number: number): boolean {
  const draft = writeDraft(folder, claim);
  try {
    linkSync(draft, join(folder, String(number)));
    return true;
  } catch (failure) {
    const { code } = failure as { code?: string };
    // ENOENT: the winner swept our draft.
    if (code === "EEXIST" || code === "ENOENT") return false;
    throw failure;
  } finally {
    rmSync(draft, { force: true });
  }
}

function replace(folder: string, claim: Claim, number: number): void {
  try {
    renameSync(writeDraft(folder, claim), join(folder, String(number)));
  } catch {
    // The disk may be full, or the whole folder gone. The claim then ends with this process.
  }
}

function writeDraft(folder: string, claim: Claim): string {
  const draft = join(folder, `draft-${process.pid}-${randomUUID()}`);
  // Readable by all, in a folder that only its owner can enter: root and the owner may take turns.
  writeFileSync(draft, JSON.stringify(claim), { mode: 0o644, flag: "wx" });
  return draft;
}

function sweep(folder: string, upTo: number): void {
  for (const name of readdirSync(folder)) {
    const author = /^draft-(\d+)-/.exec(name)?.[1];
    const isLeftOver = author !== undefined && identifyProcess(Number(author)) === undefined;
    if (isLeftOver || (/^\d+$/.test(name) && Number(name) <= upTo))
      rmSync(join(folder, name), { force: true });
  }
}

function claimNumbers(folder: string): number[] {
  const names = readdirSync(folder).filter((name) => /^\d+$/.test(name));
  return names.map(Number).sort((a, b) => a - b);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (failure) {
    if ((failure as { code?: string }).code === "ENOENT") return undefined;
    throw failure;
  }
}

/** Undefined for a file that a power cut left empty: its holder ended with the machine. */
function parseClaim(text: string): Claim | undefined {
  try {
    return JSON.parse(text) as Claim;
  } catch {
    return undefined;
  }
}
