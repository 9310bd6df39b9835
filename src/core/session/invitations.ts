/** Invitations to teams: what the invited person does with them in a browser, and how a team withdraws one. */
import type { InputOf, OutputOf } from "../../contract/operations.ts";
import type { Owner } from "../access/credential.ts";
import { DomainError } from "../error.ts";
import { invitationMembers, requireManager, type TeamPorts } from "./team-members.ts";

export async function listInvitations(
  { teams }: Pick<TeamPorts, "teams">,
  user: Owner,
): Promise<OutputOf<"listInvitations">> {
  const invitations = await teams.invitationsFor(user.id);
  return {
    invitations: invitations.map((invitation) => ({
      team_id: invitation.team.id,
      name: invitation.team.name,
      invited_by: invitation.invitedBy,
      ...invitationMembers(invitation),
    })),
  };
}

export async function acceptInvitation(
  { teams }: Pick<TeamPorts, "teams">,
  user: Owner,
  { team_id }: InputOf<"acceptInvitation">,
): Promise<OutputOf<"acceptInvitation">> {
  const joined = await teams.accept(team_id, user.id);
  if (joined === null) throw noInvitation();
  return { team_id, name: joined.team.name, role: joined.role };
}

export async function declineInvitation(
  { teams }: Pick<TeamPorts, "teams">,
  user: Owner,
  { team_id }: InputOf<"declineInvitation">,
): Promise<OutputOf<"declineInvitation">> {
  if (!(await teams.decline(team_id, user.id))) throw noInvitation();
  return { declined: true };
}

export async function withdrawInvitation(
  { teams }: Pick<TeamPorts, "teams">,
  user: Owner,
  { team_id, user_name }: InputOf<"withdrawInvitation">,
): Promise<OutputOf<"withdrawInvitation">> {
  await requireManager(teams, user, team_id, []);
  if (!(await teams.withdraw(team_id, user_name))) throw noInvitation();
  return { withdrawn: true };
}

function noInvitation(): DomainError {
  return new DomainError(
    "not_found",
    "There is no open invitation. It may have expired, been withdrawn or been answered.",
  );
}
