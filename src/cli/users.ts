import type { Command } from "@commander-js/extra-typings";
import { printable } from "../compose/printable.ts";
import type { Owner } from "../core/access/credential.ts";
import { addErase } from "./erase.ts";
import { CommandFailure } from "./failure.ts";
import { settings, type Tools, withTools } from "./open.ts";
import { jsonOption, owner, WORKS_ON_DATABASE } from "./options.ts";
import { iso, print, printJson, say, table } from "./terminal.ts";

export function addUsers(program: Command): void {
  const users = program
    .command("users")
    .description("See who there is, and say who can sign in")
    .addHelpText("after", WORKS_ON_DATABASE);
  addInvite(users);
  addRevoke(users);
  addErase(users, "user");
  addList(users);
}

function addInvite(users: Command): void {
  users
    .command("invite")
    .description("Print a link with which a person sets up a sign-in account, once")
    .argument("<NAME>", "The user; made if new", owner)
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
With the account, the person signs in to the pages, lets MCP clients in and approves agents. The link works once,
within 24 hours. It begins with PUBLIC_URL, and is not stored: invite again if it is lost. A user who has an account
already is refused with exit status 1.
With --json it prints {user, user_id, user_is_new, url, expires_at}.

Examples:
  recollect users invite alice`,
    )
    .action(async (name, { json }) =>
      withTools(async ({ credentials, teams, accounts }) => {
        const { user, isNew } = await userMade({ credentials, teams }, name);
        const { secret, expiresAt } = await accounts.invite(user);
        const url = new URL(`/setup?code=${secret}`, settings().publicUrl).href;
        const expires_at = iso(expiresAt) as string;
        if (json) {
          printJson({ user: user.name, user_id: user.id, user_is_new: isNew, url, expires_at });
          return;
        }
        print(
          [
            `user        ${printable(user.name)} (${user.id})${newcomer(isNew)}`,
            `url         ${url}`,
            `expires_at  ${expires_at}`,
          ].join("\n"),
        );
        say("Give the link to that person alone: whoever follows it first signs in as this user.");
      }),
    );
}

function addRevoke(users: Command): void {
  users
    .command("revoke")
    .description("End a user's sign-in account, with its sessions and the apps it let in")
    .argument("<NAME>", "The user", owner)
    .addHelpText(
      "after",
      `
For a lost password, or one that somebody else has. Memories, teams, keys and agents of the user stay: see keys list and
agents list. users invite NAME makes another account for them. Exit status 1 where the user has no account.

Examples:
  recollect users revoke alice`,
    )
    .action(async (name) =>
      withTools(async ({ teams, accounts }) => {
        const user = await teams.findUser(name);
        if (user === null || !(await accounts.revoke(user)))
          throw new CommandFailure(
            "There is no user with that name who can sign in. recollect users list shows them.",
          );
        print(`The account of ${printable(user.name)} has ended.`);
      }),
    );
}

function addList(users: Command): void {
  users
    .command("list")
    .description("List the users, with their teams and roles")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
ACCOUNT says whether somebody can sign in as the user. With --json it prints an array of {user, user_id, has_account,
teams: [{team, team_id, role}]}.

Examples:
  recollect users list`,
    )
    .action(async ({ json }) => {
      const listed = await withTools(({ teams }) => teams.users());
      if (json)
        printJson(
          listed.map(({ user, hasAccount, teams }) => ({
            user: user.name,
            user_id: user.id,
            has_account: hasAccount,
            teams: teams.map(({ team, role }) => ({ team: team.name, team_id: team.id, role })),
          })),
        );
      else if (listed.length === 0) print("There is no user yet: recollect users invite NAME makes one.");
      else
        print(
          table(
            ["USER", "USER ID", "ACCOUNT", "TEAMS"],
            listed.map(({ user, hasAccount, teams }) => [
              user.name,
              user.id,
              hasAccount ? "yes" : "no",
              teams.map(({ team, role }) => `${team.name} (${role})`).join(", ") || "-",
            ]),
          ),
        );
    });
}

/** The user of that name, made if new: a mistyped name makes one, so whoever makes it says so. */
export async function userMade(
  { credentials, teams }: Pick<Tools, "credentials" | "teams">,
  name: string,
): Promise<{ user: Owner; isNew: boolean }> {
  const isNew = (await teams.findUser(name)) === null;
  return { user: await credentials.ensureOwner("user", name), isNew };
}

/** What is added of a user that the command has made. */
export const newcomer = (isNewUser = false) => (isNewUser ? "; the user is new" : "");
