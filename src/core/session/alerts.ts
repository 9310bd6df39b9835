/** Alerts of a workspace, for the people who set and read them. `evaluateAlerts` raises and ends them. */
import type { TeamStore } from "../access/team-store.ts";
import { rfc3339, timeOrNull } from "../memory/present.ts";
import type { UseCase } from "../use-case.ts";
import type { AlertStore } from "../watch/alert-store.ts";
import { manages, requireAdmin, roleOf } from "./teams.ts";

export interface AlertPorts {
  readonly teams: Pick<TeamStore, "teamsOf">;
  readonly alerts: AlertStore;
}

/**
 * Rejects with `not_found` for a team that the person is not in. Only its admins and owners may list its credentials, so
 * for others silent ones have no name.
 */
export const alerts: UseCase<AlertPorts, "alerts"> = async ({ teams, alerts }, { owner }, { team_id }) => {
  const isNamed = !team_id || manages(await roleOf(teams, owner, team_id));
  const ownerId = team_id ?? owner.id;
  const [thresholds, raised] = await Promise.all([alerts.thresholds(ownerId), alerts.raised(ownerId)]);
  return {
    thresholds,
    raised: raised.map(({ about, name, isAgent, raisedAt, calmSince, ...alert }) => ({
      ...alert,
      about: about === "" ? null : { id: about, name: isNamed ? name : null, is_agent: isAgent },
      raised_at: rfc3339(raisedAt),
      calm_since: timeOrNull(calmSince),
    })),
  };
};

/** Rejects as `alerts` does, and with `role_forbidden` unless the person is an admin or owner of the team. */
export const setAlerts: UseCase<AlertPorts, "setAlerts"> = async (
  { teams, alerts },
  caller,
  { team_id, ...thresholds },
) => {
  if (team_id) await requireAdmin(teams, caller.owner, team_id, "set its alerts");
  await alerts.setThresholds(caller, team_id ?? caller.owner.id, thresholds);
  return { thresholds };
};
