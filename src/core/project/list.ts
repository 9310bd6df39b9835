import type {
  DecisionStatus,
  ImpactLevel,
  ProjectDecision,
  ProjectTodo,
  TodoPriority,
  TodoStatus,
} from "../../contract/project.ts";
import type { Caller } from "../caller.ts";
import type { Ports } from "../ports.ts";
import { decisionsInOrder } from "./decision-order.ts";
import { decisionOf, todoOf } from "./present.ts";
import { inOrder } from "./urgency.ts";
import { type OfWorkspace, readableWorkspace } from "./workspace.ts";

type ListPorts = Pick<Ports, "store" | "clock">;

/**
 * A workspace's todos, unfinished ones first and by urgency. What the caller may not see is not among them. `not_found` for
 * a team that it is not in.
 */
export async function listTodos(
  ports: ListPorts,
  caller: Caller,
  input: OfWorkspace & {
    status?: TodoStatus | null | undefined;
    priority?: TodoPriority | null | undefined;
    assignee_agent_id?: string | null | undefined;
  },
): Promise<ProjectTodo[]> {
  const { workspace } = await readableWorkspace(ports, caller, input);
  const todos = await ports.store.workspace.todos(caller, workspace, {
    status: input.status ?? null,
    priority: input.priority ?? null,
    assignee: input.assignee_agent_id ?? null,
  });
  const ordered = todos.map((todo) => ({ ...todo, createdAt: todo.memory.createdAt, seq: todo.memory.seq }));
  return inOrder(ordered, ports.clock()).map(todoOf);
}

/** A workspace's decisions, those still to be made first. `not_found` as for todos. */
export async function listDecisions(
  ports: ListPorts,
  caller: Caller,
  input: OfWorkspace & {
    status?: DecisionStatus | null | undefined;
    impact_level?: ImpactLevel | null | undefined;
  },
): Promise<ProjectDecision[]> {
  const { workspace } = await readableWorkspace(ports, caller, input);
  const decisions = await ports.store.workspace.decisions(caller, workspace, {
    status: input.status ?? null,
    impactLevel: input.impact_level ?? null,
  });
  return decisionsInOrder(decisions).map(decisionOf);
}
