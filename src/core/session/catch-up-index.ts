/**
 * Mending the index of one workspace, for a person in a browser. The service's index as a whole belongs to everybody:
 * it is rebuilt at the command line, by whoever runs the service (docs/decisions/0047).
 */

import type { InputOf, OutputOf } from "../../contract/operations.ts";
import { EMBEDDED_AT_ONCE_MAX } from "../../contract/session-service-operations.ts";
import type { TeamStore } from "../access/team-store.ts";
import type { Caller } from "../caller.ts";
import { DomainError } from "../error.ts";
import { roleOf } from "./team-members.ts";

/** Pending projection work for one owner's memories. */
export interface ProjectionDebts {
  /**
   * Queues up to `limit` of the owner's memories that lack a vector of the current model and wait for none, and makes
   * due again what was set aside of the owner's changes. Leaves one audit line. A second call meanwhile finds nothing
   * to do.
   */
  queue(ownerId: string, caller: Caller, limit: number): Promise<{ embedding: number; retried: number }>;
}

export interface CatchUpPorts {
  readonly teams: TeamStore;
  readonly debts: ProjectionDebts;
}

/** For everybody with their own memories; in a team for its admins and owners, who maintain it. */
export async function catchUpIndex(
  { teams, debts }: CatchUpPorts,
  caller: Caller,
  { team_id }: InputOf<"catchUpIndex">,
): Promise<OutputOf<"catchUpIndex">> {
  const role = team_id ? await roleOf(teams, caller.owner, team_id) : "owner";
  if (role !== "owner" && role !== "admin")
    throw new DomainError(
      "role_forbidden",
      `Your role in the team, ${role}, does not let you maintain its memories.`,
    );
  const done = await debts.queue(team_id ?? caller.owner.id, caller, EMBEDDED_AT_ONCE_MAX);
  return { ...done, truncated: done.embedding === EMBEDDED_AT_ONCE_MAX };
}
