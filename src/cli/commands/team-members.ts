import { teamRoles } from "../../contract/team.ts";
import { ownerName } from "../../contract/transfer.ts";
import type { Owner } from "../../core/access/credential.ts";
import type { Role } from "../../core/access/team-store.ts";
import { command, json } from "../command.ts";
import { CommandFailure, UsageError } from "../failure.ts";
import { withTools } from "../open.ts";
import { idsOf, newcomer, printChange, teamNamed, userNamed } from "../team-named.ts";
import { print, printable, printJson, table } from "../terminal.ts";
import { checked, iso } from "../values.ts";

const ROLES = `
The roles: viewer reads; member writes too; admin and owner also delete and redact for good.`;

const team = { type: "positional", required: true, description: "The team's name" } as const;
const user = { type: "positional", required: true, description: "The user's name" } as const;

export const members = command(
  {
    meta: { name: "members", description: "List the members of a team and their roles" },
    args: { team, ...json },
    async run({ args }) {
      const name = checked("TEAM", ownerName, args.team);
      const listed = await withTools(async ({ teams }) => teams.members((await teamNamed(teams, name)).id));
      if (args.json)
        printJson(
          listed.map(({ user, role, since }) => ({
            user: user.name,
            user_id: user.id,
            role,
            since: iso(since),
          })),
        );
      else if (listed.length === 0) print("The team has no members: recollect teams add makes one.");
      else
        print(
          table(
            ["USER", "USER ID", "ROLE", "SINCE"],
            listed.map(({ user, role, since }) => [user.name, user.id, role, iso(since) as string]),
          ),
        );
    },
  },
  {
    notes: `
Owners first. With --json it prints an array of {user, user_id, role, since}.

EXAMPLES

  recollect teams members research`,
  },
);

export const add = command(
  {
    meta: { name: "add", description: "Make a user a member of a team" },
    args: {
      team,
      user: { ...user, description: "The user's name; made if new" },
      role: { type: "string", valueHint: "ROLE", default: "member", description: teamRoles.join(", ") },
      ...json,
    },
    async run({ args }) {
      const wanted = { ...namesOf(args), role: roleOf("--role", args.role) };
      return withTools(async ({ credentials, teams }) => {
        const team = await teamNamed(teams, wanted.team);
        const isNewUser = (await teams.findUser(wanted.user)) === null;
        const user = await credentials.ensureOwner("user", wanted.user);
        const { role, isNew } = await teams.add(team.id, user.id, wanted.role);
        if (role !== wanted.role) throw new CommandFailure(hasRole(team, user, role));
        const told = `${isNew ? "Added" : "Unchanged"}: ${sentence(team, user, role)}${newcomer(isNewUser)}.`;
        printChange(args.json, told, {
          ...idsOf(team, user),
          role,
          change: isNew ? "added" : "unchanged",
          user_is_new: isNewUser,
        });
      });
    },
  },
  {
    notes: `${ROLES}
It holds from the next request on, for every credential of the user. One who is a member in that role already stays
so; a member in another role is refused with exit status 1, since recollect teams role changes roles.
With --json it prints {team, team_id, user, user_id, role, change, user_is_new}; change is added or unchanged.

EXAMPLES

  recollect teams add research bob
  recollect teams add research carol --role viewer`,
  },
);

export const role = command(
  {
    meta: { name: "role", description: "Change the role of a member" },
    args: {
      team,
      user,
      role: { type: "positional", required: true, description: teamRoles.join(", ") },
      ...json,
    },
    async run({ args }) {
      const wanted = { ...namesOf(args), role: roleOf("ROLE", args.role) };
      return withTools(async ({ teams }) => {
        const [team, user] = [await teamNamed(teams, wanted.team), await userNamed(teams, wanted.user)];
        const joined = await teams.teamsOf(user.id);
        if (!joined.some((membership) => membership.team.id === team.id))
          throw new CommandFailure(
            `${printable(user.name)} is no member of ${printable(team.name)}: recollect teams add makes one.`,
          );
        const change = await teams.setRole(team.id, user.id, wanted.role);
        const told = `${change === "unchanged" ? "Unchanged" : "Changed"}: ${sentence(team, user, wanted.role)}.`;
        printChange(args.json, told, { ...idsOf(team, user), role: wanted.role, change });
      });
    },
  },
  {
    notes: `${ROLES}
It holds from the next request on. The last owner stays owner (exit status 1): make another member owner first.
With --json it prints {team, team_id, user, user_id, role, change}; change is changed or unchanged.

EXAMPLES

  recollect teams role research bob admin`,
  },
);

export const remove = command(
  {
    meta: { name: "remove", description: "End a user's membership of a team" },
    args: { team, user, ...json },
    async run({ args }) {
      const wanted = namesOf(args);
      return withTools(async ({ teams }) => {
        const [team, user] = [await teamNamed(teams, wanted.team), await userNamed(teams, wanted.user)];
        const wasMember = await teams.remove(team.id, user.id);
        const [who, where] = [printable(user.name), printable(team.name)];
        const told = wasMember
          ? `Removed ${who} from ${where}.`
          : `Unchanged: ${who} is no member of ${where}.`;
        printChange(args.json, told, { ...idsOf(team, user), change: wasMember ? "removed" : "unchanged" });
      });
    },
  },
  {
    notes: `
It holds from the next request on: no credential of the user reaches the team any more, its agents' and skills'
neither. What it wrote there stays the team's. Keys that belong to the team itself, as keys create --team makes them,
go on working: recollect keys list shows them, recollect keys revoke ends them.
The last owner cannot be removed (exit status 1): make another member owner first.
With --json it prints {team, team_id, user, user_id, change}; change is removed or unchanged.

EXAMPLES

  recollect teams remove research bob`,
  },
);

function namesOf(args: { team: string; user: string }) {
  return { team: checked("TEAM", ownerName, args.team), user: checked("USER", ownerName, args.user) };
}

function roleOf(flag: string, value: string): Role {
  const found = teamRoles.find((role) => role === value);
  if (!found) throw new UsageError(`${flag} must be one of ${teamRoles.join(", ")}.`);
  return found;
}

function hasRole(team: Owner, user: Owner, role: Role): string {
  const [where, who] = [printable(team.name), printable(user.name)];
  return `${who} is ${role} of ${where} already: recollect teams role changes that.`;
}

function sentence(team: Owner, user: Owner, role: Role): string {
  return `${printable(user.name)} is ${role} of ${printable(team.name)} (${team.id})`;
}
