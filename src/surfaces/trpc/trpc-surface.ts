import { isDeepStrictEqual } from "node:util";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import type { Elysia } from "elysia";
import { errorCodes } from "../../contract/error.ts";
import { NOW } from "../../contract/event.ts";
import type { Operation } from "../../contract/operation.ts";
import { everyOperation, operations } from "../../contract/operations.ts";
import type { Accounts } from "../../core/access/accounts.ts";
import type { Application } from "../../core/application.ts";
import type { Caller } from "../../core/caller.ts";
import { DomainError } from "../../core/error.ts";
import { parseExactJson } from "../../core/input/json.ts";
import { memberOfParty } from "../../core/limits/fair-share.ts";
import { admitAs, admitSession, readInTurn, runInSlot, sessionNow } from "../http/admission.ts";
import { domainErrorOf, errorHeaders } from "../http/error-response.ts";
import type { EventStreams } from "../http/event-stream.ts";
import { requireJsonType } from "../http/media-type.ts";
import { withMemberPlaces } from "../http/member-places.ts";
import {
  type Answer,
  createSurface,
  json,
  type RequestContext,
  type Route,
  type Surface,
  type SurfaceDependencies,
  securityHeaders,
} from "../http/pipeline.ts";
import { createOriginCheck, createRequestGuard, targetOf } from "../http/request-guard.ts";
import type { RequestLine } from "../http/request-line.ts";
import { errorShape, router, type TrpcContext } from "./router.ts";

export interface TrpcDependencies extends SurfaceDependencies {
  readonly application: Application;
  readonly accounts: Pick<Accounts, "session">;
  /** Open streams; without them nothing is pushed. */
  readonly streams?: EventStreams;
  /** Called for each request once its answer is ready. */
  readonly log: (line: RequestLine) => void;
  /** Called for a fault within a request that still gets an answer. */
  readonly report: (entry: {
    readonly name: string;
    readonly error: unknown;
    readonly requestId: string;
  }) => void;
}

/** Maximum number of calls in a batch. Each counts in its own category and takes its own slot. */
const BATCH_MAX = 10;

const ENDPOINT = "/trpc";

/** Open pages must notice quickly that they are stale. */
const HEARTBEAT_MS = 5000;

/**
 * The surface of the admin UI only: every operation, for the account of the browser's session. It accepts only requests
 * from pages of this service, with POST and JSON, which other origins cannot send without a preflight. Queries use POST
 * as well, so that search terms do not appear in URLs.
 */
export function createTrpcSurface(deps: TrpcDependencies): Elysia {
  const isOwnOrigin = createOriginCheck(deps.publicUrl);
  const surface: Surface = {
    name: "trpc",
    dependencies: deps,
    // Origins that may call the API may not act for the person who is signed in here.
    guard: createRequestGuard({ ...deps, corsOrigins: [], isPage: () => false }),
    keep: () => ({}),
    always: { ...securityHeaders(deps.publicUrl), "cache-control": "no-store, private" },
    errorResponse: (error, { requestId }) => errorAnswer(error, requestId),
    log: deps.log,
  };
  return createSurface(surface, [
    ...(deps.streams ? [changes(deps, deps.streams, isOwnOrigin)] : []),
    {
      path: `${ENDPOINT}/*`,
      async handle(context) {
        requirePage(context.request, isOwnOrigin);
        requireSmallBatch(context.request);
        const caller = await admitSession(deps, context);
        const body = await bodyOf(deps, context);
        return answer(deps, context, caller, body);
      },
    },
  ]);
}

/**
 * Streams events to open pages, from `after` in the body or from now. Uses POST, like everything here, rather than
 * `EventSource`, whose GET does not identify the page that sent it. Ends with the session, and when the person gains or
 * loses a role, so that the page reloads what it may show.
 */
