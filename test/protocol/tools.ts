import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { run } from "./run.ts";

/** Exact versions: what a suite asks for changes with them. */
const SCHEMATHESIS = "4.32.5";
const CONFORMANCE = "0.2.0-alpha.12";
/** The conformance suite runs on Node 22 or newer, this service on 20 as well. */
const NODE = "24.21.0";

/** Generators of clients, and what the client generated for TypeScript needs: TypeScript 5, which the generator wants. */
const TYPESCRIPT_CLIENT = {
  "@types/node": "20.19.43",
  "openapi-fetch": "0.17.0",
  "openapi-typescript": "7.13.0",
  typescript: "5.9.3",
};
const PYTHON_CLIENT = "0.29.1";

/** The programs of the suites, each as the beginning of a command line. */
export interface Tools {
  readonly schemathesis: readonly string[];
  readonly conformance: readonly string[];
  /** A folder with the generator's modules. */
  readonly typescriptClient: string;
  /** A virtual environment with the generator. */
  readonly pythonClient: string;
}

/**
 * The suites' programs, installed where they are missing into a folder of the user's cache that carries their versions.
 * Where packages come from is the machine's own npm and pip configuration. Rejects with what an installer wrote.
 */
export async function installTools(): Promise<Tools> {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "recollect-protocol");
  const venv = await installed(join(cache, `schemathesis-${SCHEMATHESIS}`), "bin/st", (folder) =>
    installPython(folder, `schemathesis==${SCHEMATHESIS}`),
  );
  const pythonClient = await installed(
    join(cache, `openapi-python-client-${PYTHON_CLIENT}`),
    "bin/openapi-python-client",
    (folder) => installPython(folder, `openapi-python-client==${PYTHON_CLIENT}`),
  );
  const typescriptClient = await installed(
    join(cache, `typescript-client-${Object.values(TYPESCRIPT_CLIENT).join("-")}`),
    "node_modules/.bin/openapi-typescript",
    (folder) => installModules(folder, { dependencies: TYPESCRIPT_CLIENT }),
  );
  const modules = await installed(
    join(cache, `conformance-${CONFORMANCE}-node-${NODE}`),
    "node_modules/node/bin/node",
    (folder) =>
      installModules(folder, {
        dependencies: { "@modelcontextprotocol/conformance": CONFORMANCE, node: NODE },
        // The program of the package `node` is put in place by its install script.
        allowScripts: { node: true },
      }),
  );
  return {
    schemathesis: [join(venv, "bin/st")],
    conformance: [
      join(modules, "node_modules/node/bin/node"),
      join(modules, "node_modules/@modelcontextprotocol/conformance/dist/index.js"),
    ],
    typescriptClient,
    pythonClient,
  };
}

/** A virtual environment with one package and what it needs. */
async function installPython(folder: string, requirement: string): Promise<void> {
  await run(["python3", "-m", "venv", folder]);
  const pip = [join(folder, "bin/python"), "-m", "pip", "install", "--quiet"];
  await run([...pip, "--disable-pip-version-check", requirement]);
}

async function installModules(folder: string, wanted: object): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, ...wanted }));
  const npm = ["npm", "install", "--ignore-scripts=false", "--no-audit", "--no-fund", "--loglevel=error"];
  await run(npm, { cwd: folder });
}

/** The folder, after `install` unless the program is in it. What an install left half done is not kept. */
async function installed(
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
