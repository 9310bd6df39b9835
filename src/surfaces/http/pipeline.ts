import { Elysia } from "elysia";
import { type ErrorCode, helpAddress } from "../../contract/error.ts";
import type { Effect } from "../../contract/operation.ts";
import type { Owner } from "../../core/access/credential.ts";
import type { CredentialStore } from "../../core/access/credential-store.ts";
import type { Hash } from "../../core/environment.ts";
import type { DomainError } from "../../core/error.ts";
import type { FairShare } from "../../core/limits/fair-share.ts";
import type { Requester } from "../../core/limits/places.ts";
import type { RateLimiter, RateLimitStatus } from "../../core/limits/rate-limiter.ts";
import { type SurfaceMetrics, UNWATCHED } from "../../core/watch/watch.ts";
import { drain } from "./body.ts";
import { domainErrorOf, rateLimitHeaders } from "./error-response.ts";
import type { HostNames, RequestGuard } from "./request-guard.ts";
import { faultOf, type RequestLine } from "./request-line.ts";

/*
 * The one pipeline of all surfaces: request → host and origin → credential → rate limit → scope → input → place → use case →
 * answer.
 *
 * Elysia finds the route, `handleRequest` does what is the same for every request, and a surface brings what differs: its
 * routes, its headers and its format of errors. A route's handler admits the sender first (`admission.ts`: credential,
 * rate limit), then has the application check the scope, then reads the input, then calls the use case where the sender
 * has a place for it (`runInSlot`): a sender that is slow with its body keeps nobody waiting.
 */

/** Dependencies of every surface, whatever its protocol. */
export interface SurfaceDependencies extends HostNames {
  readonly credentials: Pick<CredentialStore, "authenticate">;
  readonly hash: Hash;
  readonly newId: () => string;
  /** True where an error means that a dependency is away, so that trying again later helps. */
  readonly isUnavailable: (error: unknown) => boolean;
  /** null: no limits. */
  readonly rateLimiter: RateLimiter | null;
  readonly share: FairShare;
  /** Nobody, unless given. */
  readonly watch?: SurfaceMetrics;
  /** Proxies whose `X-Forwarded-For` is trusted: addresses and CIDR ranges. */
  readonly trustedProxies: readonly string[];
  /** Origins whose pages may call the service from a browser; none if it is empty. */
  readonly corsOrigins: readonly string[];
}

/** One request on its way to an answer. */
export interface RequestContext {
  readonly request: Request;
  readonly requestId: string;
  /** Path parameters, decoded; null where the percent-encoding is malformed. */
  readonly params: Readonly<Record<string, string | null>>;
  /** The sender's rate-limit status, once the request has been counted; for the answer. */
  rateLimit: RateLimitStatus | null;
  /** Set once the credential is known, for the log. */
  tokenId: string | null;
  /** The owner of the credential. */
  owner: Owner | null;
  /** The requested operation, once known. It is logged even if it is refused before it begins. */
  operation: AskedFor | null;
  /** Called when an operation has ended. */
  onOperationEnd(done: FinishedOperation): void;
  /** The party whose share of the service it uses, once known. */
  requester: Requester | null;
}

/** An operation, as far as it is watched. */
export interface AskedFor {
  readonly name: string;
  readonly effect: Effect;
}

/** Outcome of an operation. */
export interface FinishedOperation extends AskedFor {
  /** The code of its error; null if it succeeded. */
  readonly code: ErrorCode | null;
  readonly ms: number;
}

/** An answer before it is a `Response`: what was decided, without what every answer carries. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** `Set-Cookie` values. */
  readonly cookies?: readonly string[];
}

/** A JSON answer. */
export function json(status: number, value: unknown, headers: Record<string, string> = {}): Answer {
  return { status, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(value) };
}

/** Answers a request, perhaps with a response that a library made. May reject: with a `DomainError`, or with a fault. */
export type Handler<Kept = object> = (
  context: RequestContext & Kept,
) => Answer | Response | Promise<Answer | Response>;

/** The handler of a path, for every method. */
export interface Route<Kept = object> {
  /** A template such as `/v1/memories/{memory_id}`; `*` at its end stands for any rest. */
  readonly path: string;
  /** Its name in the log. Defaults to its path. */
  readonly name?: string;
  readonly handle: Handler<Kept>;
}

