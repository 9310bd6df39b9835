import type { Elysia } from "elysia";
import { isUnavailable } from "./adapters/postgres/unavailable.ts";
import type { Config } from "./config.ts";
import type { Log } from "./log.ts";
import type { Service } from "./service.ts";
import { createMcpSurface } from "./surfaces/mcp/create-mcp-surface.ts";
import { createRestSurface } from "./surfaces/rest/rest-surface.ts";

/** All the doors of a service as one web-standard application. */
export function createApp(service: Service, config: Config, log: Log): Elysia {
  const { application, credentials, ports } = service;
  const shared = { application, credentials, hash: ports.hash, newId: ports.newId };
  const rest = createRestSurface({
    ...shared,
    isUnavailable,
    log: (line) => log.request(line),
    isReady: async () => ({ postgres: await service.sql`select 1`.then(() => true) }),
  });
  const mcp = createMcpSurface({
    ...shared,
    allowedHosts: [new URL(config.publicUrl).host],
    log(entry) {
      if (entry.level === "warn") log.refused(entry.message, entry.requestId);
      else log.failure(entry.message, entry.error, entry.requestId ?? undefined);
    },
  });
  return rest.all("/mcp", ({ request }) => mcp.fetch(request), { parse: "none" }) as unknown as Elysia;
}
