import type { Caller } from "../caller.ts";
import { notFound } from "../error.ts";
import { requireProject } from "../memory/access.ts";
import type { Role } from "../memory/memory-record.ts";
import type { Ports } from "../ports.ts";
import type { Workspace } from "./workspace-store.ts";

/** How an operation names a workspace. */
export interface OfWorkspace {
  readonly project_id: string;
  readonly team_id?: string | null | undefined;
}

/**
 * The team's that is named or that the credential is confined to, else the owner's own. `not_found` for the id of a user,
 * who is no team of its own.
 */
export function workspaceOf(caller: Caller, { project_id, team_id }: OfWorkspace): Workspace {
  if (team_id === caller.owner.id && caller.owner.kind !== "team") throw notFound("team");
  return { ownerId: team_id ?? caller.space.teamId ?? caller.owner.id, projectId: project_id };
}

/**
 * Refuses with `not_found` a workspace of a team that the caller is not in, and with `insufficient_scope` one outside its
 * projects. Answers how it stands to the owner.
 */
export async function requireWorkspace(
  caller: Caller,
  reader: { roleIn(ownerId: string): Promise<Role | null> },
  { ownerId, projectId }: Workspace,
): Promise<Role> {
  requireProject(caller, projectId);
  const role = await reader.roleIn(ownerId);
  if (role === null) throw notFound("team");
  return role;
}

/** The workspace that a read is of, and how the caller stands to it. `not_found` for a team that it is not in. */
export async function readableWorkspace(
  { store }: Pick<Ports, "store">,
  caller: Caller,
  asked: OfWorkspace,
): Promise<{ workspace: Workspace; role: Role }> {
  const workspace = workspaceOf(caller, asked);
  const roleIn = (ownerId: string) => store.workspace.roleIn(caller, ownerId);
  return { workspace, role: await requireWorkspace(caller, { roleIn }, workspace) };
}
