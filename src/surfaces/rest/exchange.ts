import { DomainError } from "../../core/error.ts";
import { type Answer, toResponse } from "./answer.ts";
import { refusal } from "./refusal.ts";
import { requestIdOf } from "./request-id.ts";
import { faultOf, type RequestLine } from "./request-line.ts";

/** One request on its way to an answer. */
export interface Exchange {
  readonly request: Request;
  /** Path parameters, decoded; null where the percent-encoding is malformed. */
  readonly params: Readonly<Record<string, string | null>>;
  readonly requestId: string;
  /** Set once the caller is known, for the log. */
  tokenId: string | null;
}

/** Answers one method of one path. May reject: with a `DomainError`, or with a fault. */
export type Responder = (exchange: Exchange) => Answer | Promise<Answer>;

/** Everything that lives at one path, by method. HEAD is GET's. */
export interface Endpoint {
  /** The OpenAPI template, or null for what is nowhere. */
  readonly route: string | null;
  readonly methods: Readonly<Record<string, Responder>>;
}

/** What every exchange needs, whatever it is about. */
export interface ExchangeDependencies {
  readonly newId: () => string;
  /** Told of each request once its answer is made. */
  readonly log: (line: RequestLine) => void;
  /** True where an error means that a dependency is away, so that trying again later helps. */
  readonly isUnavailable: (error: unknown) => boolean;
}

/** Answers a request, whatever happens on the way, and logs its line. */
export async function exchange(
  deps: ExchangeDependencies,
  endpoint: Endpoint,
  request: Request,
  params: Exchange["params"] = {},
): Promise<Response> {
  const startedAt = performance.now();
  const current: Exchange = { request, params, requestId: requestIdOf(request.headers, deps.newId), tokenId: null };
  const { answer, ...outcome } = await settle(deps, endpoint, current);
  deps.log({
    method: request.method,
    route: endpoint.route,
    status: answer.status,
    ms: Math.round((performance.now() - startedAt) * 10) / 10,
    requestId: current.requestId,
    tokenId: current.tokenId,
    ...outcome,
  });
  return toResponse(answer, { method: request.method, path: pathOf(request), requestId: current.requestId });
}

interface Outcome extends Pick<RequestLine, "code" | "fault"> {
  readonly answer: Answer;
}

async function settle(deps: ExchangeDependencies, endpoint: Endpoint, current: Exchange): Promise<Outcome> {
  const accept = current.request.headers.get("accept");
  try {
    const { method } = current.request;
    const wanted = method === "HEAD" ? "GET" : method;
    const responder = Object.hasOwn(endpoint.methods, wanted) ? endpoint.methods[wanted] : undefined;
    if (responder) return { answer: await responder(current) };
    const error = new DomainError("method_not_allowed", `Use ${allowed(endpoint)} here.`);
    return { answer: refusal(error, accept, { allow: allowed(endpoint) }), code: error.code };
  } catch (cause) {
    const error = domainErrorOf(cause, deps);
    const isOurs = error !== cause;
    return {
      answer: refusal(error, accept),
      code: error.code,
      ...(isOurs || error.code === "internal" ? { fault: faultOf(cause) } : {}),
    };
  }
}

function domainErrorOf(cause: unknown, { isUnavailable }: ExchangeDependencies): DomainError {
  if (cause instanceof DomainError) return cause;
  if (isUnavailable(cause)) {
    return new DomainError("dependency_unavailable", "A part of the service is not available: try again soon.");
  }
  return new DomainError("internal", "The service failed. The request id tells its operators which request it was.");
}

function allowed({ methods }: Endpoint): string {
  return Object.keys(methods)
    .flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
    .join(", ");
}

/** Where the request goes, as far as headers depend on it. */
function pathOf({ url }: Request): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  return start === -1 ? "/" : url.slice(start);
}
