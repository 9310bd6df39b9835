import { type AuthInfo, createMcpHandler } from "@modelcontextprotocol/server";
import type { Elysia } from "elysia";
import { errorCodes } from "../../contract/error.ts";
import type { OperationName } from "../../contract/operations.ts";
import { TOOLS_PARAMETER, type ToolSet, toolSets } from "../../contract/tool-set.ts";
import type { Application } from "../../core/application.ts";
import { type Caller, invalidToken } from "../../core/caller.ts";
import { DomainError, invalid } from "../../core/error.ts";
import { parseExactJson } from "../../core/input/json.ts";
import type { Pace } from "../../recall/work.ts";
import { clientAddress } from "../http/address.ts";
import { admitCaller, admitMore, readInTurn, reportRefusal, runInSlot } from "../http/admission.ts";
import { BODY_BYTES_MAX } from "../http/body.ts";
import { createCors } from "../http/cors.ts";
import { domainErrorOf, errorBody, errorHeaders } from "../http/error-response.ts";
import { requireJsonType } from "../http/media-type.ts";
import { withMemberPlaces } from "../http/member-places.ts";
import {
  type Answer,
  createSurface,
  json,
  type RequestContext,
  type Surface,
  type SurfaceDependencies,
  securityHeaders,
} from "../http/pipeline.ts";
import { createRequestGuard } from "../http/request-guard.ts";
import type { RequestLine } from "../http/request-line.ts";
import { asJson, namingBothTypes, wantsJson } from "./json-answers.ts";
import { heldIn, isObject, readArguments } from "./read-arguments.ts";
import { cancelledBy, createRunningCalls, type RunningCalls } from "./running-calls.ts";
import { createServer } from "./server.ts";
import type { Serving } from "./serving.ts";

export interface McpDependencies extends SurfaceDependencies {
  readonly application: Application;
  /** False where clients are let in with keys alone. */
  readonly offersOAuth?: boolean;
  /** Called for each request once its answer is made. */
  readonly log: (line: RequestLine) => void;
  /** Called for what happens within a request that is answered all the same. */
  readonly report?: (entry: McpLogEntry) => void;
}

/** Something an operator should see besides a request's line. The error's message may quote what was sent or stored. */
export interface McpLogEntry {
  /** `error`: a call failed, by a fault of ours or of a dependency. `warn`: the protocol refused the request. */
  readonly level: "warn" | "error";
  readonly message: string;
  readonly requestId: string | null;
  /** Name of the called tool, resource or prompt, or its operation. */
  readonly tool: string | null;
  readonly error: unknown;
}

/**
 * The MCP surface: the operations of the contract that are tools, for whoever the request's credential says it is. At /mcp
 * over Streamable HTTP, stateless, for the newest protocol revision (2026-07-28) and those before it.
 */
export function createMcpSurface(deps: McpDependencies): Elysia {
  const authorizedAt = deps.offersOAuth === false ? null : deps.publicUrl;
  const cors = createCors({
    origins: deps.corsOrigins,
    concerns: () => true,
    requestHeaders: REQUEST_HEADERS,
    answerHeaders: ANSWER_HEADERS,
  });
  const calls = createRunningCalls();
  const protocol = createProtocol(deps, calls);
  const surface: Surface = {
    name: "mcp",
    dependencies: deps,
    guard: createRequestGuard({ ...deps, isPage: () => false }),
    keep: () => ({}),
    always: {
      ...securityHeaders(deps.publicUrl),
      // no-transform: a proxy that compresses an event stream holds it back.
      "cache-control": "no-store, private, no-transform",
    },
    headers: ({ request }) => cors.headers(request),
    errorResponse: (error) => errorResponse(error, authorizedAt),
    log: deps.log,
  };
  return createSurface(surface, [
    {
      path: "/mcp",
      async handle(context) {
        const permission = cors.preflight(context.request, "POST");
        if (permission) return permission;
        const caller = await admitCaller(deps, context, null, "absent");
        // Such a credential is for other endpoints only.
        if (caller.onlyFor !== null) throw invalidToken();
        const toolSet = toolSetOf(context.request, caller);
        const { request, parsedBody, inexact } = await exactBodyOf(deps, context);
        for (const id of cancelledBy(parsedBody)) calls.abort(callerKey(deps, caller, context), id);
        const given = { authInfo: authInfoOf({ caller, toolSet, inexact, context }), parsedBody };
        return wantsJson(request)
          ? asJson(await protocol.fetch(namingBothTypes(request), given))
          : protocol.fetch(request, given);
      },
    },
  ]);
}

