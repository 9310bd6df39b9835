import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { start } from "./run.ts";
import type { Server } from "./server.ts";
import type { Outcome } from "./suite.ts";

const CLIENTS = fileURLToPath(new URL("clients", import.meta.url));
const WITHIN_MS = 10 * 60_000;

/** Types that openapi-typescript generates and a client of openapi-fetch, compiled strictly. `modules` holds the three. */
export async function typescriptClient(modules: string, server: Server, reports: string): Promise<Outcome> {
  const folder = await folderWithDocument(join(reports, "typescript-client"), server);
  const bin = (name: string) => join(modules, "node_modules/.bin", name);
  symlinkSync(join(modules, "node_modules"), join(folder, "node_modules"));
  cpSync(join(CLIENTS, "walk-readme.ts"), join(folder, "walk-readme.ts"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions, files: ["walk-readme.ts"] }),
  );
  return outcome(
    [
      [bin("openapi-typescript"), "openapi.json", "--output", "schema.ts"],
      [bin("tsc")],
      [process.execPath, "walk-readme.js", server.url, server.key],
    ],
    folder,
  );
}

const compilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  target: "ES2022",
  module: "NodeNext",
  types: ["node"],
  rewriteRelativeImportExtensions: true,
};

/** A package that openapi-python-client generates, of which every module is imported. `venv` holds the generator. */
export async function pythonClient(venv: string, server: Server, reports: string): Promise<Outcome> {
  const folder = await folderWithDocument(join(reports, "python-client"), server);
  const generate = [
    "generate",
    "--path",
    "openapi.json",
    "--meta",
    "none",
    "--output-path",
    "recollect_client",
  ];
  cpSync(join(CLIENTS, "walk_readme.py"), join(folder, "walk_readme.py"));
  return outcome(
    [
      [join(venv, "bin/openapi-python-client"), ...generate],
      [join(venv, "bin/python"), "walk_readme.py", server.url, server.key],
    ],
    folder,
  );
}

/** What the server says of itself, in a new folder. */
async function folderWithDocument(folder: string, { url }: Server): Promise<string> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "openapi.json"), await (await fetch(`${url}/openapi.json`)).text());
  return folder;
}

/** What the generators write of a part that they leave out, though they end well. */
const LEFT_OUT = /Unable to|Failure to process|Attempted to generate duplicate/;

/** Runs the steps until one fails. */
async function outcome(steps: readonly (readonly string[])[], cwd: string): Promise<Outcome> {
  let output = "";
  for (const [at, step] of steps.entries()) {
    const ran = await start(step, { cwd, withinMs: WITHIN_MS }).ran;
    output += ran.output;
    if (ran.code !== 0 || LEFT_OUT.test(ran.output))
      return { passed: false, counts: `step ${at + 1} of ${steps.length} failed`, output };
  }
  return { passed: true, counts: `${steps.length} steps`, output };
}
