import type { MaintenanceRunAnswer } from "../../contract/maintenance-run.ts";
import type { Caller } from "../caller.ts";
import type { Ports } from "../ports.ts";
import { type OfWorkspace, requireWorkspace, workspaceOf } from "../project/workspace.ts";
import { runOf } from "./present.ts";

/** A workspace's runs, the newest first. `not_found` for a team that the caller is not in. */
export async function listMaintenanceRuns(
  ports: Pick<Ports, "store">,
  caller: Caller,
  input: OfWorkspace & { readonly limit: number },
): Promise<MaintenanceRunAnswer[]> {
  const workspace = workspaceOf(caller, input);
  return ports.store.transaction(caller, async (transaction) => {
    await requireWorkspace(caller, transaction, workspace);
    const runs = await transaction.maintenance.runs(workspace, input.limit, ownRunsOnly(caller));
    const tallies = await transaction.maintenance.tallies(runs.map(({ id }) => id));
    return runs.map((run) => runOf(caller, { run, tallies: tallies.get(run.id) ?? [] }));
  });
}

/** The one credential whose runs the caller may know of; null for all. Counts of what it does not see are not its to know. */
export function ownRunsOnly({ space, scopes, tokenId }: Caller): string | null {
  const seesAll = space.pathPrefix === null && space.buckets === null && scopes.has("knowledge:read");
  return seesAll ? null : tokenId;
}
