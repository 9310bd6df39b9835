import type { ValidationIssue } from "./contract.ts";
import { RecollectError } from "./error.ts";
import { retryAfterMs } from "./pause.ts";

/** What came of one attempt. */
export type Outcome =
  | { readonly isDone: true; readonly answer: unknown }
  | {
      readonly isDone: false;
      readonly error: RecollectError;
      /** Whether another attempt may have another end. */
      readonly isTemporary: boolean;
      /** Whether the service may have carried it out all the same. */
      readonly mayBeDone: boolean;
    };

/** Answers of proxies and overloaded servers that say nothing of the request itself. */
const TEMPORARY: readonly number[] = [408, 425, 429, 500, 502, 503, 504];
/** Refusals that are made before anything is done. */
const NOT_BEGUN: readonly string[] = ["rate_limited", "overloaded"];

/** Reads an answer. One that is cut or garbled is no answer: what it was about is asked again, whatever its status. */
export async function readAnswer(response: Response): Promise<Outcome> {
  const body = await textOf(response);
  const isJson = (response.headers.get("content-type") ?? "").includes("json");
  const value = body.text !== null && isJson ? parsed(body.text) : undefined;
  if (value === undefined) return unreadable(response, isJson || body.text === null, body.cause);
  return response.ok ? { isDone: true, answer: value } : refused(response, value);
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

function unreadable(response: Response, isBroken: boolean, cause: unknown): Outcome {
  const { status, ok, headers } = response;
  const isRefusal = status >= 300 && status < 500;
  const message = isBroken
    ? `The answer (${status}) could not be read.`
    : `The answer (${status}) is not the service's.`;
  return {
    isDone: false,
    error: new RecollectError(message, {
      code: "unexpected_answer",
      status,
      requestId: headers.get("x-request-id"),
      retryAfterMs: retryAfterMs(headers),
      cause,
    }),
    isTemporary: isBroken || ok || TEMPORARY.includes(status),
    mayBeDone: !isRefusal,
  };
}

function refused(response: Response, body: unknown): Outcome {
  const { status, headers } = response;
  const { code: named, detail, errors } = asObject(body);
  const code = typeof named === "string" ? named : "unexpected_answer";
  const issues = issuesIn(detail) ?? issuesIn(errors) ?? [];
  const error = new RecollectError(messageOf(status, detail, issues), {
    code,
    status,
    issues,
    requestId: headers.get("x-request-id"),
    retryAfterMs: retryAfterMs(headers),
  });
  return {
    isDone: false,
    error,
    isTemporary: TEMPORARY.includes(status),
    mayBeDone: status >= 500 && !NOT_BEGUN.includes(code),
  };
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function issuesIn(value: unknown): readonly ValidationIssue[] | null {
  return Array.isArray(value) ? (value as readonly ValidationIssue[]) : null;
}

function messageOf(status: number, detail: unknown, issues: readonly ValidationIssue[]): string {
  if (typeof detail === "string") return detail;
  const told = issues.map(({ loc, msg }) => `${(loc ?? []).join(".")}: ${msg}`).join("; ");
  return told === "" ? `The service answered ${status}.` : told;
}
