import { errorCodes } from "../../contract/error.ts";
import { DomainError } from "../../core/error.ts";

/** The answer to a request that does not get as far as the protocol: the error body that REST has. */
export function refusalOf(error: unknown): Response {
  if (!(error instanceof DomainError)) {
    return Response.json({ detail: "Something went wrong on our side.", code: "internal" }, { status: 500 });
  }
  const { code, issues, message, retryAfterSeconds } = error;
  const headers = new Headers();
  if (code === "invalid_token") headers.set("WWW-Authenticate", challenge());
  if (retryAfterSeconds !== null) headers.set("Retry-After", String(Math.ceil(retryAfterSeconds)));
  const detail = code === "validation_failed" ? issues : message;
  return Response.json({ detail, code }, { status: errorCodes[code].status, headers });
}

/** RFC 6750. Once there is OAuth, `resource_metadata="<url>"` (RFC 9728) is added here, and clients find the way in. */
function challenge(): string {
  return "Bearer";
}
