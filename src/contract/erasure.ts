import { z } from "zod";
import { publicId, text, time, uuid } from "./primitives.ts";

/** Whom an erasure ends. An agent that nobody has bound ends by itself. */
export const erasedKinds = ["user", "team"] as const;

const rows = z.record(z.string(), z.int());

export const erasureRequest = z
  .object({
    team_id: uuid
      .nullish()
      .meta({ description: "The team to erase; the user whose key it is where there is none" }),
    dry_run: z.boolean().default(true).meta({ description: "Changes nothing: counts, and answers the plan" }),
    confirm: text(1, 128).nullish().meta({
      description: "The name of who is erased, typed, as the dry run answers it. Needed to erase",
    }),
    plan_hash: text(1, 128).nullish().meta({ description: "The plan_hash of the dry run. Needed to erase" }),
  })
  .meta({ id: "ErasureRequest" });
export type ErasureRequest = z.output<typeof erasureRequest>;

const erasureId = uuid.meta({
  description:
    "Under which the receipt is read, with no credential, as long as this service has its database. It is the same in every dry run, and cannot be guessed",
});

/** What can be shown afterwards: ids and numbers, neither a name nor content. */
export const erasure = z
  .object({
    id: erasureId,
    kind: z.enum(erasedKinds),
    owner_id: uuid.meta({ description: "It leads to nothing any more" }),
    state: z.enum(["running", "pending", "confirmed"]).meta({
      description:
        "running: not all is removed yet. pending: all but what an index still has to let go. confirmed: every store has",
    }),
    removed: rows.meta({ description: "How many rows went so far, by table" }),
    audit_lines: z
      .int()
      .meta({ description: "Lines of the audit log that stay, with neither content nor a name" }),
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
    name: z.string().optional().meta({ description: "In a dry run: what confirm is to repeat" }),
    would_remove: rows.optional().meta({ description: "In a dry run: how many rows would go now, by table" }),
    plan_hash: z
      .string()
      .optional()
      .meta({ description: "In a dry run: it holds while nothing of weight comes or goes" }),
    receipt: erasure.optional().meta({ description: "Once the erasure has begun" }),
    is_repeat: z.boolean().meta({ description: "Whether the erasure had begun before this request" }),
  })
  .meta({ id: "ErasurePlan" });
export type ErasurePlan = z.output<typeof erasurePlan>;

export const erasureMember = { erasure_id: publicId.meta({ description: "The erasure_id of the dry run" }) };
