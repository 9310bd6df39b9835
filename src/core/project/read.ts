import type {
  DecisionStatus,
  ImpactLevel,
  ProjectDecision,
  ProjectTodo,
  TodoPriority,
  TodoStatus,
} from "../../contract/project.ts";
import type { Caller } from "../caller.ts";
import { notFound } from "../error.ts";
import type { Ports } from "../ports.ts";
import { decisionsInOrder } from "./decision-order.ts";
import { decisionOf, todoOf } from "./present.ts";
import { inOrder } from "./urgency.ts";
import { type OfWorkspace, readableWorkspace } from "./workspace.ts";

type ListPorts = Pick<Ports, "store" | "clock">;

/** One todo. `not_found` in another project, and for what was soft-deleted. */
export async function getTodo(
  { store }: Pick<Ports, "store">,
  caller: Caller,
  input: { readonly project_id: string; readonly todo_id: string },
): Promise<ProjectTodo> {
  const todo = await store.workspace.todo(caller, input.project_id, input.todo_id);
  if (todo === null) throw notFound("todo");
  return todoOf(todo);
}

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

/** One decision. `not_found` as for a todo. */
export async function getDecision(
  { store }: Pick<Ports, "store">,
  caller: Caller,
  input: { readonly project_id: string; readonly decision_id: string },
): Promise<ProjectDecision> {
  const decision = await store.workspace.decision(caller, input.project_id, input.decision_id);
  if (decision === null) throw notFound("decision");
  return decisionOf(decision);
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
