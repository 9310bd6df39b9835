import type { Command } from "@commander-js/extra-typings";
import { printable } from "../compose/printable.ts";
import type { Owner } from "../core/access/credential.ts";
import { addErase } from "./erase.ts";
import { CommandFailure } from "./failure.ts";
import { settings, type Tools, withTools } from "./open.ts";
import { jsonOption, owner, WORKS_ON_DATABASE } from "./options.ts";
import { fields, iso, print, printList, printResult, say } from "./terminal.ts";

export function addUsers(program: Command): void {
  const users = program
    .command("users")
    .description("List users, and decide who can sign in")
    .addHelpText("after", WORKS_ON_DATABASE);
  addInvite(users);
  addRevoke(users);
  addErase(users, "user");
  addList(users);
}

function addInvite(users: Command): void {
  users
    .command("invite")
    .description("Print a one-time link for setting up a sign-in account")
    .argument("<NAME>", "The user; created if new", owner)
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
With the account, a person signs in to the admin UI, lets MCP clients in and
approves agents. The link works once, within 24 hours. It begins with PUBLIC_URL
and is not stored: invite again if it is lost. If the user already has an
account, the exit status is 1.
With --json it prints {user, user_id, user_is_new, url, expires_at}.

Examples:
  recollect users invite alice`,
    )
    .action(async (name, { json }) =>
      withTools(
        async ({ credentials, teams, accounts }) => {
          const { user, isNew } = await userMade({ credentials, teams }, name);
          const { secret, expiresAt } = await accounts.invite(user);
          const url = new URL(`/setup?code=${secret}`, settings().publicUrl).href;
          const expires_at = iso(expiresAt);
          const shown = `${printable(user.name)} (${user.id})${newcomer(isNew)}`;
          const value = { user: user.name, user_id: user.id, user_is_new: isNew, url, expires_at };
          printResult(json, value, fields({ user: shown, url, expires_at }));
          if (json) return;
          say("Give the link only to that person: whoever follows it first signs in as this user.");
        },
        { makesDatabase: true },
      ),
    );
}

function addRevoke(users: Command): void {
  users
    .command("revoke")
    .description("Remove a user's sign-in account, its sessions and its apps")
    .argument("<NAME>", "The user", owner)
    .addHelpText(
      "after",
      `
Use this if a password was lost or stolen. The user's memories, teams, keys and
agents stay (see keys list and agents list). users invite NAME gives them a new
account. The exit status is 1 if the user has no account.

Examples:
  recollect users revoke alice`,
    )
    .action(async (name) =>
      withTools(async ({ teams, accounts }) => {
        const user = await teams.findUser(name);
        if (user === null || !(await accounts.revoke(user)))
          throw new CommandFailure(
            "No user with that name has a sign-in account. Run recollect users list to see all users.",
          );
        print(`Removed the account of ${printable(user.name)}.`);
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
ACCOUNT says whether the user has a sign-in account. With --json it prints an
array of {user, user_id, has_account, teams: [{team, team_id, role}]}.

Examples:
  recollect users list`,
    )
    .action(async ({ json }) => {
      const listed = await withTools(({ teams }) => teams.users());
      printList(json, listed, {
        json: ({ user, hasAccount, teams }) => ({
          user: user.name,
          user_id: user.id,
          has_account: hasAccount,
          teams: teams.map(({ team, role }) => ({ team: team.name, team_id: team.id, role })),
        }),
        empty: "There are no users yet. Create one with recollect users invite NAME.",
        columns: [
          ["USER", ({ user }) => user.name],
          ["USER ID", ({ user }) => user.id],
          ["ACCOUNT", ({ hasAccount }) => (hasAccount ? "yes" : "no")],
          ["TEAMS", ({ teams }) => teams.map(({ team, role }) => `${team.name} (${role})`).join(", ") || "-"],
        ],
      });
    });
}

/**
 * The user with that name, created if missing. Callers must report a creation, since a mistyped name creates a user.
 */
export async function userMade(
  { credentials, teams }: Pick<Tools, "credentials" | "teams">,
  name: string,
): Promise<{ user: Owner; isNew: boolean }> {
  const isNew = (await teams.findUser(name)) === null;
  return { user: await credentials.ensureOwner("user", name), isNew };
}

/** Suffix for a user that the command has created. */
export const newcomer = (isNewUser = false) => (isNewUser ? "; the user was created" : "");
