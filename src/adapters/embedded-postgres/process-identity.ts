import { spawnSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { posix } from "node:path";

/** A process, distinguished from a later one with the same number. */
export interface ProcessIdentity {
  pid: number;
  /** When it started, in the system's own unit. Compare it only for equality. */
  started: string;
  /** The boot and the pid namespace that `pid` belongs to: a number from another container is meaningless here. */
  host: string;
}

/** The identity of a living process, or undefined when there is none (a zombie counts as none). */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const started = process.platform === "linux" ? startedByProc(pid) : startedByPs(pid);
  return started === undefined ? undefined : { pid, started, host: thisHost() };
}

/** Whether `pid` is a postmaster on the folder `cluster`, and not another process with a recycled number. */
export function isPostmasterOf(pid: number, cluster: string): boolean {
  if (process.platform === "linux") {
    // Empty for a zombie. The shell that watches over a postmaster has the same arguments, but not first.
    const [program = "", ...args] = (readText(`/proc/${pid}/cmdline`) ?? "").split("\0");
    return posix.basename(program) === "postgres" && args.includes(cluster);
  }
  return posix.basename(ps(pid, "comm=")) === "postgres" && ps(pid, "args=").includes(` -D ${cluster} `);
}

/** Sends a signal. Returns false if the process is gone or belongs to another user. */
export function signalProcess(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

export function thisHost(): string {
  if (process.platform !== "linux") return "";
  try {
    return `${readText("/proc/sys/kernel/random/boot_id")?.trim()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return "";
  }
}

function startedByProc(pid: number): string | undefined {
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The second field, the program's name, may contain spaces and brackets: count from its end.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const isDead = fields[0] === "Z" || fields[0] === "X";
  return isDead ? undefined : fields[19];
}

function startedByPs(pid: number): string | undefined {
  const [state = "", ...started] = ps(pid, "stat=,lstart=").split(/\s+/);
  return state === "" || state.startsWith("Z") ? undefined : started.join(" ");
}

function ps(pid: number, columns: string): string {
  const env = { PATH: process.env.PATH ?? "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };
  return spawnSync("ps", ["-ww", "-o", columns, "-p", String(pid)], { encoding: "utf8", env }).stdout.trim();
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
