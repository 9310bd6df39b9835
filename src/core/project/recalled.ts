import { jsonObject } from "../../contract/primitives.ts";
import type { ImpactLevel, TodoPriority } from "../../contract/project.ts";
import type { ServiceMember } from "../../contract/service-members.ts";
import type { MemoryRecord } from "../memory/memory-record.ts";
import { rfc3339 } from "../memory/present.ts";
import type { Decision } from "./decision.ts";
import { decisionText, todoText } from "./text.ts";
import { isFinished, type Todo } from "./todo.ts";

/** The part of a memory that follows the state of a todo or decision, so that recall never shows a former one. */
export type Recalled = Pick<
  MemoryRecord,
  "content" | "metadata" | "status" | "importance" | "itemStatus" | "itemAgent" | "dueAt"
>;

const OF_PRIORITY: Readonly<Record<TodoPriority, number>> = { low: 0.3, normal: 0.5, high: 0.7, urgent: 0.9 };
const OF_IMPACT: Readonly<Record<ImpactLevel, number>> = { low: 0.4, medium: 0.6, high: 0.8, critical: 0.9 };

/** A todo as a memory: live in every state, for "is it done?" is asked of finished ones too. */
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

/** A decision as a memory: superseded ones leave default recall, as superseded facts do. */
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
 * The caller's own metadata with what the state says. Both must fit into what a memory may have: where they do not, the
 * largest of the caller's own members are left out here. The todo or decision itself has them all.
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
