import { SKILL_TOKEN_DAYS_MAX } from "../../contract/agent.ts";
import { ownerName } from "../../contract/transfer.ts";
import { command, group, json } from "../command.ts";
import { CommandFailure, UsageError } from "../failure.ts";
import { CREDENTIAL_NOTES, credentialFlags, printIssued, readCredentialFlags } from "../new-credential.ts";
import { type Tools, withTools } from "../open.ts";
import { printable } from "../terminal.ts";
import { checked, expiryOf, optionalOwnerName } from "../values.ts";

const DAY_MS = 86_400_000;

const issue = command(
  {
    meta: { name: "issue", description: "Make a skill token and print its secret, this once" },
    args: {
      owner: {
        type: "string",
        required: true,
        valueHint: "NAME",
        description: "The user the skill acts for; made if new",
      },
      team: {
        type: "string",
        valueHint: "NAME",
        description: "Only this team's memories, as far as the user's role in it reaches",
      },
      ...credentialFlags,
      expires: {
        type: "string",
        valueHint: "WHEN",
        default: `${SKILL_TOKEN_DAYS_MAX}d`,
        description: `30d, 12h, 2026-12-31; ${SKILL_TOKEN_DAYS_MAX} days at most`,
      },
      ...json,
    },
    async run({ args }) {
      const owner = checked("--owner", ownerName, args.owner);
      const team = optionalOwnerName("--team", args.team);
      const { name, scopes, space } = readCredentialFlags(args);
      // Checked here too, so that a bad value is told before anything is opened.
      endOf(args.expires, Date.now());
      return withTools(async (tools) => {
        const expiresAt = endOf(args.expires, tools.clock());
        const user = team === null ? await tools.credentials.ensureOwner("user", owner) : null;
        const member = team === null ? null : await memberOf(tools, owner, team);
        const issued = await tools.credentials.issue({
          kind: "skill",
          ownerId: (member?.user ?? user)?.id as string,
          name,
          scopes,
          space: { teamId: member?.teamId ?? null, ...space },
          expiresAt,
        });
        const more = member && {
          json: { team, team_id: member.teamId },
          line: `team        ${printable(team as string)} (${member.teamId})`,
        };
        printIssued(issued, args.json === true, more);
      });
    },
  },
  {
    notes: `
A skill token is for one program. Without --team it reaches the user's own memories and those of its teams. With
--team it reaches that team's alone and writes there, under the role that the user has in it at that moment; it reaches
nothing once the user has left. The user must be a member.
${CREDENTIAL_NOTES}

EXAMPLES

  recollect skills issue --owner alice --name expenses --buckets ledger --scopes memory:write,ledger:write
  recollect skills issue --owner alice --team research --scopes memory:read --expires 30d --json

It prints {id, token, owner, owner_kind, owner_id, scopes, expires_at}, and with --team also {team, team_id}.
The token is not stored: keep it. recollect keys list shows it, without its secret; recollect keys revoke ends it.`,
  },
);

/** `UsageError` beyond what a skill token may last. */
function endOf(expires: string, now: number): number {
  const at = expiryOf(expires, now);
  if (at === null || at > now + SKILL_TOKEN_DAYS_MAX * DAY_MS)
    throw new UsageError(`--expires may be ${SKILL_TOKEN_DAYS_MAX} days from now at most.`);
  return at;
}

async function memberOf({ teams }: Tools, owner: string, team: string) {
  const user = await teams.findUser(owner);
  const joined = user ? await teams.teamsOf(user.id) : [];
  const membership = joined.find((one) => one.team.name === team);
  if (user && membership) return { user, teamId: membership.team.id };
  throw new CommandFailure(
    `${printable(owner)} is no member of a team named ${printable(team)}: recollect teams add makes one.`,
  );
}

export const skillsCommand = group(
  { name: "skills", description: "Make tokens for skills" },
  { issue },
  "It works on the database itself, beside a running server if there is one.",
);