/** The parts of the pipeline in which surfaces differ. */
export interface Surface<Kept = object> {
  readonly name: string;
  readonly dependencies: Pick<SurfaceDependencies, "newId" | "isUnavailable" | "publicUrl" | "watch">;
  /** Refuses requests that a browser sends for a foreign page, before anything else. */
  readonly guard: RequestGuard;
  /** Creates the further state that it keeps for a request. */
  readonly keep: () => Kept;
  /** Headers of its every answer: `securityHeaders`, and more. An `Answer`'s own take precedence. */
  readonly always: Readonly<Record<string, string>>;
  /** Headers that depend on the request. */
  readonly headers?: (context: RequestContext & Kept) => Readonly<Record<string, string>>;
  /** The answer to a request that was refused or failed. */
  readonly errorResponse: (error: DomainError, context: RequestContext & Kept) => Answer;
  /** Called for each request once its answer is made. */
  readonly log: (line: RequestLine) => void;
}

/**
 * A surface as an Elysia plugin, to be used by an application or by itself. Elysia finds the route by its path; the method
 * and all else is the same code on every runtime.
 */
export function createSurface<Kept>(surface: Surface<Kept>, routes: readonly Route<Kept>[]): Elysia {
  const plugin = new Elysia({ name: surface.name, ...ROUTING });
  for (const route of routes) {
    const path = route.path.replaceAll(/\{(\w+)\}/g, ":$1");
    // HEAD is named too, or Elysia would make it up from the answer to another method.
    for (const method of ["ALL", "HEAD"]) {
      plugin.route(method, path, ({ request, params }) => handleRequest(surface, route, request, params), {
        parse: "none",
      });
    }
  }
  return plugin;
}

/** How every application of these surfaces routes. By default Elysia takes a host of one to three letters for a path. */
export const ROUTING = { handler: { standardHostname: false } } as const;

/** Answers a request, whatever happens on the way, and logs its line. Where no route was found, `route` has no path. */
export function handleRequest<Kept>(
  surface: Surface<Kept>,
  route: Routed<Kept>,
  request: Request,
  params: RequestContext["params"] = {},
): Promise<Response> {
  const { watch = UNWATCHED } = surface.dependencies;
  const { method, headers } = request;
  return watch.request({ door: surface.name, method, route: route.name ?? route.path, headers }, () =>
    answerRequest(surface, route, request, params),
  );
}

type Routed<Kept> = Omit<Route<Kept>, "path"> & { readonly path: string | null };

async function answerRequest<Kept>(
  surface: Surface<Kept>,
  route: Routed<Kept>,
  request: Request,
  params: RequestContext["params"],
): Promise<Response> {
  const startedAt = performance.now();
  const done: FinishedOperation[] = [];
  const arrived: RequestContext = {
    request,
    params,
    requestId: requestIdOf(request.headers, surface.dependencies.newId),
    tokenId: null,
    owner: null,
    operation: null,
    onOperationEnd: (one) => done.push(one),
    rateLimit: null,
    requester: null,
  };
  const context = { ...arrived, ...surface.keep() };
  const { answer, ...failure } = await answerTo(surface, route.handle, context);
  const isTakenIn = await drain(request);
  reportRequest(surface, route, context, done, {
    ...failure,
    status: answer.status,
    ms: performance.now() - startedAt,
  });
  const headers = {
    ...surface.always,
    ...rateLimitHeaders(context.rateLimit),
    ...surface.headers?.(context),
    ...(isTakenIn ? {} : { connection: "close" }),
  };
  return answer instanceof Response
    ? withHeaders(answer, request.method, { ...headers, "x-request-id": context.requestId })
    : toResponse(answer, request.method, headers, context.requestId);
}

/** Tells the log and those who watch: of the request once, and of each operation that it asked for. */
function reportRequest<Kept>(
  surface: Surface<Kept>,
  route: Routed<Kept>,
  context: RequestContext,
  ended: readonly FinishedOperation[],
  { status, ms, ...failure }: Pick<RequestLine, "status" | "ms" | "code" | "fault">,
): void {
  const { watch = UNWATCHED } = surface.dependencies;
  const { request, requestId, tokenId, owner, operation } = context;
  const code = failure.code ?? null;
  // A request for one operation takes as long as that: what comes before its place is part of it.
  const done = operation === null ? ended : [{ ...operation, code, ms }];
  watch.answered({ door: surface.name, status, ms, code: done.length === 0 ? code : null });
  const traceId = watch.traceId();
  const line = {
    method: request.method,
    route: route.name ?? route.path,
    status,
    requestId,
    tokenId,
    ownerId: owner?.id ?? null,
    ...(traceId && { traceId }),
  };
  const tellOf = ({ name, ...one }: FinishedOperation) => {
    const ownerId = owner === null || owner.kind === "agent" ? null : owner.id;
    watch.operationEnded({ ...one, door: surface.name, operation: name, ownerId });
    surface.log({ ...line, ms: tenths(one.ms), operation: name, outcome: one.code ?? "ok", ...failure });
  };
  for (const one of done) tellOf(one);
  // The operations of a streamed answer end later. Re-reads of an event stream are no further requests.
  context.onOperationEnd = operation === null ? tellOf : () => {};
  if (done.length === 0)
    surface.log({ ...line, ms: tenths(ms), operation: null, outcome: code ?? "ok", ...failure });
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}

