/**
 * An exclusive lock on a folder that needs no flock (Node, Bun and Deno have none in common) and no hand
 * after kill -9. Each claim is a numbered file; the highest number rules, and rules only while the process
 * it names is alive.
 *
 * Why two processes never both hold it: a claim appears whole, by link(2), which fails if the number is
 * taken, so of all who saw n as the highest only one gets n + 1. A starter that slept between looking and
 * linking may find its number free again because it was swept, but only after a higher one existed. The
 * highest is never deleted, not even on release, so looking again after linking shows the late one that it
 * lost.
 */
import { randomUUID } from "node:crypto";
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { identifyProcess, type ProcessIdentity } from "./process-identity.ts";

/** What a claim tells everybody else about its holder. */
export interface Claim {
  process: ProcessIdentity;
  role: "server" | "tool";
  socket: string;
  isReleased: boolean;
}

export interface FolderLock {
  release(): void;
}

// A listing that runs while claims come and go could miss one; keeping a few makes it see a higher one anyway.
const claimsKept = 8;

/** The claim that rules the folder now, alive or not. */
export function rulingClaim(folder: string): { number: number; claim: Claim | undefined } {
  for (;;) {
    const number = claimNumbers(folder).at(-1) ?? 0;
    const text = number === 0 ? "" : readIfThere(join(folder, String(number)));
    if (text !== undefined) return { number, claim: parseClaim(text) };
  }
}

/** Puts `claim` above number `above`; undefined when somebody else was faster. */
export function takeLock(folder: string, claim: Claim, above: number): FolderLock | undefined {
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
    // ENOENT: the winner swept our draft away.
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
    // The disk may be full, or the whole folder removed. The claim then falls with this process.
  }
}

function writeDraft(folder: string, claim: Claim): string {
  const draft = join(folder, `draft-${process.pid}-${randomUUID()}`);
  // Readable by all within a folder only its owner enters: root and the owner may take turns.
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

/** Undefined for a file that a power cut left empty: its holder died with the machine. */
function parseClaim(text: string): Claim | undefined {
  try {
    return JSON.parse(text) as Claim;
  } catch {
    return undefined;
  }
}
