import { join } from "node:path";
import type { PeerPrograms } from "../peers/make-stores.ts";
import { installed, installModules, installPython, pipInstall, sideBySide, toolsFolder } from "./install.ts";
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

/** The peers whose stores can be moved in. Newer versions of basic-memory need packages that are not everywhere yet. */
const MEMORY_SERVER = "2026.8.31";
const PEERS_PYTHON = [
  "mem0ai==2.2.1",
  "langgraph-checkpoint-sqlite==3.1.2",
  "langgraph-checkpoint-postgres==3.2.0",
  "psycopg[binary]==3.3.9",
];
const GRAPHITI = ["graphiti-core[kuzu]==0.31.1", "httpx"];
const BASIC_MEMORY = "0.23.2";

/** The programs of the suites, each as the beginning of a command line. */
export interface Tools {
  readonly schemathesis: readonly string[];
  readonly conformance: readonly string[];
  /** A folder with the generator's modules. */
  readonly typescriptClient: string;
  /** A virtual environment with the generator. */
  readonly pythonClient: string;
}

const cache = toolsFolder();

/**
 * The suites' programs, installed where they are missing into a folder of the user's cache that carries their versions.
 * Where packages come from is the machine's own npm and pip configuration. Rejects with what an installer wrote.
 */
export async function installTools(): Promise<Tools> {
  const { venv, pythonClient, typescriptClient, modules } = await sideBySide({
    venv: installed(join(cache, `schemathesis-${SCHEMATHESIS}`), "bin/st", (folder) =>
      installPython(folder, `schemathesis==${SCHEMATHESIS}`),
    ),
    pythonClient: installed(
      join(cache, `openapi-python-client-${PYTHON_CLIENT}`),
      "bin/openapi-python-client",
      (folder) => installPython(folder, `openapi-python-client==${PYTHON_CLIENT}`),
    ),
    typescriptClient: installed(
      join(cache, `typescript-client-${Object.values(TYPESCRIPT_CLIENT).join("-")}`),
      "node_modules/.bin/openapi-typescript",
      (folder) => installModules(folder, { dependencies: TYPESCRIPT_CLIENT }),
    ),
    modules: installed(
      join(cache, `conformance-${CONFORMANCE}-node-${NODE}`),
      "node_modules/node/bin/node",
      (folder) =>
        installModules(folder, {
          dependencies: { "@modelcontextprotocol/conformance": CONFORMANCE, node: NODE },
          // The program of the package `node` is put in place by its install script.
          allowScripts: { node: true },
        }),
    ),
  });
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

/** The packages of the peers whose stores can be moved in; basic-memory where a Python is new enough for it. */
export async function installPeers(): Promise<PeerPrograms> {
  const newer = await newerPython();
  const program = "bin/basic-memory";
  const { memoryServer, python, graphiti, basicMemory } = await sideBySide({
    memoryServer: installed(
      join(cache, `memory-server-${MEMORY_SERVER}`),
      "node_modules/@modelcontextprotocol/server-memory/dist/index.js",
      (folder) =>
        installModules(folder, { dependencies: { "@modelcontextprotocol/server-memory": MEMORY_SERVER } }),
    ),
    python: installed(join(cache, `peers-${nameOf(PEERS_PYTHON)}`), "bin/python", (folder) =>
      installPython(folder, ...PEERS_PYTHON),
    ),
    graphiti: installed(join(cache, `peers-${nameOf(GRAPHITI)}`), "bin/python", (folder) =>
      installPython(folder, ...GRAPHITI),
    ),
    basicMemory:
      newer === null
        ? Promise.resolve(null)
        : installed(join(cache, `basic-memory-${BASIC_MEMORY}`), program, async (folder) => {
            await run([newer, "-m", "venv", folder]);
            await pipInstall(folder, `basic-memory==${BASIC_MEMORY}`);
          }),
  });
  return {
    memoryServer,
    mem0: join(python, "bin/python"),
    langgraph: join(python, "bin/python"),
    graphiti: join(graphiti, "bin/python"),
    basicMemory: basicMemory && join(basicMemory, program),
  };
}

/** A name for a folder: short, and another one for other packages. */
const nameOf = (packages: readonly string[]) => packages.join("-").replaceAll(/[^A-Za-z0-9.]+/g, "-");

/** A Python of version 3.12 or newer: the one that `PYTHON` names, or one on the path. */
async function newerPython(): Promise<string | null> {
  const named = process.env.PYTHON ? [process.env.PYTHON] : [];
  for (const python of [...named, "python3", "python3.14", "python3.13", "python3.12"]) {
    const check = [python, "-c", "import sys; sys.exit(sys.version_info < (3, 12))"];
    if (
      await run(check).then(
        () => true,
        () => false,
      )
    )
      return python;
  }
  return null;
}
