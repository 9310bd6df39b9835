import type { Operation } from "../../../src/contract/operation.ts";
import { operations, visitorOperations } from "../../../src/contract/operations.ts";
import { type Scope, scopes } from "../../../src/contract/scope.ts";
import type { Credential, TokenKind } from "../../../src/core/access/credential.ts";
import type { Application, Invocation } from "../../../src/core/application.ts";
import { type Caller, requireOperation, type Visitor } from "../../../src/core/caller.ts";
import { validInput } from "../../../src/core/input/validation.ts";
import type { RequestLine } from "../../../src/surfaces/http/request-line.ts";
import { createRestSurface, type RestDependencies } from "../../../src/surfaces/rest/rest-surface.ts";
import { testShare } from "../../support/share.ts";

/** The key that the world's one credential has. */
export const KEY = "rck_test";

/** One call that reached the application, with its validated input. */
export interface Call {
  readonly name: string;
  /** Whoever called; the operation says which of the two. */
  readonly caller: Caller;
  readonly visitor?: Visitor;
  readonly input: Record<string, unknown>;
  readonly invocation: Invocation | undefined;
}

/** The port of this surface, faked: scope and schema as the real one, then `answer`. */
function fakeApplication(calls: Call[], answer: (call: Call) => unknown): Application {
  return {
    call: () => Promise.reject(new Error("This door permits a call before it reads the input.")),
    permit(name, caller, known) {
      const operation = operations[name];
      requireOperation(caller, operation);
      return async (rest, invocation) => {
        const call = { name, caller, input: validated(operation, { ...rest, ...known }), invocation };
        calls.push(call);
        return (await answer(call)) as never;
      };
    },
    async visit(name, visitor, input) {
      const caller = null as unknown as Caller;
      const call = {
        name,
        caller,
        visitor,
        input: validated(visitorOperations[name], input),
        invocation: undefined,
      };
      calls.push(call);
      return (await answer(call)) as never;
    },
  };
}

function validated(operation: Pick<Operation, "input">, input: unknown): Record<string, unknown> {
  return validInput(operation as Operation, input) as Record<string, unknown>;
}

function credential(granted: readonly Scope[], kind: TokenKind): Credential {
  return {
    tokenId: "token-1",
    kind,
    owner: { id: "owner-1", kind: "user", name: "ada" },
    scopes: granted,
    space: { teamId: null, projects: null, pathPrefix: null, buckets: null },
    agentId: null,
    onlyFor: null,
  };
}

export interface World {
  readonly calls: Call[];
  readonly lines: RequestLine[];
  readonly surface: ReturnType<typeof createRestSurface>;
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** Sends a request; with the key unless told otherwise. */
  send(method: string, path: string, how?: Sending): Promise<Response>;
}

export interface Sending {
  readonly headers?: Record<string, string>;
  /** An object is sent as JSON with its type; text and bytes as they are, without a type. */
  readonly body?: string | Uint8Array<ArrayBuffer> | ReadableStream | object;
  readonly key?: string | null;
}

/** A surface over a fake application. */
export function world(
  options: {
    answer?: (call: Call) => unknown;
    scopes?: readonly Scope[];
    kind?: TokenKind;
    deps?: Partial<RestDependencies>;
  } = {},
): World {
  const calls: Call[] = [];
  const lines: RequestLine[] = [];
  let ids = 0;
  const known = credential(options.scopes ?? (Object.keys(scopes) as Scope[]), options.kind ?? "api_key");
  const surface = createRestSurface({
    application: fakeApplication(calls, options.answer ?? (() => ({ id: "mem-1", status: "stored" }))),
    credentials: { authenticate: async (secret) => (secret === KEY ? known : null) },
    hash: (text) => `hash of ${text}`,
    newId: () => {
      ids += 1;
      return `request-${ids}`;
    },
    log: (line) => lines.push(line),
    readiness: () => ({ needed: { postgres: null }, others: { index: null }, isStopping: false }),
    isUnavailable: () => false,
    rateLimiter: null,
    share: testShare(),
    trustedProxies: [],
    corsOrigins: [],
    allowedHosts: [],
    publicUrl: "http://localhost",
    ...options.deps,
  });
  return {
    calls,
    lines,
    surface,
    fetch: surface.fetch,
    send: async (method, path, how = {}) => surface.fetch(requestOf(method, path, how)),
  };
}

function requestOf(method: string, path: string, { headers = {}, body, key = KEY }: Sending): Request {
  const isPlain =
    typeof body === "object" && !(body instanceof Uint8Array) && !(body instanceof ReadableStream);
  const init: RequestInit & { duplex?: "half" } = {
    method,
    headers: {
      ...(key === null ? {} : { "x-api-key": key }),
      ...(isPlain ? { "content-type": "application/json" } : {}),
      ...headers,
    },
  };
  if (body !== undefined) {
    const bytes = isPlain ? JSON.stringify(body) : body;
    // Text would bring a content type of its own.
    init.body = typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes;
    init.duplex = "half";
  }
  return new Request(`http://localhost${path}`, init);
}
