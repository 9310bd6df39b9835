import { z } from "zod";
import { publicId, text, time, uuid } from "./primitives.ts";

/** Owners that can be erased. An unbound agent expires by itself. */
export const erasedKinds = ["user", "team", "end_user"] as const;

const rows = z.record(z.string(), z.int());

export const erasureRequest = z
  .object({
    team_id: uuid.nullish().meta({ description: "The team to erase. Default: the user whose key this is" }),
    dry_run: z
      .boolean()
      .default(true)
      .meta({ description: "Only count and return the plan; nothing changes" }),
    confirm: text(1, 128).nullish().meta({
      description: "The name of the user or team, as the dry run returned it. Required to erase",
    }),
    plan_hash: text(1, 128)
      .nullish()
      .meta({ description: "The plan_hash of the dry run. Required to erase" }),
  })
  .meta({ id: "ErasureRequest" });
export type ErasureRequest = z.output<typeof erasureRequest>;

const erasureId = uuid.meta({
  description:
    "The id of the receipt. It can be read without a credential for as long as the service keeps its database. Every dry run returns the same id, and it cannot be guessed",
});

/** Receipt of an erasure: ids and numbers, neither a name nor content. */
export const erasure = z
  .object({
    id: erasureId,
    kind: z.enum(erasedKinds),
    owner_id: uuid.meta({ description: "The former owner's id; it no longer refers to anything" }),
    state: z.enum(["running", "pending", "confirmed"]).meta({
      description:
        "running: removal is under way. pending: only an index still has something to remove. confirmed: every store has removed everything",
    }),
    removed: rows.meta({ description: "Rows removed so far, by table" }),
    audit_lines: z
      .int()
      .meta({ description: "Lines of the audit log that remain; they hold neither content nor a name" }),
    started_at: time,
    finished_at: time.nullable(),
  })
  .meta({ id: "Erasure" });
export type ErasureAnswer = z.output<typeof erasure>;

export const erasurePlan = z
  .object({
    dry_run: z.boolean(),
    erasure_id: erasureId,
    kind: z.enum(erasedKinds),
    owner_id: uuid,
    name: z.string().optional().meta({ description: "In a dry run: the name to repeat in confirm" }),
    would_remove: rows
      .optional()
      .meta({ description: "In a dry run: rows that would be removed now, by table" }),
    plan_hash: z.string().optional().meta({
      description:
        "In a dry run: the hash to send back. It stays valid until something significant is added or removed",
    }),
    receipt: erasure.optional().meta({ description: "Present once the erasure has begun" }),
    is_repeat: z.boolean().meta({ description: "Whether the erasure had already begun before this request" }),
  })
  .meta({ id: "ErasurePlan" });
export type ErasurePlan = z.output<typeof erasurePlan>;

export const erasureMember = { erasure_id: publicId.meta({ description: "The erasure_id of the dry run" }) };
