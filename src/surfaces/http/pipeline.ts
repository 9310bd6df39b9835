import { Elysia } from "elysia";
import { type ErrorCode, helpAddress } from "../../contract/error.ts";
import type { Effect } from "../../contract/operation.ts";
import { type Owner, principalOf } from "../../core/access/credential.ts";
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
 * The one pipeline of all surfaces: request → host and origin → credential → rate limit → scope → input → slot → use
 * case → answer.
 *
 * Elysia finds the route, `handleRequest` does the work common to all requests, and a surface adds its routes, its
 * headers and its error format. A route's handler first admits the sender (`admission.ts`: credential, rate limit),
 * then lets the application check the scope, then reads the input, and only then calls the use case in a slot
 * (`runInSlot`), so that a slow upload does not occupy a slot.
 */

/** Dependencies of every surface, whatever its protocol. */
export interface SurfaceDependencies extends HostNames {
  readonly credentials: Pick<CredentialStore, "authenticate">;
  readonly hash: Hash;
  readonly newId: () => string;
  /** True if an error means that a dependency is unavailable, so that a later retry may succeed. */
  readonly isUnavailable: (error: unknown) => boolean;
  /** null: no limits. */
  readonly rateLimiter: RateLimiter | null;
  readonly share: FairShare;
  /** Default: none. */
  readonly watch?: SurfaceMetrics;
  /** Addresses and CIDR ranges of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  /** Origins whose pages may call the service from a browser. */
  readonly corsOrigins: readonly string[];
}

/** A request and what the pipeline has learned of it so far. */
export interface RequestContext {
  readonly request: Request;
  readonly requestId: string;
  /** Path parameters, decoded; null if the percent-encoding is malformed. */
  readonly params: Readonly<Record<string, string | null>>;
  /** The sender's rate-limit status, once the request has been counted. Sent in the answer. */
  rateLimit: RateLimitStatus | null;
  /** Set once the credential is known, for the log. */
  tokenId: string | null;
  owner: Owner | null;
  /** The requested operation, once known. Logged even if it is refused before it begins. */
  operation: RequestedOperation | null;
  /** Called when an operation has ended. */
  onOperationEnd(done: FinishedOperation): void;
  /** Whose share of the service the request uses, once known. */
  requester: Requester | null;
}

/** Facts about an operation for metrics and logs. */
export interface RequestedOperation {
  readonly name: string;
  readonly effect: Effect;
}

export interface FinishedOperation extends RequestedOperation {
  /** The code of its error; null if it succeeded. */
  readonly code: ErrorCode | null;
  readonly ms: number;
}

/** An answer before it becomes a `Response`, without the headers that every answer carries. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** `Set-Cookie` values. */
  readonly cookies?: readonly string[];
}

export function json(status: number, value: unknown, headers: Record<string, string> = {}): Answer {
  return { status, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(value) };
}

/** Answers a request; the response may come from a library. Rejects with a `DomainError`, or with a fault. */
export type Handler<Kept = object> = (
  context: RequestContext & Kept,
) => Answer | Response | Promise<Answer | Response>;

/** The handler of a path, for every method. */
export interface Route<Kept = object> {
  /** A template such as `/v1/memories/{memory_id}`. A final `*` matches any rest. */
  readonly path: string;
  /** Its name in the log. Defaults to its path. */
  readonly name?: string;
  readonly handle: Handler<Kept>;
}

/** The parts of the pipeline in which surfaces differ. */
export interface Surface<Kept = object> {
  readonly name: string;
  readonly dependencies: Pick<SurfaceDependencies, "newId" | "isUnavailable" | "publicUrl" | "watch">;
  /** Refuses requests that a browser sends for another site's page, before anything else. */
  readonly guard: RequestGuard;
  /** Creates the surface's own state for a request. */
  readonly keep: () => Kept;
  /** Headers of all its answers, including `securityHeaders`. An `Answer`'s own headers take precedence. */
  readonly always: Readonly<Record<string, string>>;
  /** Headers that depend on the request. */
  readonly headers?: (context: RequestContext & Kept) => Readonly<Record<string, string>>;
  /** Formats the answer to a request that was refused or failed. */
  readonly errorResponse: (error: DomainError, context: RequestContext & Kept) => Answer;
  /** Called for each request once its answer is ready. */
  readonly log: (line: RequestLine) => void;
}

/**
 * Creates a surface as an Elysia plugin, usable in an application or alone. Elysia only matches the path; methods and
 * everything else are handled here, the same on every runtime.
 */
export function createSurface<Kept>(surface: Surface<Kept>, routes: readonly Route<Kept>[]): Elysia {
  const plugin = new Elysia({ name: surface.name, ...ROUTING });
  for (const route of routes) {
    const path = route.path.replaceAll(/\{(\w+)\}/g, ":$1");
    // Without an explicit HEAD, Elysia would derive it from another method's answer.
    for (const method of ["ALL", "HEAD"]) {
      plugin.route(method, path, ({ request, params }) => handleRequest(surface, route, request, params), {
        parse: "none",
      });
    }
  }
  return plugin;
}

/**
 * Elysia options for every application of these surfaces. By default Elysia mistakes a host of one to three letters for
 * a path.
 */
export const ROUTING = { handler: { standardHostname: false } } as const;

