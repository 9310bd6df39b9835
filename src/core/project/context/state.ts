import { decisionStatuses, todoStatuses } from "../../../contract/project.ts";
import type { ProjectContextPack } from "../../../contract/project-context.ts";
import { isFinished } from "../todo.ts";
import { timeOrNull } from "./described.ts";
import type { ContextFacts, ItemCount } from "./facts.ts";

type State = ProjectContextPack["project_state"];

/** The counts of a workspace, and what they amount to. */
export function stateOf({ counts, reminders, lastActivityAt }: ContextFacts): State {
  const todos = tally(counts, "todo", todoStatuses, (status) => !isFinished(status));
  const decisions = tally(counts, "decision", decisionStatuses, (status) => status === "proposed");
  const unfinished = todos.total - todos.completed - todos.cancelled;
  const overdue = todos.overdue + decisions.overdue;
  const health_reasons = [
    overdue > 0 ? `${said(overdue, "todo or decision", "todos and decisions")} overdue` : null,
    reminders.due > 0 ? `${said(reminders.due, "reminder", "reminders")} due` : null,
    todos.blocked > 0
      ? `${todos.blocked} of ${said(unfinished, "unfinished todo", "unfinished todos")} blocked`
      : null,
  ].filter((reason) => reason !== null);
  const isEmpty =
    todos.total + decisions.total + reminders.due + reminders.upcoming === 0 && lastActivityAt === null;
  const isStalled = unfinished > 0 && todos.blocked === unfinished;
  return {
    health: isEmpty
      ? "empty"
      : isStalled
        ? "stalled"
        : health_reasons.length > 0
          ? "needs_attention"
          : "on_track",
    health_reasons,
    todos,
    decisions,
    reminders,
    last_activity_at: timeOrNull(lastActivityAt),
  };
}

function tally<const S extends ItemCount["status"]>(
  counts: readonly ItemCount[],
  item: ItemCount["item"],
  statuses: readonly S[],
  canBeOverdue: (status: S) => boolean,
) {
  const of = (status: S) => counts.filter((one) => one.item === item && one.status === status);
  const sum = (some: readonly ItemCount[], member: "count" | "overdue") =>
    some.reduce((total, one) => total + one[member], 0);
  const byStatus = Object.fromEntries(statuses.map((status) => [status, sum(of(status), "count")])) as Record<
    S,
    number
  >;
  return {
    total: sum(statuses.flatMap(of), "count"),
    ...byStatus,
    overdue: sum(statuses.filter(canBeOverdue).flatMap(of), "overdue"),
  };
}

function said(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? `${one} is` : `${many} are`}`;
}

/** The state in a line or two of words, for the head of a pack's text. */
export function stateWords(projectId: string, { health, health_reasons, todos, decisions }: State): string {
  const unfinished = todos.total - todos.completed - todos.cancelled;
  const counts = `unfinished todos ${unfinished}, open decisions ${decisions.proposed}`;
  const reasons = health_reasons.length > 0 ? `: ${health_reasons.join("; ")}` : "";
  return `Project ${projectId}: ${counts}. Health: ${health.replace("_", " ")}${reasons}.\n`;
}
