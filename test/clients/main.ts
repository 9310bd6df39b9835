// Runs coding agents from their packages, and the Python client, against a server of its own. See README.md here.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endAll } from "../protocol/run.ts";
import { type Server, startServer } from "../protocol/server.ts";
import { runSuites, type Suite } from "../protocol/suite.ts";
import { claudeCode, claudeCodePlugin, claudeCodeWithoutServer } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { geminiCli } from "./gemini-cli.ts";
import { hermes, hostPackages, openCode } from "./hosts.ts";
import { claudeByOAuth, codexByOAuth, geminiByOAuth } from "./oauth.ts";
import { pythonClient } from "./python-client.ts";
import { installTools, type Tools } from "./tools.ts";

function suitesOf(tools: Tools, server: Server, folder: string): Suite[] {
  return [
    { name: "Claude Code, .mcp.json", run: () => claudeCode(tools, server, join(folder, "claude-code")) },
    { name: "Claude Code, plugin", run: () => claudeCodePlugin(tools, server, join(folder, "plugin")) },
    {
      name: "Claude Code, plugin, server away",
      run: () => claudeCodeWithoutServer(tools, join(folder, "away")),
    },
    { name: "Codex", run: () => codex(tools, server, join(folder, "codex")) },
    { name: "Gemini CLI", run: () => geminiCli(tools, server, join(folder, "gemini-cli")) },
    { name: "Claude Code, OAuth", run: () => claudeByOAuth(tools, join(folder, "claude-oauth")) },
    { name: "Codex, OAuth", run: () => codexByOAuth(tools, join(folder, "codex-oauth")) },
    { name: "Gemini CLI, OAuth", run: () => geminiByOAuth(tools, join(folder, "gemini-oauth")) },
    { name: "Packages for hosts", run: () => hostPackages(tools, join(folder, "host-packages")) },
    { name: "OpenCode", run: () => openCode(tools, server, join(folder, "opencode")) },
    { name: "Hermes", run: () => hermes(tools, server, join(folder, "hermes")) },
    { name: "Python client", run: () => pythonClient(tools, join(folder, "python-client")) },
  ];
}

/**
 * Runs the suites that the arguments choose; answers how many failed. With `--install` it installs their programs, and runs
 * none.
 */
async function main(args: readonly string[]): Promise<number> {
  const tools = await installTools();
  if (args.includes("--install")) return 0;
  const folder = mkdtempSync(join(tmpdir(), "recollect-clients-"));
  const server = await startServer();
  return runSuites(suitesOf(tools, server, folder), args, async (failed) => {
    await server.stop();
    if (failed === 0) rmSync(folder, { recursive: true, force: true });
    else process.stdout.write(`What the suites keep of a run is in ${folder}.\n`);
  });
}

process.once("exit", endAll);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
process.exitCode = (await main(process.argv.slice(2))) === 0 ? 0 : 1;
