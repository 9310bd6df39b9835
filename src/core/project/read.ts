import type { ProjectDecision, ProjectTodo } from "../../contract/project.ts";
import type { Caller } from "../caller.ts";
import { notFound } from "../error.ts";
import type { Ports } from "../ports.ts";
import { decisionOf, todoOf } from "./present.ts";

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
