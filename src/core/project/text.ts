import type { Decision } from "./decision.ts";
import type { Todo } from "./todo.ts";

/** What a memory's content may hold (see the contract). */
const CONTENT_MAX = 65_536;

/** A todo in words, as recall finds and shows it: how it stands, then what it is. */
export function todoText(todo: Todo): string {
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

/** A decision in words, as recall finds and shows it: what was decided before what it was about. */
export function decisionText(decision: Decision): string {
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

/** At most what a memory may hold, and never half a character. */
function cut(text: string): string {
  const short = text.slice(0, CONTENT_MAX);
  return short.isWellFormed() ? short : short.slice(0, -1);
}
