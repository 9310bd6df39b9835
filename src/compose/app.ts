import { Elysia } from "elysia";
import { isUnavailable } from "../adapters/postgres/database/failure.ts";
import { secret } from "../adapters/postgres/database/service-secret.ts";
import { ROUTING } from "../surfaces/http/pipeline.ts";
import { createMcpSurface } from "../surfaces/mcp/mcp-surface.ts";
import { createOAuthSurface } from "../surfaces/oauth/oauth-surface.ts";
import { createBrowserSurface } from "../surfaces/pages/browser-surface.ts";
import { createRestSurface } from "../surfaces/rest/rest-surface.ts";
import type { Config } from "./config.ts";
import type { Log } from "./log.ts";
import { rateLimiterOf } from "./rate-limits.ts";
import { answersInTime } from "./readiness.ts";
import type { Service } from "./service.ts";

/** All the doors of a service as one web-standard application: equals, of which each has its own routes. */
export function createApp(service: Service, config: Config, log: Log): Elysia {
  const { application, credentials, ports } = service;
  const shared = {
    application,
    credentials,
    hash: ports.hash,
    newId: ports.newId,
    isUnavailable,
    rateLimiter: rateLimiterOf(service, config, log),
    trustedProxies: config.trustedProxies,
    publicUrl: config.publicUrl,
  };
  const isDatabaseThere = answersInTime(() => service.sql`select 1`.execute());
  const rest = createRestSurface({
    ...shared,
    corsOrigins: config.corsOrigins,
    log: (line) => log.request(line),
    isReady: async () => ({ postgres: await isDatabaseThere() }),
    outages: service.outages,
  });
  const mcp = createMcpSurface({
    ...shared,
    allowedHosts: [new URL(config.publicUrl).host],
    offersOAuth: service.oauth.isOffered,
    log(entry) {
      if (entry.level === "warn") log.refused(entry.message, entry.requestId);
      else log.failure(entry.message, entry.error, entry.requestId ?? undefined);
    },
  });
  const oauth = createOAuthSurface({ ...shared, oauth: service.oauth, log: (line) => log.request(line) });
  const pages = createBrowserSurface({
    ...shared,
    accounts: service.accounts,
    oauth: service.oauth,
    claims: service.agentClaims,
    teams: service.teams,
    formKey: () => secret(service.sql, "browser_forms"),
    clock: ports.clock,
    log: (line) => log.request(line),
  });
  return new Elysia(ROUTING).use(rest).use(mcp).use(oauth).use(pages);
}
