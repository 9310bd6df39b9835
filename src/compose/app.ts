import type { Elysia } from "elysia";
import { isUnavailable } from "../adapters/postgres/database/failure.ts";
import { secret } from "../adapters/postgres/database/service-secret.ts";
import { createMcpSurface } from "../surfaces/mcp/create-mcp-surface.ts";
import { createOAuthSurface, oauthPaths } from "../surfaces/oauth/oauth-surface.ts";
import { createBrowserSurface } from "../surfaces/pages/browser-surface.ts";
import { createRestSurface } from "../surfaces/rest/rest-surface.ts";
import type { Config } from "./config.ts";
import type { Log } from "./log.ts";
import { rateLimiterOf } from "./rate-limits.ts";
import { answersInTime } from "./readiness.ts";
import type { Service } from "./service.ts";

/** All the doors of a service as one web-standard application. */
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
  const browser = createBrowserSurface({
    ...shared,
    accounts: service.accounts,
    oauth: service.oauth,
    claims: service.agentClaims,
    teams: service.teams,
    formKey: () => secret(service.sql, "browser_forms"),
    clock: ports.clock,
    log: (line) => log.request(line),
  });
  const app = rest.all("/mcp", ({ request }) => mcp.fetch(request), { parse: "none" });
  for (const path of oauthPaths) app.all(path, ({ request }) => oauth.fetch(request), { parse: "none" });
  for (const path of browser.paths) {
    // HEAD is named too, or Elysia would make it up from the answer to another method.
    for (const method of ["ALL", "HEAD"]) {
      app.route(method, path, ({ request }) => browser.fetch(request), { parse: "none" });
    }
  }
  return app as unknown as Elysia;
}
