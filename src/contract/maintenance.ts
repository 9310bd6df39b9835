import { z } from "zod";
import { projectId, publicId, text, time, uuid } from "./primitives.ts";

/** Maintenance actions, in the order in which a run performs them. */
export const maintenanceActions = [
  "expire_overdue",
  "archive_stale",
  "merge_duplicates",
  "purge_deleted",
  "refresh_embeddings",
  "repair_index",
] as const;
export type MaintenanceAction = (typeof maintenanceActions)[number];

export const undoableActions = [
  "expire_overdue",
  "archive_stale",
  "merge_duplicates",
] as const satisfies readonly MaintenanceAction[];

const maintenanceAction = z.enum(maintenanceActions);

/** A list of actions without duplicates. */
const distinctActions = (min: number, max: number) =>
  z
    .array(maintenanceAction)
    .min(min)
    .max(max)
    .refine((names) => new Set(names).size === names.length, { error: "must not name an action twice" });

const DAYS_MAX = 3650;

/** Settings of a workspace's maintenance, with their defaults. */
export const maintenanceDefaults = {
  stale_after_days: 90,
  duplicate_similarity: 0.95,
  completed_retention_days: 30,
  purge_deleted_after_days: 30,
  automatic_actions: [] as MaintenanceAction[],
  schedule_hours: 24,
} as const;

export const settingMembers = {
  stale_after_days: z
    .int()
    .min(1)
    .max(DAYS_MAX)
    .meta({ description: "After this many days without being changed or verified, a live memory is stale" }),
  duplicate_similarity: z
    .number()
    .min(0.8)
    .max(1)
    .meta({ description: "The cosine similarity of two memories' vectors at which they may be merged" }),
  completed_retention_days: z
    .int()
    .min(0)
    .max(DAYS_MAX)
    .meta({ description: "Days after which finished todos and superseded decisions are archived" }),
  purge_deleted_after_days: z
    .int()
    .min(0)
    .max(DAYS_MAX)
    .meta({ description: "Days after which soft-deleted memories are permanently erased" }),
  automatic_actions: distinctActions(0, maintenanceActions.length).meta({
    description: "The actions that run on the schedule; none if empty",
    uniqueItems: true,
  }),
  schedule_hours: z.int().min(1).max(8760).meta({ description: "Hours between automatic runs" }),
};

/** Settings that a patch may change. null restores the default; omitted members stay as they are. */
export const settingsPatch = z
  .object({
    stale_after_days: settingMembers.stale_after_days.nullable(),
    duplicate_similarity: settingMembers.duplicate_similarity.nullable(),
    completed_retention_days: settingMembers.completed_retention_days.nullable(),
    purge_deleted_after_days: settingMembers.purge_deleted_after_days.nullable(),
    automatic_actions: settingMembers.automatic_actions.nullable(),
    schedule_hours: settingMembers.schedule_hours.nullable(),
  })
  .partial();
export type SettingsPatch = z.infer<typeof settingsPatch>;

/** The workspace that an answer is about. */
export const workspaceMembers = {
  project_id: projectId,
  team_id: z
    .string()
    .nullable()
    .meta({ description: "The team whose workspace it is; null for a user's own" }),
};

export const maintenanceSettings = z
  .object({
    ...workspaceMembers,
    ...settingMembers,
    updated_at: time.nullable().meta({ description: "null while every setting is the default" }),
    updated_by: z.string().nullable().meta({
      description: "The agent that changed them last, or the credential's id if there was no agent",
    }),
    next_run_at: time
      .nullable()
      .meta({ description: "When the next automatic run is due; null without automatic_actions" }),
    suspended_reason: z.string().nullable().meta({
      description:
        "Why automatic runs are suspended: whoever set them up no longer has the access that they need. null if they are not suspended",
    }),
  })
  .meta({ id: "ProjectMaintenanceSettings" });
export type MaintenanceSettingsAnswer = z.infer<typeof maintenanceSettings>;

export const scanLimit = z
  .int()
  .min(1)
  .max(5000)
  .default(1000)
  .meta({ description: "The most memories of the workspace to look at" });

/** Carries the scan limit and, for each action, a digest of what it would do. */
export const planHash = text(1, 512).meta({
  description: "The plan_hash of a report on this workspace; valid for any of its actions",
});

const plannedItem = z.object({
  id: publicId,
  reason: z.string().meta({ description: "Why it is due, in words; never content" }),
  into: publicId
    .optional()
    .meta({ description: "merge_duplicates only: the memory that is kept instead of this one" }),
});

