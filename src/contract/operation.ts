import type { z } from "zod";
import type { TokenKind } from "./credential.ts";
import { endUserMember } from "./end-user-member.ts";
import type { ErrorCode } from "./error.ts";
import type { LimitCategory } from "./rate-limit.ts";
import type { Scope } from "./scope.ts";

/** Effect of an operation on the record. Surfaces derive MCP annotations and HTTP safety from it. */
export type Effect = "read" | "write" | "destroy";

/** The rate-limit window that a request counts in, besides the data plane's. */
export type RateCategory = Extract<LimitCategory, "read" | "write" | "registration">;

/** REST binding of an operation. Input members not listed here go in the query (GET, DELETE) or the body. */
export interface HttpBinding {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** OpenAPI template; each `{name}` is a member of the input. */
  readonly path: string;
  readonly status: 200 | 201;
  /** Input members that are sent as headers: member → header. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The output member that is also sent as `ETag`. */
  readonly etag?: string;
  /** Input members that are also read from the query string if the body lacks them. */
  readonly queryToo?: readonly string[];
  /** Set if clients that accept server-sent events get a stream. */
  readonly isStream?: true;
  /**
   * The output member, a list, that is sent as JSON Lines to clients that do not prefer JSON. The cursor beside it is then
   * a header.
   */
  readonly lines?: string;
  /** Additional paths of the same operation. */
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
  /** For batches: `member` lists independent requests, which can fail individually; `item` is the schema of one. */
  readonly each?: {
    readonly member: string;
    readonly item: z.ZodObject;
    /** The output member with the outcome of each request, in the same order. */
    readonly answers: string;
  };
  /** Error codes it can return in addition to `commonErrors`. */
  readonly errors: readonly ErrorCode[];
  readonly effect: E;
  /** Any one of these scopes is sufficient; empty: no scope is required. The use case may require more. */
  readonly scopes: readonly Scope[];
  /** The kinds of credential that may call it. Default: any. */
  readonly kinds?: readonly TokenKind[];
  /** Schemas for a person signed in to the admin UI, if they have more members. */
  readonly session?: { readonly input: SessionInput; readonly output?: SessionOutput };
  /** Set if a request may name an end user in `user_id`, in whose space it then takes place. */
  readonly forEndUsers?: true;
  /** Set if Idempotency-Key is not supported: the answer is a secret shown once, or the calling credential ends. */
  readonly unrepeatable?: true;
  /** null: counts only in the data plane's window. */
  readonly rate: RateCategory | null;
  readonly http: HttpBinding;
  /** Its MCP tool. Absent if it is not a tool. */
  readonly mcp?: {
    readonly tool: string;
    readonly title: string;
    /** Wraps an answer that is a list in this member, because a tool must return an object. */
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

type WithUser<I extends z.ZodObject> = z.ZodObject<
  Omit<I["shape"], "user_id"> & typeof endUserMember,
  I["_zod"]["config"]
>;

/** An operation in the space of an owner, which may be an end user's: its input has `user_id` as well. */
export function spaceOperation<
  I extends z.ZodObject,
  O extends z.ZodType,
  E extends Effect,
  SessionInput extends z.ZodObject = I,
  SessionOutput extends z.ZodType = O,
>(
  value: Operation<I, O, E, SessionInput, SessionOutput>,
): Operation<WithUser<I>, O, E, WithUser<SessionInput>, SessionOutput> {
  const { session } = value;
  return {
    ...value,
    input: withUser(value.input),
    ...(session && { session: { ...session, input: withUser(session.input) } }),
    forEndUsers: true,
  } as Operation<WithUser<I>, O, E, WithUser<SessionInput>, SessionOutput>;
}

/** Schemas by the one that they extend, so that operations with one input still have one. */
const extended = new WeakMap<z.ZodObject, z.ZodObject>();

function withUser<I extends z.ZodObject>(input: I): WithUser<I> {
  let schema = extended.get(input);
  if (schema === undefined) {
    schema = input.safeExtend(endUserMember);
    const meta = input.meta();
    if (meta) schema = schema.meta(meta);
    extended.set(input, schema);
  }
  return schema as WithUser<I>;
}
