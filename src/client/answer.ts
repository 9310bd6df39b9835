import type { ValidationIssue } from "./contract.ts";
import type { RecollectErrorDetails } from "./error.ts";
import { retryAfterMs } from "./pause.ts";

/** Outcome of one attempt. */
export type Outcome = { readonly isDone: true; readonly answer: unknown } | Failed;

export interface Failed {
  readonly isDone: false;
  readonly message: string;
  readonly details: RecollectErrorDetails;
  /** Whether a retry may succeed. */
  readonly isTemporary: boolean;
  /** Whether the service may have carried the request out nevertheless. */
  readonly mayBeDone: boolean;
}

/** Statuses of proxies and overloaded servers that say nothing about the request itself. */
const TEMPORARY: readonly number[] = [408, 425, 429, 500, 502, 503, 504];
/** Codes of refusals before anything is done. */
const NOT_BEGUN: readonly unknown[] = ["rate_limited", "overloaded"];

/** Reads an answer. A truncated or unreadable one can be retried, whatever its status. */
export async function readAnswer(response: Response): Promise<Outcome> {
  const { status, ok, headers } = response;
  const isJson = (headers.get("content-type") ?? "").includes("json");
  const { text, cause } = await textOf(response);
  const body = text !== null && isJson ? parsed(text) : undefined;
  if (ok && body !== undefined) return { isDone: true, answer: body };
  const isBroken = body === undefined && (isJson || text === null);
  const { code, detail, hint, errors } = asObject(body);
  const issues = ([detail, errors].find(isList) ?? []) as readonly ValidationIssue[];
  return {
    isDone: false,
    message: body === undefined ? unreadable(status, isBroken) : messageOf(status, hint ?? detail, issues),
    details: {
      code: typeof code === "string" ? code : "unexpected_answer",
      // Browsers hide the status of a redirect.
      status: status || null,
      issues,
      requestId: headers.get("x-request-id"),
      help: /<([^<>]*)>; *rel="?help\b/.exec(headers.get("link") ?? "")?.[1] ?? null,
      retryAfterMs: retryAfterMs(headers),
      cause,
    },
    isTemporary: isBroken || ok || TEMPORARY.includes(status),
    mayBeDone: ok || (status >= 500 && !NOT_BEGUN.includes(code)),
  };
}

async function textOf(response: Response): Promise<{ text: string | null; cause?: unknown }> {
  try {
    return { text: await response.text() };
  } catch (cause) {
    return { text: null, cause };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function unreadable(status: number, isBroken: boolean): string {
  return `The answer (${status}) ${isBroken ? "could not be read" : "is not the service's"}.`;
}

function messageOf(status: number, detail: unknown, issues: readonly ValidationIssue[]): string {
  if (typeof detail === "string") return detail;
  const told = issues.map(({ loc, msg }) => `${(loc ?? []).join(".")}: ${msg}`).join("; ");
  return told || `The service answered ${status}.`;
}
