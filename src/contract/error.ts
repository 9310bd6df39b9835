import { z } from "zod";

/**
 * Every machine code an answer can carry: its HTTP status, the title of its problem document, its causes and its
 * remedies. `docs/errors.md` and the API's description are made from this table. A code that is missing here does not
 * compile.
 */
export const errorCodes = {
  malformed_host: {
    status: 400,
    title: "The Host header is missing or malformed",
    cause: "The request has no `Host` header, or one that is no host name.",
    cure: "Send the host name of the service's address. Every HTTP client does so by itself; a proxy in between may have removed it.",
  },
  validation_failed: {
    status: 422,
    title: "The request is not valid",
    cause: "A member, parameter or header is missing, misspelt or outside its bounds. Nothing was done.",
    cure: "Read `detail`: each entry says where (`loc`) and what is wrong (`msg`), and what was probably meant where a name is misspelt. Correct that and send it again.",
  },
  invalid_token: {
    status: 401,
    title: "The credential is missing or not valid",
    cause: "There is no credential in the request, or it has expired, been revoked or been replaced.",
    cure: "Send a key as `X-API-Key` or `Authorization: Bearer`. `recollect keys list` shows which keys still hold and `recollect keys create` makes one; a browser signs in again.",
  },
  insufficient_scope: {
    status: 403,
    title: "The credential lacks a scope",
    cause: "The credential is valid, but does not have the scope that this operation asks for.",
    cure: "Use a credential with the scope that `detail` names, or have its owner make one: `recollect keys create --scopes …`.",
  },
  knowledge_scope_required: {
    status: 403,
    title: "Knowledge needs the scope knowledge:read",
    cause:
      "The request reads or writes memories of the type `knowledge`, and the credential lacks a scope for them.",
    cure: "Use a credential with `knowledge:read`, or leave the type `knowledge` out of the request.",
  },
  host_not_allowed: {
    status: 403,
    title: "The service does not go by this host name",
    cause:
      "The request names a host that this service does not go by. That is how a web page would try to reach it through somebody's browser.",
    cure: "Call it by the address in `PUBLIC_URL`. Operators add further names with `ALLOWED_HOSTS`.",
  },
  origin_not_allowed: {
    status: 403,
    title: "Pages of this origin may not call the service",
    cause:
      "A browser sent this from a page of another site, and that site is not one whose pages may call the service.",
    cure: "Operators name the page's origin in `CORS_ORIGINS`. Pages of this service itself need nothing: open them by the address in `PUBLIC_URL`.",
  },
  role_forbidden: {
    status: 403,
    title: "The role in the team does not allow this",
    cause: "You belong to the team, but your role in it does not allow this.",
    cure: "Ask an owner or admin of the team to do it, or to give you another role: `recollect teams add` and the admin UI both can.",
  },
  not_found: {
    status: 404,
    title: "Not found",
    cause:
      "There is nothing at this address or by this id that the credential may see. What belongs to somebody else is answered the same way.",
    cure: "Check the address and the id. If both are right, the credential belongs to another owner, or is confined to other projects.",
  },
  method_not_allowed: {
    status: 405,
    title: "The method is not allowed here",
    cause: "The address exists, but not for this method.",
    cure: "Use one of the methods in the answer's `Allow` header.",
  },
  conflict: {
    status: 409,
    title: "Conflict",
    cause:
      "The state of what you address does not go with the request, or the same request is still being carried out.",
    cure: "Read `detail`, look at the state as it is now, and decide anew. Do not simply repeat the request.",
  },
  memory_id_conflict: {
    status: 409,
    title: "The memory id is taken by other content",
    cause: "The request brings a memory id that already belongs to a memory with other content.",
    cure: "Leave the id out and have the service choose one, or update the memory that is there.",
  },
  not_restorable: {
    status: 409,
    title: "The memory cannot be restored",
    cause: "The memory is not one that was soft-deleted: it is live, was redacted, or was deleted for good.",
    cure: "Look at its status. What was redacted or deleted for good has no content left: write it again, or restore a backup.",
  },
  invalid_transition: {
    status: 409,
    title: "The state does not allow this",
    cause: "A todo, decision or memory is in a state from which the requested step does not lead.",
    cure: "Read the item's status and take a step that its state allows; `detail` says which state it is in and what to do.",
  },
  already_accepted: {
    status: 409,
    title: "Somebody else has accepted it",
    cause: "Another agent accepted the todo first.",
    cure: "Choose another todo, or ask whoever holds this one to hand it over.",
  },
  assigned_to_other: {
    status: 409,
    title: "It is assigned to somebody else",
    cause: "The todo is assigned to one agent, and another tried to accept it.",
    cure: "Choose another todo, or have it assigned to you first.",
  },
  dependency_incomplete: {
    status: 409,
    title: "It depends on what is unfinished",
    cause: "The todo depends on others that are not finished.",
    cure: "Finish the todos that `detail` names, or remove the dependency.",
  },
  plan_changed: {
    status: 409,
    title: "What the plan was made for has changed",
    cause: "Between the report or dry run and now, something it was made for has changed. Nothing was done.",
    cure: "Ask for a new report, read it, and apply that one.",
  },
  events_gone: {
    status: 410,
    title: "The events asked for are no longer kept",
    cause: "You asked for events after one that is older than the service keeps.",
    cure: "List what there is now, then follow events without `after`. `EVENT_RETENTION_HOURS` says how long they are kept.",
  },
  precondition_failed: {
    status: 412,
    title: "It has changed since it was read",
    cause: "Somebody changed it after you read it: `If-Match` no longer matches. Nothing was written.",
    cure: "Read it again, apply your change to what it is now, and send that with the new `ETag`.",
  },
  payload_too_large: {
    status: 413,
    title: "The request is too large",
    cause: "The body, the address or the headers are larger than the service takes.",
    cure: "Send less: divide a batch, shorten the content, or move a long query from the address into a body (`POST /v1/memories/search`).",
  },
  secret_detected: {
    status: 422,
    title: "The content holds a secret",
    cause:
      "The content holds something that looks like a password, key or token, and the service is set to refuse those.",
    cure: "Take the secret out and send the rest. Operators choose what happens with `SECRET_POLICY`.",
  },
  quota_exceeded: {
    status: 403,
    title: "There is no more room",
    cause: "The owner, or the network it comes from, has as much as it may have.",
    cure: "Delete what is no longer needed, or have the operator raise the limit that `detail` names. `recollect usage` shows who holds what.",
  },
  rate_limited: {
    status: 429,
    title: "Too many requests",
    cause: "The credential has sent more requests in this minute than it may.",
    cure: "Wait as long as `Retry-After` says, then go on. Operators set the limits with `RATE_LIMIT_DATA_PLANE`, `RATE_LIMIT_READS` and `RATE_LIMIT_WRITES`.",
  },
  unsupported_media_type: {
    status: 415,
    title: "The media type is not supported",
    cause: "The body is not sent as a type that this address reads.",
    cure: "Send JSON, say so in `Content-Type`, and leave out `Content-Encoding`.",
  },
  internal: {
    status: 500,
    title: "Internal error",
    cause: "The service made a mistake. It is in its log, with the id of the request.",
    cure: "Try once more. If it fails again, give the operators the `X-Request-Id` of the answer: they find the reason by it.",
  },
  overloaded: {
    status: 503,
    title: "Too many requests run already",
    cause:
      "The service, or your share of it, is busy with as many requests as it can carry. Nothing was begun.",
    cure: "Wait as long as `Retry-After` says, then send it again; fewer requests at the same time get through faster.",
  },
  dependency_unavailable: {
    status: 503,
    title: "A dependency is not available",
    cause: "The database, or something else the service stands on, cannot be reached at the moment.",
    cure: "Try again in a few seconds. Operators see at `/readyz`, or with `recollect doctor`, what is missing.",
  },
} as const satisfies Record<string, ErrorHelp>;

