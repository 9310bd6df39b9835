import { notFound } from "../error.ts";
import { toWire } from "../memory/member-table.ts";
import { rfc3339 } from "../memory/present.ts";
import type { Ports } from "../ports.ts";
import { readableWorkspace } from "../project/workspace.ts";
import type { UseCase } from "../use-case.ts";

export type ProjectPorts = Pick<Ports, "store">;

/** Maximum number of projects in an answer. The page says if there are more. */
const ANSWERED_MAX = 500;
/** Enough to recognise a memory. */
const EXCERPT_CHARACTERS = 240;

/**
 * Returns every project in which the caller sees anything. Rejects with `not_found` for a team that the caller is not
 * in.
 */
export const listProjects: UseCase<ProjectPorts, "listProjects"> = async ({ store }, caller, { team_id }) => {
  const ownerId = team_id ?? caller.owner.id;
  if ((await store.workspace.roleIn(caller, ownerId)) === null) throw notFound("team");
  const found = await store.workspace.projects(caller, ownerId, ANSWERED_MAX + 1);
  return {
    projects: found.slice(0, ANSWERED_MAX).map(({ lastRun, ...project }) => ({
      ...toWire(project),
      last_run: lastRun && {
        run_id: lastRun.id,
        status: lastRun.status,
        started_at: rfc3339(lastRun.startedAt),
      },
    })),
    truncated: found.length > ANSWERED_MAX,
  };
};

/**
 * Returns the items of a run. Rejects with `not_found` for a run of another project, and for a team that the caller is
 * not in.
 */
export const listRunItems: UseCase<ProjectPorts, "listRunItems"> = async (ports, caller, input) => {
  const { workspace } = await readableWorkspace(ports, caller, input);
  const items = await ports.store.transaction(caller, async ({ maintenance }) => {
    const { ownerId, projectId } = workspace;
    const key = { id: input.run_id, ownerId };
    const run = await maintenance.run(key);
    if (run?.workspace.projectId !== projectId) throw notFound("maintenance run");
    return maintenance.items(key, ANSWERED_MAX + 1);
  });
  return {
    items: items.slice(0, ANSWERED_MAX).map(({ content, ...item }) => ({
      ...toWire(item),
      content: content?.slice(0, EXCERPT_CHARACTERS) ?? null,
    })),
    truncated: items.length > ANSWERED_MAX,
  };
};
