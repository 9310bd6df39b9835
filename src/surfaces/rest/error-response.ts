import { type ErrorCode, errorCodes } from "../../contract/error.ts";
import { SERVICE_ID, SERVICE_VERSION } from "../../contract/service.ts";
import { DomainError } from "../../core/error.ts";
import { detailOf, errorBody, errorHeaders, errorMembers } from "../http/error-response.ts";
import { preferenceFor } from "../http/media-type.ts";
import {
  type Answer,
  json,
  type SurfaceDependencies,
  securityHeaders,
  toResponse,
  withHelp,
} from "../http/pipeline.ts";
import { type PublicPages, wantsPage } from "../http/public-pages.ts";

const PROBLEM = "application/problem+json";

/** An error raised by the REST surface itself, with additional headers and members. */
export class HttpError extends DomainError {
  readonly headers: Readonly<Record<string, string>>;
  /** Additional members of the body. */
  readonly members: Readonly<Record<string, unknown>>;

  constructor(
    code: ErrorCode,
    message: string,
    extra: { headers?: Record<string, string>; members?: Record<string, unknown> },
  ) {
    super(code, message);
    this.headers = extra.headers ?? {};
    this.members = extra.members ?? {};
  }
}

/** Answers a request that was refused or failed, with a problem document (RFC 9457) if `accept` prefers one. */
export function errorResponse(error: DomainError, accept: string | null): Answer {
  const { status } = errorCodes[error.code];
  const isProblem = wantsProblem(accept);
  const members = error instanceof HttpError ? error.members : {};
  return json(
    status,
    { ...(isProblem ? problemDocument(error) : errorBody(error)), ...members },
    { ...headersOf(error), ...(isProblem ? { "content-type": PROBLEM } : {}) },
  );
}

function wantsProblem(accept: string | null): boolean {
  const preference = preferenceFor(accept, PROBLEM);
  return preference > 0 && preference >= preferenceFor(accept, "application/json");
}

export function problemDocument(error: DomainError): Record<string, unknown> {
  const { status, title } = errorCodes[error.code];
  return {
    type: `urn:${SERVICE_ID}:problem:${error.code}`,
    title,
    status,
    code: error.code,
    detail: detailOf(error),
    ...(error.code === "validation_failed" ? { errors: error.issues } : {}),
    ...errorMembers(error),
  };
}

function headersOf(error: DomainError): Record<string, string> {
  return {
    ...(error.code === "invalid_token" ? { "www-authenticate": `Bearer realm="${SERVICE_ID}"` } : {}),
    ...errorHeaders(error),
    ...(error instanceof HttpError ? error.headers : {}),
  };
}

/**
 * Answers a request whose URL and headers are too large to read, if the runtime lets the application answer. Nothing is
 * known about the request.
 */
export function headTooLarge({
  newId,
  publicUrl,
}: Pick<SurfaceDependencies, "newId" | "publicUrl">): Response {
  const error = new DomainError(
    "payload_too_large",
    "The address and headers of the request are too long. To search with a long query, POST it to /v1/memories/search in a body.",
  );
  const headers = { ...securityHeaders(publicUrl), connection: "close" };
  const answer = withHelp(errorResponse(error, null), error.code, publicUrl);
  return toResponse(answer, "", headers, newId());
}

/**
 * Answers any request while the server listens but cannot serve yet. `/healthz` still succeeds, since a restart would
 * not help. Only the path of the request is read.
 */
export function notServingYet(
  request: Request,
  {
    newId,
    publicUrl,
    why,
    pages,
  }: Pick<SurfaceDependencies, "newId" | "publicUrl"> & { readonly why: string; readonly pages: PublicPages },
): Response {
  const headers = { ...securityHeaders(publicUrl), "cache-control": "no-store" };
  const isAlive = new URL(request.url).pathname === "/healthz";
  const error = new DomainError("dependency_unavailable", why);
  const requestId = newId();
  const answer = isAlive
    ? json(200, { status: "ok", version: SERVICE_VERSION })
    : withHelp(
        wantsPage(request)
          ? pages.refused(error, requestId)
          : errorResponse(error, request.headers.get("accept")),
        error.code,
        publicUrl,
      );
  return toResponse(answer, request.method, headers, requestId);
}
