import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../cli/cli.ts";

const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
const tsx = createRequire(import.meta.url).resolve("tsx");

/** The command line in a folder that is somebody's project and home. */
function connectIn(folder: string, ...args: string[]) {
  const { PATH = "" } = process.env;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", tsx, main, "connect", ...args],
    {
      cwd: folder,
      env: { PATH, HOME: folder, PORT: "9000" },
      encoding: "utf8",
      input: "",
    },
  );
  return { status, stdout, stderr };
}

test("a configuration is shown, written with --yes alone, kept beside the new one, and taken out again", () => {
  const folder = temporaryFolder();
  const file = join(folder, ".vscode", "mcp.json");
  mkdirSync(join(folder, ".vscode"));
  const before = '{\n  // Mine.\n  "servers": {}\n}\n';
  writeFileSync(file, before);

  const asked = connectIn(folder, "vscode");
  expect(asked).toMatchObject({
    status: 1,
    stderr: "Nothing was written, because nobody can be asked here. Add --yes to write without asking.\n",
  });
  expect(asked.stdout).toContain('+     "recollect": {');
  expect(connectIn(folder, "vscode", "--dry-run")).toMatchObject({ status: 0, stdout: asked.stdout });
  expect(readFileSync(file, "utf8")).toBe(before);

  const written = connectIn(folder, "vscode", "--yes", "--json");
  expect(JSON.parse(written.stdout)).toEqual({
    client: "vscode",
    file,
    backup: `${file}.before-recollect`,
    change: "added",
  });
  expect(readFileSync(`${file}.before-recollect`, "utf8")).toBe(before);
  const text = readFileSync(file, "utf8");
  expect(text).toContain('"url": "http://127.0.0.1:9000/mcp"');
  expect(text).toContain("// Mine.");
  expect(connectIn(folder, "vscode", "--yes").stdout).toBe(`VS Code: nothing to change in ${file}.\n`);
  expect(connectIn(folder, "vscode", "--remove", "--yes").status).toBe(0);
  expect(readFileSync(file, "utf8")).not.toContain("recollect");
});

test("Codex's file is its own, a broken one is left alone, and no URL is a usage error", () => {
  const folder = temporaryFolder();
  const written = connectIn(folder, "codex", "--url", "https://memory.example/mcp", "--yes");
  expect(written.stderr).toContain("Set RECOLLECT_API_KEY in the environment");
  const file = join(folder, ".codex", "config.toml");
  expect(readFileSync(file, "utf8")).toContain('[mcp_servers.recollect]\nurl = "https://memory.example/mcp"');
  expect(existsSync(`${file}.before-recollect`)).toBe(false);
  writeFileSync(join(folder, ".mcp.json"), "{ oops");
  const refused = connectIn(folder, "claude-code", "--yes");
  expect(refused).toMatchObject({ status: 1, stdout: "" });
  expect(refused.stderr).toContain("was not changed. It is not valid JSON (line 1)");
  expect(readFileSync(join(folder, ".mcp.json"), "utf8")).toBe("{ oops");
  expect(connectIn(folder, "cursor", "--url", "nowhere").status).toBe(2);
});
