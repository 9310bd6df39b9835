import { jsonObject } from "../../contract/primitives.ts";
import type { ImpactLevel, TodoPriority } from "../../contract/project.ts";
import type { ServiceMember } from "../../contract/service-members.ts";
import type { MemoryRecord } from "../memory/memory-record.ts";
import { rfc3339 } from "../memory/present.ts";
import type { Decision } from "./decision.ts";
import { isFinished, type Todo } from "./todo.ts";

/**
 * The members of a memory that are derived from the state of a todo or decision, so that recall never shows a former
 * state.
 */
export type Recalled = Pick<
  MemoryRecord,
  "content" | "metadata" | "status" | "importance" | "itemStatus" | "itemAgent" | "dueAt"
>;

const OF_PRIORITY: Readonly<Record<TodoPriority, number>> = { low: 0.3, normal: 0.5, high: 0.7, urgent: 0.9 };
const OF_IMPACT: Readonly<Record<ImpactLevel, number>> = { low: 0.4, medium: 0.6, high: 0.8, critical: 0.9 };

/** A todo as a memory. It is live in every status, because people also ask whether something is done. */
export function recalledTodo(todo: Todo): Recalled {
  return {
    content: todoText(todo),
    metadata: withState(
      todo.extra,
      given({
        todo_status: todo.status,
        todo_priority: todo.priority,
        assignee_agent_id: todo.assignee,
        accepted_by_agent_id: todo.acceptedBy,
        blocked_reason: todo.blockedReason,
        due_at: todo.dueAt === null ? null : rfc3339(todo.dueAt),
        ended_at: todo.endedAt === null ? null : rfc3339(todo.endedAt),
      }),
    ),
    status: isFinished(todo.status) ? "completed" : todo.status === "accepted" ? "started" : "active",
    importance: OF_PRIORITY[todo.priority],
    itemStatus: todo.status,
    itemAgent: todo.acceptedBy ?? todo.assignee,
    dueAt: todo.dueAt,
  };
}

/** A decision as a memory. Superseded ones are excluded from default recall, like superseded facts. */
export function recalledDecision(decision: Decision): Recalled {
  return {
    content: decisionText(decision),
    metadata: withState(
      decision.extra,
      given({
        decision_status: decision.status,
        impact_level: decision.impactLevel,
        proposed_by_agent_id: decision.proposedBy,
        resolved_by_agent_id: decision.resolvedBy,
        resolved_at: decision.resolvedAt === null ? null : rfc3339(decision.resolvedAt),
        due_at: decision.dueAt === null ? null : rfc3339(decision.dueAt),
      }),
    ),
    status: decision.status === "superseded" ? "superseded" : "active",
    importance: decision.impactLevel === null ? OF_IMPACT.medium : OF_IMPACT[decision.impactLevel],
    itemStatus: decision.status,
    itemAgent: null,
    dueAt: decision.dueAt,
  };
}

function given(
  members: Readonly<Partial<Record<ServiceMember<"metadata">, string | null>>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

/**
 * Merges the caller's own metadata with the state's members. If they exceed the bounds of a memory's metadata, the
 * largest of the caller's members are omitted here. The todo or decision itself keeps them all.
 */
function withState(
  own: Readonly<Record<string, unknown>>,
  state: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  const whole = { ...own, ...state };
  if (jsonObject.safeParse(whole).success) return whole;
  let missing = sizeOf(state);
  const kept = Object.entries(own)
    .map(([name, value]) => ({ name, value, size: sizeOf({ [name]: value }) }))
    .sort((a, b) => b.size - a.size)
    .filter(({ size }) => {
      const isLeftOut = missing > 0;
      if (isLeftOut) missing -= size;
      return !isLeftOut;
    });
  return { ...Object.fromEntries(kept.map(({ name, value }) => [name, value])), ...state };
}

function sizeOf(value: object): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

/** The maximum length of a memory's content (see the contract). */
const CONTENT_MAX = 65_536;

/** The text of a todo that recall searches and shows: its state, then the task. */
function todoText(todo: Todo): string {
  const state = [
    todo.status === "blocked" ? `blocked: ${todo.blockedReason ?? "no reason given"}` : todo.status,
    ...(todo.priority === "normal" ? [] : [`${todo.priority} priority`]),
    ...(todo.acceptedBy === null ? [] : [`accepted by ${todo.acceptedBy}`]),
    ...(todo.assignee === null || todo.assignee === todo.acceptedBy ? [] : [`assigned to ${todo.assignee}`]),
    ...(todo.dueAt === null ? [] : [`due ${day(todo.dueAt)}`]),
    ...(todo.endedAt === null ? [] : [`ended ${day(todo.endedAt)}`]),
  ];
  const note = todo.endNote === null ? [] : [`Note: ${todo.endNote}`];
  return cut([`Todo (${state.join("; ")}): ${todo.content}`, ...note].join("\n"));
}

/**
 * The text of a decision that recall searches and shows: its state and context, then the resolution and the options.
 */
function decisionText(decision: Decision): string {
  const state = [
    decision.status,
    ...(decision.impactLevel === null ? [] : [`${decision.impactLevel} impact`]),
    ...(decision.resolvedAt === null ? [] : [`resolved ${day(decision.resolvedAt)}`]),
    ...(decision.dueAt === null || decision.status !== "proposed" ? [] : [`due ${day(decision.dueAt)}`]),
  ];
  const resolution = decision.resolution === null ? [] : [`Resolution: ${decision.resolution}`];
  const options = decision.options.length === 0 ? [] : [`Options: ${decision.options.join("; ")}`];
  return cut([`Decision (${state.join("; ")}): ${decision.context}`, ...resolution, ...options].join("\n"));
}

function day(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}

/** The text, truncated to the maximum length of a memory without splitting a character. */
function cut(text: string): string {
  const short = text.slice(0, CONTENT_MAX);
  return short.isWellFormed() ? short : short.slice(0, -1);
}