function changes(
  deps: TrpcDependencies,
  streams: EventStreams,
  isOwnOrigin: (request: Request) => boolean,
): Route {
  const operation = operations.listEvents as unknown as Operation;
  return {
    path: `${ENDPOINT}/changes`,
    async handle(context) {
      requirePage(context.request, isOwnOrigin);
      context.operation = operation;
      const caller = await admitSession(deps, context);
      const body = await bodyOf(deps, context);
      await admitAs(deps, caller, operation.rate);
      const read = (caller: Caller, input: unknown) =>
        runInSlot(deps, context, operation, (pace) =>
          withMemberPlaces(operation, () => deps.application.call("listEvents", caller, input, { pace })),
        );
      const teamsOf = async (of: Caller) => (await deps.application.call("session", of, {})).teams;
      const teams = await teamsOf(caller);
      const first = await read(caller, { after: NOW, ...(body === "" ? {} : JSON.parse(body)) });
      return streams(
        context,
        first,
        async (after) => {
          const now = await sessionNow(deps, context);
          if (now === null || !isDeepStrictEqual(await teamsOf(now), teams)) return null;
          return read(now, { after });
        },
        HEARTBEAT_MS,
      );
    },
  };
}

/** Refuses requests that do not come from a page of this service, such as another site's form or a typed address. */
function requirePage(request: Request, isOwnOrigin: (request: Request) => boolean): void {
  if (request.method !== "POST")
    throw new DomainError("method_not_allowed", "Every procedure is called by POST.");
  if (!isOwnOrigin(request))
    throw new DomainError("origin_not_allowed", "Only the pages of this service may call this.");
  requireJsonType(request.headers);
}

/** Refuses large batches. The path lists the calls. */
function requireSmallBatch(request: Request): void {
  const [path = ""] = targetOf(request).split("?", 1);
  if (path.split(/,|%2c/i).length > BATCH_MAX)
    throw new DomainError("payload_too_large", `A batch holds at most ${BATCH_MAX} calls.`);
}

/** Reads the body and checks that JSON parsing loses nothing. tRPC parses it again. */
async function bodyOf(deps: TrpcDependencies, context: RequestContext): Promise<string> {
  const text = new TextDecoder().decode(await readInTurn(deps, context));
  if (text !== "") parseExactJson(text, []);
  return text;
}

async function answer(
  deps: TrpcDependencies,
  context: RequestContext,
  caller: Caller,
  body: string,
): Promise<Response> {
  const { url } = context.request;
  return fetchRequestHandler({
    endpoint: ENDPOINT,
    // The client's headers are dropped, so that none can affect tRPC.
    req: new Request(url, { method: "POST", headers: { "content-type": "application/json" }, body }),
    router,
    createContext: () => contextOf(deps, context, caller),
    allowMethodOverride: true,
  });
}

function contextOf(deps: TrpcDependencies, context: RequestContext, caller: Caller): TrpcContext {
  const { requestId } = context;
  return {
    requestId,
    async call(name, input) {
      const operation = everyOperation[name] as unknown as Omit<Operation, "http"> & Partial<Operation>;
      // The request already counted in the data plane; each call counts in its own category.
      await admitAs(deps, caller, operation.rate);
      return runInSlot(
        deps,
        context,
        operation,
        (pace) => {
          const called = () => deps.application.call(name, caller, input ?? {}, { pace });
          return hasRestPath(operation) ? withMemberPlaces(operation, called) : called();
        },
        { member: memberOfParty(caller, input) },
      );
    },
    refusal(thrown) {
      const refusal = domainErrorOf(thrown, deps.isUnavailable);
      if (!(thrown instanceof DomainError)) deps.report({ name: refusal.code, error: thrown, requestId });
      return refusal;
    },
  };
}

/** False for session operations, whose issues name members without places of a REST request. */
function hasRestPath(operation: Partial<Operation>): operation is Operation {
  return operation.http !== undefined;
}

/** Answers a refusal made before any procedure, in the shape that tRPC's client expects. */
function errorAnswer(error: DomainError, requestId: string): Answer {
  const headers = error.code === "method_not_allowed" ? { allow: "POST" } : {};
  return json(
    errorCodes[error.code].status,
    { error: errorShape(error, requestId) },
    { ...errorHeaders(error), ...headers },
  );
}