/** Headers that a page of an allowed origin may send. The wildcard covers headers that the protocol names after tools. */
const REQUEST_HEADERS = ["Authorization", "*"];
/** Headers that it may read: how to authenticate, when to retry, and the request id. */
const ANSWER_HEADERS = ["Link", "Mcp-Session-Id", "Retry-After", "WWW-Authenticate", "X-Request-Id"];

/** The protocol's side. It asks for a new server at every request, so nothing of one caller can reach another. */
function createProtocol(deps: McpDependencies, calls: RunningCalls) {
  const { report = () => {} } = deps;
  return createMcpHandler(({ authInfo }) => createServer(servingOf(deps, fromAuthInfo(authInfo), calls)), {
    maxRequestBodySize: BODY_BYTES_MAX,
    // A caller's tools do not change while it is connected, so there is nothing to hold a stream open for.
    maxSubscriptions: 0,
    onerror: (error) => {
      report({ level: "warn", message: "MCP request refused", requestId: null, tool: null, error });
    },
  });
}

function servingOf(
  deps: McpDependencies,
  { caller, toolSet, inexact, context }: Calling,
  calls: RunningCalls,
): Serving {
  const { report = () => {} } = deps;
  const { requestId } = caller;
  return {
    caller,
    toolSet,
    publicUrl: deps.publicUrl,
    async call(operation, input, { check = () => {}, onProgress, requestId: number } = {}) {
      // The request itself has counted in the data plane already; what it calls counts in its own category.
      try {
        await admitMore(deps, caller, operation.rate);
        if (inexact) throw inexact;
        check();
      } catch (error) {
        reportRefusal(deps, context, operation, error);
        throw error;
      }
      const name = operation.name as OperationName;
      const work = (pace: Pace) =>
        withMemberPlaces(operation, () => {
          const read = readArguments(operation.input, input);
          return deps.application.call(name, caller, read, { pace, ...(onProgress && { onProgress }) });
        });
      try {
        return await calls.during(callerKey(deps, caller, context), number, (cancelled) =>
          runInSlot(deps, context, operation, work, cancelled),
        );
      } catch (error) {
        if (!deps.isUnavailable(error)) throw error;
        report({ level: "error", message: "MCP call failed", requestId, tool: operation.name, error });
        throw domainErrorOf(error, deps.isUnavailable);
      }
    },
    failed(name, error) {
      report({ level: "error", message: "MCP call failed", requestId, tool: name, error });
    },
  };
}

/** The set that the address names, or else the credential's own, or else all. */
function toolSetOf(request: Request, caller: Caller): ToolSet {
  const named = new URL(request.url).searchParams.get(TOOLS_PARAMETER);
  if (named === null) return caller.toolSet ?? "full";
  const toolSet = toolSets.find((name) => name === named);
  if (toolSet === undefined) throw invalid([TOOLS_PARAMETER], `must be ${toolSets.join(" or ")}`);
  return toolSet;
}

/** Identifies the client of a request without a session. Request numbers are unique per client only. */
function callerKey(
  { trustedProxies }: Pick<McpDependencies, "trustedProxies">,
  { tokenId }: Caller,
  { request }: Pick<RequestContext, "request">,
): string {
  return JSON.stringify([tokenId, clientAddress(request, trustedProxies), request.headers.get("user-agent")]);
}

/** A request whose body has been read. */
interface ExactBody {
  readonly request: Request;
  /** The parsed body; absent where it is no JSON, and then `request` still has it. */
  readonly parsedBody?: unknown;
  /** Why no tool may be called with it: it holds an integer that no number here can hold exactly. */
  readonly inexact: DomainError | null;
}

/**
 * Messages in one request, which old revisions allow. The protocol answers those that are no tool calls one directly after
 * the other, and a hundred lists of tools are 4 MB and keep everybody waiting.
 */
