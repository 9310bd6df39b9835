import { ownerName } from "../../contract/transfer.ts";
import { command, group, json } from "../command.ts";
import { CommandFailure } from "../failure.ts";
import { withTools } from "../open.ts";
import { idsOf, newcomer, printChange } from "../team-named.ts";
import { print, printable, printJson, table } from "../terminal.ts";
import { checked } from "../values.ts";
import { add, members, remove, role } from "./team-members.ts";

const create = command(
  {
    meta: { name: "create", description: "Make a team with its first owner" },
    args: {
      name: { type: "positional", required: true, description: "The team's name" },
      owner: { type: "string", required: true, valueHint: "USER", description: "The user; made if new" },
      ...json,
    },
    async run({ args }) {
      const name = checked("NAME", ownerName, args.name);
      const ownerIs = checked("--owner", ownerName, args.owner);
      return withTools(async ({ credentials, teams }) => {
        const isNewUser = (await teams.findUser(ownerIs)) === null;
        const owner = await credentials.ensureOwner("user", ownerIs);
        const { team, isNew, role } = await teams.create(name, owner);
        if (role !== "owner")
          throw new CommandFailure(
            `There is a team ${printable(name)} already. recollect teams add makes somebody a member of it.`,
          );
        const what = isNew ? "Made the team" : "There is the team";
        const told = `${what} ${printable(name)} (${team.id}), owned by ${printable(owner.name)}${newcomer(isNewUser)}.`;
        printChange(args.json, told, { ...idsOf(team, owner), role, is_new: isNew, user_is_new: isNewUser });
      });
    },
  },
  {
    notes: `
The same again changes nothing. A team that exists without members gets the user as its owner; one that has others
as members is refused with exit status 1.
With --json it prints {team, team_id, user, user_id, role, is_new, user_is_new}. team_id is what callers give.

EXAMPLES

  recollect teams create research --owner alice`,
  },
);

const list = command(
  {
    meta: { name: "list", description: "List the teams" },
    args: json,
    async run({ args }) {
      const listed = await withTools(({ teams }) => teams.list());
      if (args.json)
        printJson(listed.map(({ team, members }) => ({ team: team.name, team_id: team.id, members })));
      else if (listed.length === 0)
        print("There is no team yet: recollect teams create NAME --owner USER makes one.");
      else
        print(
          table(
            ["TEAM", "TEAM ID", "MEMBERS"],
            listed.map(({ team, members }) => [team.name, team.id, String(members)]),
          ),
        );
    },
  },
  {
    notes: `
With --json it prints an array of {team, team_id, members}; team_id is what callers give.

EXAMPLES

  recollect teams list`,
  },
);

export const teamsCommand = group(
  { name: "teams", description: "Make teams, and decide who is in them and as what" },
  { create, list, members, add, role, remove },
  "It works on the database itself, beside a running server if there is one. Servers obey with the next request.",
);
