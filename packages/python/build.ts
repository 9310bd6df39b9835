/**
 * Makes the Python package: `npm run -s python:build -- [FOLDER]`, by default into packages/python/dist. The description of the
 * API comes from the contract, so that no server has to run. What generates and builds is installed into `.venv` here.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { routeGroups } from "../../src/contract/operations.ts";
import { openApiDocument } from "../../src/surfaces/rest/openapi/document.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const python = join(here, ".venv/bin/python");
const REQUIREMENTS = join(here, "build-requirements.txt");
/** A copy of what `.venv` was made from, so that it is made again when that changes. */
const INSTALLED = join(here, ".venv/installed.txt");

function main([to = "dist"]: readonly string[]): void {
  const folder = resolve(to === "dist" ? here : ".", to);
  installTools();
  const description = join(here, ".venv/openapi.json");
  writeFileSync(description, JSON.stringify(openApiDocument(routeGroups)));
  run(python, "generate.py", description);
  run(python, "-m", "build", "--no-isolation", "--outdir", folder);
}

function installTools(): void {
  const wanted = readFileSync(REQUIREMENTS, "utf8");
  if (existsSync(INSTALLED) && readFileSync(INSTALLED, "utf8") === wanted) return;
  process.stderr.write(
    "Installing what generates and builds the Python package, into packages/python/.venv.\n",
  );
  rmSync(join(here, ".venv"), { recursive: true, force: true });
  run("python3", "-m", "venv", ".venv");
  run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", REQUIREMENTS);
  writeFileSync(INSTALLED, wanted);
}

/** Runs a program here, and ends this one with what it wrote if it fails. */
function run(program: string, ...args: readonly string[]): void {
  const { status, error, stdout, stderr } = spawnSync(program, args, { cwd: here, encoding: "utf8" });
  if (status === 0) return;
  process.stderr.write(`${program} ${args.join(" ")} failed: ${error?.message ?? ""}\n${stdout}${stderr}`);
  process.exit(1);
}

main(process.argv.slice(2));
