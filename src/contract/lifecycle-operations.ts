import { z } from "zod";
import { createdBefore, filters, sessionFilters } from "./filter.ts";
import * as lifecycle from "./lifecycle.ts";
import { completionNote, writeRemarks } from "./memory.ts";
import { idMember, ifMatch } from "./memory-members.ts";
import { spaceOperation } from "./operation.ts";
import { publicId, text } from "./primitives.ts";

export const deleteMemory = spaceOperation({
  name: "deleteMemory",
  summary: "Forget a memory",
  input: z.object({ ...idMember, mode: lifecycle.mode, reason: lifecycle.reason, if_match: ifMatch }),
  output: lifecycle.forgetAnswer,
  errors: [...lifecycle.forgetErrors, "conflict"],
  effect: "destroy",
  scopes: lifecycle.forgetScopes,
  rate: "write",
  http: {
    method: "DELETE",
    path: "/v1/memories/{memory_id}",
    status: 200,
    headers: { if_match: "If-Match" },
  },
});

export const forgetMemory = spaceOperation({
  name: "forgetMemory",
  summary: "Forget a memory, optionally leaving a replacement",
  input: lifecycle.forgetRequest
    .extend({ ...idMember, if_match: ifMatch })
    .meta({ id: "MemoryForgetRequest" }),
  output: lifecycle.forgetAnswer,
  errors: [...lifecycle.forgetErrors, "conflict", "payload_too_large", "unsupported_media_type"],
  effect: "destroy",
  scopes: lifecycle.forgetScopes,
  rate: "write",
  http: {
    method: "POST",
    path: "/v1/memories/{memory_id}/forget",
    status: 200,
    headers: { if_match: "If-Match" },
  },
  mcp: { tool: "forget_memory", title: "Forget a memory" },
});

export const restoreMemory = spaceOperation({
  name: "restoreMemory",
  summary: "Bring back a soft-deleted memory",
  input: z.object({ ...idMember, if_match: ifMatch }),
  output: lifecycle.restoreAnswer,
  errors: lifecycle.restoreErrors,
  effect: "write",
  scopes: ["memory:write", "memory:restore"],
  rate: "write",
  http: {
    method: "POST",
    path: "/v1/memories/{memory_id}/restore",
    status: 200,
    headers: { if_match: "If-Match" },
  },
  mcp: { tool: "restore_memory", title: "Restore a memory" },
});

const matchingFilter = z
  .strictObject({ ...filters, created_before: createdBefore })
  .refine(namesSomething, { error: "must name at least one filter" })
  .meta({ minProperties: 1 });

function namesSomething(filter: object): boolean {
  return Object.values(filter).some((value) => value !== undefined && value !== null);
}

const deleteMatchingRequest = z
  .object({
    filter: matchingFilter,
    mode: lifecycle.mode,
    reason: lifecycle.reason,
    dry_run: z.boolean().default(true),
    plan_hash: text(1, 128).nullish(),
  })
  .meta({ id: "MemoryDeleteMatchingRequest" });

const deleteMatchingAnswer = z
  .object({
    dry_run: z.boolean(),
    mode: z.enum(lifecycle.forgetModes),
    matched: z.int(),
    changed: z.int(),
    plan_hash: z.string(),
    receipt: lifecycle.receipt.optional(),
    ...writeRemarks,
  })
  .meta({ id: "MemoryDeleteMatchingAnswer" });

export const deleteMatching = spaceOperation({
  name: "deleteMatching",
  summary: "Forget every memory that matches a filter, in two steps",
  description:
    "The dry run returns a count and a plan_hash. Send that hash with the real run, which is refused if anything it covers has changed since.",
  input: deleteMatchingRequest,
  output: deleteMatchingAnswer,
  session: {
    input: deleteMatchingRequest.extend({
      filter: z
        .strictObject({ ...filters, ...sessionFilters })
        .refine(namesSomething, { error: "must name at least one filter" }),
    }),
    output: deleteMatchingAnswer.extend({
      memory_ids: z
        .array(publicId)
        .meta({ description: "Ids of the matching memories. They were removed, unless this was a dry run" }),
    }),
  },
  errors: [
    "role_forbidden",
    "plan_changed",
    "conflict",
    "knowledge_scope_required",
    "secret_detected",
    "payload_too_large",
    "unsupported_media_type",
  ],
  effect: "destroy",
  scopes: lifecycle.forgetScopes,
  rate: "write",
  http: { method: "POST", path: "/v1/memories/delete", status: 200 },
});

export const getReceipt = spaceOperation({
  name: "getReceipt",
  summary: "Read the receipt of a permanent removal",
  input: z.object({ receipt_id: publicId }),
  output: lifecycle.receipt,
  errors: ["not_found"],
  effect: "read",
  scopes: ["memory:read", "memory:write", "memory:redact", "memory:hard_delete"],
  rate: "read",
  http: { method: "GET", path: "/v1/receipts/{receipt_id}", status: 200 },
});

export const completeReminder = spaceOperation({
  name: "completeReminder",
  summary: "Complete a reminder",
  description:
    "A recurring reminder (metadata.recurrence) becomes due again at its next occurrence. Completing it again before then changes nothing and returns the same answer.",
  input: z.object({ reminder_id: publicId, note: completionNote }).meta({ id: "ReminderCompleteRequest" }),
  output: lifecycle.completeReminderAnswer,
  errors: [
    "not_found",
    "role_forbidden",
    "conflict",
    "quota_exceeded",
    "secret_detected",
    "payload_too_large",
    "unsupported_media_type",
  ],
  effect: "write",
  scopes: ["memory:write", "memory:update"],
  rate: "write",
  http: { method: "POST", path: "/v1/reminders/{reminder_id}/complete", status: 200 },
  mcp: { tool: "complete_reminder", title: "Complete a reminder" },
});
