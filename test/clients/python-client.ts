import { cpSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { start } from "../protocol/run.ts";
import { type Server, startServer } from "../protocol/server.ts";
import type { Outcome } from "../protocol/suite.ts";
import type { Tools } from "./tools.ts";

const SOURCE = fileURLToPath(new URL("../../packages/python", import.meta.url));
const README = fileURLToPath(new URL("../../README.md", import.meta.url));
const DOCS = fileURLToPath(new URL("../../docs", import.meta.url));
const WITHIN_MS = 1_500_000;

/**
 * The Python client as people get it: generated from a server, made into a package, installed, tested, its example run. The
 * server is its own: the documents' examples say what an empty one answers.
 */
export async function pythonClient(tools: Tools, folder: string): Promise<Outcome> {
  const server = await startServer();
  try {
    return await tested(tools, server, folder);
  } finally {
    await server.stop();
  }
}

async function tested({ python }: Tools, server: Server, folder: string): Promise<Outcome> {
  // Tests run the examples of the repository's README and documents, which they find from their own place.
  const project = join(folder, "packages/python");
  cpSync(README, join(folder, "README.md"));
  const isPage = (path: string) => statSync(path).isDirectory() || path.endsWith(".md");
  cpSync(DOCS, join(folder, "docs"), { recursive: true, filter: isPage });
  cpSync(SOURCE, project, { recursive: true, filter: (path) => !UNWANTED.includes(basename(path)) });
  writeFileSync(join(folder, "openapi.json"), await (await fetch(`${server.url}/openapi.json`)).text());
  const site = join(folder, "site");
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"];
  const { team_id } = (await server.recollect("teams", "create", "research", "--owner", "local")) as {
    team_id: string;
  };
  const installed = {
    PYTHONPATH: site,
    RECOLLECT_URL: server.url,
    RECOLLECT_API_KEY: server.key,
    TEAM_ID: team_id,
  };
  const steps: readonly (() => { args: readonly string[]; env?: Readonly<Record<string, string>> })[] = [
    () => ({ args: ["generate.py", join(folder, "openapi.json")] }),
    () => ({ args: ["-m", "build", "--no-isolation", "--outdir", join(folder, "dist")] }),
    () => ({ args: ["-m", "twine", "check", "--strict", ...packagesIn(folder, "")] }),
    () => ({ args: [...pip, "--target", site, ...packagesIn(folder, ".whl")] }),
    () => ({ args: ["-m", "mypy", ...handWritten()] }),
    () => ({ args: ["-m", "pytest", "-q", "-p", "no:cacheprovider"], env: installed }),
    () => ({ args: ["examples/remember.py"], env: installed }),
  ];
  let output = "";
  for (const step of steps) {
    const { args, env = {} } = step();
    const ran = await start([python, ...args], { cwd: project, env, withinMs: WITHIN_MS }).ran;
    output += `$ python ${args.join(" ")}\n${ran.output}`;
    if (ran.code !== 0)
      return { passed: false, counts: `python ${args.slice(0, 2).join(" ")} failed`, output };
  }
  const tests = /^(\d+ passed)/m.exec(output)?.[1] ?? "no tests";
  const printed = output.includes("Apollo is deployed on Thursdays.") && /^not_found$/m.test(output);
  return {
    passed: tests !== "no tests" && printed,
    counts: `${tests}; the example ${printed ? "does" : "does not do"} what it shows`,
    output,
  };
}

/** What a developer's own runs leave beside the source. */
const UNWANTED = ["generated", "dist", "__pycache__", ".mypy_cache", ".pytest_cache"];

/** Modules, for the type checker: all but what is generated. */
function handWritten(): readonly string[] {
  const modules = join("src", "recollect");
  const names = readdirSync(join(SOURCE, modules)).filter((name) => name.endsWith(".py"));
  return names.map((name) => join(modules, name));
}

function packagesIn(folder: string, ending: string): readonly string[] {
  return readdirSync(join(folder, "dist"))
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, "dist", name));
}
