import type { Caller } from "../caller.ts";
import type { Workspace } from "./workspace-store.ts";

/** How an operation names a workspace. */
export interface OfWorkspace {
  readonly project_id: string;
  readonly team_id?: string | null | undefined;
}

/** The team's that is named or that the credential is confined to, else the owner's own. */
export function workspaceOf(caller: Caller, { project_id, team_id }: OfWorkspace): Workspace {
  return { ownerId: team_id ?? caller.space.teamId ?? caller.owner.id, projectId: project_id };
}
