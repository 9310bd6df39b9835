import { z } from "zod";
import * as lifecycle from "./lifecycle.ts";
import { ifMatch } from "./memory-members.ts";
import { spaceOperation } from "./operation.ts";
import * as project from "./project.ts";

const TODO = "/v1/projects/{project_id}/todos/{todo_id}";
const DECISION = "/v1/projects/{project_id}/decisions/{decision_id}";

const reads = { errors: ["not_found"], effect: "read", scopes: ["memory:read"], rate: "read" } as const;

const corrects = {
  effect: "write",
  scopes: ["memory:write", "memory:update"],
  rate: "write",
} as const;
const correctionErrors = [
  "not_found",
  "role_forbidden",
  "precondition_failed",
  "conflict",
  "quota_exceeded",
  "secret_detected",
  "payload_too_large",
  "unsupported_media_type",
] as const;

const removes = {
  output: lifecycle.forgetAnswer,
  errors: lifecycle.forgetErrors,
  effect: "destroy",
  scopes: lifecycle.forgetScopes,
  rate: "write",
} as const;
const removal = { mode: lifecycle.mode, reason: lifecycle.reason, if_match: ifMatch };

const restores = {
  errors: lifecycle.restoreErrors,
  effect: "write",
  scopes: ["memory:write", "memory:restore"],
  rate: "write",
} as const;

const conditional = { status: 200, headers: { if_match: "If-Match" } } as const;

export const getTodo = spaceOperation({
  name: "getTodo",
  summary: "Read one todo",
  input: z.object(project.ofTodo),
  output: project.projectTodo,
  ...reads,
  http: { method: "GET", path: TODO, status: 200, etag: "etag" },
});

export const updateTodo = spaceOperation({
  name: "updateTodo",
  summary: "Change a todo's text and details",
  description:
    "Only accept, assign, block, complete and the other state operations change its state. null clears a nullable member. metadata is merged at the top level by default, where null deletes a key. depends_on replaces the dependencies that this credential may see.",
  input: project.todoUpdateRequest
    .extend({ ...project.ofTodo, if_match: ifMatch })
    .meta({ id: "ProjectTodoUpdateRequest" }),
  output: project.todoAnswer,
  errors: [...correctionErrors, "dependency_incomplete"],
  ...corrects,
  http: { method: "PATCH", path: TODO, ...conditional, etag: "etag" },
  mcp: { tool: "todo_update", title: "Change a todo" },
});

export const deleteTodo = spaceOperation({
  name: "deleteTodo",
  summary: "Delete or redact a todo",
  description: "Todos that depend on it treat it as cancelled.",
  input: z.object({ ...project.ofTodo, ...removal }),
  ...removes,
  http: { method: "DELETE", path: TODO, ...conditional },
});

export const restoreTodo = spaceOperation({
  name: "restoreTodo",
  summary: "Bring back a soft-deleted todo",
  description:
    "Todos that were completed while it was deleted no longer depend on it, unless it is finished itself.",
  input: z.object({ ...project.ofTodo, if_match: ifMatch }),
  output: project.todoAnswer,
  ...restores,
  http: { method: "POST", path: `${TODO}/restore`, ...conditional, etag: "etag" },
});

export const getDecision = spaceOperation({
  name: "getDecision",
  summary: "Read one decision",
  input: z.object(project.ofDecision),
  output: project.projectDecision,
  ...reads,
  http: { method: "GET", path: DECISION, status: 200, etag: "etag" },
});

export const updateDecision = spaceOperation({
  name: "updateDecision",
  summary: "Change a decision's text and details",
  description:
    "Once a decision is resolved or superseded, its context, options, impact and due date are fixed: changing them is refused with invalid_transition. Its metadata, source and place can still be changed. null clears a nullable member; metadata is merged as for a todo.",
  input: project.decisionUpdateRequest
    .extend({ ...project.ofDecision, if_match: ifMatch })
    .meta({ id: "ProjectDecisionUpdateRequest" }),
  output: project.decisionAnswer,
  errors: [...correctionErrors, "invalid_transition"],
  ...corrects,
  http: { method: "PATCH", path: DECISION, ...conditional, etag: "etag" },
  mcp: { tool: "decision_update", title: "Change a decision" },
});

export const deleteDecision = spaceOperation({
  name: "deleteDecision",
  summary: "Delete or redact a decision",
  description: "Decisions that it superseded stay superseded.",
  input: z.object({ ...project.ofDecision, ...removal }),
  ...removes,
  http: { method: "DELETE", path: DECISION, ...conditional },
});

export const restoreDecision = spaceOperation({
  name: "restoreDecision",
  summary: "Bring back a soft-deleted decision",
  input: z.object({ ...project.ofDecision, if_match: ifMatch }),
  output: project.decisionAnswer,
  ...restores,
  http: { method: "POST", path: `${DECISION}/restore`, ...conditional, etag: "etag" },
});
