import type { Caller } from "../caller.ts";
import { invalid, notFound } from "../error.ts";
import { withNextCursor } from "../limits/answer-bytes.ts";
import { requireProject } from "../memory/access.ts";
import type { Role } from "../memory/memory-record.ts";
import type { Ports } from "../ports.ts";
import type { Listing, ListPart, Workspace } from "./workspace-store.ts";

/** The members by which an operation names a workspace. */
export interface OfWorkspace {
  readonly project_id: string;
  readonly team_id?: string | null | undefined;
}

/**
 * The workspace of the named team, or of the team that the credential is confined to, otherwise the owner's own.
 * `not_found` for a user's id as team.
 */
export function workspaceOf(caller: Caller, { project_id, team_id }: OfWorkspace): Workspace {
  return { ownerId: ownerIn(caller, team_id), projectId: project_id };
}

/** The owner that a request means. See `workspaceOf`. */
export function ownerIn(caller: Caller, team_id: OfWorkspace["team_id"]): string {
  if (team_id === caller.owner.id && caller.owner.kind !== "team") throw notFound("team");
  return team_id ?? caller.space.teamId ?? caller.owner.id;
}

/** The team that owns a workspace; null for a user's own. */
export function teamIn({ owner }: Pick<Caller, "owner">, ownerId: string): string | null {
  return owner.kind === "team" || owner.id !== ownerId ? ownerId : null;
}

/**
 * Returns the caller's role. Rejects with `not_found` for a team that the caller is not in, and with
 * `insufficient_scope` for a project outside the credential's reach.
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

/** The workspace to be read, and the caller's role in it. `not_found` for a team that the caller is not in. */
export async function readableWorkspace(
  { store }: Pick<Ports, "store">,
  caller: Caller,
  asked: OfWorkspace,
): Promise<{ workspace: Workspace; role: Role }> {
  const workspace = workspaceOf(caller, asked);
  const roleIn = (ownerId: string) => store.workspace.roleIn(caller, ownerId);
  return { workspace, role: await requireWorkspace(caller, { roleIn }, workspace) };
}

/** The members by which answers name a workspace. `team_id` is null for a user's own workspace. */
export function workspaceMembers(caller: Caller, { ownerId, projectId }: Workspace) {
  return { project_id: projectId, team_id: teamIn(caller, ownerId) };
}

/** The members by which an operation requests a part of a list of todos or decisions. */
export interface PartOfList {
  readonly cursor?: string | null | undefined;
  readonly limit?: number | null | undefined;
}

export function partOf({ cursor, limit }: PartOfList): Pick<Listing<never, never, never>, "after" | "limit"> {
  return { after: cursor ?? null, limit: limit ?? null };
}

/**
 * The part as a list whose next cursor is the id of its last item. `validation_failed` if the given cursor is not an
 * item.
 */
export function listOf<T>(part: ListPart<T> | "unknown_place", idOf: (item: T) => string): T[] {
  if (part === "unknown_place")
    throw invalid(["cursor"], "must be the id of an item of this list; begin again without it");
  const last = part.items.at(-1);
  return withNextCursor(part.items, part.hasMore && last !== undefined ? idOf(last) : null);
}
