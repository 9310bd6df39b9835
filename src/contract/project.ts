import { z } from "zod";
import { memoryScopes, memoryStatuses, writeRemarks } from "./memory.ts";
import {
  attributionName,
  bucket,
  instant,
  jsonObject,
  path,
  projectId,
  publicId,
  statement,
  text,
  time,
  uuid,
} from "./primitives.ts";

/** State of the work on a todo. */
export const todoStatuses = ["open", "assigned", "accepted", "blocked", "completed", "cancelled"] as const;
export type TodoStatus = (typeof todoStatuses)[number];

export const todoPriorities = ["low", "normal", "high", "urgent"] as const;
export type TodoPriority = (typeof todoPriorities)[number];

/** Whether a decision has been made, and still holds. */
export const decisionStatuses = ["proposed", "resolved", "superseded"] as const;
export type DecisionStatus = (typeof decisionStatuses)[number];

export const impactLevels = ["low", "medium", "high", "critical"] as const;
export type ImpactLevel = (typeof impactLevels)[number];

/** How the agent of an audit line is attested: by its token, by its own claim, or there is no agent. */
export const actorTrusts = ["token_bound", "client_asserted", "unattributed"] as const;

/** Status of the memory that an item comes from. */
export const sourceStatuses = [...memoryStatuses, "missing"] as const;

/** Identifies the workspace. */
export const projectMember = { project_id: projectId };

/** Identifies a todo, and a decision. */
export const ofTodo = { ...projectMember, todo_id: publicId };
export const ofDecision = { ...projectMember, decision_id: publicId };

/** An agent's id: its own claim, or the one in its token. */
export const agentId = attributionName;

const words = statement(65_536);

export const resolution = text(1, 16_384).meta({ description: "What was decided" });

export const options = z
  .array(text(1, 1024))
  .max(32)
  .meta({ description: "The options to choose from", examples: [["Postgres", "SQLite"]] });

/** Describing members of todos and decisions, at creation and correction. */
const describingMembers = {
  source_memory_id: publicId.nullish().meta({ description: "The memory that it comes from" }),
  due_at: instant.nullish(),
  metadata: jsonObject.nullish(),
};

/** The place of a new todo or decision, as for memories. */
const placeMembers = {
  bucket: bucket.default("work"),
  scope: z.enum(memoryScopes).nullish(),
  path: path.optional(),
  team_id: uuid.nullish().meta({ description: "The team whose workspace it belongs to" }),
  ...describingMembers,
};

/** Members of a todo or decision that can be corrected; it stays in its workspace. */
const correctionMembers = {
  bucket: bucket.optional(),
  path: path.optional(),
  ...describingMembers,
  merge_metadata: z.boolean().default(true),
};

const dependsOn = z
  .array(publicId)
  .max(100)
  .nullish()
  .meta({ description: "Todos in the same workspace that must be finished first" });

export const todoCreateRequest = z.object({
  content: words.meta({ description: "What needs to be done", examples: ["Rotate the database password."] }),
  priority: z.enum(todoPriorities).default("normal"),
  assignee_agent_id: agentId.nullish().meta({ description: "Only this agent may accept it" }),
  depends_on: dependsOn,
  ...placeMembers,
});

export const todoUpdateRequest = z.object({
  content: words.optional(),
  priority: z.enum(todoPriorities).optional(),
  depends_on: dependsOn,
  ...correctionMembers,
});

/** Members of a new decision; superseding one takes the same. */
export const decisionMembers = {
  context: words.meta({
    description: "What needs to be decided, and what bears on it",
    examples: ["Which database do we build on?"],
  }),
  options: options.nullish(),
  impact_level: z.enum(impactLevels).nullish(),
  proposed_by_agent_id: agentId
    .nullish()
    .meta({ description: "Recorded as given, unless the token is bound to an agent" }),
};

export const decisionCreateRequest = z.object({
  ...decisionMembers,
  supersedes: publicId
    .nullish()
    .meta({ description: "The decision in the same workspace that this one replaces" }),
  ...placeMembers,
});

export const decisionUpdateRequest = z.object({
  context: words.optional(),
  content: words.optional().meta({ description: "The same as context, under its name in answers" }),
  options: options.nullish(),
  impact_level: z.enum(impactLevels).nullish(),
  ...correctionMembers,
});

