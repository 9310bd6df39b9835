import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished, vi } from "vitest";
import { run } from "../../src/cli/program.ts";

const repository = fileURLToPath(new URL("../../", import.meta.url));

/** What a run of the command line printed, and how it ended. */
export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Nothing answers there: a command that opens the database fails, so one that does not was decided before. */
export const NO_DATABASE = { DATABASE_URL: "postgres://recollect@127.0.0.1:9/none" };

/** Runs the command line as people start it: by Bun where it is quicker, on Node otherwise. */
export function recollect(
  args: readonly string[],
  options: { env?: Record<string, string>; stdin?: string } = {},
): Promise<Ran> {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, [join(repository, "bin/recollect.js"), ...args], {
    cwd: repository,
    env: { PATH, HOME, PORT: "0", ...options.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const told = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    told.stdout += part;
  });
  child.stderr.setEncoding("utf8").on("data", (part: string) => {
    told.stderr += part;
  });
  child.stdin.on("error", () => {});
  child.stdin.end(options.stdin ?? "");
  return new Promise((resolve, reject) => {
    child.once("error", reject).once("close", (status) => resolve({ status, ...told }));
  });
}

/** The same in this process, one at a time: much quicker, where starting is not what is tested. */
export async function recollectHere(args: readonly string[], env: Record<string, string>): Promise<Ran> {
  const told = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      told[name] += String(text);
      return true;
    }),
  );
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  try {
    const status = await run(args);
    return { status, ...told };
  } finally {
    for (const spy of spies) spy.mockRestore();
    vi.unstubAllEnvs();
  }
}

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "recollect-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
