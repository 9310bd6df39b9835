import type { Owner } from "../core/access/credential.ts";
import type { TeamStore } from "../core/access/team-store.ts";
import { CommandFailure } from "./failure.ts";
import { print, printable, printJson } from "./terminal.ts";

export async function teamNamed(teams: TeamStore, name: string): Promise<Owner> {
  const found = await teams.find(name);
  if (found) return found;
  throw new CommandFailure(`There is no team named ${printable(name)}. recollect teams list shows them.`);
}

export async function userNamed(teams: TeamStore, name: string): Promise<Owner> {
  const found = await teams.findUser(name);
  if (found) return found;
  throw new CommandFailure(`There is no user named ${printable(name)}. recollect users list shows them.`);
}

/** What every answer about a membership begins with. */
export function idsOf(team: Owner, user: Owner) {
  return { team: team.name, team_id: team.id, user: user.name, user_id: user.id };
}

/** What is added of a user that the command has made. */
export const newcomer = (isNewUser: boolean) => (isNewUser ? "; the user is new" : "");

/** The result of a change: one sentence for people, the value for machines. */
export function printChange(asJson: boolean | undefined, told: string, value: object): void {
  if (asJson) printJson(value);
  else print(told);
}
