import { Argument, type Command, Option } from "@commander-js/extra-typings";
import { printable } from "../compose/printable.ts";
import { teamRoles } from "../contract/scope.ts";
import type { Owner } from "../core/access/credential.ts";
import type { Departure, Role, TeamStore } from "../core/access/team-store.ts";
import { toWire } from "../core/memory/member-table.ts";
import { addErase } from "./erase.ts";
import { CommandFailure } from "./failure.ts";
import { withTools } from "./open.ts";
import { jsonOption, owner, value, WORKS_ON_DATABASE } from "./options.ts";
import { iso, printList, printResult } from "./terminal.ts";
import { newcomer, userMade } from "./users.ts";

const ROLES = `
Roles: viewer can read; member can also write; admin and owner can also delete
and redact for good.`;

export function addTeams(program: Command): void {
  const teams = program
    .command("teams")
    .description("Manage teams, their members and roles")
    .addHelpText("after", `${WORKS_ON_DATABASE} A change takes effect with the next request.`);
  addCreate(teams);
  addList(teams);
  addMembers(teams);
  addAdd(teams);
  addInvitations(teams);
  addAnswer(teams, "accept");
  addAnswer(teams, "decline");
  addRole(teams);
  addRemove(teams);
  addErase(teams, "team");
}

/** The team with that name. `CommandFailure` if there is none. */
export async function teamNamed(teams: TeamStore, name: string): Promise<Owner> {
  const found = await teams.find(name);
  if (found) return found;
  throw new CommandFailure(
    `There is no team named ${printable(name)}. Run recollect teams list to see them all.`,
  );
}

function addCreate(teams: Command): void {
  teams
    .command("create")
    .description("Create a team with its first owner")
    .argument("<NAME>", "The team's name", owner)
    .requiredOption("--owner <USER>", "The user who owns it; created if new (required)", value(owner))
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Running it again changes nothing. If the team exists without members, the user
becomes its owner; if it has other members, the exit status is 1.
With --json it prints {team, team_id, user, user_id, role, is_new, user_is_new};
team_id is what callers pass.

Examples:
  recollect teams create research --owner alice`,
    )
    .action(async (name, { owner: ownerIs, json }) =>
      withTools(
        async ({ credentials, teams }) => {
          const { user: owner, isNew: isNewUser } = await userMade({ credentials, teams }, ownerIs);
          const { team, isNew, role } = await teams.create(name, owner);
          if (role !== "owner")
            throw new CommandFailure(
              `There is already a team named ${printable(name)}. Add members with recollect teams add.`,
            );
          const what = isNew ? "Created the team" : "There is already a team named";
          const line = `${what} ${printable(name)} (${team.id}), owned by ${printable(owner.name)}${newcomer(isNewUser)}.`;
          printResult(json, { ...idsOf(team, owner), role, is_new: isNew, user_is_new: isNewUser }, line);
        },
        { makesDatabase: true },
      ),
    );
}

function addList(teams: Command): void {
  teams
    .command("list")
    .description("List the teams")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
With --json it prints an array of {team, team_id, members}; team_id is what
callers pass.

Examples:
  recollect teams list`,
    )
    .action(async ({ json }) => {
      const listed = await withTools(({ teams }) => teams.list());
      printList(json, listed, {
        json: ({ team, members }) => ({ team: team.name, team_id: team.id, members }),
        empty: "There are no teams yet. Create one with recollect teams create NAME --owner USER.",
        columns: [
          ["TEAM", ({ team }) => team.name],
          ["TEAM ID", ({ team }) => team.id],
          ["MEMBERS", ({ members }) => String(members)],
        ],
      });
    });
}

