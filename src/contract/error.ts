import { z } from "zod";

/**
 * Every machine code an answer can carry, with its HTTP status, the title of its problem document, why it comes and what to
 * do about it. The table is total: a code that is not here does not compile. `docs/errors.md` is made from it.
 */
export const errorCodes = {
  malformed_host: {
    status: 400,
    title: "The Host header is missing or malformed",
    cause:
      "The request names no host, or something that cannot be one. A proxy in front of the service may have rewritten it.",
    cure: "Send the host and port of the service's address. A proxy passes on the Host header that it was given.",
  },
  validation_failed: {
    status: 422,
    title: "The request is not valid",
    cause:
      "A member is missing, misspelt, of another type or out of its bounds, or the body is not JSON. `detail` lists each: where it stands (`loc`), what is wrong (`msg`) and which rule it broke (`type`). Nothing was changed.",
    cure: "Correct what `detail` names and send the request again. The reference has every member with its bounds.",
  },
  invalid_token: {
    status: 401,
    title: "The credential is missing or not valid",
    cause: "No key or token came with the request, or it is unknown, expired or revoked.",
    cure: "Send the key as `X-API-Key` or `Authorization: Bearer`. `recollect doctor` says what a key is good for, and `recollect keys create --owner NAME` makes a new one.",
  },
  insufficient_scope: {
    status: 403,
    title: "The credential lacks a scope",
    cause:
      "The key or token was not granted the scope that this operation needs, or the operation is for another kind of credential. `detail` names what is missing.",
    cure: "Use a credential with that scope. Whoever manages the credentials makes one in the admin UI or by `recollect keys create --scopes`.",
  },
  knowledge_scope_required: {
    status: 403,
    title: "Knowledge needs the scope knowledge:read",
    cause: "The request asks for knowledge by name, and the credential lacks `knowledge:read`.",
    cure: "Use a credential with `knowledge:read`, or leave knowledge out of the request.",
  },
  host_not_allowed: {
    status: 403,
    title: "The service does not go by this host name",
    cause:
      "The request names a host that the service was not told of. This keeps pages elsewhere from reaching it under a name of their own.",
    cure: "Use the address in `PUBLIC_URL`, or have the operator add the name to `ALLOWED_HOSTS`.",
  },
  origin_not_allowed: {
    status: 403,
    title: "Pages of this origin may not call the service",
    cause: "A page in a browser called the service from an origin that it does not trust.",
    cure: "Have the operator add the page's origin to `CORS_ORIGINS`, or call the service from a server instead.",
  },
  role_forbidden: {
    status: 403,
    title: "The role in the team does not allow this",
    cause:
      "Viewers of a team only read, members write, and what cannot be taken back or manages the team is for its admins and owner. The role may have changed since the credential was made.",
    cure: "Ask an admin of the team for another role, or write to memories of your own.",
  },
  not_found: {
    status: 404,
    title: "Not found",
    cause:
      "There is no such thing, or not for this credential: what others own is answered as if it did not exist. What was deleted is gone here too, and a path may be misspelt.",
    cure: "Check the id, and that the credential is the right owner's and may see its team, project, path and bucket. What was soft-deleted can be restored.",
  },
  method_not_allowed: {
    status: 405,
    title: "The method is not allowed here",
    cause: "The address exists, but not for this HTTP method.",
    cure: "Use a method that the `Allow` header names.",
  },
  conflict: {
    status: 409,
    title: "Conflict",
    cause:
      "What is there does not go together with the request: an `Idempotency-Key` used for another request, a name that is taken, or something that is under way. `detail` says which.",
    cure: "Read what is there now and decide anew. For another request, use another `Idempotency-Key`.",
  },
  memory_id_conflict: {
    status: 409,
    title: "The memory id is taken by other content",
    cause: "A memory with this `memory_id` exists, and its content is another. Nothing was overwritten.",
    cure: "Change the memory by `PATCH`, or choose another id or none.",
  },
  not_restorable: {
    status: 409,
    title: "The memory cannot be restored",
    cause: "It is not deleted, or it was redacted or erased for good.",
    cure: "Read the memory: if it is live there is nothing to do, and what was erased for good can only be written anew.",
  },
  invalid_transition: {
    status: 409,
    title: "The state does not allow this",
    cause:
      "The todo, decision or run is in a state from which this step does not lead: for example completed already, or cancelled.",
    cure: "Read its state and take a step that leads on from it. A resolved decision can be reopened.",
  },
  already_accepted: {
    status: 409,
    title: "Somebody else has accepted it",
    cause: "Another agent accepted the todo first.",
    cure: "Take another todo, or assign this one to yourself if it was agreed so.",
  },
  assigned_to_other: {
    status: 409,
    title: "It is assigned to somebody else",
    cause: "The todo is assigned to another agent than the one that asks.",
    cure: "Take another todo, or have this one assigned to you.",
  },
  dependency_incomplete: {
    status: 409,
    title: "It depends on what is unfinished",
    cause: "The todo waits for others that are not completed.",
    cure: "Complete what it depends on, or take the dependency away.",
  },
  plan_changed: {
    status: 409,
    title: "What the plan was made for has changed",
    cause:
      "Since the plan was reported, memories in it were changed. Nothing was carried out, so that nothing else happens than what was looked at.",
    cure: "Ask for the report again, look at it, and carry out that one.",
  },
  events_gone: {
    status: 410,
    title: "The events asked for are no longer kept",
    cause:
      "The place in the log is older than `EVENT_RETENTION_HOURS`, or of another database than this one.",
    cure: "Read the present state by the lists, then follow the events from now on.",
  },
  precondition_failed: {
    status: 412,
    title: "It has changed since it was read",
    cause: "`If-Match` names a version that is no longer the newest: somebody else has changed it meanwhile.",
    cure: "Read it again, apply the change to what is there now, and send that version.",
  },
  payload_too_large: {
    status: 413,
    title: "The request is too large",
    cause: "The body is larger than 1 MiB, or the address and headers are too long.",
    cure: "Send less at once: split a batch, and POST a long search instead of putting it in the address.",
  },
  secret_detected: {
    status: 422,
    title: "The content holds a secret",
    cause:
      "The content has what looks like a password, key or token, and `SECRET_POLICY` is `refuse`. `detail` names its kind and place, never the text. Nothing was stored.",
    cure: "Leave the secret out. The operator may choose `mask`, which stores the text without it.",
  },
  quota_exceeded: {
    status: 403,
    title: "There is no more room",
    cause:
      "The owner keeps as many memories, or as much of something else, as it may. `detail` names the bound.",
    cure: "Delete what is no longer needed, or ask the operator for a larger bound.",
  },
  rate_limited: {
    status: 429,
    title: "Too many requests",
    cause: "The credential, or the address where there is none, has used up its requests of this minute.",
    cure: "Wait for the seconds in `Retry-After`, then go on. The TypeScript client does so by itself.",
  },
  unsupported_media_type: {
    status: 415,
    title: "The media type is not supported",
    cause: "The body is not declared as JSON.",
    cure: "Send JSON, with `Content-Type: application/json`.",
  },
  internal: {
    status: 500,
    title: "Internal error",
    cause:
      "The service has a fault. The answer says nothing of what is inside; its log has the request under the id in `X-Request-Id`.",
    cure: "Tell the operator the `X-Request-Id`. Repeat a write with the same `Idempotency-Key`, so that it is done once.",
  },
  overloaded: {
    status: 503,
    title: "Too many requests run already",
    cause:
      "The server has as much under way as it can answer in good time, and refuses more before it begins them.",
    cure: "Wait for the seconds in `Retry-After`, and ask less at once. Operators see in the health page what takes so long.",
  },
  dependency_unavailable: {
    status: 503,
    title: "A dependency is not available",
    cause:
      "The database does not answer, has no room, or is starting. Nothing was acknowledged that is not stored.",
    cure: "Wait for the seconds in `Retry-After` and try again, a write with the same `Idempotency-Key`. `/readyz` says what is missing.",
  },
} as const satisfies Record<string, { status: number; title: string; cause: string; cure: string }>;

/** Where a running service explains a code: what `Link; rel="help"` of an error says, for its own address. */
export function helpOf(code: ErrorCode): string {
  return `/docs/errors#${code}`;
}

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
