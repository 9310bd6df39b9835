// Runs the outside protocol suites against a server of its own. See README.md here.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { authorizationServer } from "./authorization.ts";
import { pythonClient, typescriptClient } from "./generated-clients.ts";
import { mcpServer, REVISIONS } from "./mcp.ts";
import { storesOfPeers } from "./peers.ts";
import { endAll } from "./run.ts";
import { schemathesis } from "./schemathesis.ts";
import { type Server, startServer } from "./server.ts";
import { runSuites, type Suite } from "./suite.ts";
import { installTools, type Tools } from "./tools.ts";

function suitesOf(tools: Tools, server: Server, options: readonly string[], reports: string): Suite[] {
  return [
    ...REVISIONS.map((revision) => ({
      name: `MCP conformance, server, ${revision}`,
      run: () => mcpServer(tools.conformance, server, revision),
    })),
    { name: "MCP conformance, authorization", run: () => authorizationServer(tools.conformance, server) },
    {
      name: "generated client, TypeScript",
      run: () => typescriptClient(tools.typescriptClient, server, reports),
    },
    { name: "generated client, Python", run: () => pythonClient(tools.pythonClient, server, reports) },
    { name: "stores of peers", run: () => storesOfPeers(reports, options) },
    { name: "schemathesis", run: () => schemathesis(tools.schemathesis, server, options, reports) },
  ];
}

/** Runs the suites that the arguments choose; answers how many failed. What follows `--` is for schemathesis. */
async function main(args: readonly string[]): Promise<number> {
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  const [chosen, options] = [args.slice(0, end), args.slice(end + 1)];
  const tools = await installTools();
  const reports = mkdtempSync(join(tmpdir(), "recollect-protocol-reports-"));
  const server = await startServer();
  return runSuites(suitesOf(tools, server, options, reports), chosen, async (failed) => {
    await server.stop();
    if (failed === 0) rmSync(reports, { recursive: true, force: true });
    else process.stdout.write(`What the suites keep of a run is in ${reports}.\n`);
  });
}

process.once("exit", endAll);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
process.exitCode = (await main(process.argv.slice(2))) === 0 ? 0 : 1;
