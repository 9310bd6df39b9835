/** What a tag would publish, made from a clone of what is committed. */
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { version } from "../../package.json" with { type: "json" };
import { home, KEY } from "../support/server.ts";

const repository = fileURLToPath(new URL("../../", import.meta.url));

let folder: string;
let clone: string;
const made = () => join(folder, "made");

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "recollect-release-"));
  chmodSync(folder, 0o755);
  clone = join(folder, "clone");
  execFileSync("git", ["clone", "--quiet", repository, clone], { stdio: "ignore" });
  symlinkSync(join(repository, "node_modules"), join(clone, "node_modules"));
  // Pages of the same sources need not be built again: the release compares what they were built from.
  for (const pages of ["admin-ui/dist", "docs/site/dist"])
    if (existsSync(join(repository, pages)))
      cpSync(join(repository, pages), join(clone, pages), { recursive: true });
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

const release = (...args: readonly string[]) =>
  spawnSync("npm", ["run", "-s", "release", "--", "--to", made(), ...args], { cwd: clone, encoding: "utf8" });

/** What is said of a clone in which a file has another text. */
function refusedWith(path: string, change: (text: string) => string): string {
  const before = readFileSync(join(clone, path), "utf8");
  writeFileSync(join(clone, path), change(before));
  const { status, stderr } = release();
  writeFileSync(join(clone, path), before);
  expect(status).toBe(1);
  return stderr;
}

test("versions that disagree are refused, and name the files", () => {
  const other = (text: string) => text.replaceAll(`"${version}"`, '"9.9.9"');
  expect(refusedWith("packages/client/jsr.json", other)).toContain(
    `packages/client/jsr.json is of version 9.9.9, and package.json of ${version}.`,
  );
  expect(refusedWith("packages/token-model/package.json", other)).toContain(
    `package.json takes @recollect/token-model ${version}, which is 9.9.9.`,
  );
});

test("missing notes are refused, and so are those that nobody reads to the end", () => {
  const heading = `## ${version}`;
  expect(refusedWith("CHANGELOG.md", (text) => text.replace(heading, "## 0.0.9"))).toContain(
    `CHANGELOG.md has nothing about ${version}`,
  );
  const long = (text: string) => text.replace(`${heading},`, `${heading}\n\n${"word ".repeat(600)}\n`);
  expect(refusedWith("CHANGELOG.md", long)).toContain("more than two minutes to read");
});

test("a tag of another version is refused", () => {
  const { status, stderr } = release("--tag", "v9.9.9");
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining(`The tag is v9.9.9, and the version ${version}.`),
  ]);
});

test("everything that would be published is built, and the wheel installs and works", {
  timeout: 600_000,
}, async () => {
  const { status, stdout, stderr } = release();
  expect([status, stderr]).toEqual([0, expect.not.stringContaining("failed")]);
  expect(stdout).toContain("Nothing was published.");
  const wheel = `recollect-${version}-py3-none-any.whl`;
  expect(readdirSync(made()).sort()).toEqual(
    [
      "Dockerfile",
      "NOTES.md",
      "SHA256SUMS",
      "docker-compose.yml",
      wheel,
      `recollect-${version}.tar.gz`,
      `recollect-${version}.tgz`,
      `recollect-agent-plugin-${version}.zip`,
      `recollect-claude-code-${version}.zip`,
      `recollect-client-${version}.tgz`,
      `recollect-hermes-${version}.zip`,
      `recollect-multilingual-${version}.tgz`,
      `recollect-openclaw-${version}.zip`,
      `recollect-opencode-${version}.zip`,
      `recollect-token-model-${version}.tgz`,
      "recollect.mcpb",
      "server.json",
    ].sort(),
  );
  execFileSync("sha256sum", ["--check", "--quiet", "SHA256SUMS"], { cwd: made() });

  const app = join(folder, "app");
  mkdirSync(app);
  const install = ["install", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"];
  const installed = spawnSync("npm", [...install, join(made(), `recollect-${version}.tgz`)], {
    cwd: app,
    encoding: "utf8",
  });
  expect([installed.status, installed.stderr]).toEqual([0, ""]);

  const venv = join(folder, "venv");
  execFileSync("python3", ["-m", "venv", venv]);
  const python = join(venv, "bin/python");
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
  execFileSync(python, [...pip, join(made(), wheel)]);
  const server = (await home()).start("node", { BOOTSTRAP_API_KEY: KEY });
  const example = spawnSync(python, [join(repository, "packages/python/examples/remember.py")], {
    env: { RECOLLECT_URL: await server.ready(), RECOLLECT_API_KEY: KEY },
    encoding: "utf8",
  });
  await server.stop();
  expect([example.stderr, example.stdout]).toEqual(["", expect.stringContaining("Thursdays")]);
});