function addMembers(teams: Command): void {
  teams
    .command("members")
    .description("List the members of a team and their roles")
    .argument("<TEAM>", "The team's name", owner)
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Owners first. With --json it prints an array of {user, user_id, role, since}.

Examples:
  recollect teams members research`,
    )
    .action(async (name, { json }) => {
      const listed = await withTools(async ({ teams }) => teams.members((await teamNamed(teams, name)).id));
      printList(json, listed, {
        json: ({ user, role, since }) => ({ user: user.name, user_id: user.id, role, since: iso(since) }),
        empty: "The team has no members. Add one with recollect teams add.",
        columns: [
          ["USER", ({ user }) => user.name],
          ["USER ID", ({ user }) => user.id],
          ["ROLE", ({ role }) => role],
          ["SINCE", ({ since }) => iso(since)],
        ],
      });
    });
}

function addAdd(teams: Command): void {
  teams
    .command("add")
    .description("Add a user to a team, or invite one who can sign in")
    .argument("<TEAM>", "The team's name", owner)
    .argument("<USER>", "The user's name; created if new", owner)
    .addOption(new Option("--role <ROLE>", "The user's role").choices(teamRoles).default("member" as const))
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `${ROLES}
A user who has a sign-in account is invited: nothing changes for them until they
accept, in the admin UI, at /account, or here with recollect teams accept. Any
other user is added at once, since nobody else can be asked; it takes effect
with the next request, for every credential of the user. If the user already has
that role, nothing changes; if they have another, the exit status is 1: change
it with recollect teams role.
With --json it prints {team, team_id, user, user_id, role, change, user_is_new};
change is added, invited or unchanged.

Examples:
  recollect teams add research bob
  recollect teams add research carol --role viewer`,
    )
    .action(async (teamName, userName, { role: wanted, json }) =>
      withTools(
        async ({ credentials, teams }) => {
          const team = await teamNamed(teams, teamName);
          const { user, isNew: isNewUser } = await userMade({ credentials, teams }, userName);
          const { role, change } = await teams.provision(team.id, user, wanted);
          if (role !== wanted)
            throw new CommandFailure(
              `${printable(user.name)} is already ${role} of ${printable(team.name)}. Change that with recollect teams role.`,
            );
          const line = {
            added: `Added: ${sentence(team, user, role)}${newcomer(isNewUser)}.`,
            invited: `Invited ${printable(user.name)} to ${printable(team.name)} as ${role}. They are not a member until they accept.`,
            unchanged: `Unchanged: ${sentence(team, user, role)}.`,
          }[change];
          printResult(json, { ...idsOf(team, user), role, change, user_is_new: isNewUser }, line);
        },
        { makesDatabase: true },
      ),
    );
}

function addInvitations(teams: Command): void {
  teams
    .command("invitations")
    .description("List a user's open invitations to teams")
    .argument("<USER>", "The user's name", owner)
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Newest first. With --json it prints an array of {team, team_id, role, invited_by,
invited_at, expires_at}; invited_by is null for the operator of the service.

Examples:
  recollect teams invitations bob`,
    )
    .action(async (userName, { json }) => {
      const listed = await withTools(async ({ teams }) =>
        teams.invitationsFor((await userNamed(teams, userName)).id),
      );
      printList(json, listed, {
        json: ({ team, ...invitation }) => ({ team: team.name, team_id: team.id, ...toWire(invitation) }),
        empty: "There are no open invitations.",
        columns: [
          ["TEAM", ({ team }) => team.name],
          ["ROLE", ({ role }) => role],
          ["INVITED BY", ({ invitedBy }) => invitedBy ?? "the operator"],
          ["EXPIRES", ({ expiresAt }) => iso(expiresAt)],
        ],
      });
    });
}

const ANSWERS = {
  accept: {
    description: "Accept an invitation to a team for a user",
    effect: "It takes effect with the next request, for every credential of the user.",
    change: "added",
  },
  decline: {
    description: "Decline an invitation to a team for a user",
    effect: "The team is not told, and cannot ask again for two weeks.",
    change: "declined",
  },
} as const;

