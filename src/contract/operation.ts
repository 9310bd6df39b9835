import type { z } from "zod";
import type { TokenKind } from "./credential.ts";
import type { ErrorCode } from "./error.ts";
import type { LimitCategory } from "./rate-limit.ts";
import type { Scope } from "./scope.ts";

/** Effect of an operation on the record; surfaces derive annotations and safety from it. */
export type Effect = "read" | "write" | "destroy";

/** Which rate-limit window a request counts in, besides the data plane's. */
export type RateCategory = Extract<LimitCategory, "read" | "write" | "registration">;

/** How REST reaches an operation. Input members not named here are in the query (GET, DELETE) or the body. */
export interface HttpBinding {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** OpenAPI template; each `{name}` is a member of the input. */
  readonly path: string;
  readonly status: 200 | 201;
  /** Input members that arrive as headers: member → header. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The output member that is answered as `ETag` too. */
  readonly etag?: string;
  /** Input members that are taken from the query string too, where the body has none of that name. */
  readonly queryToo?: readonly string[];
  /** Whether it is answered as a stream of server-sent events too, to who accepts that. */
  readonly isStream?: true;
  /** Further paths of the same operation. */
  readonly aliases?: readonly string[];
}

/** One thing the service can do. Every surface (REST, OpenAPI, MCP, the client) derives from these values. */
export interface Operation<
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodType = z.ZodType,
  E extends Effect = Effect,
  SessionInput extends z.ZodObject = I,
  SessionOutput extends z.ZodType = O,
> {
  /** camelCase; the OpenAPI operationId and the client's method. */
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly input: I;
  readonly output: O;
  /** The member that is a list of requests of their own, each refused on its own, and what such a request is. */
  readonly each?: {
    readonly member: string;
    readonly item: z.ZodObject;
    /** The member of the answer that says, in the same order, what became of each. */
    readonly answers: string;
  };
  /** The codes it can answer beyond those every operation can (see `commonErrors`). */
  readonly errors: readonly ErrorCode[];
  readonly effect: E;
  /** One of these scopes is enough to call it, none where there are none; the use case may ask for more. */
  readonly scopes: readonly Scope[];
  /** The kinds of credential that may call it; any where it is not given. */
  readonly kinds?: readonly TokenKind[];
  /** Schemas for a person signed in to the admin UI, if they have more members. */
  readonly session?: { readonly input: SessionInput; readonly output?: SessionOutput };
  /** True where no Idempotency-Key repeats it: the answer is a secret, shown once, or the credential that asks ends. */
  readonly unrepeatable?: true;
  /** null: in the data plane's window alone. */
  readonly rate: RateCategory | null;
  readonly http: HttpBinding;
  /** The MCP tool of this operation, if it is one. */
  readonly mcp?: {
    readonly tool: string;
    readonly title: string;
    /** The member that holds the answer where that is a list: a tool answers an object. */
    readonly answerAs?: string;
  };
}

/** Errors that every operation can return. */
export const commonErrors: readonly ErrorCode[] = [
  "malformed_host",
  "host_not_allowed",
  "origin_not_allowed",
  "validation_failed",
  "invalid_token",
  "insufficient_scope",
  "method_not_allowed",
  "rate_limited",
  "overloaded",
  "internal",
  "dependency_unavailable",
];

/** Keeps the precise types of an operation while checking its shape. */
export function operation<
  I extends z.ZodObject,
  O extends z.ZodType,
  E extends Effect,
  SessionInput extends z.ZodObject = I,
  SessionOutput extends z.ZodType = O,
>(value: Operation<I, O, E, SessionInput, SessionOutput>): Operation<I, O, E, SessionInput, SessionOutput> {
  return value;
}
