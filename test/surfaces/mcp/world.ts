import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import type { Scope } from "../../../src/contract/scope.ts";
import type { Credential } from "../../../src/core/access/credential.ts";
import type { Application } from "../../../src/core/application.ts";
import type { Caller } from "../../../src/core/caller.ts";
import type { RequestLine } from "../../../src/surfaces/http/request-line.ts";
import {
  createMcpSurface,
  type McpDependencies,
  type McpLogEntry,
} from "../../../src/surfaces/mcp/mcp-surface.ts";
import { testShare } from "../../support/share.ts";
import { contextAnswer } from "./answers.ts";

export const NEWEST = "2026-07-28";
export const ONE_BEFORE = "2025-11-25";

/** What the stub application was called with. */
export interface Call {
  readonly name: string;
  readonly caller: Caller;
  readonly input: unknown;
}

function credential(name: string, scopes: readonly Scope[]): Credential {
  return {
    tokenId: `token-${name}`,
    kind: "api_key",
    owner: { id: `owner-${name}`, kind: "user", name },
    scopes,
    space: { teamId: null, projects: null, pathPrefix: null, buckets: null },
    agentId: null,
    onlyFor: null,
  };
}

const keys: Readonly<Record<string, Credential>> = {
  "key-ada": credential("ada", ["memory:read", "memory:write"]),
  "key-ben": credential("ben", ["memory:read", "memory:write"]),
  "key-reader": credential("reader", ["memory:read"]),
  "key-writer": credential("writer", ["memory:write"]),
  "key-deleter": credential("deleter", ["memory:delete"]),
};

interface Connecting {
  readonly revision?: string;
  readonly headers?: Record<string, string>;
  readonly url?: string | undefined;
}

/** A surface over an application that answers as told: by default, a recall that names whom it answers. */
export function world(
  answer: (call: Call) => unknown = ({ caller }) => contextAnswer(caller.owner.name),
  deps: Partial<McpDependencies> = {},
) {
  const calls: Call[] = [];
  const logged: McpLogEntry[] = [];
  const lines: RequestLine[] = [];
  let ids = 0;
  const surface = createMcpSurface({
    application: {
      async call(name: string, caller: Caller, input: unknown) {
        calls.push({ name, caller, input });
        return answer({ name, caller, input });
      },
    } as Application,
    credentials: { authenticate: async (secret) => keys[secret] ?? null },
    hash: (text) => `hash(${text})`,
    newId: () => `request-${++ids}`,
    isUnavailable: () => false,
    rateLimiter: null,
    share: testShare(),
    trustedProxies: [],
    publicUrl: "http://localhost",
    allowedHosts: [],
    corsOrigins: [],
    log: (line) => lines.push(line),
    report: (entry) => logged.push(entry),
    ...deps,
  });

  /** A real client, connected. */
  async function connect(
    key: string,
    { revision = NEWEST, headers = {}, url = "http://localhost/mcp" }: Connecting = {},
  ): Promise<Client> {
    const client = new Client(
      { name: "test", version: "1.0.0" },
      { versionNegotiation: { mode: revision === NEWEST ? { pin: revision } : "legacy" } },
    );
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), {
        fetch: (url, init) => surface.handle(new Request(url, init)),
        requestInit: { headers: { Authorization: `Bearer ${key}`, ...headers } },
      }),
    );
    onTestFinished(() => client.close());
    return client;
  }

  /** A request as it comes over the wire, without a client's help. */
  function post(body: string, headers: Record<string, string> = {}): Promise<Response> {
    return surface.handle(
      new Request("http://localhost/mcp", {
        method: "POST",
        body,
        headers: {
          Authorization: "Bearer key-ada",
          "Content-Type": "application/json",
          Accept: "application/json, text/event-stream",
          ...headers,
        },
      }),
    );
  }

  return { surface, calls, lines, logged, connect, post };
}

/** What a model reads of a result. */
export function textOf(result: { content: readonly { type: string }[] }): string {
  return result.content.map((block) => ("text" in block ? block.text : "")).join("\n");
}
