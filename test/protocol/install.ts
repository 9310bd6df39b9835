import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { run } from "./run.ts";

/** The folder of the user's cache that outside programs are installed into, each in a folder that carries its version. */
export function toolsFolder(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "recollect-protocol");
}

/** Makes a virtual environment with these packages and what they need. */
export async function installPython(folder: string, ...requirements: readonly string[]): Promise<void> {
  await run(["python3", "-m", "venv", folder]);
  await pipInstall(folder, ...requirements);
}

/** Installs packages into a virtual environment. */
export async function pipInstall(folder: string, ...requirements: readonly string[]): Promise<void> {
  const pip = [join(folder, "bin/python"), "-m", "pip", "install", "--quiet", "--no-compile"];
  await run([...pip, "--disable-pip-version-check", ...requirements]);
}

/** Makes a folder with the npm packages that `wanted`, a part of a package.json, names. */
export async function installModules(folder: string, wanted: object): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, ...wanted }));
  const npm = ["npm", "install", "--ignore-scripts=false", "--no-audit", "--no-fund", "--loglevel=error"];
  await run(npm, { cwd: folder });
}

/** What each of these installs answers. If one fails, the others end first, so that none is left half done. */
export async function sideBySide<T extends Readonly<Record<string, Promise<unknown>>>>(
  installs: T,
): Promise<{ [Name in keyof T]: Awaited<T[Name]> }> {
  const all = Object.entries(installs);
  await Promise.allSettled(Object.values(installs));
  const answers = await Promise.all(all.map(async ([name, install]) => [name, await install]));
  return Object.fromEntries(answers);
}

/** The folder, after `install` unless the program is in it. What an install left half done is not kept. */
export async function installed(
  folder: string,
  program: string,
  install: (folder: string) => Promise<void>,
): Promise<string> {
  if (existsSync(join(folder, program))) return folder;
  rmSync(folder, { recursive: true, force: true });
  try {
    await install(folder);
    if (!existsSync(join(folder, program))) throw new Error(`${program} was not installed into ${folder}.`);
    return folder;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}