interface Answered extends Pick<RequestLine, "code" | "fault"> {
  readonly answer: Answer | Response;
}

async function answerTo<Kept>(
  { errorResponse, dependencies, guard }: Surface<Kept>,
  handle: Handler<Kept>,
  context: RequestContext & Kept,
): Promise<Answered> {
  try {
    const refused = guard(context.request);
    if (refused) throw refused;
    return { answer: await handle(context) };
  } catch (thrown) {
    const error = domainErrorOf(thrown, dependencies.isUnavailable);
    const answer = withHelp(errorResponse(error, context), error.code, dependencies.publicUrl);
    // Having too much to do is no fault: whoever asks for it could fill the log.
    const isFault = answer.status >= 500 && error.code !== "overloaded";
    return { answer, code: error.code, ...(isFault ? { fault: faultOf(thrown) } : {}) };
  }
}

/** The answer with a link to what its code means and what to do about it, after whatever links it has itself. */
export function withHelp(answer: Answer, code: ErrorCode, publicUrl: string): Answer {
  const help = `<${helpAddress(publicUrl, code)}>; rel="help"`;
  const { link } = answer.headers;
  return { ...answer, headers: { ...answer.headers, link: link === undefined ? help : `${link}, ${help}` } };
}

const utf8 = new TextEncoder();

/**
 * The response to `method`. The answer's headers take precedence over those that every answer carries. HEAD gets the
 * headers of GET and no body; 204 has neither a body nor a length.
 */
export function toResponse(
  { status, body, cookies = [], ...answer }: Answer,
  method: string,
  headers: Readonly<Record<string, string>>,
  requestId: string,
): Response {
  const bytes = utf8.encode(body);
  const response = new Response(method === "HEAD" || status === 204 ? null : bytes, {
    status,
    headers: {
      ...headers,
      ...answer.headers,
      // Bun and Deno would say it by themselves, Node would not.
      ...(status === 204 ? {} : { "content-length": String(bytes.length) }),
      "x-request-id": requestId,
    },
  });
  for (const cookie of cookies) response.headers.append("set-cookie", cookie);
  return response;
}

/** A library's response with these headers in place of its own. */
async function withHeaders(
  made: Response,
  method: string,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const response = method === "HEAD" ? await withoutBody(made) : made;
  // Bun's `Response.json` names a charset, which JSON does not have (RFC 8259); the other runtimes' does not.
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("application/json;")) response.headers.set("content-type", "application/json");
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

/** With the length that the body would have; where the library left it out itself, nobody knows it. */
async function withoutBody(made: Response): Promise<Response> {
  if (made.body === null) return made;
  const length = (await made.arrayBuffer()).byteLength;
  const response = new Response(null, { status: made.status, headers: made.headers });
  response.headers.set("content-length", String(length));
  return response;
}

/** Form of an acceptable incoming id; any other could break a log line or a header. */
const SANE_REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** The id of a request: the client's own where it is sane, otherwise a new one. */
function requestIdOf(headers: Headers, newId: () => string): string {
  const named = headers.get("x-request-id");
  return named !== null && SANE_REQUEST_ID.test(named) ? named : newId();
}

const HSTS_SECONDS = 365 * 24 * 60 * 60;

/**
 * Headers of every answer of every surface: no guessing of types, no framing, nothing loaded, nothing given away to other
 * sites, and no way back to plain HTTP where the service is reached by HTTPS.
 */
export function securityHeaders(publicUrl: string): Readonly<Record<string, string>> {
  const isHttps = new URL(publicUrl).protocol === "https:";
  return {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    // JSON may do nothing in a browser. A page sets a policy of its own instead.
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "cross-origin-resource-policy": "same-origin",
    ...(isHttps ? { "strict-transport-security": `max-age=${HSTS_SECONDS}` } : {}),
  };
}