export const maintenanceReport = z
  .object({
    ...workspaceMembers,
    generated_at: time,
    scan_limit: z.int(),
    scanned: z.int().meta({ description: "Memories looked at; at most scan_limit" }),
    truncated: z.boolean().meta({
      description: "There were more memories than scan_limit; those most likely to be due were checked first",
    }),
    plan_hash: planHash,
    totals: z
      .object({
        expire_overdue: z.int(),
        archive_stale: z.int(),
        merge_duplicates: z.int(),
        purge_deleted: z.int(),
        refresh_embeddings: z.int(),
        repair_index: z.int(),
      } satisfies Record<MaintenanceAction, z.ZodInt>)
      .meta({ description: "The number of items that each action would change" }),
    actions: z
      .array(
        z.object({
          action: maintenanceAction,
          matched: z.int(),
          items: z.array(plannedItem).meta({
            description:
              "Oldest memory first; fewer than `matched` if the report would be larger than about 1 MiB. The plan_hash covers all of them",
          }),
        }),
      )
      .meta({ description: "Every action, in the order in which a run performs them" }),
    notes: z.array(z.string()).meta({ description: "What maintenance noticed but leaves alone" }),
  })
  .meta({ id: "ProjectMaintenanceReport" });
export type MaintenanceReport = z.infer<typeof maintenanceReport>;

/** Members of an execution besides the workspace. Exactly one of the three selections must be given. */
export const executeMembers = {
  actions: distinctActions(1, 4).meta({
    description: "1 to 4 different actions; they run in their fixed order",
    uniqueItems: true,
  }),
  target_ids: z.array(publicId).max(500).nullish().meta({
    description:
      "Selection: those of these ids that are due. The others are skipped, with the reason. An empty list counts as not given",
  }),
  confirm_all_matching: z
    .boolean()
    .default(false)
    .meta({ description: "Selection: everything that is due now" }),
  plan_hash: planHash.nullish().meta({
    description: "Selection: exactly what that report listed; 409 plan_changed if it no longer applies",
  }),
  scan_limit: scanLimit.meta({
    description: "Used with confirm_all_matching; a plan_hash carries the limit of its report",
  }),
};

/** Restricts an execution to part of the plan that a person has reviewed. */
export const onlyPlanned = z.array(publicId).min(1).max(500).nullish().meta({
  description: "Used with plan_hash: carry out only what the plan lists for these ids. Default: all of it",
});

const left_out = z.int().optional().meta({
  description: "How many of skipped and failed are not listed: the answer would exceed about 1 MiB",
});

const leftItem = z.object({
  id: z
    .string()
    .nullable()
    .meta({ description: "null for a memory that has since been permanently deleted" }),
  reason: z
    .string()
    .meta({ description: "A machine code, such as not_due, changed, not_found or role_forbidden" }),
});

export const runStatuses = ["running", "completed", "undoing", "undone"] as const;
export type RunStatus = (typeof runStatuses)[number];

const runMembers = {
  run_id: uuid,
  ...workspaceMembers,
  status: z.enum(runStatuses).meta({
    description:
      "running and undoing continue even if the request is cut off. undone: as far as possible; some items may have been skipped",
  }),
};

const doneAction = {
  action: maintenanceAction,
  matched: z.int().meta({ description: "changed + skipped + failed, once the run is completed" }),
  changed: z.int(),
};

export const executeAnswer = z
  .object({
    ...runMembers,
    truncated: z.boolean().meta({ description: "There were more memories than scan_limit" }),
    started_at: time,
    finished_at: time.nullable(),
    actions: z.array(
      z.object({
        ...doneAction,
        skipped: z.array(leftItem).meta({
          description:
            "Items that are not due, that this credential may not change, or that have been changed since",
        }),
        failed: z.array(leftItem).meta({ description: "Items that failed; the reason is `internal`" }),
        left_out,
        receipts: z
          .array(uuid)
          .optional()
          .meta({ description: "purge_deleted only: receipts of the removal, for GET /v1/receipts/{id}" }),
      }),
    ),
  })
  .meta({ id: "ProjectMaintenanceExecuteAnswer" });
export type ExecuteAnswer = z.infer<typeof executeAnswer>;

export const maintenanceRun = z
  .object({
    ...runMembers,
    trigger: z.enum(["request", "schedule"]),
    started_at: time,
    finished_at: time.nullable(),
    undone_at: time.nullable(),
    started_by: z
      .string()
      .meta({ description: "The agent that started it, or the credential's id if there was no agent" }),
    actions: z.array(
      z.object({
        ...doneAction,
        skipped: z.int(),
        failed: z.int(),
        undone: z.int(),
      }),
    ),
  })
  .meta({ id: "ProjectMaintenanceRun" });
export type MaintenanceRunAnswer = z.infer<typeof maintenanceRun>;

export const undoAnswer = z
  .object({
    ...runMembers,
    undone_at: time.nullable(),
    actions: z
      .array(
        z.object({
          action: z.enum(undoableActions),
          undone: z.int().meta({
            description: "Items restored to their state before the run, by this undo or an earlier one",
          }),
          skipped: z.array(leftItem).meta({
            description:
              "Items that have changed since the run, or whose semantic_key another memory has now",
          }),
          failed: z.array(leftItem),
          left_out,
        }),
      )
      .meta({ description: "The actions of the run that can be undone" }),
  })
  .meta({ id: "ProjectMaintenanceUndoAnswer" });
export type UndoAnswer = z.infer<typeof undoAnswer>;
