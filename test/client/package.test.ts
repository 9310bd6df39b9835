/** The client as it is published: built, packed, installed where nothing else is, checked, and run on each runtime. */
import { execFile } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildClient, unpack } from "../support/built-client.ts";
import { runtimesUnderTest } from "../support/runtimes-under-test.ts";
import { home, KEY, type Runtime, startServer } from "../support/server.ts";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const bin = (name: string) => join(repository, "node_modules/.bin", name);
const execute = promisify(execFile);

async function run(program: string, args: readonly string[], cwd: string, env: Record<string, string> = {}) {
  const { PATH = "", HOME = "", npm_config_cache } = process.env;
  const cache = npm_config_cache === undefined ? {} : { npm_config_cache };
  const { stdout, stderr } = await execute(program, [...args], {
    cwd,
    env: { PATH, HOME, NO_COLOR: "1", ...cache, ...env },
    maxBuffer: 16 * 1024 * 1024,
  });
  return { stdout, stderr };
}

const folder = mkdtempSync(join(tmpdir(), "recollect-client-"));
/** Where a user has installed it. */
const project = join(folder, "project");
const installed = join(project, "node_modules/@recollect/client");

/** Those of the client alone; the others need frameworks, and are tried with them. */
const examples = readdirSync(join(repository, "packages/client/examples")).filter((name) =>
  name.endsWith(".ts"),
);

let made: string;

beforeAll(async () => {
  const client = await buildClient(folder);
  made = client.folder;
  await unpack(client, installed);
  for (const name of examples) {
    copyFileSync(join(repository, "packages/client/examples", name), join(project, name));
  }
  writeFileSync(join(project, "package.json"), '{"type":"module","sideEffects":false}');
}, 180_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("it depends on nothing, and says the version and licence of the service", () => {
  const read = (path: string) => JSON.parse(readFileSync(join(repository, path), "utf8"));
  const [own, jsr, service] = [
    read("packages/client/package.json"),
    read("packages/client/jsr.json"),
    read("package.json"),
  ];
  for (const kind of ["dependencies", "optionalDependencies"]) expect(own).not.toHaveProperty(kind);
  // Who uses no framework installs none.
  for (const name of Object.keys(own.peerDependencies))
    expect(own.peerDependenciesMeta[name]).toEqual({ optional: true });
  expect([own.version, jsr.version]).toEqual([service.version, service.version]);
  expect([own.license, jsr.license]).toEqual([service.license, service.license]);
  expect(jsr.name).toBe(own.name);
  const files = readdirSync(join(installed, "dist"), { recursive: true, encoding: "utf8" });
  const code = files
    .filter((name) => /\.(?:js|d\.ts)$/.test(name) && !name.includes("integrations/"))
    .map((name) => readFileSync(join(installed, "dist", name), "utf8"));
  for (const text of code) expect(text).not.toMatch(/\b(?:from |import[ (])"[^."]/);
});

test("the package that npm gets passes publint and attw", async () => {
  expect((await run(bin("publint"), ["--strict"], made)).stdout).toContain("All good!");
  const { stdout } = await run(bin("attw"), ["--pack", ".", "--profile", "esm-only"], made);
  expect(stdout).toMatch(/node16 \(from ESM\)\W+🟢/u);
  expect(stdout).toMatch(/bundler\W+🟢/u);
});

test("the sources that JSR gets pass its checks, types written out included", async () => {
  const { stderr } = await run(bin("deno"), ["publish", "--dry-run", "--allow-dirty"], made);
  expect(stderr).toContain("Dry run complete");
  expect(stderr).not.toMatch(/warning/i);
});

/** Gzipped, of a program that imports this much. */
async function sizeOf(imports: string): Promise<number> {
  const entry = join(project, `${imports.length}.entry.js`);
  writeFileSync(entry, `export { ${imports} } from "@recollect/client";\n`);
  const { stdout } = await run(bin("bun"), ["build", entry, "--minify", "--target=browser"], project);
  return gzipSync(stdout, { level: 9 }).length;
}

test("a program carries what it uses: without the helpers less than half, and of the errors next to nothing", async () => {
  const whole = await sizeOf("createClient, createWorkflow, isRecollectError, RecollectError");
  expect(whole).toBeLessThanOrEqual(16 * 1024);
  expect(await sizeOf("createClient")).toBeLessThan(whole / 2);
  expect(await sizeOf("isRecollectError")).toBeLessThan(500);
});

test("the examples compile against the package, by the strictest rules, with and without a bundler's resolution", async () => {
  for (const [module, resolution] of [
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
  ]) {
    writeFileSync(
      join(project, "tsconfig.json"),
      JSON.stringify({
        compilerOptions: {
          module,
          moduleResolution: resolution,
          target: "es2023",
          lib: ["es2023", "dom", "dom.iterable"],
          strict: true,
          exactOptionalPropertyTypes: true,
          noUncheckedIndexedAccess: true,
          verbatimModuleSyntax: true,
          allowImportingTsExtensions: true,
          noEmit: true,
          skipLibCheck: false,
          types: ["node"],
          typeRoots: [join(repository, "node_modules/@types")],
        },
        include: ["*.ts"],
      }),
    );
    await run(bin("tsc"), ["-p", "."], project);
  }
});

const COMMANDS: Readonly<Record<Runtime, readonly string[]>> = {
  bun: [bin("bun"), "run"],
  deno: [bin("deno"), "run", "--allow-net", "--allow-env", "--node-modules-dir=manual", "--no-lock"],
  node: [process.execPath, "--import", join(repository, "node_modules/tsx/dist/loader.mjs")],
};

/** What each example prints, if it did what it shows. */
const PRINTED: Readonly<Record<string, readonly RegExp[]>> = {
  "remember.ts": [
    /^\d\.\d\d {2}Apollo is deployed on Thursdays\.\n### Recollect Context\n/,
    /\nSomebody else has changed it\.\n1 memory of Apollo\n$/,
  ],
  "handoff.ts": [
    /other_agent: Cassini's queue is built on Postgres/,
    /\nAgain: echo\n/,
    /The planner reads [34] memories\.\n$/,
  ],
};

describe.each(runtimesUnderTest)("on %s", (runtime) => {
  test("every example does what it shows, against a server on it", { timeout: 180_000 }, async () => {
    expect(Object.keys(PRINTED).sort()).toEqual(examples.filter((name) => name !== "environment.ts").sort());
    const { url } = await startServer(await home(), runtime);
    const [program = "", ...args] = COMMANDS[runtime];
    for (const [name, patterns] of Object.entries(PRINTED)) {
      const env = { RECOLLECT_URL: url, RECOLLECT_API_KEY: KEY };
      const { stdout } = await run(program, [...args, name], project, env);
      for (const pattern of patterns) expect(stdout, name).toMatch(pattern);
    }
  });
});
