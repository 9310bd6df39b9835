import { type AuthInfo, createMcpHandler } from "@modelcontextprotocol/server";
import type { Elysia } from "elysia";
import { errorCodes } from "../../contract/error.ts";
import type { OperationName } from "../../contract/operations.ts";
import { TOOLS_PARAMETER, type ToolSet, toolSets } from "../../contract/tool-set.ts";
import type { Application } from "../../core/application.ts";
import { type Caller, invalidToken } from "../../core/caller.ts";
import { DomainError, invalid } from "../../core/error.ts";
import { parseExactJson } from "../../core/input/json.ts";
import { memberOfParty } from "../../core/limits/fair-share.ts";
import type { Pace } from "../../recall/work.ts";
import { clientAddress } from "../http/address.ts";
import { admitAs, admitCaller, readInTurn, reportRefusal, runInSlot } from "../http/admission.ts";
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
  /** False if clients can authenticate only with keys. */
  readonly offersOAuth?: boolean;
  /** Called for each request once its answer is ready. */
  readonly log: (line: RequestLine) => void;
  /** Called for failures within a request that still gets an answer. */
  readonly report?: (entry: McpLogEntry) => void;
}

/** An entry for operators, in addition to the request's log line. The error's message may quote sent or stored text. */
export interface McpLogEntry {
  /**
   * `error`: a call failed because of a fault in the service or a dependency. `warn`: the protocol refused the request.
   */
  readonly level: "warn" | "error";
  readonly message: string;
  readonly requestId: string | null;
  /** Name of the called tool, resource or prompt, or its operation. */
  readonly tool: string | null;
  readonly error: unknown;
}

/**
 * The MCP surface: the contract's tools, for the caller of the request's credential. At /mcp over Streamable HTTP,
 * stateless, for protocol revision 2026-07-28 and earlier ones.
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
      // no-transform: a proxy that compresses an event stream delays it.
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
        // This credential is valid for one other operation only.
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

/** Headers that a page of an allowed origin may send. The wildcard covers the protocol's per-tool headers. */
const REQUEST_HEADERS = ["Authorization", "*"];
/** Headers that such a page may read: how to authenticate, when to retry, and the request id. */
const ANSWER_HEADERS = ["Link", "Mcp-Session-Id", "Retry-After", "WWW-Authenticate", "X-Request-Id"];

/** Creates the protocol handler. It makes a new server for each request, so that no state can leak between callers. */
function createProtocol(deps: McpDependencies, calls: RunningCalls) {
  const { report = () => {} } = deps;
  return createMcpHandler(({ authInfo }) => createServer(servingOf(deps, fromAuthInfo(authInfo), calls)), {
    maxRequestBodySize: BODY_BYTES_MAX,
    // A caller's tools do not change during a connection, so subscriptions are pointless.
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
      // The request already counted in the data plane; each call counts in its own category.
      try {
        await admitAs(deps, caller, operation.rate);
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
          runInSlot(deps, context, operation, work, { cancelled, member: memberOfParty(caller, input) }),
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

/** Returns the tool set in the address, else the credential's, else all tools. */
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
  /** The parsed body. Absent if it is not JSON; `request` still has it then. */
  readonly parsedBody?: unknown;
  /**
   * Set if no tool may be called with the body, because it contains an integer that a double cannot represent exactly.
   */
  readonly inexact: DomainError | null;
}

/**
 * Maximum number of messages in a batch, which old revisions allow. The SDK answers messages other than tool calls back
 * to back, and a hundred tool lists (4 MB) would block all other requests.
 */
const BATCH_MAX = 10;

/**
 * Reads the body of a POST. Rejects with `payload_too_large` beyond the cap or with too many messages, and with
 * `unsupported_media_type` if its type is not JSON. The SDK reports all other errors.
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
      // Copied, so that no buffer of the runtime is shared.
      return { request: new Request(url, { method, headers, signal, body: new Uint8Array(body) }), inexact };
    }
    parsedBody = withReadParams(JSON.parse(text));
  }
  if (Array.isArray(parsedBody) && parsedBody.length > BATCH_MAX)
    throw new DomainError("payload_too_large", `A batch holds at most ${BATCH_MAX} messages.`);
  return { request, parsedBody, inexact };
}

/** Removes null parameters and arguments from the messages, and parses arguments that were sent as a JSON string. */
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

/** The parts of a request that a tool call needs. */
interface Calling {
  readonly caller: Caller;
  readonly toolSet: ToolSet;
  /** Set if no tool may be called with this body; see `ExactBody`. */
  readonly inexact: DomainError | null;
  readonly context: RequestContext;
}

/** Passes the caller through the SDK. The secret itself does not leave `admitCaller`. */
function authInfoOf(calling: Calling): AuthInfo {
  const { tokenId, owner, scopes } = calling.caller;
  return { token: tokenId, clientId: owner.id, scopes: [...scopes], extra: { ...calling } };
}

function fromAuthInfo(authInfo: AuthInfo | undefined): Calling {
  if (!authInfo?.extra?.caller) throw new Error("An MCP server was asked for without a caller.");
  return authInfo.extra as unknown as Calling;
}

/**
 * Answers a request that does not reach the SDK, with REST's error body. `authorizedAt`: the service's public address
 * if OAuth is available, otherwise null.
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

/**
 * Builds `WWW-Authenticate` (RFC 6750), with the metadata address (RFC 9728) and the scopes to request if OAuth is
 * available.
 */
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
