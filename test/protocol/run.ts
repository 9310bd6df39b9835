import { type ChildProcess, spawn } from "node:child_process";

/** How a command ended, and all it wrote, both streams as they came. */
export interface Ran {
  readonly code: number | null;
  readonly output: string;
}

/** How to run a command. */
export interface Running {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** It is ended, with all it started, after this long. */
  readonly withinMs?: number;
  /** Called with all output so far, whenever there is more. */
  readonly onOutput?: (output: string) => void;
}

const groups = new Set<number>();

/** Ends every command that is still running, with all they have started. */
export function endAll(): void {
  for (const group of groups) endGroup(group);
}

function endGroup(group: number): void {
  try {
    process.kill(-group, "SIGKILL");
  } catch {
    // It has ended already.
  }
}

/** Starts a command in a process group of its own, which ends with this program. */
export function start(
  command: readonly string[],
  how: Running = {},
): { child: ChildProcess; ran: Promise<Ran> } {
  const [program = "", ...args] = command;
  const child = spawn(program, args, {
    cwd: how.cwd,
    env: { ...process.env, ...how.env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const { pid } = child;
  if (pid !== undefined) groups.add(pid);
  const timer = how.withinMs && setTimeout(() => pid !== undefined && endGroup(pid), how.withinMs);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (more: string) => {
      output += more;
      how.onOutput?.(output);
    });
  }
  const ran = new Promise<Ran>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      clearTimeout(timer || undefined);
      if (pid !== undefined) groups.delete(pid);
      resolve({ code, output });
    });
  });
  return { child, ran };
}

/** What a command wrote; rejects with it unless the command succeeds. */
export async function run(command: readonly string[], how: Running = {}): Promise<string> {
  const { code, output } = await start(command, how).ran;
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}:\n${output}`);
  return output;
}
