import type { z } from "zod";
import type { todoUpdateRequest } from "../../contract/project.ts";
import type { Caller } from "../caller.ts";
import { requireBucket } from "../memory/access.ts";
import { remarksOn, screen } from "../memory/screen.ts";
import { corrected, differing, keptArchived } from "./correction.ts";
import { dependenciesLock, dependenciesOf } from "./dependencies.ts";
import { lockItem } from "./find-item.ts";
import { presentTodo } from "./present.ts";
import { recalledTodo } from "./recalled.ts";
import type { Todo } from "./todo.ts";
import { recordUnchangedState } from "./unchanged-state.ts";
import type { StoredTodo } from "./workspace-store.ts";
import { changeItem, type ItemPorts } from "./write-item.ts";

type UpdateInput = z.output<typeof todoUpdateRequest> & {
  project_id: string;
  todo_id: string;
  if_match?: string | null | undefined;
};

/**
 * Corrects what a todo says, finished or not; its state stays. Nothing is written where nothing changes.
 * `validation_failed` for dependencies that are no todos of the workspace or would close a circle; `not_found`,
 * `role_forbidden`, `precondition_failed`, `conflict` and `insufficient_scope` as for memories.
 */
export async function updateTodo(ports: ItemPorts, caller: Caller, asked: UpdateInput) {
  const { input, ...screened } = screen(ports.secrets, asked);
  if (input.bucket) requireBucket(caller, input.bucket);
  return ports.store.transaction(caller, async (transaction) => {
    const { workspace } = transaction;
    const named = { projectId: input.project_id, id: input.todo_id, ifMatch: input.if_match };
    const { memory } = await lockItem(caller, transaction, "todo", named, ({ ownerId }) =>
      input.depends_on === undefined ? [] : [dependenciesLock({ ownerId, projectId: input.project_id })],
    );
    const before = await workspace.todo(memory.id);
    const { common, place, notices } = corrected(caller, memory, before.state, input);
    const { content = before.state.content, priority = before.state.priority } = input;
    const state: Todo = { ...before.state, content, priority, ...common };
    const ofWorkspace = { ownerId: memory.ownerId, projectId: input.project_id };
    const dependsOn = namesOthers(before, input.depends_on)
      ? await dependenciesOf(transaction, ofWorkspace, memory.id, input.depends_on ?? [])
      : null;
    const changed = [
      ...differing(before.state, state),
      ...differing(memory, place),
      ...(dependsOn === null ? [] : ["depends_on"]),
    ];
    const remarks = remarksOn(screened, [...screened.notices, ...notices]);
    if (changed.length === 0) return { ...presentTodo(caller, before), ...remarks };
    const now = ports.clock();
    const change = { ...recalledTodo(state), ...place, ...keptArchived(memory) };
    await changeItem(ports, caller, transaction, memory, { operation: "todo_update", now, ...change });
    await workspace.saveTodo(memory.id, state);
    if (dependsOn !== null) await workspace.replaceDependencies(memory.id, dependsOn);
    const line = { at: now, operation: "update", note: changed.join(", ") };
    await recordUnchangedState(caller, transaction, memory, line);
    return { ...presentTodo(caller, await workspace.todo(memory.id)), ...remarks };
  });
}

/** True where the request gives dependencies, and others than those that its caller is shown. */
function namesOthers({ dependsOn }: StoredTodo, named: readonly string[] | null | undefined): boolean {
  if (named === undefined) return false;
  return JSON.stringify([...new Set(named ?? [])]) !== JSON.stringify(dependsOn);
}
