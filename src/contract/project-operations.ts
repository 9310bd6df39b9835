import { z } from "zod";
import { reason } from "./lifecycle.ts";
import { completionNote } from "./memory.ts";
import { ifMatch } from "./memory-members.ts";
import { spaceOperation } from "./operation.ts";
import { publicId, text, uuid } from "./primitives.ts";
import * as project from "./project.ts";

const bodyErrors = ["secret_detected", "conflict", "payload_too_large", "unsupported_media_type"] as const;
const changeErrors = [
  "not_found",
  "role_forbidden",
  "invalid_transition",
  "precondition_failed",
  "quota_exceeded",
] as const;

/** Members common to every change of a todo, and to every change of a decision. */
const ofTodo = { ...project.ofTodo, if_match: ifMatch };
const ofDecision = { ...project.ofDecision, if_match: ifMatch };

/** Shared by all writes in a workspace. */
const writes = { effect: "write", scopes: ["memory:write"], rate: "write" } as const;
const reads = { effect: "read", scopes: ["memory:read"], rate: "read" } as const;

const TODOS = "/v1/projects/{project_id}/todos";
const DECISIONS = "/v1/projects/{project_id}/decisions";
const conditional = { status: 200, headers: { if_match: "If-Match" }, etag: "etag" } as const;

const teamFilter = uuid
  .nullish()
  .meta({ description: "This team's workspace. Default: the credential's owner's" });

export const createTodo = spaceOperation({
  name: "createTodo",
  summary: "Add a todo to a project",
  input: project.todoCreateRequest.extend(project.projectMember).meta({ id: "ProjectTodoCreateRequest" }),
  output: project.todoAnswer,
  errors: ["not_found", "role_forbidden", "quota_exceeded", ...bodyErrors],
  ...writes,
  http: { method: "POST", path: TODOS, status: 200, etag: "etag" },
  mcp: { tool: "todo_create", title: "Add a todo" },
});

const PART_OF_LIST =
  "An answer is about 1 MiB at most. While there are more, the header `X-Recollect-Next-Cursor` has the id of the last item: send it as `cursor`.";

const partOfList = {
  cursor: publicId.nullish().meta({ description: "Continues after the item of this id" }),
  limit: z.int().min(1).max(10_000).nullish().meta({ description: "The most items to return" }),
};

export const listTodos = spaceOperation({
  name: "listTodos",
  summary: "List a project's todos, most urgent first",
  description: `Unfinished todos come first, by urgency, then finished ones, newest first. ${PART_OF_LIST}`,
  input: z.object({
    ...project.projectMember,
    status: z.enum(project.todoStatuses).nullish(),
    priority: z.enum(project.todoPriorities).nullish(),
    assignee_agent_id: project.agentId.nullish(),
    team_id: teamFilter,
    ...partOfList,
  }),
  output: z.array(project.projectTodo),
  errors: ["not_found"],
  ...reads,
  http: { method: "GET", path: TODOS, status: 200 },
  mcp: { tool: "todo_list", title: "List todos", answerAs: "todos" },
});

export const acceptTodo = spaceOperation({
  name: "acceptTodo",
  summary: "Accept a todo",
  description:
    "If several agents try at once, one gets it. Accepting a todo that you already have changes nothing.",
  input: z.object(ofTodo),
  output: project.todoAnswer,
  errors: [...changeErrors, "already_accepted", "assigned_to_other", "conflict"],
  ...writes,
  http: { method: "POST", path: `${TODOS}/{todo_id}/accept`, ...conditional },
  mcp: { tool: "todo_accept", title: "Accept a todo" },
});

export const assignTodo = spaceOperation({
  name: "assignTodo",
  summary: "Assign a todo to an agent; only that agent may then accept it",
  input: z.object({ ...ofTodo, assignee_agent_id: project.agentId }).meta({ id: "ProjectTodoAssignRequest" }),
  output: project.todoAnswer,
  errors: [...changeErrors, ...bodyErrors],
  ...writes,
  http: {
    method: "POST",
    path: `${TODOS}/{todo_id}/assign`,
    ...conditional,
    queryToo: ["assignee_agent_id"],
  },
  mcp: { tool: "todo_assign", title: "Assign a todo" },
});

export const blockTodo = spaceOperation({
  name: "blockTodo",
  summary: "Mark a todo as blocked, and say why",
  input: z.object({ ...ofTodo, reason: text(1, 1024) }).meta({ id: "ProjectTodoBlockRequest" }),
  output: project.todoAnswer,
  errors: [...changeErrors, ...bodyErrors],
  ...writes,
  http: { method: "POST", path: `${TODOS}/{todo_id}/block`, ...conditional },
  mcp: { tool: "todo_block", title: "Block a todo" },
});

