import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const IMPORTS = /^(?:import|export)\s(?!type\b)[^;]*?from\s+"(\.[^"]+)"|^import\s+"(\.[^"]+)"/gm;

/** A test file that imports one of these, or anything that does, starts a server, a program or a browser. */
const STARTS_SOMETHING =
  /\binject\(|from "(?:node:child_process|node:http|node:https|node:net|postgres|playwright-core)"/;

/** Test files that need no database and start nothing. */
export function serverlessTests(): string[] {
  const startsSomething = reaches((_, text) => STARTS_SOMETHING.test(text));
  return testFiles().filter((file) => !startsSomething(file));
}

/** Test files that import the file, or something that does. */
export function testsThatReach(file: string): string[] {
  return testFiles().filter(reaches((path) => path === file));
}

function testFiles(): string[] {
  return readdirSync("test", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => join("test", name))
    .sort();
}

/** Whether a file, or one below test/ that it imports, is one that is looked for. */
function reaches(isWanted: (path: string, text: string) => boolean): (file: string) => boolean {
  const known = new Map<string, boolean>();
  const reachesOne = (file: string): boolean => {
    const verdict = known.get(file);
    if (verdict !== undefined) return verdict;
    // Files that import each other are judged by what else they import.
    known.set(file, false);
    const text = readFileSync(file, "utf8");
    const found = isWanted(file, text) || importsOf(file, text).some(reachesOne);
    known.set(file, found);
    return found;
  };
  return reachesOne;
}

function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(IMPORTS)]
    .map(([, from, alone]) => join(dirname(file), from ?? alone ?? ""))
    .filter((path) => path.startsWith("test/") && existsSync(path));
}
