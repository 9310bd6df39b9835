/**
 * A tRPC procedure for every operation, derived from the list of operations. Input and output types are the
 * operation's, with its `session` variants.
 */
import {
  initTRPC,
  type TRPC_ERROR_CODE_KEY,
  type TRPCBuiltRouter,
  TRPCError,
  type TRPCMutationProcedure,
  type TRPCQueryProcedure,
} from "@trpc/server";
import type { z } from "zod";
import { type ErrorCode, errorCodes, type ValidationIssue } from "../../contract/error.ts";
import type { Effect } from "../../contract/operation.ts";
import { type AnyOperationName, everyOperation } from "../../contract/operations.ts";
import { DomainError } from "../../core/error.ts";
import { errorMembers } from "../http/error-response.ts";

/** The parts of a request that a procedure needs. */
export interface TrpcContext {
  readonly requestId: string;
  call(name: AnyOperationName, input: unknown): Promise<unknown>;
  /** Converts anything thrown to the refusal that a client sees. */
  refusal(thrown: unknown): DomainError;
}

/** A refusal as clients see it. As on every surface, clients branch on its code. */
export interface TrpcErrorShape {
  readonly message: string;
  /** The JSON-RPC error number, which tRPC's client requires. */
  readonly code: number;
  readonly data: {
    readonly code: ErrorCode;
    readonly httpStatus: number;
    readonly requestId: string;
    readonly issues?: readonly ValidationIssue[];
    readonly retry_after_seconds?: number;
  };
}

/** tRPC derives the HTTP status of an error from this key. */
const KEY_OF_STATUS: Readonly<Record<(typeof errorCodes)[ErrorCode]["status"], TRPC_ERROR_CODE_KEY>> = {
  400: "BAD_REQUEST",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  405: "METHOD_NOT_SUPPORTED",
  409: "CONFLICT",
  // tRPC has no key for 410. Only `events_gone` has that status, and no page of the UI reads the event log.
  410: "NOT_FOUND",
  412: "PRECONDITION_FAILED",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  422: "UNPROCESSABLE_CONTENT",
  429: "TOO_MANY_REQUESTS",
  500: "INTERNAL_SERVER_ERROR",
  503: "SERVICE_UNAVAILABLE",
};

const JSON_RPC_SERVER_ERROR = -32603;

/** Formats a refusal for tRPC's client. */
export function errorShape(error: DomainError, requestId: string): TrpcErrorShape {
  const { code } = error;
  const { retry_after_seconds = error.retryAfterSeconds } = errorMembers(error);
  return {
    message: error.message,
    code: JSON_RPC_SERVER_ERROR,
    data: {
      code,
      httpStatus: errorCodes[code].status,
      requestId,
      ...(code === "validation_failed"
        ? { issues: error.issues.map(({ loc, msg, type }) => ({ loc, msg, type })) }
        : {}),
      ...(retry_after_seconds === null ? {} : { retry_after_seconds }),
    },
  };
}

const trpc = initTRPC.context<TrpcContext>().create({
  isDev: false,
  errorFormatter: ({ error, ctx }) => {
    const refusal = error.cause instanceof DomainError ? error.cause : protocolError(error);
    return errorShape(refusal, ctx?.requestId ?? "") as never;
  },
});

/**
 * Converts errors of tRPC itself, such as an unknown procedure or a query called as a mutation. Their text is not
 * repeated.
 */
function protocolError({ code }: TRPCError): DomainError {
  if (code === "NOT_FOUND") return new DomainError("not_found", "There is no such procedure.");
  if (code === "METHOD_NOT_SUPPORTED")
    return new DomainError(
      "method_not_allowed",
      "Call this procedure as a query if it only reads, otherwise as a mutation.",
    );
  if (code === "INTERNAL_SERVER_ERROR") return new DomainError("internal", "The service failed.");
  return new DomainError("validation_failed", "The request is not valid.");
}

/** Wraps a refusal so that tRPC answers with the status of its code. */
export function asTrpcError(refusal: DomainError): TRPCError {
  const code = KEY_OF_STATUS[errorCodes[refusal.code].status];
  return new TRPCError({ code, message: refusal.message, cause: refusal });
}

type Described = { readonly input: z.ZodObject; readonly output: z.ZodType; readonly effect: Effect };

/** The input of an operation for a session, which may differ from a token's. */
type InputOf<O extends Described> = O extends { session?: { input: infer I extends z.ZodType } }
  ? I
  : O["input"];
type OutputOf<O extends Described> = O extends { session?: { output?: infer R extends z.ZodType } }
  ? R
  : O["output"];

type ProcedureTypes<O extends Described> = {
  input: OrNothing<z.input<InputOf<O>>>;
  output: z.output<OutputOf<O>>;
  meta: unknown;
};

/** An input without required members may be omitted. */
type OrNothing<I> = Record<string, never> extends I ? I | undefined : I;

type ProceduresOf<T extends Readonly<Record<string, Described>>> = {
  [N in keyof T]: T[N]["effect"] extends "read"
    ? TRPCQueryProcedure<ProcedureTypes<T[N]>>
    : TRPCMutationProcedure<ProcedureTypes<T[N]>>;
};

function procedures() {
  const entries = Object.entries(everyOperation).map(([name, { effect }]) => {
    const procedure = trpc.procedure.input((input: unknown) => input);
    const resolve = async ({ ctx, input }: { ctx: TrpcContext; input: unknown }) => {
      try {
        return await ctx.call(name as AnyOperationName, input);
      } catch (thrown) {
        throw asTrpcError(ctx.refusal(thrown));
      }
    };
    return [name, effect === "read" ? procedure.query(resolve) : procedure.mutation(resolve)] as const;
  });
  return Object.fromEntries(entries);
}

/** All procedures. The cast adds their types, which the loop above cannot infer. */
export const router = trpc.router(procedures()) as unknown as AppRouter;

/** Type of the admin UI's client. */
export type AppRouter = TRPCBuiltRouter<
  { ctx: TrpcContext; meta: object; errorShape: TrpcErrorShape; transformer: false },
  ProceduresOf<typeof everyOperation>
>;
