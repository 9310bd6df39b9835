/** Data for a workspace's pages: the projects, and the items of a maintenance run. */
import type { InputOf, OutputOf } from "../../contract/operations.ts";
import type { Caller } from "../caller.ts";
import { notFound } from "../error.ts";
import { rfc3339, timeOrNull } from "../memory/present.ts";
import type { Ports } from "../ports.ts";
import { readableWorkspace } from "../project/workspace.ts";

export type ProjectPorts = Pick<Ports, "store">;

/** Maximum number of projects in an answer. The page says if there are more. */
const ANSWERED_MAX = 500;
/** Enough to recognise a memory. */
const EXCERPT_CHARACTERS = 240;

/**
 * Returns every project in which the caller sees anything. Rejects with `not_found` for a team that the caller is not
 * in.
 */
export async function listProjects(
  { store }: ProjectPorts,
  caller: Caller,
  { team_id }: InputOf<"listProjects">,
): Promise<OutputOf<"listProjects">> {
  const ownerId = team_id ?? caller.owner.id;
  if ((await store.workspace.roleIn(caller, ownerId)) === null) throw notFound("team");
  const found = await store.workspace.projects(caller, ownerId, ANSWERED_MAX + 1);
  return {
    projects: found.slice(0, ANSWERED_MAX).map((project) => ({
      project_id: project.projectId,
      memories: project.memories,
      open_todos: project.openTodos,
      blocked_todos: project.blockedTodos,
      proposed_decisions: project.proposedDecisions,
      last_activity_at: rfc3339(project.lastActivityAt),
      next_run_at: timeOrNull(project.nextRunAt),
      last_run: project.lastRun && {
        run_id: project.lastRun.id,
        status: project.lastRun.status,
        started_at: rfc3339(project.lastRun.startedAt),
      },
    })),
    truncated: found.length > ANSWERED_MAX,
  };
}

/**
 * Returns the items of a run. Rejects with `not_found` for a run of another project, and for a team that the caller is
 * not in.
 */
export async function listRunItems(
  ports: ProjectPorts,
  caller: Caller,
  input: InputOf<"listRunItems">,
): Promise<OutputOf<"listRunItems">> {
  const { workspace } = await readableWorkspace(ports, caller, input);
  const items = await ports.store.transaction(caller, async ({ maintenance }) => {
    const { ownerId, projectId } = workspace;
    const key = { id: input.run_id, ownerId };
    const run = await maintenance.run(key);
    if (run?.workspace.projectId !== projectId) throw notFound("maintenance run");
    return maintenance.items(key, ANSWERED_MAX + 1);
  });
  return {
    items: items.slice(0, ANSWERED_MAX).map((item) => ({
      action: item.action,
      memory_id: item.memoryId,
      content: item.content?.slice(0, EXCERPT_CHARACTERS) ?? null,
      into: item.into,
      state: item.state,
      undo: item.undo,
      reason: item.reason,
    })),
    truncated: items.length > ANSWERED_MAX,
  };
}
