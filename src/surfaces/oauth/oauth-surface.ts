import type { Elysia } from "elysia";
import { errorCodes } from "../../contract/error.ts";
import type { OAuthServer } from "../../core/access/oauth.ts";
import type { DomainError } from "../../core/error.ts";
import { clientAddress, networkOf } from "../http/address.ts";
import { runInSlot } from "../http/admission.ts";
import { readBytes } from "../http/body.ts";
import { createCors } from "../http/cors.ts";
import { errorHeaders } from "../http/error-response.ts";
import { requireJsonType } from "../http/media-type.ts";
import {
  type Answer,
  createSurface,
  json,
  type RequestContext,
  type Surface,
  type SurfaceDependencies,
  securityHeaders,
} from "../http/pipeline.ts";
import { createRequestGuard, targetOf } from "../http/request-guard.ts";
import type { RequestLine } from "../http/request-line.ts";

/** The paths of OAuth and its metadata, with their names in the log. `/oauth/…` belongs to the pages. */
const PATHS = [
  ["/.well-known/oauth-protected-resource", "/.well-known/oauth-*"],
  ["/.well-known/oauth-protected-resource/*", "/.well-known/oauth-*"],
  ["/.well-known/oauth-authorization-server", "/.well-known/oauth-*"],
  ["/.well-known/oauth-authorization-server/*", "/.well-known/oauth-*"],
  ["/oauth2/*", "/oauth2/*"],
] as const;

export interface OAuthDependencies
  extends Pick<
    SurfaceDependencies,
    | "newId"
    | "isUnavailable"
    | "trustedProxies"
    | "publicUrl"
    | "allowedHosts"
    | "corsOrigins"
    | "rateLimiter"
    | "share"
    | "watch"
  > {
  readonly oauth: Pick<OAuthServer, "handle">;
  readonly log: (line: RequestLine) => void;
}

/** The operation under which requests to this surface are counted. */
const OAUTH = { name: "oauth", effect: "write" } as const;

/**
 * The surface of OAuth. It counts requests and refuses them in OAuth's error format; the OAuth server answers the rest.
 */
export function createOAuthSurface(deps: OAuthDependencies): Elysia {
  const cors = createCors({
    origins: deps.corsOrigins,
    concerns: (request) => !isAuthorization(request),
    requestHeaders: ["Authorization", "Content-Type", "MCP-Protocol-Version"],
    answerHeaders: ["Link", "Retry-After", "WWW-Authenticate", "X-Request-Id"],
  });
  const surface: Surface = {
    name: "oauth",
    dependencies: deps,
    // Only the authorization endpoint is opened in a browser, from a client's site. The others are called by programs.
    guard: createRequestGuard({ ...deps, isPage: isAuthorization }),
    keep: () => ({}),
    always: securityHeaders(deps.publicUrl),
    headers: ({ request }) => cors.headers(request),
    errorResponse,
    log: deps.log,
  };
  async function handle(context: RequestContext): Promise<Answer | Response> {
    const { request } = context;
    const permission = cors.preflight(request, "GET, POST");
    if (permission) return permission;
    const network = networkOf(clientAddress(request, deps.trustedProxies));
    // Requests are not authenticated yet, so they count by network. Answers have no rate-limit headers.
    await deps.rateLimiter?.admit({ limitKey: null, network }, ["data"]);
    if (request.method === "POST" && targetOf(request).startsWith("/oauth2/register"))
      requireJsonType(request.headers);
    const whole = await received(request);
    return runInSlot(deps, context, OAUTH, () => deps.oauth.handle(whole, network));
  }
  return createSurface(
    surface,
    PATHS.map(([path, name]) => ({ path, name, handle })),
  );
}

/** Twice the limit of any endpoint, so that an endpoint can refuse a slightly oversized body in its own format. */
const BODY_BYTES_MAX = 128 * 1024;

/**
 * Returns the request with its body buffered, so that later steps never wait for the client. Only POST bodies are read.
 */
async function received(request: Request): Promise<Request> {
  if (request.method !== "POST" || request.body === null) return request;
  const { url, method, headers, signal } = request;
  const body = new Uint8Array(await readBytes(request, BODY_BYTES_MAX));
  return new Request(url, { method, headers, signal, body });
}

/**
 * True for the authorization endpoint, the only one that a person's browser opens and that reads a cookie. Pages of
 * other sites may not call it by script.
 */
function isAuthorization(request: Request): boolean {
  return /^\/oauth2\/authorize(?:\?|$)/.test(targetOf(request));
}

function errorResponse(error: DomainError): Answer {
  const { status } = errorCodes[error.code];
  const body = { error: nameOf(status), error_description: error.message };
  return json(status, body, { ...errorHeaders(error), "cache-control": "no-store" });
}

/** Returns the OAuth error code for a status (RFC 6749, section 4.1.2.1). */
function nameOf(status: number): string {
  if (status === 429 || status === 503) return "temporarily_unavailable";
  return status >= 500 ? "server_error" : "invalid_request";
}
