import { execFileSync } from "node:child_process";
import { readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** A living process; zombies are none. */
interface Running {
  readonly pid: number;
  readonly group: number;
  readonly command: string;
}

/** The processes of a group, and all that work on a folder: their command names it or they stand in it. */
export function processesOf(of: { groups: readonly number[]; folder: string }): number[] {
  return running()
    .filter(
      ({ pid, group, command }) =>
        of.groups.includes(group) || command.includes(of.folder) || folderOf(pid).startsWith(of.folder),
    )
    .map(({ pid }) => pid);
}

function running(): Running[] {
  const table = execFileSync("ps", ["-A", "-ww", "-o", "pid=,pgid=,stat=,args="], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return table.split("\n").flatMap((line) => {
    const [, pid, group, state, command] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (command === undefined || state?.startsWith("Z")) return [];
    return [{ pid: Number(pid), group: Number(group), command }];
  });
}

/** Postgres's own processes hide their arguments and stand in the data folder. Linux only; elsewhere "". */
function folderOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return "";
  }
}

/** Sends SIGKILL to a process, or to a group if negative; it may be gone already. */
export function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It was gone already.
  }
}

/**
 * Asks again and again until the answer is not undefined; rejects after the patience with what was awaited, as it is said
 * by then.
 */
export async function eventually<T>(
  awaited: string | (() => string),
  ask: () => T | undefined | Promise<T | undefined>,
  { withinMs = 60_000, everyMs = 25 } = {},
): Promise<T> {
  const until = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > until) {
      const what = typeof awaited === "string" ? awaited : awaited();
      throw new Error(`Waited ${withinMs} ms in vain for ${what}.`);
    }
    await sleep(everyMs);
  }
}
