import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const repository = fileURLToPath(new URL("../../", import.meta.url));

export const read = (path: string): string => readFileSync(join(repository, path), "utf8");

/** The version that a file of the repository states, in JSON, TOML or YAML. */
export function versionOf(path: string): string {
  return /^\s*"?version"?\s*[:=]\s*"([^"]+)"/m.exec(read(path))?.[1] ?? "none";
}

/** Runs a program and returns what it wrote. Throws with all of it if it fails. */
export function run(program: string, args: readonly string[], cwd = repository): string {
  const ran = spawnSync(program, args, { cwd, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  if (ran.status !== 0)
    throw new Error(
      `${program} ${args.join(" ")} failed: ${ran.error?.message ?? ""}\n${ran.stdout}${ran.stderr}`,
    );
  return ran.stdout;
}