/** Answers a request, even if it fails, and logs it. `route.path` is null if no route matched. */
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
  const base: RequestContext = {
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
  const context = { ...base, ...surface.keep() };
  const { answer, ...failure } = await answerTo(surface, route.handle, context);
  const bodyConsumed = await drain(request);
  reportRequest(surface, route, context, done, {
    ...failure,
    status: answer.status,
    ms: performance.now() - startedAt,
  });
  const headers = {
    ...surface.always,
    ...rateLimitHeaders(context.rateLimit),
    ...surface.headers?.(context),
    ...(bodyConsumed ? {} : { connection: "close" }),
  };
  return answer instanceof Response
    ? withHeaders(answer, request.method, { ...headers, "x-request-id": context.requestId })
    : toResponse(answer, request.method, headers, context.requestId);
}

/** Reports the request, and each operation that it asked for, to the log and the metrics. */
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
  // The duration of a single operation is that of its request, including the time before its slot.
  const done = operation === null ? ended : [{ ...operation, code, ms }];
  watch.answered({ door: surface.name, status, ms, code: done.length === 0 ? code : null });
  const traceId = watch.traceId();
  const line = {
    method: request.method,
    route: route.name ?? route.path,
    status,
    requestId,
    tokenId,
    ownerId: owner && principalOf(owner),
    ...(traceId && { traceId }),
  };
  const report = ({ name, ...one }: FinishedOperation) => {
    const ownerId = owner === null || owner.kind === "agent" ? null : principalOf(owner);
    watch.operationEnded({ ...one, door: surface.name, operation: name, ownerId });
    surface.log({ ...line, ms: tenths(one.ms), operation: name, outcome: one.code ?? "ok", ...failure });
  };
  for (const one of done) report(one);
  // Operations of a streamed answer end after this. Re-reads of an event stream do not count as further requests.
  context.onOperationEnd = operation === null ? report : () => {};
  if (done.length === 0)
    surface.log({ ...line, ms: tenths(ms), operation: null, outcome: code ?? "ok", ...failure });
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}

interface Outcome extends Pick<RequestLine, "code" | "fault"> {
  readonly answer: Answer | Response;
}

async function answerTo<Kept>(
  { errorResponse, dependencies, guard }: Surface<Kept>,
  handle: Handler<Kept>,
  context: RequestContext & Kept,
): Promise<Outcome> {
  try {
    const refused = guard(context.request);
    if (refused) throw refused;
    return { answer: await handle(context) };
  } catch (thrown) {
    const error = domainErrorOf(thrown, dependencies.isUnavailable);
    const answer = withHelp(errorResponse(error, context), error.code, dependencies.publicUrl);
    // Overload is not a fault: otherwise clients could flood the log.
    const isFault = answer.status >= 500 && error.code !== "overloaded";
    return { answer, code: error.code, ...(isFault ? { fault: faultOf(thrown) } : {}) };
  }
}

/** Adds a link to the explanation of the answer's error code, after the answer's own links. */
export function withHelp(answer: Answer, code: ErrorCode, publicUrl: string): Answer {
  const help = `<${helpAddress(publicUrl, code)}>; rel="help"`;
  const { link } = answer.headers;
  return { ...answer, headers: { ...answer.headers, link: link === undefined ? help : `${link}, ${help}` } };
}

const utf8 = new TextEncoder();

/**
 * Creates the response to `method`. The answer's headers take precedence over the common ones. HEAD gets the headers of
 * GET without a body; 204 has neither body nor length.
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
      // Bun and Deno set it automatically, Node does not.
      ...(status === 204 ? {} : { "content-length": String(bytes.length) }),
      "x-request-id": requestId,
    },
  });
  for (const cookie of cookies) response.headers.append("set-cookie", cookie);
  return response;
}

/** Adds these headers to a library's response; they replace its own of the same name. */
async function withHeaders(
  made: Response,
  method: string,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const response = method === "HEAD" ? await withoutBody(made) : made;
  // Bun's `Response.json` adds a charset, which JSON does not have (RFC 8259).
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("application/json;")) response.headers.set("content-type", "application/json");
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

/** Removes the body but declares its length. A response without a body is returned as it is. */
async function withoutBody(made: Response): Promise<Response> {
  if (made.body === null) return made;
  const length = (await made.arrayBuffer()).byteLength;
  const response = new Response(null, { status: made.status, headers: made.headers });
  response.headers.set("content-length", String(length));
  return response;
}

/** Acceptable request ids of clients. Others could break a log line or a header. */
const ACCEPTABLE_REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** Returns the client's request id if it is acceptable, otherwise a new one. */
function requestIdOf(headers: Headers, newId: () => string): string {
  const named = headers.get("x-request-id");
  return named !== null && ACCEPTABLE_REQUEST_ID.test(named) ? named : newId();
}

const HSTS_SECONDS = 365 * 24 * 60 * 60;

/**
 * Headers of every answer of every surface: no type sniffing, no framing, no subresources, no leaks to other sites, and
 * HSTS if the service is reached by HTTPS.
 */
export function securityHeaders(publicUrl: string): Readonly<Record<string, string>> {
  const isHttps = new URL(publicUrl).protocol === "https:";
  return {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    // Default policy, for JSON: nothing is allowed. Pages set their own.
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "cross-origin-resource-policy": "same-origin",
    ...(isHttps ? { "strict-transport-security": `max-age=${HSTS_SECONDS}` } : {}),
  };
}
