/** What the image and the compose file say must agree with what they are made of. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const read = (name: string) => readFileSync(join(repository, name), "utf8");
const packages = JSON.parse(read("package.json")) as {
  version: string;
  dependencies: Record<string, string>;
};
const compose = read("docker-compose.yml");
const required = [...compose.matchAll(/\$\{([A-Z_]+):\?/g)].map((match) => match[1] as string);

test("the image runs the Bun that package.json names", () => {
  expect(read("Dockerfile")).toContain(`FROM oven/bun:${packages.dependencies.bun}-slim`);
});

test("the compose file runs the Elasticsearch that the client is made for, and names this version", () => {
  const versions = [...compose.matchAll(/elasticsearch\/elasticsearch:(\S+)/g)].map((match) => match[1]);
  expect(new Set(versions)).toEqual(new Set([packages.dependencies["@elastic/elasticsearch"]]));
  expect(compose).toContain(`image: recollect:${packages.version}`);
});

test("everything that .dockerignore lets in is there, and the Dockerfile copies nothing else", () => {
  const let_in = [...read(".dockerignore").matchAll(/^!(.+)$/gm)].map((match) => match[1] as string);
  for (const path of let_in) expect(existsSync(join(repository, path)), path).toBe(true);
  const copied = [...read("Dockerfile").matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap((match) =>
    (match[1] as string).split(" "),
  );
  expect(copied.filter((path) => !let_in.includes(path))).toEqual([]);
});

test("no secret has a default: each must be set, and .env.example names it without a value", () => {
  const example = read(".env.example");
  for (const name of new Set(required)) expect(example).toMatch(new RegExp(`^${name}=`, "m"));
  for (const name of required.filter((secret) => /PASSWORD|KEY/.test(secret))) {
    expect(example).toMatch(new RegExp(`^${name}=$`, "m"));
  }
  expect(compose).not.toMatch(/\$\{[A-Z_]+:?-/);
});

test("where Docker's compose is at hand, it takes the file, and refuses it without the secrets", () => {
  const config = (env: Record<string, string>) =>
    spawnSync("docker", ["compose", "--env-file", "/dev/null", "config", "--quiet"], {
      cwd: repository,
      env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", ...env },
    }).status;
  if (spawnSync("docker", ["compose", "version"]).status !== 0) return;
  expect(config(Object.fromEntries(required.map((name) => [name, "x"])))).toBe(0);
  expect(config({})).not.toBe(0);
});

/** All files of the plugins that the marketplace in this folder offers. */
function plugins(): string[] {
  const marketplace = ".claude-plugin/marketplace.json";
  const offered = JSON.parse(read(marketplace)) as { plugins: { source: string }[] };
  const files = offered.plugins.flatMap(({ source }) =>
    readdirSync(join(repository, source), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(repository, join(entry.parentPath, entry.name))),
  );
  expect(files).toContain("packages/claude-code/.claude-plugin/plugin.json");
  return [marketplace, ...files];
}

test("the package holds what the service runs on, and nothing of what it is tested and measured with", {
  timeout: 240_000,
}, () => {
  const npm = (...args: string[]) => spawnSync("npm", args, { cwd: repository, encoding: "utf8" });
  // What packing does first, said apart, since its output is not JSON.
  expect(npm("run", "-s", "client:build").status).toBe(0);
  expect(npm("run", "-s", "prepare").status).toBe(0);
  const packed = npm("pack", "--dry-run", "--json", "--ignore-scripts");
  const [{ files, size }] = JSON.parse(packed.stdout) as [{ files: { path: string }[]; size: number }];
  const folders = new Set(files.map(({ path }) => path.split("/")[0]));
  expect([...folders].sort()).toEqual([
    ".claude-plugin",
    "LICENSE",
    "README.md",
    "admin-ui",
    "bin",
    "docs",
    "models",
    "package.json",
    "packages",
    "src",
  ]);
  for (const needed of [
    "bin/recollect.js",
    "admin-ui/dist/index.html",
    "admin-ui/dist/scheme.js",
    "docs/site/dist/index.html.gz",
    "docs/site/reference/scalar-1.46.4.js.gz",
    "bin/patches/postgres+3.4.9.patch",
    "src/main.ts",
    "models/static-256.bin",
    "models/near-pieces.bin",
    ...plugins(),
  ])
    expect(files.map(({ path }) => path)).toContain(needed);
  // A package of its own, which is as large.
  expect(files.filter(({ path }) => path.startsWith("packages/multilingual"))).toEqual([]);
  // The token model and the word vectors are most of it.
  expect(size).toBeLessThan(34 * 1024 * 1024);
});
