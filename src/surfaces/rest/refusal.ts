import { type ErrorCode, errorCodes } from "../../contract/error.ts";
import { SERVICE_ID } from "../../contract/service.ts";
import { DomainError } from "../../core/error.ts";
import { preferenceFor } from "../http/media-type.ts";
import { refusalBody, refusalHeaders, refusalMembers } from "../http/refusal.ts";
import { type Answer, json } from "./answer.ts";

const PROBLEM = "application/problem+json";

/** A refusal of this surface itself, with what HTTP adds to it. */
export class Refused extends DomainError {
  readonly headers: Readonly<Record<string, string>>;
  /** Further members of the body. */
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

/** The answer that tells of a refusal, as a problem document (RFC 9457) where `accept` asks for one. */
export function refusal(error: DomainError, accept: string | null): Answer {
  const { status } = errorCodes[error.code];
  const isProblem = wantsProblem(accept);
  const members = error instanceof Refused ? error.members : {};
  return json(
    status,
    { ...(isProblem ? problem(error) : refusalBody(error)), ...members },
    { ...headersOf(error), ...(isProblem ? { "content-type": PROBLEM } : {}) },
  );
}

function wantsProblem(accept: string | null): boolean {
  const preference = preferenceFor(accept, PROBLEM);
  return preference > 0 && preference >= preferenceFor(accept, "application/json");
}

function problem(error: DomainError): Record<string, unknown> {
  const { status, title } = errorCodes[error.code];
  return {
    type: `urn:${SERVICE_ID}:problem:${error.code}`,
    title,
    status,
    code: error.code,
    detail: error.message,
    ...(error.code === "validation_failed" ? { errors: error.issues } : {}),
    ...refusalMembers(error),
  };
}

function headersOf(error: DomainError): Record<string, string> {
  return {
    ...(error.code === "invalid_token" ? { "www-authenticate": `Bearer realm="${SERVICE_ID}"` } : {}),
    ...refusalHeaders(error),
    ...(error instanceof Refused ? error.headers : {}),
  };
}
