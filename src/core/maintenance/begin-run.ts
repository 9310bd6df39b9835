import type { MaintenanceAction } from "../../contract/maintenance.ts";
import type { Caller } from "../caller.ts";
import type { Ports } from "../ports.ts";
import { acceptorOf } from "../project/actor.ts";
import type { Workspace } from "../project/workspace-store.ts";
import { authorityOf } from "./authority.ts";
import type { MaintenanceTransaction } from "./maintenance-store.ts";
import type { Chosen } from "./selection.ts";

/** Writes down what a run of this caller is to do, before any of it is done, and answers its id. */
export async function beginRun(
  ports: Pick<Ports, "newId" | "clock">,
  caller: Caller,
  maintenance: Pick<MaintenanceTransaction, "insertRun">,
  { items, truncated }: Chosen,
  how: {
    readonly workspace: Workspace;
    readonly trigger: "request" | "schedule";
    readonly actions: readonly MaintenanceAction[];
  },
): Promise<string> {
  const id = ports.newId();
  const run = {
    ...how,
    id,
    truncated,
    startedBy: acceptorOf(caller),
    authority: authorityOf(caller),
    startedAt: ports.clock(),
  };
  await maintenance.insertRun(run, items);
  return id;
}
