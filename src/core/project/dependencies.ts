import { invalid } from "../error.ts";
import type { LockKey } from "../memory/memory-store.ts";
import type { RecordTransaction } from "../system-of-record.ts";
import type { Workspace } from "./workspace-store.ts";

/**
 * The lock under which the dependencies of a workspace's todos are changed by one after the other, so that no two changes
 * can close a circle between them.
 */
export function dependenciesLock({ ownerId, projectId }: Workspace): LockKey {
  return { ownerId, name: `dependencies:${projectId}` };
}

/** The rows of these todos, in their order and each once. `validation_failed` for what is no todo of the workspace. */
export async function todosNamed(
  transaction: RecordTransaction,
  workspace: Workspace,
  named: readonly string[],
): Promise<string[]> {
  if (named.length === 0) return [];
  const rows = await transaction.workspace.todosNamed(workspace, named);
  const unknown = named.findIndex((id) => !rows.has(id));
  if (unknown !== -1) {
    throw invalid(["depends_on", unknown], "must be a todo of this workspace that this credential sees");
  }
  return [...new Set(named.map((id) => rows.get(id) as string))];
}

/** The rows that a todo is to depend on, under `dependenciesLock`. `validation_failed` also where it would wait for itself. */
export async function dependenciesOf(
  transaction: RecordTransaction,
  workspace: Workspace,
  todo: string,
  named: readonly string[],
): Promise<string[]> {
  const ids = [...new Set(named)];
  const rows = await todosNamed(transaction, workspace, ids);
  const [circular] = await transaction.workspace.dependingOn(todo, rows);
  if (circular === undefined) return rows;
  const place = named.indexOf(ids[rows.indexOf(circular)] as string);
  throw invalid(["depends_on", place], "must not be this todo or one that depends on it");
}
