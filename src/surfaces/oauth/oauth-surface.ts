import { errorCodes } from "../../contract/error.ts";
import type { OAuthServer } from "../../core/access/oauth.ts";
import { clientAddress, networkOf } from "../http/address.ts";
import type { Door } from "../http/door.ts";
import { domainErrorOf, refusalHeaders } from "../http/refusal.ts";
import { requestIdOf } from "../http/request-id.ts";
import { faultOf, type RequestLine } from "../http/request-line.ts";
import { securityHeaders } from "../http/security-headers.ts";

/** The paths of OAuth and its metadata. `/oauth/…` is pages. */
export const oauthPaths = [
  "/.well-known/oauth-protected-resource",
  "/.well-known/oauth-protected-resource/*",
  "/.well-known/oauth-authorization-server",
  "/.well-known/oauth-authorization-server/*",
  "/oauth2/*",
];

export interface OAuthSurfaceDeps
  extends Pick<Door, "newId" | "isUnavailable" | "trustedProxies" | "publicUrl" | "rateLimiter"> {
  readonly oauth: Pick<OAuthServer, "handle">;
  readonly log: (line: RequestLine) => void;
}

/** The door of OAuth: the server answers, this adds what every answer has, and the line in the log. Never rejects. */
export function createOAuthSurface(deps: OAuthSurfaceDeps): { fetch(request: Request): Promise<Response> } {
  const always = securityHeaders(deps.publicUrl);
  return {
    async fetch(request) {
      const startedAt = performance.now();
      const requestId = requestIdOf(request.headers, deps.newId);
      const { response, refused } = await answer(deps, request);
      for (const [name, value] of Object.entries({ ...always, "x-request-id": requestId })) {
        response.headers.set(name, value);
      }
      deps.log({
        method: request.method,
        route: new URL(request.url).pathname.startsWith("/oauth2/") ? "/oauth2/*" : "/.well-known/oauth-*",
        status: response.status,
        ms: Math.round(performance.now() - startedAt),
        requestId,
        tokenId: null,
        ...refused,
      });
      return response;
    },
  };
}

async function answer(deps: OAuthSurfaceDeps, request: Request) {
  try {
    const network = networkOf(clientAddress(request, deps.trustedProxies));
    // Nobody is known here yet, so that all of it counts by where it comes from.
    await deps.rateLimiter?.admit({ limitKey: null, network }, ["data"]);
    return { response: await deps.oauth.handle(request, network), refused: {} };
  } catch (thrown) {
    const error = domainErrorOf(thrown, deps.isUnavailable);
    const { status } = errorCodes[error.code];
    const body = { error: nameOf(status), error_description: error.message };
    const headers = { ...refusalHeaders(error), "cache-control": "no-store" };
    const response = Response.json(body, { status, headers });
    return { response, refused: { code: error.code, ...(status >= 500 && { fault: faultOf(thrown) }) } };
  }
}

/** The same in the words of OAuth (RFC 6749, section 4.1.2.1). */
function nameOf(status: number): string {
  if (status === 429 || status === 503) return "temporarily_unavailable";
  return status >= 500 ? "server_error" : "invalid_request";
}
