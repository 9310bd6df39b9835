import { spawn } from "node:child_process";
import type { RunAs } from "./run-as.ts";

/** A native program that ends, by SIGINT, as soon as the process that started it is gone. */
export interface WatchedChild {
  /** Leader of the program's process group. */
  pid: number;
  /** The exit status, or -1 when it could not be started or was killed. */
  exited: Promise<number>;
  /** Its standard error so far, unless that goes to a file. */
  complaints(): string;
  /** Asks it to end, as happens when this process ends. */
  release(): void;
  /** Lets this process exit by itself while the child runs. */
  unref(): void;
}

/** The exit status when another postmaster, perhaps in another container, still has the lock file open. */
export const heldElsewhere = 75;

// The shell survives a kill -9 of our process and of its whole group, since it leads a session of its own. It then
// reads the end of its input, since only we hold the other end. It ignores the signals that a terminal or systemd sends
// to all processes, because the service still uses the database while it drains. flock, where there is one, guards
// against a second postmaster that our own lock cannot see; Postgres inherits the descriptor, so the file is unlocked
// only when the last backend is gone. Core dumps are off: they would contain memories.
const script = `
trap "" HUP INT TERM
ulimit -c 0
if [ -n "$1" ] && command -v flock >/dev/null; then
  exec 9>>"$1"
  flock -w 30 9 || exit ${heldElsewhere}
fi
shift
exec 3<&0 </dev/null
"$@" 3<&- & p=$!
( exec 9>&-; read -r _ <&3; kill -INT "$p" 2>/dev/null ) & w=$!
exec 3<&- 9>&-
wait "$p"; s=$?
kill -KILL "$w" 2>/dev/null
exit "$s"
`;

/** Starts `command`; standard error goes to the open file `logFile` or is kept for `complaints()`. */
export function startWatched(
  command: [string, ...string[]],
  options: { runAs: RunAs; env?: Record<string, string>; lockFile?: string; logFile?: number },
): WatchedChild {
  const { prefix, user } = options.runAs;
  const child = spawn("/bin/sh", ["-c", script, "sh", options.lockFile ?? "", ...prefix, ...command], {
    cwd: "/",
    // Pass nothing else of our environment: it may contain secrets, and PGDATA and the like would mislead Postgres.
    env: { PATH: process.env.PATH ?? "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC", ...options.env },
    stdio: ["pipe", "ignore", options.logFile ?? "pipe"],
    detached: true,
    ...user,
  });
  let complaints = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    complaints = (complaints + text).slice(-4000);
  });
  // The child may have ended before we close its input.
  child.stdin?.on("error", () => {});
  return {
    pid: child.pid ?? -1,
    exited: new Promise((resolve) => {
      child.once("error", (failure) => {
        complaints += failure.message;
        resolve(-1);
      });
      child.once(options.logFile === undefined ? "close" : "exit", (status) => resolve(status ?? -1));
    }),
    complaints: () => complaints,
    release: () => void child.stdin?.destroy(),
    unref() {
      child.unref();
      // Bun's pipe has no unref and does not need it.
      const input = child.stdin as { unref?: () => void } | null;
      input?.unref?.();
    },
  };
}
