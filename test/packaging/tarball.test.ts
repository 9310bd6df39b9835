/** The package that `npm pack` makes: its files, and that it runs where nothing is cloned. */
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { httpClient } from "../support/http-client.ts";
import { KEY } from "../support/server.ts";

const repository = fileURLToPath(new URL("../../", import.meta.url));

let folder: string;
let tarball: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "recollect-pack-"));
  // The embedded database may run as another user.
  chmodSync(folder, 0o755);
  execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], {
    cwd: repository,
    stdio: "ignore",
  });
  // By its whole name, which no earlier run had: npx keeps what it has installed under the name that it was given.
  const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
  tarball = join(folder, `recollect-${version}.tgz`);
}, 240_000);

afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

/** All files of the plugins that the marketplace in this folder offers. */
function plugins(): string[] {
  const marketplace = ".claude-plugin/marketplace.json";
  const offered = JSON.parse(readFileSync(join(repository, marketplace), "utf8")) as {
    plugins: { source: string }[];
  };
  const files = offered.plugins.flatMap(({ source }) =>
    readdirSync(join(repository, source), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(repository, join(entry.parentPath, entry.name))),
  );
  expect(files).toContain("packages/claude-code/.claude-plugin/plugin.json");
  return [marketplace, ...files];
}

test("the package holds what the service runs on, and nothing of what it is tested and measured with", () => {
  const listed = execFileSync("tar", ["-tzf", tarball], { encoding: "utf8" });
  const files = listed
    .trim()
    .split("\n")
    .map((path) => path.replace(/^package\//, ""));
  const folders = new Set(files.map((path) => path.split("/")[0]));
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
    "docs/site/dist/reference/index.html.gz",
    "bin/patches/postgres+3.4.9.patch",
    "src/main.ts",
    "models/static-256.bin",
    "models/near-pieces.bin",
    ...plugins(),
  ])
    expect(files).toContain(needed);
  // Packages of their own, each of which is twice as large.
  expect(files.filter((path) => /^packages\/(multilingual|token-model)/.test(path))).toEqual([]);
  // The word vectors are more than half of it.
  expect(statSync(tarball).size).toBeLessThan(12_000_000);
});

test("npx starts the service from the package alone, with this project's patches", {
  timeout: 600_000,
}, async () => {
  const child = spawn("npx", ["--yes", "--prefer-offline", `--package=${tarball}`, "recollect"], {
    cwd: folder,
    env: { ...process.env, PORT: "0", DATA_DIR: join(folder, "data"), BOOTSTRAP_API_KEY: KEY },
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (part: string) => {
    said += part;
  });
  try {
    const ready = () => /Recollect is ready at (\S+)/.exec(said)?.[1];
    await expect.poll(() => ready() ?? child.exitCode, { timeout: 500_000, interval: 200 }).not.toBeNull();
    const client = httpClient(ready() ?? `the package ended: ${said}`, KEY);
    expect((await client.post("/v1/remember", { content: "From the package", path: "a" })).status).toBe(201);
    expect((await client.get("/v1/recall?query=package")).body.results).toHaveLength(1);
    expect(existsSync(join(folder, "node_modules"))).toBe(false);
  } finally {
    process.kill(-(child.pid as number), "SIGTERM");
    await new Promise((resolve) => (child.exitCode === null ? child.once("exit", resolve) : resolve(null)));
  }
});
