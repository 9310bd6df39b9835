import type { Elysia } from "elysia";
import { NOW } from "../../contract/event.ts";
import type { Operation } from "../../contract/operation.ts";
import {
  isForVisitors,
  type OperationName,
  operationList,
  routeGroups,
  type VisitorOperationName,
} from "../../contract/operations.ts";
import { SKILL_PATH } from "../../contract/skill.ts";
import type { Application } from "../../core/application.ts";
import type { Readiness } from "../../core/doctor/health.ts";
import { DomainError } from "../../core/error.ts";
import type { UnknownMember } from "../../core/input/unknown-members.ts";
import { nextCursorOf } from "../../core/limits/answer-bytes.ts";
import { memberOfParty } from "../../core/limits/fair-share.ts";
import { admitCaller, admitVisitor, CLAIM_HEADERS, callerNow, runInSlot } from "../http/admission.ts";
import { createCors } from "../http/cors.ts";
import { type EventStreams, wantsStream } from "../http/event-stream.ts";
import { lazy } from "../http/lazy.ts";
import { JSON_LINES, preferenceFor } from "../http/media-type.ts";
import { withMemberPlaces } from "../http/member-places.ts";
import {
  type Answer,
  createSurface,
  type Handler,
  handleRequest,
  json,
  type Surface,
  type SurfaceDependencies,
  securityHeaders,
} from "../http/pipeline.ts";
import { type PublicPages, wantsPage } from "../http/public-pages.ts";
import { createRequestGuard, targetOf } from "../http/request-guard.ts";
import type { RequestLine } from "../http/request-line.ts";
import { type Endpoint, routeOf } from "./endpoint.ts";
import { errorResponse } from "./error-response.ts";
import { type Ignoring, idempotencyKey, inputCollector } from "./input.ts";
import { type MetricsPage, metricsEndpoint } from "./metrics-endpoint.ts";
import { nearestRoute } from "./nearest-route.ts";
import { openApiDocument } from "./openapi/document.ts";
import { serviceEndpoints } from "./service-endpoints.ts";
import { discoveryEndpoints } from "./skill/discovery.ts";
import { SKILL_METHODS, skillHandler } from "./skill/skill-handler.ts";

export interface RestDependencies extends SurfaceDependencies {
  readonly application: Application;
  /** Called and awaited by `/readyz`; never rejects. */
  readonly readiness: () => Promise<Readiness> | Readiness;
  /** Opens streams. Without it a request for a stream gets a list. */
  readonly streams?: EventStreams;
  /** False if agents cannot register themselves. */
  readonly selfRegistration?: boolean;
  /** False if MCP clients can authenticate only with keys. */
  readonly offersOAuth?: boolean;
  /** Pages for people, outside the API. Without it they get JSON like programs. */
  readonly pages?: PublicPages;
  /** The metrics page. Without it there is no `/metrics`. */
  readonly metrics?: MetricsPage | null;
  /** Called for each request once its answer is ready. */
  readonly log: (line: RequestLine) => void;
}

/**
 * The REST surface: every operation at its path, the probes and `/openapi.json`. It also answers paths that no surface
 * has a route for.
 */
export function createRestSurface(deps: RestDependencies): Elysia {
  const cors = createCors({
    origins: deps.corsOrigins,
    concerns: isOfApi,
    requestHeaders: REQUEST_HEADERS,
    answerHeaders: ANSWER_HEADERS,
  });
  const surface: Surface<Ignoring> = {
    name: "rest",
    dependencies: deps,
    // People may open /openapi.json and similar paths. Paths below /v1 and discovery documents are not for browsers.
    guard: createRequestGuard({ ...deps, isPage: (request) => !isOfApi(request) && !isWellKnown(request) }),
    keep: () => ({ ignored: [] }),
    always: securityHeaders(deps.publicUrl),
    headers: ({ request, ignored }) => ({
      ...cors.headers(request),
      ...ignoredHeader(ignored),
      ...(isOfApi(request) ? { "cache-control": "no-store, private" } : {}),
    }),
    errorResponse(error, { request, requestId }) {
      const isForPeople = !isOfApi(request) && !isWellKnown(request) && wantsPage(request);
      return deps.pages && isForPeople
        ? withHeadersOf(errorResponse(error, null), deps.pages.refused(error, requestId))
        : errorResponse(error, request.headers.get("accept"));
    },
    log: deps.log,
  };
  const endpoints = [
    ...serviceEndpoints({
      readiness: deps.readiness,
      openApi: lazy(() => JSON.stringify(openApiDocument(routeGroups))),
      startPage: deps.pages?.start ?? null,
    }),
    ...(deps.metrics ? [metricsEndpoint(deps.metrics, deps)] : []),
    ...discoveryEndpoints({
      publicUrl: deps.publicUrl,
      selfRegistration: deps.selfRegistration ?? true,
      offersOAuth: deps.offersOAuth ?? true,
    }),
    ...operationEndpoints(deps, operationList),
  ];
  const plugin = createSurface(
    surface,
    endpoints.map((endpoint) => routeOf(endpoint, cors)),
  );
  const nearest = lazy(() => nearestRoute(endpoints.map(({ path }) => path)));
  plugin.onError({ as: "global" }, ({ request, code, error }) => {
    const thrown = code === "NOT_FOUND" ? nothingThere(nearest()(pathOf(request))) : error;
    return handleRequest(surface, { path: null, handle: () => Promise.reject(thrown) }, request);
  });
  return plugin;
}

