/** The application whose end users a request is about. */
import type { Owner } from "../access/credential.ts";
import type { Caller } from "../caller.ts";
import { DomainError, notFound } from "../error.ts";
import type { Ports } from "../ports.ts";

/**
 * The owner of the caller's application: its own, or in the admin UI the named team. Rejects with `insufficient_scope`
 * for a credential confined to a team, and for a team with `not_found`, and `role_forbidden` below admin.
 */
export async function applicationOf(
  { store }: Pick<Ports, "store">,
  caller: Caller,
  teamId: string | null | undefined,
): Promise<Owner["id"]> {
  if (caller.space.teamId !== null)
    throw new DomainError(
      "insufficient_scope",
      "This credential is confined to a team: end users belong to the user or team whose key it is.",
    );
  if (teamId == null) return caller.owner.id;
  const role = await store.workspace.roleIn(caller, teamId);
  if (role === null) throw notFound("team");
  if (role !== "owner" && role !== "admin")
    throw new DomainError("role_forbidden", "Only owners and admins of the team manage its end users.");
  return teamId;
}
