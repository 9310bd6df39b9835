import { z } from "zod";

/**
 * Every machine code an answer can carry, with its HTTP status and the title of its problem document.
 * The table is total: a code that is not here does not compile.
 */
export const errorCodes = {
  malformed_host: { status: 400, title: "The Host header is missing or malformed" },
  validation_failed: { status: 422, title: "The request is not valid" },
  invalid_token: { status: 401, title: "The credential is missing or not valid" },
  insufficient_scope: { status: 403, title: "The credential lacks a scope" },
  knowledge_scope_required: { status: 403, title: "Knowledge needs the scope knowledge:read" },
  host_not_allowed: { status: 403, title: "The service does not go by this host name" },
  origin_not_allowed: { status: 403, title: "Pages of this origin may not call the service" },
  role_forbidden: { status: 403, title: "The role in the team does not allow this" },
  not_found: { status: 404, title: "Not found" },
  method_not_allowed: { status: 405, title: "The method is not allowed here" },
  conflict: { status: 409, title: "Conflict" },
  memory_id_conflict: { status: 409, title: "The memory id is taken by other content" },
  not_restorable: { status: 409, title: "The memory cannot be restored" },
  invalid_transition: { status: 409, title: "The state does not allow this" },
  already_accepted: { status: 409, title: "Somebody else has accepted it" },
  assigned_to_other: { status: 409, title: "It is assigned to somebody else" },
  dependency_incomplete: { status: 409, title: "It depends on what is unfinished" },
  plan_changed: { status: 409, title: "What the plan was made for has changed" },
  events_gone: { status: 410, title: "The events asked for are no longer kept" },
  precondition_failed: { status: 412, title: "It has changed since it was read" },
  payload_too_large: { status: 413, title: "The request is too large" },
  secret_detected: { status: 422, title: "The content holds a secret" },
  quota_exceeded: { status: 403, title: "There is no more room" },
  rate_limited: { status: 429, title: "Too many requests" },
  unsupported_media_type: { status: 415, title: "The media type is not supported" },
  internal: { status: 500, title: "Internal error" },
  overloaded: { status: 503, title: "Too many requests run already" },
  dependency_unavailable: { status: 503, title: "A dependency is not available" },
} as const satisfies Record<string, { status: number; title: string }>;

/** A machine code: clients decide by it, never by the prose. */
export type ErrorCode = keyof typeof errorCodes;

/** One failed rule of a request: where, what, and which kind. It never repeats the refused value. */
const validationIssue = z
  .object({
    loc: z
      .array(z.union([z.string(), z.int()]))
      .describe("Where: body, query, path or header, then the field"),
    msg: z.string().describe("What is wrong, for people"),
    type: z.string().describe("The kind of rule that failed, for machines"),
  })
  .meta({ id: "ValidationIssue" });
export type ValidationIssue = z.infer<typeof validationIssue>;

/** The body of any refusal but a failed validation. */
export const errorBody = z.object({
  detail: z.string().describe("What happened and what to do next"),
  code: z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]),
});

/** The body of a failed validation (422). */
export const validationErrorBody = z.object({
  detail: z.array(validationIssue),
  code: z.literal("validation_failed"),
});

/** RFC 9457, answered when the request accepts `application/problem+json`. */
export const problemBody = z.object({
  type: z.string().describe("urn:recollect:problem:<code>"),
  title: z.string(),
  status: z.int(),
  code: errorBody.shape.code,
  detail: z.string(),
  errors: z.array(validationIssue).optional(),
});
