import { type ErrorCode, errorCodes } from "../../contract/error.ts";
import { SERVICE_ID } from "../../contract/service.ts";
import type { DomainError } from "../../core/error.ts";
import { type Answer, json } from "./answer.ts";
import { preferenceFor } from "./media-type.ts";

const PROBLEM = "application/problem+json";

/** How long a client waits where the refusal does not say. */
const RETRY_AFTER_SECONDS = 2;

/** The answer that tells of a refusal, as a problem document (RFC 9457) where `accept` asks for one. */
export function refusal(error: DomainError, accept: string | null, headers: Record<string, string> = {}): Answer {
  const { status } = errorCodes[error.code];
  const all = { ...headersOf(error), ...headers };
  if (!wantsProblem(accept)) return json(status, ordinary(error), all);
  return json(status, problem(error), { ...all, "content-type": PROBLEM });
}

function wantsProblem(accept: string | null): boolean {
  const preference = preferenceFor(accept, PROBLEM);
  return preference > 0 && preference >= preferenceFor(accept, "application/json");
}

function ordinary(error: DomainError): { detail: unknown; code: ErrorCode } {
  return { detail: error.code === "validation_failed" ? error.issues : error.message, code: error.code };
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
  };
}

function headersOf(error: DomainError): Record<string, string> {
  if (error.code === "invalid_token") return { "www-authenticate": `Bearer realm="${SERVICE_ID}"` };
  const wait = error.retryAfterSeconds ?? (error.code === "dependency_unavailable" ? RETRY_AFTER_SECONDS : null);
  return wait === null ? {} : { "retry-after": String(Math.ceil(wait)) };
}
