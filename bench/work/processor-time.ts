import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** What a process and all that it started have taken of the processors so far, in milliseconds. Linux only. */
export function processorMs(pid: number): number {
  return family(pid).reduce((sum, member) => sum + ownMs(member), 0);
}

/** What those it started have taken that have ended since, in milliseconds, in steps of ten: a connection's process, say. */
export function endedMs(pid: number): number {
  return family(pid).reduce((sum, member) => {
    // After the command's name: state, parent, and further on the ticks of children that were waited for.
    const fields = read(`/proc/${member}/stat`).split(") ").at(-1)?.split(" ") ?? [];
    return sum + (Number(fields[13] ?? 0) + Number(fields[14] ?? 0)) * MS_PER_TICK;
  }, 0);
}

/** Waits until the family does nothing that a request has left it to do. */
export async function quiet(pid: number): Promise<void> {
  let before = processorMs(pid);
  for (let turn = 0; turn < TURNS_MAX; turn += 1) {
    await sleep(PAUSE_MS);
    const now = processorMs(pid);
    if (now - before < QUIET_MS) return;
    before = now;
  }
}

const MS_PER_TICK = 10;
const PAUSE_MS = 5;
const QUIET_MS = 0.5;
const TURNS_MAX = 300;

/** In nanoseconds, thread by thread: the kernel's other figure has steps of ten milliseconds. */
function ownMs(pid: number): number {
  return list(`/proc/${pid}/task`).reduce((sum, thread) => {
    const [ran = "0"] = read(`/proc/${pid}/task/${thread}/schedstat`).split(" ");
    return sum + Number(ran) / 1e6;
  }, 0);
}

/** A process and all that it started. */
export function family(root: number): number[] {
  const parents = list("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      // After the command's name, which may hold anything: state, parent.
      const [, parent] = read(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ") ?? [];
      return { pid: Number(pid), parent: Number(parent) };
    });
  const members = [root];
  for (const member of members)
    members.push(...parents.filter(({ parent }) => parent === member).map(({ pid }) => pid));
  return members;
}

/** A process may have ended since it was listed. */
function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
