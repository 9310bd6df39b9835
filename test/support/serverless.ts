import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A test file that imports one of these, or anything that does, starts a server, a program or a browser. */
const STARTS_SOMETHING =
  /\binject\(|from "(?:node:child_process|node:http|node:https|node:net|postgres|playwright-core)"/;
const IMPORTS = /^(?:import|export)\s(?!type\b)[^;]*?from\s+"(\.[^"]+)"|^import\s+"(\.[^"]+)"/gm;

/** The test files below `folder` that need no database and start nothing, as their imports within it show. */
export function serverlessFiles(folder: string): string[] {
  const verdicts = new Map<string, boolean>();
  const isServerless = (file: string): boolean => {
    const known = verdicts.get(file);
    if (known !== undefined) return known;
    // Files that import each other are judged by what else they import.
    verdicts.set(file, true);
    const text = readFileSync(file, "utf8");
    const imported = [...text.matchAll(IMPORTS)].map(([, from, alone]) =>
      join(dirname(file), from ?? alone ?? ""),
    );
    const within = imported.filter((path) => path.startsWith(`${folder}/`) && existsSync(path));
    const verdict = !STARTS_SOMETHING.test(text) && within.every(isServerless);
    verdicts.set(file, verdict);
    return verdict;
  };
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => join(folder, name))
    .filter(isServerless)
    .sort();
}
