import type { Entry } from "../http/admission.ts";
import { drain } from "../http/body.ts";
import type { Door } from "../http/door.ts";
import { rateLimitHeaders } from "../http/rate-limit.ts";
import { domainErrorOf } from "../http/refusal.ts";
import { requestIdOf } from "../http/request-id.ts";
import { faultOf, type RequestLine } from "../http/request-line.ts";
import { type Answer, toResponse } from "./answer.ts";
import type { Cors } from "./cors.ts";
import { refusal } from "./refusal.ts";

/** One request on its way to an answer. */
export interface Exchange extends Entry {
  /** Path parameters, decoded; null where the percent-encoding is malformed. */
  readonly params: Readonly<Record<string, string | null>>;
  /** What of the request was not looked at, by name; for the answer. */
  ignored: readonly string[];
}

/** Answers an exchange. May reject: with a `DomainError`, or with a fault. */
export type Responder = (exchange: Exchange) => Answer | Promise<Answer>;

/** A responder and the template of the path it is at; null for what is nowhere. */
export interface Route {
  readonly route: string | null;
  readonly respond: Responder;
}

/** What every exchange needs, whatever it is about. */
export interface ExchangeDependencies extends Pick<Door, "newId" | "isUnavailable"> {
  /** Told of each request once its answer is made. */
  readonly log: (line: RequestLine) => void;
  /** Headers of every answer; see `securityHeaders`. */
  readonly always: Readonly<Record<string, string>>;
  readonly cors: Cors;
}

/** Answers a request, whatever happens on the way, and logs its line. */
export async function exchange(
  deps: ExchangeDependencies,
  { route, respond }: Route,
  request: Request,
  params: Exchange["params"] = {},
): Promise<Response> {
  const startedAt = performance.now();
  const current: Exchange = {
    request,
    params,
    requestId: requestIdOf(request.headers, deps.newId),
    tokenId: null,
    rateLimit: null,
    ignored: [],
  };
  const { answer, ...failure } = await settle(deps, respond, current);
  await drain(request);
  deps.log({
    method: request.method,
    route,
    status: answer.status,
    ms: Math.round((performance.now() - startedAt) * 10) / 10,
    requestId: current.requestId,
    tokenId: current.tokenId,
    ...failure,
  });
  return toResponse(answer, {
    method: request.method,
    path: pathOf(request),
    requestId: current.requestId,
    headers: {
      ...deps.always,
      ...deps.cors.headers(request),
      ...rateLimitHeaders(current.rateLimit),
      ...ignoredHeader(current.ignored),
    },
  });
}

interface Settled extends Pick<RequestLine, "code" | "fault"> {
  readonly answer: Answer;
}

async function settle(deps: ExchangeDependencies, respond: Responder, current: Exchange): Promise<Settled> {
  try {
    return { answer: await respond(current) };
  } catch (cause) {
    const error = domainErrorOf(cause, deps.isUnavailable);
    const answer = refusal(error, current.request.headers.get("accept"));
    return { answer, code: error.code, ...(answer.status >= 500 ? { fault: faultOf(cause) } : {}) };
  }
}

/** How many ignored members an answer names. */
const NAMED_MAX = 10;

/** What may stand in the header as it is. Any other name is counted: it could break the header, or be of any length. */
const NAMEABLE = /^[A-Za-z0-9_.-]{1,64}$/;

/** Names what was sent and not looked at: `colour, mood`, with `+3` at the end for those that it does not name. */
function ignoredHeader(names: readonly string[]): Record<string, string> {
  const distinct = [...new Set(names)];
  if (distinct.length === 0) return {};
  const named = distinct.filter((name) => NAMEABLE.test(name)).slice(0, NAMED_MAX);
  const rest = distinct.length - named.length;
  return { "x-recollect-ignored": [...named, ...(rest > 0 ? [`+${rest}`] : [])].join(", ") };
}

/** The path of a request's URL, with its query. */
function pathOf({ url }: Request): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  return start === -1 ? "/" : url.slice(start);
}
