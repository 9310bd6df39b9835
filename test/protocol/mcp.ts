import { fileURLToPath } from "node:url";
import { bearerProxy } from "./bearer-proxy.ts";
import { start } from "./run.ts";
import type { Server } from "./server.ts";
import type { Outcome } from "./suite.ts";

const EXPECTED_FAILURES = fileURLToPath(new URL("mcp-expected-failures.yaml", import.meta.url));
const WITHIN_MS = 10 * 60_000;

/** The revisions of the protocol that this service speaks. */
export const REVISIONS = ["2026-07-28", "2025-11-25"] as const;

/** Runs what a revision of MCP requires of servers. */
export async function mcpServer(
  program: readonly string[],
  server: Server,
  revision: (typeof REVISIONS)[number],
): Promise<Outcome> {
  const proxy = await bearerProxy(server.url, server.key);
  try {
    const suite = ["server", "--url", `${proxy.url}/mcp`, "--requirements", revision];
    const command = [...program, ...suite, "--expected-failures", EXPECTED_FAILURES];
    const { code, output } = await start(command, { withinMs: WITHIN_MS }).ran;
    const counts = countsOf(output);
    return { passed: code === 0, counts: code === 0 ? `${counts}, each expected to` : counts, output };
  } finally {
    proxy.close();
  }
}

/** The suite's last line with counts. */
export function countsOf(output: string): string {
  const counts = output.match(/^.*\d+ passed, \d+ failed.*$/gm)?.at(-1);
  return counts?.trim() ?? "it said no counts";
}
