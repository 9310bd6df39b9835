import { lockForWrite } from "../agent/quarantine.ts";
import type { Caller } from "../caller.ts";
import { invalid } from "../error.ts";
import type { MemoryTransaction } from "../memory/memory-store.ts";
import type { NamedItem } from "./find-item.ts";
import type { Workspace } from "./workspace-store.ts";

/**
 * Has the dependencies of a todo's workspace changed by one after the other, so that no two changes can close a circle
 * between them. Before any row is locked; a todo that is not there needs no lock.
 */
export async function lockDependencies(
  caller: Caller,
  transaction: MemoryTransaction,
  { projectId, id }: NamedItem,
): Promise<void> {
  const found = await transaction.find(id, { item: { kind: "todo", projectId } });
  if (!found) return;
  const { ownerId } = found.memory;
  await lockForWrite(caller, transaction, [{ ownerId, name: `dependencies:${projectId}` }]);
}

/** The rows of these todos, in their order and each once. `validation_failed` for what is no todo of the workspace. */
export async function todosNamed(
  transaction: MemoryTransaction,
  workspace: Workspace,
  named: readonly string[],
): Promise<string[]> {
  if (named.length === 0) return [];
  const rows = await transaction.workspace.todosNamed(workspace, named);
  const unknown = named.findIndex((id) => !rows.has(id));
  if (unknown !== -1) {
    throw invalid(
      ["body", "depends_on", unknown],
      "must be a todo of this workspace that this credential sees",
    );
  }
  return [...new Set(named.map((id) => rows.get(id) as string))];
}

/** The rows that a todo is to depend on, after `lockDependencies`. `validation_failed` also where it would wait for itself. */
export async function dependenciesOf(
  transaction: MemoryTransaction,
  workspace: Workspace,
  todo: string,
  named: readonly string[],
): Promise<string[]> {
  const ids = [...new Set(named)];
  const rows = await todosNamed(transaction, workspace, ids);
  const [circular] = await transaction.workspace.dependingOn(todo, rows);
  if (circular === undefined) return rows;
  const place = named.indexOf(ids[rows.indexOf(circular)] as string);
  throw invalid(["body", "depends_on", place], "must not be this todo or one that depends on it");
}
