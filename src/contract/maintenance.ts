import { z } from "zod";
import { projectId, publicId, text, time, uuid } from "./primitives.ts";

/** What maintenance can do, in the order in which a run does it. */
export const maintenanceActions = [
  "expire_overdue",
  "archive_stale",
  "merge_duplicates",
  "purge_deleted",
  "refresh_embeddings",
  "repair_index",
] as const;
export type MaintenanceAction = (typeof maintenanceActions)[number];

/** The actions that an undo takes back. */
export const undoableActions = [
  "expire_overdue",
  "archive_stale",
  "merge_duplicates",
] as const satisfies readonly MaintenanceAction[];

const maintenanceAction = z.enum(maintenanceActions);

/** Actions of which each is named at most once. */
const distinctActions = (min: number, max: number) =>
  z
    .array(maintenanceAction)
    .min(min)
    .max(max)
    .refine((names) => new Set(names).size === names.length, { error: "must not name an action twice" });

const DAYS_MAX = 3650;

/** What a workspace's maintenance goes by, with the defaults. */
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
    .meta({ description: "A live memory that was neither changed nor verified for so long is stale" }),
  duplicate_similarity: z
    .number()
    .min(0.8)
    .max(1)
    .meta({ description: "The cosine of two memories' vectors from which on they may be merged" }),
  completed_retention_days: z
    .int()
    .min(0)
    .max(DAYS_MAX)
    .meta({ description: "Finished todos and superseded decisions are archived after so long" }),
  purge_deleted_after_days: z
    .int()
    .min(0)
    .max(DAYS_MAX)
    .meta({ description: "What was soft-deleted is erased for good after so long" }),
  automatic_actions: distinctActions(0, maintenanceActions.length).meta({
    description: "What the schedule does by itself; nothing where it is empty",
    uniqueItems: true,
  }),
  schedule_hours: z
    .int()
    .min(1)
    .max(8760)
    .meta({ description: "How long it is from one automatic run to the next" }),
};

/** The members that a change may set. null brings a default back; one that is not given stays. */
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

/** Whose workspace an answer is about. */
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
    updated_at: time.nullable().meta({ description: "null while all are defaults that nobody has set" }),
    updated_by: z
      .string()
      .nullable()
      .meta({ description: "The agent that set them last; the credential's id where there was no agent" }),
    next_run_at: time
      .nullable()
      .meta({ description: "When the schedule is due next; null without automatic_actions" }),
    suspended_reason: z.string().nullable().meta({
      description:
        "Why automatic runs do not happen now: who set them may no longer do what they ask. null where they do",
    }),
  })
  .meta({ id: "ProjectMaintenanceSettings" });
export type MaintenanceSettingsAnswer = z.infer<typeof maintenanceSettings>;

export const scanLimit = z
  .int()
  .min(1)
  .max(5000)
  .default(1000)
  .meta({ description: "How many of the workspace's memories are looked at, at most" });

/** Carries the scan limit and, for each action, a digest of what it would do. */
export const planHash = text(1, 512).meta({
  description: "The plan_hash of a report of this workspace, for any of the actions in it",
});

const plannedItem = z.object({
  id: publicId,
  reason: z.string().meta({ description: "Why it is due, for people; never content" }),
  into: publicId
    .optional()
    .meta({ description: "merge_duplicates only: the memory that stays in place of this one" }),
});

export const maintenanceReport = z
  .object({
    ...workspaceMembers,
    generated_at: time,
    scan_limit: z.int(),
    scanned: z.int().meta({ description: "How many memories were looked at; at most scan_limit" }),
    truncated: z
      .boolean()
      .meta({ description: "There was more to look at. What is most likely due was looked at first" }),
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
      .meta({ description: "How many items each action would touch" }),
    actions: z
      .array(
        z.object({
          action: maintenanceAction,
          matched: z.int(),
          items: z.array(plannedItem).meta({ description: "Oldest memory first" }),
        }),
      )
      .meta({ description: "Every action, in the order in which a run does them" }),
    notes: z.array(z.string()).meta({ description: "What maintenance saw and leaves alone" }),
  })
  .meta({ id: "ProjectMaintenanceReport" });
export type MaintenanceReport = z.infer<typeof maintenanceReport>;

/** What an execution takes besides the workspace. Exactly one of the three selections must be given. */
export const executeMembers = {
  actions: distinctActions(1, 4).meta({
    description: "1 to 4 actions, each once; done in their own order",
    uniqueItems: true,
  }),
  target_ids: z.array(publicId).max(500).nullish().meta({
    description:
      "Selection: of these ids, those that are due. The others are skipped with the reason. Empty is as if not given",
  }),
  confirm_all_matching: z
    .boolean()
    .default(false)
    .meta({ description: "Selection: everything that is due now" }),
  plan_hash: planHash
    .nullish()
    .meta({ description: "Selection: exactly what that report listed, or 409 plan_changed" }),
  scan_limit: scanLimit.meta({
    description: "With confirm_all_matching; a plan_hash brings the limit of its report with it",
  }),
};

/** What a person who has looked at a plan takes of it. */
export const planMembers = {
  actions: executeMembers.actions,
  plan_hash: planHash,
  only: z.array(publicId).min(1).max(500).nullish().meta({
    description: "Of the plan, what it lists for these ids alone, or for all unless given",
  }),
};

const leftItem = z.object({
  id: z.string().nullable().meta({ description: "null for a memory that has been deleted for good since" }),
  reason: z
    .string()
    .meta({ description: "A word for machines, such as not_due, changed, not_found, role_forbidden" }),
});

export const runStatuses = ["running", "completed", "undoing", "undone"] as const;
export type RunStatus = (typeof runStatuses)[number];

const runMembers = {
  run_id: uuid,
  ...workspaceMembers,
  status: z.enum(runStatuses).meta({
    description:
      "running and undoing end by themselves, whatever becomes of the request; undone also where a part could not be",
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
    truncated: z.boolean().meta({ description: "There was more to look at than scan_limit" }),
    started_at: time,
    finished_at: time.nullable(),
    actions: z.array(
      z.object({
        ...doneAction,
        skipped: z.array(leftItem).meta({
          description: "Not due, not this credential's to change, or changed by somebody else since",
        }),
        failed: z
          .array(leftItem)
          .meta({ description: "What the service could not do; the reason is `internal`" }),
        receipts: z
          .array(uuid)
          .optional()
          .meta({ description: "purge_deleted only: proofs of the removal, for GET /v1/receipts/{id}" }),
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
      .meta({ description: "The agent that asked for it; the credential's id where there was no agent" }),
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
            description: "How many are as they were before the run, by this undo or an earlier one",
          }),
          skipped: z
            .array(leftItem)
            .meta({ description: "Not as the run left it, or its place is taken by now" }),
          failed: z.array(leftItem),
        }),
      )
      .meta({ description: "Those actions of the run that an undo takes back" }),
  })
  .meta({ id: "ProjectMaintenanceUndoAnswer" });
export type UndoAnswer = z.infer<typeof undoAnswer>;
