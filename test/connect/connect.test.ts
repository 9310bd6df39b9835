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
  return connectFrom(folder, {}, ...args);
}

function connectFrom(folder: string, variables: Record<string, string>, ...args: string[]) {
  const { PATH = "" } = process.env;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", tsx, main, "connect", ...args],
    {
      cwd: folder,
      env: { PATH, HOME: folder, PORT: "9000", ...variables },
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
  expect(text).toContain('"url": "http://127.0.0.1:9000/mcp?tools=core"');
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
  expect(readFileSync(file, "utf8")).toContain(
    '[mcp_servers.recollect]\nurl = "https://memory.example/mcp?tools=core"',
  );
  expect(existsSync(`${file}.before-recollect`)).toBe(false);
  writeFileSync(join(folder, ".mcp.json"), "{ oops");
  const refused = connectIn(folder, "claude-code", "--yes");
  expect(refused).toMatchObject({ status: 1, stdout: "" });
  expect(refused.stderr).toContain("was not changed. It is not valid JSON (line 1)");
  expect(readFileSync(join(folder, ".mcp.json"), "utf8")).toBe("{ oops");
  expect(connectIn(folder, "cursor", "--url", "nowhere").status).toBe(2);
});

test("all tools are listed with --tools full, and an address that names a set keeps it", () => {
  const urlWith = (...args: string[]) => {
    const folder = temporaryFolder();
    connectIn(folder, "claude-code", "--yes", ...args);
    return JSON.parse(readFileSync(join(folder, ".mcp.json"), "utf8")).mcpServers.recollect.url;
  };
  expect(urlWith("--tools", "full")).toBe("http://127.0.0.1:9000/mcp");
  expect(urlWith("--url", "https://m.example/mcp?tools=full")).toBe("https://m.example/mcp?tools=full");
  expect(urlWith("--url", "https://m.example/mcp", "--tools", "full")).toBe("https://m.example/mcp");
  // The address of the service, as a person has it at hand.
  expect(urlWith("--url", "https://m.example")).toBe("https://m.example/mcp?tools=core");
  expect(urlWith("--url", "https://m.example/memory/mcp")).toBe("https://m.example/memory/mcp?tools=core");
});

test("the folder is the one it was called from, by npm too, or the one that is named", () => {
  const [clone, project] = [temporaryFolder(), temporaryFolder()];
  const shown = (variables: Record<string, string>, ...args: string[]) =>
    JSON.parse(connectFrom(clone, variables, "claude-code", "--dry-run", "--json", ...args).stdout).file;
  expect(shown({})).toBe(join(clone, ".mcp.json"));
  // What npm --prefix CLONE run recollect sets.
  const byNpm = { npm_lifecycle_event: "recollect", INIT_CWD: project };
  expect(shown(byNpm)).toBe(join(project, ".mcp.json"));
  // Another script's own folder is where that script went.
  expect(shown({ ...byNpm, npm_lifecycle_event: "setup" })).toBe(join(clone, ".mcp.json"));
  mkdirSync(join(project, "app"));
  expect(shown({}, "--folder", join(project, "app"))).toBe(join(project, "app", ".mcp.json"));
  expect(shown(byNpm, "--folder", "app")).toBe(join(project, "app", ".mcp.json"));
  const refused = connectIn(clone, "cursor", "--folder", "ap", "--yes");
  expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining("There is no such folder.") });
});
