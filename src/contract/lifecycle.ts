import { z } from "zod";
import { content, memoryStatuses, writeRemarks } from "./memory.ts";
import { jsonObject, publicId, text, time, uuid } from "./primitives.ts";

/** How a memory is forgotten. Only the first can be undone. */
export const forgetModes = ["soft_delete", "hard_delete", "redact"] as const;
export type ForgetMode = (typeof forgetModes)[number];

/** Errors of every operation that forgets memories. The required scope depends on the mode. */
export const forgetErrors = [
  "not_found",
  "role_forbidden",
  "precondition_failed",
  "quota_exceeded",
  "secret_detected",
] as const;
export const forgetScopes = ["memory:write", "memory:delete", "memory:redact", "memory:hard_delete"] as const;

/** Errors of every operation that restores forgotten memories. */
export const restoreErrors = [
  "not_found",
  "role_forbidden",
  "conflict",
  "not_restorable",
  "precondition_failed",
  "quota_exceeded",
] as const;

export const mode = z
  .enum(forgetModes)
  .default("soft_delete")
  .meta({ description: "hard_delete and redact cannot be undone" });

export const reason = text(1, 1024).nullish();

export const forgetRequest = z.object({
  mode,
  reason,
  replacement_content: content.nullish().meta({
    description: "Replaces the redacted content; ignored in the other modes",
  }),
  metadata: jsonObject.nullish().meta({
    description:
      "soft_delete: merged into the memory's metadata. redact: the metadata that remains. hard_delete: ignored",
  }),
});
export type ForgetRequest = z.infer<typeof forgetRequest>;

/** Proof of a permanent removal. The digest is keyed and reveals nothing about the content. */
export const receipt = z
  .object({
    id: uuid,
    state: z
      .enum(["pending", "confirmed"])
      .meta({ description: "confirmed once every store has confirmed the removal" }),
    removed: z.record(z.string(), z.int()).meta({ description: "How many entries each store held" }),
    digest: z.string(),
    remaining: z
      .array(publicId)
      .meta({ description: "Other memories in the same supersession chain; these remain" }),
  })
  .meta({ id: "Receipt" });

export const forgetAnswer = z
  .object({
    id: publicId,
    mode: z.enum(forgetModes),
    status: z.enum([...memoryStatuses, "hard_deleted"]),
    reversible: z.boolean(),
    receipt: receipt.optional(),
    ...writeRemarks,
  })
  .meta({ id: "MemoryForgetAnswer" });
export type ForgetAnswer = z.infer<typeof forgetAnswer>;

export const restoreAnswer = z
  .object({ id: publicId, status: z.enum(memoryStatuses) })
  .meta({ id: "MemoryRestoreAnswer" });

export const completeReminderAnswer = z
  .object({
    id: publicId,
    status: z.literal("completed"),
    completed_at: time,
    next_due_at: z.string().optional().meta({
      format: "date-time",
      description: "When a recurring reminder is due next; absent once it will not recur",
    }),
    ...writeRemarks,
  })
  .meta({ id: "ReminderCompleteAnswer" });