/** The 404 error, which suggests the path that was probably meant. */
function nothingThere(meant: string | null): DomainError {
  const guess = meant === null ? "" : ` Did you mean ${meant}?`;
  return new DomainError("not_found", `There is nothing at this address.${guess} /docs lists what there is.`);
}

/** Adds an error's HTTP headers, such as `Allow`, to its page. */
function withHeadersOf({ headers }: Answer, page: Answer): Answer {
  return { ...page, headers: { ...headers, ...page.headers } };
}

/** The path in the form of the URL standard, since one runtime leaves signs as they are that the others escape. */
function pathOf(request: Request): string {
  if (URL.canParse(request.url)) return new URL(request.url).pathname;
  return targetOf(request).replace(/[?#].*$/s, "");
}

/** True for paths below /v1. */
function isOfApi(request: Request): boolean {
  return targetOf(request).startsWith("/v1/");
}

function isWellKnown(request: Request): boolean {
  return targetOf(request).startsWith("/.well-known/");
}

/** Headers that a page of an allowed origin may send, and those that it may read. */
const REQUEST_HEADERS = [
  "Authorization",
  "Content-Type",
  "Idempotency-Key",
  "If-Match",
  "Last-Event-ID",
  "X-API-Key",
  "X-Request-Id",
  ...Object.values(CLAIM_HEADERS),
];
const ANSWER_HEADERS = [
  "ETag",
  "Link",
  "Retry-After",
  "WWW-Authenticate",
  "X-RateLimit-Limit",
  "X-RateLimit-Policy",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-Recollect-Ignored",
  "X-Recollect-Next-Cursor",
  "X-Request-Id",
];

/** Returns the endpoints of the operations: one per path, with all its methods. */
function operationEndpoints(deps: RestDependencies, operations: readonly Operation[]): Endpoint[] {
  const byPath = new Map<string, Record<string, Handler<Ignoring>>>();
  const streams = deps.streams ?? null;
  for (const operation of operations) {
    const handle = handlerOf(deps, operation, streams);
    for (const path of [operation.http.path, ...(operation.http.aliases ?? [])]) {
      byPath.set(path, { ...byPath.get(path), [operation.http.method]: handle });
    }
  }
  const runSkill = skillHandler(deps);
  const skills = Object.fromEntries(SKILL_METHODS.map((method) => [method, runSkill]));
  byPath.set(SKILL_PATH, { ...byPath.get(SKILL_PATH), ...skills });
  return [...byPath].map(([path, methods]) => ({ path, methods }));
}

function handlerOf(
  deps: RestDependencies,
  operation: Operation,
  streams: EventStreams | null,
): Handler<Ignoring> {
  if (isForVisitors(operation)) return visitHandler(deps, operation);
  const call = callHandler(deps, operation);
  if (!operation.http.isStream || streams === null) return call;
  const stream = streamHandler(deps, operation, streams);
  return (context) => (wantsStream(context.request) ? stream(context) : call(context));
}

/** Credential, rate limit, scope, input, use case, answer. */
function callHandler(deps: RestDependencies, operation: Operation): Handler<Ignoring> {
  const name = operation.name as OperationName;
  const inputOf = inputCollector(deps, operation);
  return async (context) => {
    context.operation = operation;
    const caller = await admitCaller(deps, context, operation.rate);
    // Checked before the body is read.
    const call = deps.application.permit(name, caller, context.params);
    const invocation = { idempotencyKey: idempotencyKey(operation, context.request.headers) };
    const input = await inputOf(context);
    const output = await runInSlot(
      deps,
      context,
      operation,
      (pace) => withMemberPlaces(operation, () => call(input, { ...invocation, pace }), context.cameFrom),
      { member: memberOfParty(caller, input) },
    );
    return answerOf(operation, output, context.request.headers.get("accept"));
  };
}

/** Handles a streamed operation: calls it repeatedly, each time with the credential's current rights. */
function streamHandler(
  deps: RestDependencies,
  operation: Operation,
  streams: EventStreams,
): Handler<Ignoring> {
  const inputOf = inputCollector(deps, operation);
  return async (context) => {
    context.operation = operation;
    const caller = await admitCaller(deps, context, operation.rate);
    const permitted = deps.application.permit("listEvents", caller, context.params);
    const input = await inputOf(context);
    const read = (call: typeof permitted, more: Record<string, unknown>) =>
      runInSlot(
        deps,
        context,
        operation,
        (pace) => withMemberPlaces(operation, () => call({ ...input, ...more }, { pace }), context.cameFrom),
        { member: memberOfParty(caller, input) },
      );
    const first = await read(permitted, "after" in input ? {} : { after: NOW });
    return streams(context, first, async (after) => {
      const now = await callerNow(deps, context);
      if (now === null) return null;
      return read(deps.application.permit("listEvents", now, context.params), { after, last_event_id: null });
    });
  };
}

/** The same for an operation that needs no credential. */
function visitHandler(deps: RestDependencies, operation: Operation): Handler<Ignoring> {
  const name = operation.name as VisitorOperationName;
  const inputOf = inputCollector(deps, operation);
  return async (context) => {
    context.operation = operation;
    const visitor = await admitVisitor(deps, context, operation.rate);
    const input = await inputOf(context);
    const output = await runInSlot(deps, context, operation, (pace) =>
      withMemberPlaces(
        operation,
        () => deps.application.visit(name, visitor, input, { pace }),
        context.cameFrom,
      ),
    );
    return answerOf(operation, output, context.request.headers.get("accept"));
  };
}

function answerOf({ http }: Operation, output: unknown, accept: string | null): Answer {
  const tag = http.etag === undefined ? undefined : (output as Record<string, unknown>)[http.etag];
  const prefersJson = preferenceFor(accept, "application/json") > preferenceFor(accept, JSON_LINES);
  const isLines = http.lines !== undefined && !prefersJson;
  const answer = isLines ? jsonLines(http.status, output, http.lines) : json(http.status, output);
  const next = isLines
    ? ((output as { next_cursor?: string | null }).next_cursor ?? null)
    : nextCursorOf(output);
  const headers = {
    ...answer.headers,
    ...(typeof tag === "string" ? { etag: tag } : {}),
    ...(next === null ? {} : { "x-recollect-next-cursor": next }),
  };
  return { ...answer, headers };
}

function jsonLines(status: number, output: unknown, member: string): Answer {
  const lines = (output as Readonly<Record<string, readonly unknown[] | undefined>>)[member] ?? [];
  return {
    status,
    headers: { "content-type": JSON_LINES },
    body: lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
  };
}

/** Maximum number of ignored members that an answer names. */
const NAMED_MAX = 10;

/** Names that are safe in the header. Others are only counted, since they could break it or be very long. */
const NAMEABLE = /^[A-Za-z0-9_.-]{1,64}$/;

/**
 * Returns the header that lists ignored members with suggestions: `colour, contnet (did you mean content?)`. A final
 * `+3` counts those not listed.
 */
function ignoredHeader(ignored: readonly UnknownMember[]): Record<string, string> {
  const distinct = [...new Map(ignored.map((unknown) => [unknown.name, unknown])).values()];
  if (distinct.length === 0) return {};
  const named = distinct.filter(({ name }) => NAMEABLE.test(name)).slice(0, NAMED_MAX);
  const rest = distinct.length - named.length;
  const said = named.map(({ name, meant }) => (meant === null ? name : `${name} (did you mean ${meant}?)`));
  return { "x-recollect-ignored": [...said, ...(rest > 0 ? [`+${rest}`] : [])].join(", ") };
}
