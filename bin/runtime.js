import { existsSync, readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);

/** A real program is larger than this; what a package ships before its install script has run is a few lines. */
const PROGRAM_BYTES_MIN = 1_000_000;

/** Where each runtime's program may be: put in place by the install script, or in the platform's own package. */
const PLACES = {
  bun: { owner: "bun", scope: "@oven", programs: ["bin/bun.exe", "bin/bun"] },
  deno: { owner: "deno", scope: "@deno", programs: ["deno", "deno.exe"] },
};

/** The runtime's command line up to the file to run. Works where npm ran no install scripts. */
export function commandOf(runtime) {
  if (runtime === "node") {
    refuseOldNode();
    return [process.execPath, "--import", require.resolve("tsx")];
  }
  // Whoever lives in Bun or Deno has one of their own, and runs this with it.
  const program = process.versions[runtime]
    ? process.execPath
    : PLACES[runtime] && findProgram(PLACES[runtime]);
  if (!program)
    throw new Error(
      `${runtime} is not installed here: it comes with \`npm ci\`, unless that leaves out development packages. On Node: \`npm run start:node\`.`,
    );
  // Deno's older way of aborting a request's signal fires on success too, and sharing a port (PROCESSES) is unstable.
  return runtime === "deno"
    ? [program, "run", "-A", "--quiet", "--unstable-no-legacy-abort", "--unstable-net"]
    : [program];
}

/** Whether that runtime can be started here. */
export function has(runtime) {
  try {
    return commandOf(runtime).length > 0;
  } catch {
    return false;
  }
}

export function refuseOldNode() {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(require("../package.json").engines.node);
  const [ownMajor, ownMinor] = process.versions.node.split(".").map(Number);
  if (ownMajor > Number(major) || (ownMajor === Number(major) && ownMinor >= Number(minor))) return;
  throw new Error(`Recollect needs Node ${major}.${minor} or newer, and this is ${process.version}.`);
}

function findProgram({ owner, scope, programs }) {
  const modules = dirname(dirname(require.resolve(`${owner}/package.json`)));
  const scoped = join(modules, scope);
  const packages = existsSync(scoped) ? readdirSync(scoped).map((name) => join(scoped, name)) : [];
  const candidates = [join(modules, owner), ...packages].flatMap((folder) =>
    programs.map((name) => join(folder, name)),
  );
  return candidates.find((path) => existsSync(path) && statSync(path).size > PROGRAM_BYTES_MIN);
}
