import { type AuthInfo, createMcpHandler, type McpServer } from "@modelcontextprotocol/server";
import { operationList } from "../../contract/operations.ts";
import type { Application } from "../../core/application.ts";
import { type Caller, invalidToken } from "../../core/caller.ts";
import { DomainError } from "../../core/error.ts";
import { admitCaller, admitMore, type Entry } from "../http/admission.ts";
import type { Door } from "../http/door.ts";
import { createHostGuard } from "../http/host-guard.ts";
import { rateLimitHeaders } from "../http/rate-limit.ts";
import { domainErrorOf } from "../http/refusal.ts";
import { requestIdOf } from "../http/request-id.ts";
import { securityHeaders } from "../http/security-headers.ts";
import { exactBodyOf } from "./exact-body.ts";
import type { McpLogEntry } from "./log-entry.ts";
import { refusalOf } from "./refusal.ts";
import { createServer } from "./server.ts";
import { toolsOf } from "./tools.ts";

/** A request's body may not be larger; 413 beyond it. */
const BODY_BYTES_MAX = 1024 * 1024;

export interface McpSurfaceDeps extends Door {
  readonly application: Application;
  /** Host names, besides the loopback ones, that requests may name in `Host` and `Origin`; a port is ignored. */
  readonly allowedHosts?: readonly string[];
  /** False where clients are let in with keys alone. */
  readonly offersOAuth?: boolean;
  readonly log?: (entry: McpLogEntry) => void;
}

export interface McpSurface {
  /**
   * Answers any request to /mcp: Streamable HTTP, stateless, for the newest protocol revision (2026-07-28) and those
   * before it. Never rejects.
   */
  fetch(request: Request): Promise<Response>;
}

/** The operations of the contract that are MCP tools, for whoever the request's credential says it is. */
export function createMcpSurface(deps: McpSurfaceDeps): McpSurface {
  const { application, log = () => {} } = deps;
  const always = securityHeaders(deps.publicUrl);
  const authorizedAt = deps.offersOAuth === false ? null : deps.publicUrl;
  const tools = toolsOf(operationList);
  const refuseOtherHosts = createHostGuard(deps.allowedHosts ?? []);

  // The handler asks for a new server at every request, so nothing of one caller can reach another.
  const handler = createMcpHandler(
    ({ authInfo }): McpServer => {
      const caller = callerIn(authInfo);
      // The request itself has counted in the data plane already; what it calls counts in its own category.
      return createServer({
        application,
        tools,
        caller,
        log,
        async admit({ operation }) {
          await admitMore(deps, caller, operation.rate);
          if (authInfo?.extra?.refusal instanceof DomainError) throw authInfo.extra.refusal;
        },
      });
    },
    {
      maxRequestBodySize: BODY_BYTES_MAX,
      // A caller's tools do not change while it is connected, so there is nothing to hold a stream open for.
      maxSubscriptions: 0,
      onerror: (error) => {
        log({ level: "warn", message: "MCP request refused", requestId: null, tool: null, error });
      },
    },
  );

  async function answer(entry: Entry): Promise<Response> {
    const { request, requestId } = entry;
    try {
      const refused = refuseOtherHosts(request);
      if (refused) return refused;
      const caller = await admitCaller(deps, entry, null);
      // What such a credential is still good for is not done here.
      if (caller.onlyFor !== null) throw invalidToken();
      const { parsedBody, refusal, ...read } = await exactBodyOf(request, BODY_BYTES_MAX);
      return await handler.fetch(read.request, { authInfo: authInfoOf(caller, refusal), parsedBody });
    } catch (error) {
      if (!(error instanceof DomainError)) {
        log({ level: "error", message: "MCP request failed", requestId, tool: null, error });
      }
      return refusalOf(domainErrorOf(error, deps.isUnavailable), authorizedAt);
    }
  }

  return {
    async fetch(request) {
      const requestId = requestIdOf(request.headers, deps.newId);
      const entry: Entry = { request, requestId, rateLimit: null, tokenId: null };
      const response = await answer(entry);
      const headers = {
        ...always,
        ...rateLimitHeaders(entry.rateLimit),
        "x-request-id": requestId,
        // no-transform: a proxy that compresses an event stream holds it back.
        "cache-control": "no-store, private, no-transform",
      };
      for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
      return response;
    },
  };
}

/**
 * Carries the caller through the SDK, and why no tool may be called with what was sent. The secret itself goes no
 * further than `authenticate`.
 */
function authInfoOf(caller: Caller, refusal: DomainError | null): AuthInfo {
  const { tokenId, owner, scopes } = caller;
  return { token: tokenId, clientId: owner.id, scopes: [...scopes], extra: { caller, refusal } };
}

function callerIn(authInfo: AuthInfo | undefined): Caller {
  if (!authInfo?.extra?.caller) throw new Error("An MCP server was asked for without a caller.");
  return authInfo.extra.caller as Caller;
}
