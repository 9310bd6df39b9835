/** Leaving a team, which everybody can: what happens then is shown before it is done. */
import type { InputOf, OutputOf } from "../../contract/operations.ts";
import type { Owner } from "../access/credential.ts";
import type { ErasureStore } from "../access/erasure.ts";
import type { Departure, TeamStore } from "../access/team-store.ts";
import type { Caller } from "../caller.ts";
import { notFound } from "../error.ts";

export interface LeavingPorts {
  readonly teams: Pick<TeamStore, "departure" | "leave">;
  readonly erasures: Pick<ErasureStore, "find" | "preview" | "begin">;
}

export async function reviewLeaving(
  { teams, erasures }: LeavingPorts,
  user: Owner,
  { team_id }: InputOf<"reviewLeaving">,
): Promise<OutputOf<"reviewLeaving">> {
  const departure = await departureOf({ teams }, user, team_id);
  const { outcome, successor } = departure;
  const team = outcome === "closes" ? await erasures.find(team_id) : null;
  const removed = team === null ? null : await erasures.preview(team);
  return {
    outcome,
    successor: successor && { user_id: successor.id, name: successor.name },
    would_remove: removed && { ...removed },
  };
}

/** `plan_changed` if it would not have the outcome that was reviewed. */
export async function leaveTeam(
  { teams, erasures }: LeavingPorts,
  { owner: user, tokenId }: Pick<Caller, "owner" | "tokenId">,
  { team_id, outcome, successor_id }: InputOf<"leaveTeam">,
): Promise<OutputOf<"leaveTeam">> {
  const { successor } = await departureOf({ teams }, user, team_id);
  const isReviewed = (successor?.id ?? null) === (successor_id ?? null);
  await teams.leave(team_id, user.id, { outcome, successor: isReviewed ? successor : null });
  const team = outcome === "closes" ? await erasures.find(team_id) : null;
  if (team !== null) await erasures.begin(team, { tokenId, userId: user.id });
  return { outcome };
}

async function departureOf(
  { teams }: Pick<LeavingPorts, "teams">,
  user: Owner,
  teamId: string,
): Promise<Departure> {
  const departure = await teams.departure(teamId, user.id);
  if (departure === null) throw notFound("team");
  return departure;
}
