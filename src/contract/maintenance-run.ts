import { z } from "zod";
import {
  distinctActions,
  maintenanceAction,
  planHash,
  scanLimit,
  undoableActions,
  workspaceMembers,
} from "./maintenance.ts";
import { publicId, time, uuid } from "./primitives.ts";

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