const auditLine = z
  .object({
    at: time,
    operation: z.string(),
    from: z.string().nullable(),
    to: z.string(),
    actor: z.object({
      agent_id: z.string().nullable(),
      token_kind: z.string(),
      trust: z.enum(actorTrusts),
    }),
    note: z.string().nullable(),
  })
  .meta({ id: "ProjectAuditLine" });
export type AuditLineItem = z.infer<typeof auditLine>;

/** Members that todos and decisions share. */
const itemMembers = {
  project_id: projectId,
  source_memory_id: z.string().nullable(),
  source_memory_status: z.enum(sourceStatuses).nullable().meta({
    description: "The source's current status; missing if it is gone or this credential may not see it",
  }),
  bucket: z.string(),
  path: z.string(),
  scope: z.enum(memoryScopes),
  team_id: z.string().nullable(),
  due_at: time.nullable(),
  created_at: time,
  updated_at: time,
  archived_at: time
    .nullable()
    .meta({ description: "When maintenance removed it from recall and from lists without a status filter" }),
  redacted_at: time.nullable().meta({ description: "When its content was permanently removed" }),
  audit_trail: z
    .array(auditLine)
    .meta({ description: "The newest lines, oldest first: at most 200, and about 64 KiB of notes" }),
  audit_trail_omitted: z
    .int()
    .optional()
    .meta({ description: "How many older lines audit_trail leaves out, if any" }),
  extra_metadata: z.record(z.string(), z.unknown()),
  etag: z.string(),
  ...writeRemarks,
};

export const projectTodo = z
  .object({
    todo_id: publicId.meta({ description: "The same as its memory_id in recall" }),
    content: z.string(),
    status: z.enum(todoStatuses),
    priority: z.enum(todoPriorities),
    assignee_agent_id: z.string().nullable(),
    accepted_by_agent_id: z.string().nullable().meta({
      description: "The agent that accepted it, or the credential's id if it was accepted without an agent",
    }),
    blocked_reason: z.string().nullable(),
    depends_on: z.array(publicId),
    completed_at: time.nullable(),
    completion_note: z.string().nullable(),
    cancelled_at: time.nullable(),
    cancel_reason: z.string().nullable(),
    ...itemMembers,
  })
  .meta({ id: "ProjectTodo" });
export type ProjectTodo = z.infer<typeof projectTodo>;

export const projectDecision = z
  .object({
    decision_id: publicId.meta({ description: "The same as its memory_id in recall" }),
    content: z.string().meta({ description: "The same as decision_context" }),
    title: z.string().meta({ description: "metadata.title, or else the beginning of the context" }),
    decision: z.string().nullable().meta({ description: "The resolution, once there is one" }),
    rationale: z.string().nullable().meta({ description: "metadata.rationale" }),
    status: z.enum(decisionStatuses),
    proposed_by_agent_id: z.string().nullable(),
    resolved_by_agent_id: z.string().nullable(),
    impact_level: z.enum(impactLevels).nullable(),
    supersedes: z.string().nullable(),
    superseded_by: z.string().nullable(),
    options: z.array(z.string()),
    resolution: z.string().nullable(),
    decision_context: z.string(),
    resolved_at: time.nullable(),
    ...itemMembers,
  })
  .meta({ id: "ProjectDecision" });
export type ProjectDecision = z.infer<typeof projectDecision>;

/** Replaces a todo in answers to callers without `memory:read`. */
const todoReference = z
  .object({ todo_id: publicId, project_id: projectId, status: z.enum(todoStatuses), ...writeRemarks })
  .meta({ id: "ProjectTodoReference" });

/** Replaces a decision in answers to callers without `memory:read`. */
const decisionReference = z
  .object({ decision_id: publicId, project_id: projectId, status: z.enum(decisionStatuses), ...writeRemarks })
  .meta({ id: "ProjectDecisionReference" });

/** Answers of changes of a todo and of a decision. */
export const todoAnswer = z.union([projectTodo, todoReference]).meta({ id: "ProjectTodoAnswer" });
export const decisionAnswer = z
  .union([projectDecision, decisionReference])
  .meta({ id: "ProjectDecisionAnswer" });
