import { createServer } from "node:net";
import type { Config } from "../../compose/config.ts";
import { SERVICE_ID, SERVICE_NAME } from "../../contract/service.ts";
import { broken, type Finding, ok } from "./check.ts";

const ANSWER_WITHIN_MS = 3000;

/** Whether the service could listen, or does. */
export async function checkPort({ host, port }: Config): Promise<Finding> {
  if (port === 0) return ok("port", "any free one");
  const address = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const failure = await listenFailure(host, port);
  if (failure === null) return ok("port", `${address} is free`);
  if (failure === "EADDRINUSE") return whoServes(address);
  if (failure === "EACCES")
    return broken("port", `${address} may not be used by this user`, "Set PORT to 1024 or above.");
  return broken(
    "port",
    `${address} cannot be listened on (${failure})`,
    "Set HOST to an address of this machine.",
  );
}

function listenFailure(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "unknown"));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

async function whoServes(address: string): Promise<Finding> {
  const other = broken(
    "port",
    `${address} is taken by another program`,
    "Stop that program, or set PORT to a free port.",
  );
  // A wildcard is no address to call.
  const origin = `http://${address.replace(/^(0\.0\.0\.0|\[::\]):/, "127.0.0.1:")}`;
  try {
    const health = (await getJson(`${origin}/healthz`)) as { status?: unknown; version?: unknown };
    const service = (await getJson(origin)) as { service?: unknown };
    if (service.service !== SERVICE_ID) return other;
    return ok(
      "port",
      `${address} is served by ${SERVICE_NAME} ${String(health.version)}, status ${String(health.status)}`,
    );
  } catch {
    return other;
  }
}

async function getJson(url: string): Promise<unknown> {
  const answer = await fetch(url, {
    headers: { accept: "application/json" },
    redirect: "error",
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  });
  return answer.json();
}
