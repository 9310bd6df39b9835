import { fileURLToPath } from "node:url";
import { Elysia } from "elysia";
import { createManagedCredentials } from "../adapters/postgres/access/credential-store.ts";
import { createRateWindows } from "../adapters/postgres/access/rate-windows.ts";
import { isUnavailable } from "../adapters/postgres/database/failure.ts";
import { secret } from "../adapters/postgres/database/service-secret.ts";
import { createSubjectErasures } from "../adapters/postgres/erasure/subject-erasures.ts";
import { createSubjectStore } from "../adapters/postgres/erasure/subject-store.ts";
import { createProjectionDebts } from "../adapters/postgres/recall/projection-debts.ts";
import { createRecallLogStore } from "../adapters/postgres/recall/recall-log.ts";
import { createAlertStore } from "../adapters/postgres/watch/alert-store.ts";
import { createServiceReport } from "../adapters/postgres/watch/service-report.ts";
import { createMemoryCounter } from "../adapters/rate-limit/memory-counter.ts";
import { createApplication } from "../core/application.ts";
import { createRateLimiter, quotasOf, type RateLimiter } from "../core/limits/rate-limiter.ts";
import { createOpenStreams } from "../core/limits/streams.ts";
import type { SessionPorts } from "../core/session/use-cases.ts";
import { createAdminSurface } from "../surfaces/admin/admin-surface.ts";
import { createDocsSurface } from "../surfaces/docs/docs-surface.ts";
import { createEventStreams } from "../surfaces/http/event-stream.ts";
import { ROUTING } from "../surfaces/http/pipeline.ts";
import type { RequestLine } from "../surfaces/http/request-line.ts";
import { createMcpSurface } from "../surfaces/mcp/mcp-surface.ts";
import { createOAuthSurface } from "../surfaces/oauth/oauth-surface.ts";
import { createBrowserSurface } from "../surfaces/pages/browser-surface.ts";
import { publicPages } from "../surfaces/pages/public-pages.ts";
import { createRestSurface } from "../surfaces/rest/rest-surface.ts";
import { createTrpcSurface } from "../surfaces/trpc/trpc-surface.ts";
import type { Config } from "./config.ts";
import type { Log } from "./log.ts";
import type { Service } from "./service.ts";

/** The built admin UI: the same path in a clone, the package and the image. */
const ADMIN_UI = fileURLToPath(new URL("../../admin-ui/dist", import.meta.url));
const DOCS = fileURLToPath(new URL("../../docs/site/dist", import.meta.url));

/** Well below the idle timeout of servers and proxies. */
const HEARTBEAT_MS = 15_000;

/** Combines all surfaces of a service in one web-standard application. Each has its own routes. */
export function createApp(service: Service, config: Config, log: Log): Elysia {
  const { credentials, ports, pulse, watching } = service;
  const logRequest = ({ ownerId, ...line }: RequestLine) =>
    log.request({ ...line, owner: ownerId && watching.pseudonymOf(ownerId) });
  const rateLimiter = rateLimiterOf(service, config, log);
  const shared = {
    application: createApplication({ ...ports, ...sessionPortsOf(service, rateLimiter) }),
    credentials,
    hash: ports.hash,
    newId: ports.newId,
    isUnavailable,
    rateLimiter,
    share: service.share,
    watch: watching.watch,
    trustedProxies: config.trustedProxies,
    publicUrl: config.publicUrl,
    allowedHosts: config.allowedHosts,
    corsOrigins: config.corsOrigins,
  };
  const streams = pulse && {
    streams: createEventStreams({
      open: createOpenStreams(config.events.streams),
      heartbeatMs: HEARTBEAT_MS,
      follow: pulse.follow,
      stopping: service.stopping,
    }),
  };
  const rest = createRestSurface({
    ...shared,
    log: logRequest,
    metrics: watching.page,
    readiness: service.readiness,
    ...streams,
    pages: publicPages,
    selfRegistration: config.selfRegistration,
    offersOAuth: service.oauth.isOffered,
  });
  const mcp = createMcpSurface({
    ...shared,
    offersOAuth: service.oauth.isOffered,
    log: logRequest,
    report({ level, message, error, requestId }) {
      if (level === "warn") log.refused(message, requestId);
      else log.fault(message, error, requestId);
    },
  });
  const oauth = createOAuthSurface({ ...shared, oauth: service.oauth, log: logRequest });
  const pages = createBrowserSurface({
    ...shared,
    accounts: service.accounts,
    oauth: service.oauth,
    claims: service.agentClaims,
    teams: service.teams,
    formKey: () => secret(service.sql, "browser_forms"),
    clock: ports.clock,
    log: logRequest,
  });
  const trpc = createTrpcSurface({
    ...shared,
    ...streams,
    accounts: service.accounts,
    log: logRequest,
    report: ({ error, requestId }) => log.fault("tRPC call failed", error, requestId),
  });
  const admin = createAdminSurface({ ...shared, pages: publicPages, adminUi: ADMIN_UI, log: logRequest });
  const docs = createDocsSurface({
    ...shared,
    pages: publicPages,
    site: DOCS,
    log: logRequest,
  });
  return new Elysia(ROUTING).use(rest).use(mcp).use(oauth).use(pages).use(trpc).use(admin).use(docs);
}

/** Returns the ports of the session operations, in addition to those of the service. */
export function sessionPortsOf(service: Service, limits: RateLimiter | null): SessionPorts {
  const { sql, generation } = service;
  return {
    teams: service.teams,
    accounts: service.accounts,
    claims: service.agentClaims,
    credentials: service.credentials,
    oauth: service.oauth,
    serviceReport: createServiceReport(sql, generation),
    recallLog: createRecallLogStore(sql),
    subjects: createSubjectStore(sql, service.ports.clock),
    subjectErasures: createSubjectErasures(sql),
    alerts: createAlertStore(sql),
    debts: createProjectionDebts(sql, generation),
    readiness: service.readiness,
    managed: createManagedCredentials(sql),
    clock: service.ports.clock,
    limits,
  };
}

/**
 * Creates the rate limiter of the settings; null if limits are off. Requests are counted in the database if it may serve
 * several processes, otherwise in this process.
 */
function rateLimiterOf({ sql }: Pick<Service, "sql">, config: Config, log: Log): RateLimiter | null {
  const { rateLimits, databaseUrl, processes } = config;
  if (!rateLimits) return null;
  const counter =
    databaseUrl === null && processes === 1
      ? createMemoryCounter()
      : createRateWindows(sql, (error) => log.failure("old rate limit windows could not be removed", error));
  return createRateLimiter({
    counter,
    quotas: quotasOf(rateLimits),
    report: (error) =>
      log.failure("requests cannot be counted; until they can be, limits do not hold", error),
  });
}