/** Explanation of an error code, in Markdown. */
interface ErrorHelp {
  readonly status: number;
  readonly title: string;
  readonly cause: string;
  readonly cure: string;
}

/** A machine-readable error code. Clients must branch on it, never on the message. */
export type ErrorCode = keyof typeof errorCodes;

/** Address of the page that explains an error code, for `Link: <…>; rel="help"`. */
export function helpAddress(publicUrl: string, code: ErrorCode): string {
  return `${publicUrl}/docs/errors#${code}`;
}

/** One failed rule of a request: where, what, and which kind. It never repeats the refused value. */
const validationIssue = z
  .object({
    loc: z
      .array(z.union([z.string(), z.int()]))
      .describe("Where: body, query, path or header, then the member"),
    msg: z.string().describe("What is wrong, for people"),
    type: z.string().describe("The kind of rule that failed, for machines"),
  })
  .meta({ id: "ValidationIssue" });
export type ValidationIssue = z.infer<typeof validationIssue>;

/** The body of any refusal but a failed validation. */
const hint = z
  .string()
  .optional()
  .describe("With `invalid_token`, whose `detail` is the code: what to do next");

export const errorBody = z.object({
  detail: z.string().describe("What happened and what to do next"),
  code: z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]),
  hint,
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
  hint,
  errors: z.array(validationIssue).optional(),
});
