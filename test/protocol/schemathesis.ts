import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { grantableScopes } from "../../src/contract/scope.ts";
import { start } from "./run.ts";
import type { Server } from "./server.ts";
import type { Outcome } from "./suite.ts";

const CONFIG = fileURLToPath(new URL("schemathesis.toml", import.meta.url));
const HOOKS = fileURLToPath(new URL("hooks.py", import.meta.url));
const WITHIN_MS = 45 * 60_000;

/**
 * Runs schemathesis, all checks in all phases, over what the server says of itself in `/openapi.json`. `options` are
 * further ones of `st run`; what it keeps goes to the folder `reports`.
 */
export async function schemathesis(
  program: readonly string[],
  server: Server,
  options: readonly string[],
  reports: string,
): Promise<Outcome> {
  await storeReminders(server);
  const report = join(reports, "schemathesis.json");
  const env = {
    SCHEMATHESIS_HOOKS: HOOKS,
    PYTHONDONTWRITEBYTECODE: "1",
    PROTOCOL_URL: server.url,
    PROTOCOL_API_KEY: server.key,
    PROTOCOL_AGENT_TOKEN: await formalAgentToken(server),
  };
  const { code, output } = await start(
    [
      ...program,
      ...["--config-file", CONFIG, "run", `${server.url}/openapi.json`],
      ...["--checks", "all", "--no-color", "--report", "json", "--report-json-path", report],
      ...options,
    ],
    // It keeps what it knows for its next run where it runs; every run is to be the same.
    { cwd: reports, env, withinMs: WITHIN_MS },
  ).ran;
  const endedByItself = code !== null;
  const counts = /=+ (.*\S) in [\d.]+m?s? =+\s*$/.exec(output)?.[1] ?? "it did not end by itself";
  const cases = /^\s*(\d+ generated)/m.exec(output)?.[1] ?? "none generated";
  return {
    passed: code === 0,
    counts: [cases, counts, ...(endedByItself ? warningsIn(report) : [])].join("; "),
    output,
  };
}

/** What it warns of, with the operations; nothing where it wrote no report. One that was ended leaves half of it. */
function warningsIn(report: string): string[] {
  if (!existsSync(report)) return [];
  const { warnings } = JSON.parse(readFileSync(report, "utf8")) as { warnings: Record<string, unknown[]> };
  return Object.entries(warnings)
    .filter(([, about]) => about.length > 0)
    .map(([kind, about]) => `${kind}: ${about.map((one) => JSON.stringify(one)).join(", ")}`);
}

async function post(server: Server, path: string, body: unknown, token: string | null): Promise<unknown> {
  const answer = await fetch(server.url + path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`POST ${path} was answered with ${answer.status}.`);
  return answer.json();
}

/** The reminders that schemathesis.toml names. */
async function storeReminders(server: Server): Promise<void> {
  for (let number = 1; number <= 8; number += 1) {
    const reminder = {
      memory_id: `reminder-${number}`,
      content: `Renew certificate ${number}.`,
      path: "reminders",
      memory_type: "reminder",
      metadata: { due_at: "2030-01-31T09:00:00Z" },
    };
    await post(server, "/v1/memories", reminder, server.key);
  }
}

/** The token of an agent that its user has bound. */
async function formalAgentToken(server: Server): Promise<string> {
  const registration = {
    entry_type: "mcp",
    client_name: "Protocol suites",
    installation_fingerprint: "protocol-suites",
  };
  const registered = await post(server, "/v1/agents/register", registration, null);
  const { claim_code, temporary_token } = registered as { claim_code: string; temporary_token: string };
  const everyScope = ["--scopes", grantableScopes.join(",")];
  const approved = await server.recollect("agents", "approve", claim_code, "--owner", "local", ...everyScope);
  const { confirmation_token } = approved as { confirmation_token: string };
  const confirmed = await post(
    server,
    "/v1/agents/bind/confirm-current-user",
    { confirmation_token },
    temporary_token,
  );
  return (confirmed as { token: string }).token;
}