export const unblockTodo = spaceOperation({
  name: "unblockTodo",
  summary: "Unblock a todo",
  description:
    "It returns to its earlier state, or to assigned if it was assigned to an agent while blocked.",
  input: z.object(ofTodo),
  output: project.todoAnswer,
  errors: [...changeErrors, "conflict"],
  ...writes,
  http: { method: "POST", path: `${TODOS}/{todo_id}/unblock`, ...conditional },
  mcp: { tool: "todo_unblock", title: "Unblock a todo" },
});

export const completeTodo = spaceOperation({
  name: "completeTodo",
  summary: "Complete a todo",
  description: "Refused while a todo that it depends on is unfinished; a cancelled one counts as finished.",
  input: z.object({ ...ofTodo, note: completionNote }).meta({ id: "ProjectTodoCompleteRequest" }),
  output: project.todoAnswer,
  errors: [...changeErrors, "dependency_incomplete", ...bodyErrors],
  ...writes,
  http: { method: "POST", path: `${TODOS}/{todo_id}/complete`, ...conditional },
  mcp: { tool: "todo_complete", title: "Complete a todo" },
});

export const cancelTodo = spaceOperation({
  name: "cancelTodo",
  summary: "Cancel a todo",
  input: z.object({ ...ofTodo, reason }).meta({ id: "ProjectTodoCancelRequest" }),
  output: project.todoAnswer,
  errors: [...changeErrors, ...bodyErrors],
  ...writes,
  http: { method: "POST", path: `${TODOS}/{todo_id}/cancel`, ...conditional },
  mcp: { tool: "todo_cancel", title: "Cancel a todo" },
});

export const createDecision = spaceOperation({
  name: "createDecision",
  summary: "Propose a decision in a project",
  input: project.decisionCreateRequest
    .extend(project.projectMember)
    .meta({ id: "ProjectDecisionCreateRequest" }),
  output: project.decisionAnswer,
  errors: ["not_found", "role_forbidden", "invalid_transition", "quota_exceeded", ...bodyErrors],
  ...writes,
  http: { method: "POST", path: DECISIONS, status: 200, etag: "etag" },
  mcp: { tool: "decision_create", title: "Propose a decision" },
});

export const listDecisions = spaceOperation({
  name: "listDecisions",
  summary: "List a project's decisions, open ones first",
  description: `Proposed decisions by impact, then resolved ones, newest first, then superseded ones. ${PART_OF_LIST}`,
  input: z.object({
    ...project.projectMember,
    status: z.enum(project.decisionStatuses).nullish(),
    impact_level: z.enum(project.impactLevels).nullish(),
    team_id: teamFilter,
    ...partOfList,
  }),
  output: z.array(project.projectDecision),
  errors: ["not_found"],
  ...reads,
  http: { method: "GET", path: DECISIONS, status: 200 },
  mcp: { tool: "decision_list", title: "List decisions", answerAs: "decisions" },
});

export const resolveDecision = spaceOperation({
  name: "resolveDecision",
  summary: "Resolve a decision",
  input: z
    .object({ ...ofDecision, resolution: project.resolution })
    .meta({ id: "ProjectDecisionResolveRequest" }),
  output: project.decisionAnswer,
  errors: [...changeErrors, ...bodyErrors],
  ...writes,
  http: { method: "POST", path: `${DECISIONS}/{decision_id}/resolve`, ...conditional },
  mcp: { tool: "decision_resolve", title: "Resolve a decision" },
});

export const supersedeDecision = spaceOperation({
  name: "supersedeDecision",
  summary: "Supersede a decision with a new one",
  description:
    "The new decision is resolved if you give a resolution_note, otherwise proposed. Returns both, the old one first.",
  input: z
    .object({ ...ofDecision, ...project.decisionMembers, resolution_note: project.resolution.nullish() })
    .meta({ id: "ProjectDecisionSupersedeRequest" }),
  output: z.array(project.decisionAnswer),
  errors: [...changeErrors, ...bodyErrors],
  ...writes,
  http: {
    method: "POST",
    path: `${DECISIONS}/{decision_id}/supersede`,
    status: 200,
    headers: { if_match: "If-Match" },
  },
  mcp: { tool: "decision_supersede", title: "Supersede a decision", answerAs: "decisions" },
});

export const reopenDecision = spaceOperation({
  name: "reopenDecision",
  summary: "Reopen a resolved decision",
  input: z.object(ofDecision),
  output: project.decisionAnswer,
  errors: [...changeErrors, "conflict"],
  ...writes,
  http: { method: "POST", path: `${DECISIONS}/{decision_id}/reopen`, ...conditional },
  mcp: { tool: "decision_reopen", title: "Reopen a decision" },
});
