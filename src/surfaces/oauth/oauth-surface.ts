import type { Elysia } from "elysia";
import { errorCodes } from "../../contract/error.ts";
import type { OAuthServer } from "../../core/access/oauth.ts";
import type { DomainError } from "../../core/error.ts";
import { clientAddress, networkOf } from "../http/address.ts";
import { inPlace } from "../http/admission.ts";
import { readBytes } from "../http/body.ts";
import { errorHeaders } from "../http/error-response.ts";
import {
  type Answer,
  createDoor,
  type Door,
  type DoorDependencies,
  json,
  type RequestContext,
  securityHeaders,
} from "../http/pipeline.ts";
import type { RequestLine } from "../http/request-line.ts";

/** The paths of OAuth and its metadata, with what the log calls them. `/oauth/…` is pages. */
const PATHS = [
  ["/.well-known/oauth-protected-resource", "/.well-known/oauth-*"],
  ["/.well-known/oauth-protected-resource/*", "/.well-known/oauth-*"],
  ["/.well-known/oauth-authorization-server", "/.well-known/oauth-*"],
  ["/.well-known/oauth-authorization-server/*", "/.well-known/oauth-*"],
  ["/oauth2/*", "/oauth2/*"],
] as const;

export interface OAuthDependencies
  extends Pick<
    DoorDependencies,
    "newId" | "isUnavailable" | "trustedProxies" | "publicUrl" | "rateLimiter" | "share"
  > {
  readonly oauth: Pick<OAuthServer, "handle">;
  readonly log: (line: RequestLine) => void;
}

/** The door of OAuth: the server answers; this counts the request, and refuses it in OAuth's own words. */
export function createOAuthSurface(deps: OAuthDependencies): Elysia {
  const door: Door = {
    name: "oauth",
    dependencies: deps,
    keep: () => ({}),
    always: securityHeaders(deps.publicUrl),
    errorResponse,
    log: deps.log,
  };
  async function handle(context: RequestContext): Promise<Response> {
    const { request } = context;
    const network = networkOf(clientAddress(request, deps.trustedProxies));
    // Nobody is known here yet, so that all of it counts by where it comes from. No answer tells how much is left.
    await deps.rateLimiter?.admit({ limitKey: null, network }, ["data"]);
    const whole = await received(request);
    return inPlace(deps, context, "write", () => deps.oauth.handle(whole, network));
  }
  return createDoor(
    door,
    PATHS.map(([path, name]) => ({ path, name, handle })),
  );
}

/** The request with its body at hand, so that nothing waits for the client any more. */
async function received(request: Request): Promise<Request> {
  if (request.body === null) return request;
  const { url, method, headers, signal } = request;
  return new Request(url, { method, headers, signal, body: new Uint8Array(await readBytes(request)) });
}

function errorResponse(error: DomainError): Answer {
  const { status } = errorCodes[error.code];
  const body = { error: nameOf(status), error_description: error.message };
  return json(status, body, { ...errorHeaders(error), "cache-control": "no-store" });
}

/** The same in the words of OAuth (RFC 6749, section 4.1.2.1). */
function nameOf(status: number): string {
  if (status === 429 || status === 503) return "temporarily_unavailable";
  return status >= 500 ? "server_error" : "invalid_request";
}