/** Adds the command that answers an invitation on behalf of a user, instead of in the browser. */
function addAnswer(teams: Command, answer: keyof typeof ANSWERS): void {
  const { description, effect, change } = ANSWERS[answer];
  teams
    .command(answer)
    .description(description)
    .argument("<TEAM>", "The team's name", owner)
    .argument("<USER>", "The invited user's name", owner)
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
${effect} If there is no open
invitation, the exit status is 1.
With --json it prints {team, team_id, user, user_id, change}; change is ${change}.

Examples:
  recollect teams ${answer} research bob`,
    )
    .action(async (teamName, userName, { json }) =>
      withTools(async ({ teams }) => {
        const [team, user] = [await teamNamed(teams, teamName), await userNamed(teams, userName)];
        if (!(await teams[answer](team.id, user.id)))
          throw new CommandFailure(
            `${printable(user.name)} has no open invitation to ${printable(team.name)}. Run recollect teams invitations ${printable(user.name)} to see all.`,
          );
        const [who, where] = [printable(user.name), printable(team.name)];
        const line = answer === "accept" ? `Added ${who} to ${where}.` : `Declined for ${who}: ${where}.`;
        printResult(json, { ...idsOf(team, user), change }, line);
      }),
    );
}

function addRole(teams: Command): void {
  teams
    .command("role")
    .description("Change a member's role")
    .argument("<TEAM>", "The team's name", owner)
    .argument("<USER>", "The user's name", owner)
    .addArgument(new Argument("<ROLE>", "The user's role").choices(teamRoles))
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `${ROLES}
It takes effect with the next request. The last owner must stay owner (exit
status 1): make another member an owner first.
With --json it prints {team, team_id, user, user_id, role, change}; change is
changed or unchanged.

Examples:
  recollect teams role research bob admin`,
    )
    .action(async (teamName, userName, role, { json }) =>
      withTools(async ({ teams }) => {
        const [team, user] = [await teamNamed(teams, teamName), await userNamed(teams, userName)];
        const joined = await teams.teamsOf(user.id);
        if (!joined.some((membership) => membership.team.id === team.id))
          throw new CommandFailure(
            `${printable(user.name)} is not a member of ${printable(team.name)}. Add the user with recollect teams add.`,
          );
        const change = await teams.setRole(team.id, user.id, role);
        const line = `${change === "unchanged" ? "Unchanged" : "Changed"}: ${sentence(team, user, role)}.`;
        printResult(json, { ...idsOf(team, user), role, change }, line);
      }),
    );
}

function addRemove(teams: Command): void {
  teams
    .command("remove")
    .description("Remove a user from a team")
    .argument("<TEAM>", "The team's name", owner)
    .argument("<USER>", "The user's name", owner)
    .option("--yes", "If it is the last owner: hand the team over as shown without this")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
It takes effect with the next request: the user's credentials, agents and skills
lose access to the team. What the user wrote there stays with the team. Keys
that belong to the team itself (keys create --team) keep working; find them with
recollect keys list and end them with recollect keys revoke.
If the last owner is removed, the member who is first by role, then by the time
of joining becomes owner; without --yes it only says who (exit status 1). The last
member cannot be removed: erase the team instead.
With --json it prints {team, team_id, user, user_id, change}; change is removed
or unchanged.

Examples:
  recollect teams remove research bob`,
    )
    .action(async (teamName, userName, { yes, json }) =>
      withTools(async ({ teams }) => {
        const [team, user] = [await teamNamed(teams, teamName), await userNamed(teams, userName)];
        const departure = await teams.departure(team.id, user.id);
        if (departure !== null) await depart(teams, { team, user, departure }, yes === true);
        const [who, where] = [printable(user.name), printable(team.name)];
        const line =
          departure === null
            ? `Unchanged: ${who} is not a member of ${where}.`
            : `Removed ${who} from ${where}.${successorWords(departure)}`;
        const change = departure === null ? "unchanged" : "removed";
        printResult(json, { ...idsOf(team, user), change }, line);
      }),
    );
}

/**
 * Removes a member after looking up the effect of the departure. `CommandFailure` for the last member, or if the team
 * would be handed over and that is not confirmed.
 */
async function depart(
  teams: TeamStore,
  { team, user, departure }: { team: Owner; user: Owner; departure: Departure },
  isConfirmed: boolean,
): Promise<void> {
  const [who, where] = [printable(user.name), printable(team.name)];
  if (departure.outcome === "closes")
    throw new CommandFailure(
      `${who} is the last member of ${where}. Erase the team with recollect teams erase, or add another member first.`,
    );
  if (departure.outcome === "hands_over" && !isConfirmed)
    throw new CommandFailure(
      `${who} is the last owner of ${where}. With --yes the team is handed over.${successorWords(departure)} Or make another member an owner first.`,
    );
  await teams.leave(team.id, user.id, departure);
}

function successorWords({ outcome, successor }: Departure): string {
  return outcome === "hands_over" && successor ? ` ${printable(successor.name)} becomes owner.` : "";
}

async function userNamed(teams: TeamStore, name: string): Promise<Owner> {
  const found = await teams.findUser(name);
  if (found) return found;
  throw new CommandFailure(
    `There is no user named ${printable(name)}. Run recollect users list to see them all.`,
  );
}

/** The first members of every answer about a membership. */
function idsOf(team: Owner, user: Owner) {
  return { team: team.name, team_id: team.id, user: user.name, user_id: user.id };
}

function sentence(team: Owner, user: Owner, role: Role): string {
  return `${printable(user.name)} is ${role} of ${printable(team.name)} (${team.id})`;
}
