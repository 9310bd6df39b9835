import { type AuthInfo, createMcpHandler, type McpServer } from "@modelcontextprotocol/server";
import { operationList } from "../../contract/operations.ts";
import type { Application } from "../../core/application.ts";
import type { Caller } from "../../core/caller.ts";
import { DomainError } from "../../core/error.ts";
import { type Authentication, authenticate } from "../authenticate.ts";
import { createHostGuard } from "./host-guard.ts";
import type { McpLogEntry } from "./log-entry.ts";
import { refusalOf } from "./refusal.ts";
import { createServer } from "./server.ts";
import { toolsOf } from "./tools.ts";

/** A request's body may not be larger; 413 beyond it. */
const BODY_BYTES_MAX = 1024 * 1024;

export interface McpSurfaceDeps extends Authentication {
  readonly application: Application;
  readonly newId: () => string;
  /** Host names, besides the loopback ones, that requests may name in `Host` and `Origin`; a port is ignored. */
  readonly allowedHosts?: readonly string[];
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
  const { application, newId, log = () => {} } = deps;
  const tools = toolsOf(operationList);
  const refuseOtherHosts = createHostGuard(deps.allowedHosts ?? []);

  // The handler asks for a new server at every request, so nothing of one caller can reach another.
  const handler = createMcpHandler(
    ({ authInfo }): McpServer => createServer({ application, tools, caller: callerIn(authInfo), log }),
    {
      maxRequestBodySize: BODY_BYTES_MAX,
      // A caller's tools do not change while it is connected, so there is nothing to hold a stream open for.
      maxSubscriptions: 0,
      onerror: (error) => {
        log({ level: "warn", message: "MCP request refused", requestId: null, tool: null, error });
      },
    },
  );

  async function answer(request: Request, requestId: string): Promise<Response> {
    const refused = refuseOtherHosts(request);
    if (refused) return refused;
    try {
      const caller = await authenticate(deps, request.headers, requestId);
      return await handler.fetch(request, { authInfo: authInfoOf(caller) });
    } catch (error) {
      if (!(error instanceof DomainError)) {
        log({ level: "error", message: "MCP request failed", requestId, tool: null, error });
      }
      return refusalOf(error);
    }
  }

  return {
    async fetch(request) {
      const requestId = newId();
      const response = await answer(request, requestId);
      response.headers.set("X-Request-Id", requestId);
      // no-transform: a proxy that compresses an event stream holds it back.
      response.headers.set("Cache-Control", "no-store, private, no-transform");
      return response;
    },
  };
}

/** Carries the caller through the SDK. The secret itself goes no further than `authenticate`. */
function authInfoOf(caller: Caller): AuthInfo {
  return { token: caller.tokenId, clientId: caller.owner.id, scopes: [...caller.scopes], extra: { caller } };
}

function callerIn(authInfo: AuthInfo | undefined): Caller {
  if (!authInfo?.extra?.caller) throw new Error("An MCP server was asked for without a caller.");
  return authInfo.extra.caller as Caller;
}
