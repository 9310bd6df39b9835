import { errorCodes } from "../../contract/error.ts";
import type { DomainError } from "../../core/error.ts";
import { refusalBody, refusalHeaders } from "../http/refusal.ts";

/**
 * The answer to a request that does not get as far as the protocol: the error body that REST has. `authorizedAt` is the
 * public address of the service where it lets clients in by OAuth; null where it does not.
 */
export function refusalOf(error: DomainError, authorizedAt: string | null): Response {
  const headers = new Headers(refusalHeaders(error));
  if (error.code === "invalid_token") headers.set("WWW-Authenticate", challenge(authorizedAt));
  if (error.code === "insufficient_scope") {
    headers.set("WWW-Authenticate", challenge(authorizedAt, 'error="insufficient_scope"'));
  }
  return Response.json(refusalBody(error), { status: errorCodes[error.code].status, headers });
}

/** RFC 6750, with where a client learns how it is let in (RFC 9728), if it can be, and what it should ask for. */
function challenge(authorizedAt: string | null, ...more: string[]): string {
  const metadata =
    authorizedAt === null
      ? []
      : [
          `resource_metadata="${authorizedAt.replace(/\/+$/, "")}/.well-known/oauth-protected-resource/mcp"`,
          'scope="memory:read memory:write"',
        ];
  return `Bearer ${[...more, ...metadata].join(", ")}`.trimEnd();
}
