import { z } from "zod";
import * as maintenance from "./maintenance.ts";
import { spaceOperation } from "./operation.ts";
import { publicId, uuid } from "./primitives.ts";
import { projectMember } from "./project.ts";

const ROOT = "/v1/projects/{project_id}/maintenance";

/** The workspace members that every maintenance operation takes. */
const workspace = {
  ...projectMember,
  team_id: uuid.nullish().meta({ description: "This team's workspace. Default: the credential's owner's" }),
};

const reads = { effect: "read", scopes: ["memory:read"], rate: "read" } as const;
const writes = { scopes: ["memory:write"], rate: "write" } as const;
const bodyErrors = ["not_found", "role_forbidden", "payload_too_large", "unsupported_media_type"] as const;

export const getMaintenanceSettings = spaceOperation({
  name: "getMaintenanceSettings",
  summary: "Read a project's maintenance settings",
  description: "Returns the defaults, under which nothing runs automatically, if nobody has changed them.",
  input: z.object(workspace),
  output: maintenance.maintenanceSettings,
  errors: ["not_found"],
  ...reads,
  http: { method: "GET", path: `${ROOT}/settings`, status: 200 },
});

export const updateMaintenanceSettings = spaceOperation({
  name: "updateMaintenanceSettings",
  summary: "Change a project's maintenance settings",
  description:
    "Automatic runs act with the access of this credential, which is checked again at each run. A body without any setting changes nothing.",
  input: maintenance.settingsPatch.extend(workspace).meta({ id: "ProjectMaintenanceSettingsPatchRequest" }),
  output: maintenance.maintenanceSettings,
  errors: [...bodyErrors],
  effect: "write",
  ...writes,
  http: { method: "PATCH", path: `${ROOT}/settings`, status: 200, queryToo: ["team_id"] },
});

export const reportMaintenance = spaceOperation({
  name: "reportMaintenance",
  summary: "Report what maintenance would do in a project, and why",
  description:
    "Changes nothing. Pass its plan_hash to an execution to do exactly what was listed, for any of the actions; if that is no longer possible, the execution is refused.",
  input: z.object({ ...workspace, scan_limit: maintenance.scanLimit }),
  output: maintenance.maintenanceReport,
  errors: ["not_found"],
  ...reads,
  http: { method: "GET", path: ROOT, status: 200 },
  mcp: { tool: "maintenance_report", title: "Report what maintenance would do" },
});

const executeRequest = z.object({ ...workspace, ...maintenance.executeMembers });

export const executeMaintenance = spaceOperation({
  name: "executeMaintenance",
  summary: "Run maintenance on a project",
  description:
    "Starts one run, which continues even if this request is cut off. Give exactly one of target_ids, confirm_all_matching and plan_hash.",
  input: executeRequest.meta({ id: "ProjectMaintenanceExecuteRequest" }),
  session: { input: executeRequest.extend({ only: maintenance.onlyPlanned }) },
  output: maintenance.executeAnswer,
  errors: [...bodyErrors, "plan_changed", "conflict"],
  effect: "destroy",
  ...writes,
  http: { method: "POST", path: `${ROOT}/execute`, status: 200, queryToo: ["team_id"] },
  mcp: { tool: "maintenance_execute", title: "Maintain a project" },
});

export const listMaintenanceRuns = spaceOperation({
  name: "listMaintenanceRuns",
  summary: "List a project's maintenance runs, newest first",
  description:
    "Runs are kept for 90 days. A credential that sees only part of the workspace is shown only its own runs.",
  input: z.object({ ...workspace, limit: z.int().min(1).max(100).default(20) }),
  output: z.array(maintenance.maintenanceRun),
  errors: ["not_found"],
  ...reads,
  http: { method: "GET", path: `${ROOT}/runs`, status: 200 },
});

export const undoMaintenanceRun = spaceOperation({
  name: "undoMaintenanceRun",
  summary: "Undo what a maintenance run expired, archived or merged",
  description:
    "Undoes each item that is still as the run left it. A second undo changes nothing and returns the same answer. `conflict` means that the run is still going on, or did nothing that can be undone: purge_deleted, refresh_embeddings and repair_index cannot.",
  input: z.object({ ...workspace, run_id: publicId }).meta({ id: "ProjectMaintenanceUndoRequest" }),
  output: maintenance.undoAnswer,
  errors: [...bodyErrors, "conflict"],
  effect: "write",
  ...writes,
  http: { method: "POST", path: `${ROOT}/runs/{run_id}/undo`, status: 200, queryToo: ["team_id"] },
});