const BATCH_MAX = 10;

/**
 * Reads the body of a POST. `payload_too_large` beyond the cap or with too many messages, `unsupported_media_type` where it
 * is not called JSON; what else is wrong with it is for the protocol to say.
 */
async function exactBodyOf(deps: McpDependencies, context: RequestContext): Promise<ExactBody> {
  const { request } = context;
  if (request.method !== "POST" || request.body === null) return { request, inexact: null };
  const body = await readInTurn(deps, context);
  if (body.length > 0) requireJsonType(request.headers);
  const text = new TextDecoder().decode(body);
  let parsedBody: unknown;
  let inexact: DomainError | null = null;
  try {
    parsedBody = withReadParams(parseExactJson(text, []));
  } catch (error) {
    inexact = inexactInteger(error);
    if (inexact === null) {
      const { url, method, headers, signal } = request;
      // A copy, so that no buffer of the runtime's is shared.
      return { request: new Request(url, { method, headers, signal, body: new Uint8Array(body) }), inexact };
    }
    parsedBody = withReadParams(JSON.parse(text));
  }
  if (Array.isArray(parsedBody) && parsedBody.length > BATCH_MAX)
    throw new DomainError("payload_too_large", `A batch holds at most ${BATCH_MAX} messages.`);
  return { request, parsedBody, inexact };
}

/** The messages with null parameters and arguments left out, and with arguments that came as one text read. */
function withReadParams(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(withReadParams);
  if (!isObject(body)) return body;
  const { params, ...message } = body;
  if (params === undefined || params === null) return message;
  if (!isObject(params)) return body;
  const { arguments: given, ...others } = params;
  const read = typeof given === "string" ? (heldIn(given) ?? given) : given;
  return {
    ...message,
    params: read === undefined || read === null ? others : { ...others, arguments: read },
  };
}

function inexactInteger(error: unknown): DomainError | null {
  const [issue] = error instanceof DomainError ? error.issues : [];
  if (issue?.type !== "integer_inexact") return null;
  const isArgument = issue.loc[0] === "params" && issue.loc[1] === "arguments";
  const loc = ["body", ...issue.loc.slice(isArgument ? 2 : 0)];
  return new DomainError("validation_failed", issue.msg, { issues: [{ ...issue, loc }] });
}

/** The parts of a request that a tool needs. */
interface Calling {
  readonly caller: Caller;
  readonly toolSet: ToolSet;
  /** Why no tool may be called with what was sent. */
  readonly inexact: DomainError | null;
  readonly context: RequestContext;
}

/** Carries the caller through the SDK. The secret itself goes no further than `admitCaller`. */
function authInfoOf(calling: Calling): AuthInfo {
  const { tokenId, owner, scopes } = calling.caller;
  return { token: tokenId, clientId: owner.id, scopes: [...scopes], extra: { ...calling } };
}

function fromAuthInfo(authInfo: AuthInfo | undefined): Calling {
  if (!authInfo?.extra?.caller) throw new Error("An MCP server was asked for without a caller.");
  return authInfo.extra as unknown as Calling;
}

/**
 * The answer to a request that does not get as far as the protocol: the error body that REST has. `authorizedAt` is the
 * public address of the service where it lets clients in by OAuth; null where it does not.
 */
function errorResponse(error: DomainError, authorizedAt: string | null): Answer {
  const { code } = error;
  return json(errorCodes[code].status, errorBody(error), {
    ...errorHeaders(error),
    ...(code === "invalid_token" ? { "www-authenticate": challenge(authorizedAt) } : {}),
    ...(code === "insufficient_scope"
      ? { "www-authenticate": challenge(authorizedAt, 'error="insufficient_scope"') }
      : {}),
  });
}

/** RFC 6750, with where a client learns how it is let in (RFC 9728), if it can be, and what it should ask for. */
function challenge(authorizedAt: string | null, ...more: string[]): string {
  const metadata =
    authorizedAt === null
      ? []
      : [
          `resource_metadata="${authorizedAt.replace(/\/+$/, "")}/.well-known/oauth-protected-resource/mcp"`,
          'scope="memory:read memory:write"',
        ];
  return `Bearer ${[...more, ...metadata].join(", ")}`.trimEnd();
}
