import { type Command, Option } from "@commander-js/extra-typings";
import { printable } from "../compose/printable.ts";
import { SKILL_TOKEN_DAYS_MAX } from "../contract/agent.ts";
import { OVERLAP_SECONDS } from "../contract/key.ts";
import { bucket, path, projectId, text } from "../contract/primitives.ts";
import { grantableScopes, type Scope, scopes } from "../contract/scope.ts";
import type { TokenSpace } from "../core/access/credential.ts";
import type { ListedCredential } from "../core/access/credential-store.ts";
import { CommandFailure } from "./failure.ts";
import { type Tools, withTools } from "./open.ts";
import {
  checked,
  expiry,
  expiryWithin,
  jsonOption,
  list,
  overlap,
  owner,
  scopesOption,
  value,
  WORKS_ON_DATABASE,
} from "./options.ts";
import { iso, minute, print, printJson, say, table } from "./terminal.ts";
import { newcomer, userMade } from "./users.ts";

const allScopes = Object.keys(scopes) as Scope[];

const credentialNotes = (offered: readonly Scope[]) => `
The scopes are: ${offered.join(", ")}.
memory:write covers update, delete, restore, redact and hard_delete. The older names read:memories and
write:memories are accepted as well. A date means the end of that day in UTC.`;

export function addKeys(program: Command): void {
  const keys = program
    .command("keys")
    .description("Make API keys; list and revoke credentials of every kind")
    .addHelpText("after", WORKS_ON_DATABASE);
  addCreate(keys);
  addList(keys);
  addRotate(keys);
  addRevoke(keys);
}

function addCreate(keys: Command): void {
  keys
    .command("create")
    .description("Make an API key and print its secret, this once")
    .option("--owner <NAME>", "The user the key is for; made if new", value(owner))
    .option(
      "--team <NAME>",
      "The key belongs to this team instead, which the user joins; made if new",
      value(owner),
    )
    .addOption(labelOption())
    .addOption(scopesOption(allScopes))
    .addOption(projectsOption())
    .addOption(pathPrefixOption())
    .addOption(bucketsOption())
    .option("--expires <WHEN>", "90d, 12h, 2026-12-31; never unless given", value(expiry))
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `${credentialNotes(allScopes)}

With --team the key is the team's: it reaches what is the team's and nothing else, until it is revoked, whatever
becomes of the user. The user becomes a member, so that its own keys reach the team too: owner where the team has no
member yet, member otherwise. A user who is a member already keeps the role. Without --owner nobody joins.

Examples:
  recollect keys create --owner alice
  recollect keys create --owner alice --name laptop --scopes memory:read --expires 90d
  recollect keys create --owner alice --team research --projects apollo --json

It prints {id, token, owner, owner_kind, owner_id, user_is_new, scopes, expires_at}, and with --owner and --team also
member: {user, user_id, role}. A team's owner_id is what callers give as team_id; user_is_new is there with --owner.
The token is not stored: keep it.`,
    )
    .action(async (options, command) => {
      const { owner: user, team } = options;
      if (user === undefined && team === undefined)
        command.error("error: --owner is missing: whose key is it?");
      await withTools(async (tools) => {
        const { owner, member, isNewUser } = await keyOwner(tools, user, team);
        const issued = await tools.credentials.issue({
          kind: "api_key",
          ownerId: owner.id,
          name: options.name ?? member?.user ?? null,
          scopes: options.scopes,
          space: spaceOf(options, null),
          expiresAt: options.expires?.(tools.clock()) ?? null,
        });
        printIssued(issued, options.json === true, {
          isNewUser,
          ...(member && {
            json: { member },
            line: `member      ${printable(member.user)} is ${member.role} of the team${newcomer(isNewUser)}`,
          }),
        });
      });
    });
}

/** Whose the key is: the user's, or the team's, and then what the user is in it. */
async function keyOwner(
  { credentials, teams }: Tools,
  userName: string | undefined,
  teamName: string | undefined,
) {
  if (userName === undefined)
    return {
      owner: await credentials.ensureOwner("team", teamName as string),
      member: null,
      isNewUser: undefined,
    };
  const { user, isNew: isNewUser } = await userMade({ credentials, teams }, userName);
  if (teamName === undefined) return { owner: user, member: null, isNewUser };
  const { team, role } = await teams.create(teamName, user);
  const held = role ?? (await teams.add(team.id, user.id, "member")).role;
  return { owner: team, member: { user: user.name, user_id: user.id, role: held }, isNewUser };
}

function addList(keys: Command): void {
  keys
    .command("list")
    .description("List every credential, newest first, without its secret")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Of every kind: API keys, agents' and skills' tokens, and the clients that people let in by OAuth. Revoked and expired
ones are listed too. hint is how the secret begins; TEAM is the one team that a user's credential is confined to.

With --json it prints an array of {id, kind, name, owner, owner_kind, owner_id, scopes, team_id, projects,
path_prefix, buckets, agent_id, hint, created_at, expires_at, revoked_at, last_used_at}; times are RFC 3339 in UTC or
null.

Examples:
  recollect keys list
  recollect keys list --json | jq -r '.[] | select(.revoked_at == null) | .id'`,
    )
    .action(async ({ json }) => {
      const listed = await withTools(({ credentials }) => credentials.list());
      if (json) printJson(listed.map(toListed));
      else if (listed.length === 0)
        print("There is no key yet: recollect keys create --owner NAME makes one.");
      else print(tableOf(listed));
    });
}

function toListed(credential: ListedCredential) {
  const { owner, space } = credential;
  return {
    id: credential.tokenId,
    kind: credential.kind,
    name: credential.name,
    owner: owner.name,
    owner_kind: owner.kind,
    owner_id: owner.id,
    scopes: credential.scopes,
    team_id: space.teamId,
    projects: space.projects,
    path_prefix: space.pathPrefix,
    buckets: space.buckets,
    agent_id: credential.agentId,
    hint: credential.hint,
    created_at: iso(credential.createdAt),
    expires_at: iso(credential.expiresAt),
    revoked_at: iso(credential.revokedAt),
    last_used_at: iso(credential.lastUsedAt),
  };
}

function tableOf(listed: readonly ListedCredential[]): string {
  const header = [
    "ID",
    "KIND",
    "NAME",
    "OWNER",
    "AGENT",
    "TEAM",
    "SCOPES",
    "HINT",
    "CREATED",
    "EXPIRES",
    "REVOKED",
    "LAST USED",
  ];
  const rows = listed.map((credential) => [
    credential.tokenId,
    credential.kind,
    credential.name ?? "-",
    credential.owner.kind === "user"
      ? credential.owner.name
      : `${credential.owner.name} (${credential.owner.kind})`,
    credential.agentId ?? "-",
    credential.space.teamId ?? "-",
    credential.scopes.join(","),
    `${credential.hint}…`,
    minute(credential.createdAt),
    minute(credential.expiresAt),
    minute(credential.revokedAt),
    minute(credential.lastUsedAt),
  ]);
  return table(header, rows);
}

function addRotate(keys: Command): void {
  keys
    .command("rotate")
    .description("Put a new key in the place of one, and print its secret, this once")
    .argument("<ID>", "Its id, as keys list shows it")
    .addOption(
      new Option("--overlap <SPAN>", "How long the old one stays valid: 12h, 30m; 0 ends it at once")
        .argParser(value(overlap))
        .default(1000 * OVERLAP_SECONDS, "24h"),
    )
    .option(
      "--expires <WHEN>",
      "90d, 12h, 2026-12-31; when the old one would have ended unless given",
      value(expiry),
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
The new key may do what the old one may. Put it where the old one is used; that one works until the overlap is over. Where
the answer was lost, ask again: the key of the first answer ends and another takes its place. Once the new key was used
that is refused with exit status 1, and so is a key that has ended. API keys and skills' tokens are replaced like this;
agents replace theirs themselves (POST /v1/agents/rotate), and whoever holds a key can as well (POST /v1/keys/rotate).
Rate limits and the answers that an Idempotency-Key repeats are of one key each: the new one begins with none.

Examples:
  recollect keys rotate 0199c1d2-7b3e-7c4f-9a5b-6d7e8f901234
  recollect keys rotate 0199c1d2-7b3e-7c4f-9a5b-6d7e8f901234 --overlap 1h --json

It prints {id, token, owner, owner_kind, owner_id, scopes, expires_at, previous_id, previous_valid_until}.
The token is not stored: keep it.`,
    )
    .action(async (id, { overlap, expires, json }) => {
      const rotated = await withTools(({ credentials, clock }) =>
        credentials.rotate(id, { overlapMs: overlap, ...(expires && { expiresAt: expires(clock()) }) }),
      );
      const until = iso(rotated.previousValidUntil) as string;
      printIssued(rotated, json === true, {
        isNewUser: undefined,
        json: { previous_id: rotated.previousId, previous_valid_until: until },
        line: `previous    ${rotated.previousId} is valid until ${until}`,
      });
    });
}

function addRevoke(keys: Command): void {
  keys
    .command("revoke")
    .description("Revoke a credential for good")
    .argument("<ID>", "Its id, as keys list shows it")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
It ends a credential of any kind. Revoking an agent's formal token revokes the agent with all its tokens, as
recollect agents revoke does.
Revoking twice changes nothing. The exit status is 1 where there is no such credential.
With --json it prints {id, status}.

Examples:
  recollect keys revoke 0199c1d2-7b3e-7c4f-9a5b-6d7e8f901234`,
    )
    .action(async (id, { json }) => {
      const isRevoked = await withTools(({ credentials }) => credentials.revoke(id));
      if (!isRevoked)
        throw new CommandFailure("There is no credential with that id. recollect keys list shows them.");
      if (json) printJson({ id, status: "revoked" });
      else print(`Revoked ${id}: it takes effect on running servers within a second.`);
    });
}

export function addSkills(program: Command): void {
  const skills = program
    .command("skills")
    .description("Make tokens for skills")
    .addHelpText("after", WORKS_ON_DATABASE);
  skills
    .command("issue")
    .description("Make a skill token and print its secret, this once")
    .requiredOption("--owner <NAME>", "The user the skill acts for; made if new (required)", value(owner))
    .option(
      "--team <NAME>",
      "Only this team's memories, as far as the user's role in it reaches",
      value(owner),
    )
    .addOption(labelOption())
    .addOption(scopesOption(grantableScopes))
    .addOption(projectsOption())
    .addOption(pathPrefixOption())
    .addOption(bucketsOption())
    .addOption(
      new Option("--expires <WHEN>", `30d, 12h, 2026-12-31; ${SKILL_TOKEN_DAYS_MAX} days at most`)
        .argParser(value(expiryWithin(SKILL_TOKEN_DAYS_MAX)))
        .default(expiry(`${SKILL_TOKEN_DAYS_MAX}d`), `${SKILL_TOKEN_DAYS_MAX}d`),
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
A skill token is for one program. Without --team it reaches the user's own memories and those of its teams. With
--team it reaches that team's alone and writes there, under the role that the user has in it at that moment; it reaches
nothing once the user has left. The user must be a member.
${credentialNotes(grantableScopes)}

Examples:
  recollect skills issue --owner alice --name expenses --buckets ledger --scopes memory:write,ledger:write
  recollect skills issue --owner alice --team research --scopes memory:read --expires 30d --json

It prints {id, token, owner, owner_kind, owner_id, user_is_new, scopes, expires_at}, and with --team also
{team, team_id}.
The token is not stored: keep it. recollect keys list shows it, without its secret; recollect keys revoke ends it.`,
    )
    .action(async (options) => {
      const { owner, team } = options;
      await withTools(async (tools) => {
        const { user, isNew, teamId } =
          team === undefined
            ? { ...(await userMade(tools, owner)), teamId: null }
            : await memberOf(tools, owner, team);
        const issued = await tools.credentials.issue({
          kind: "skill",
          ownerId: user.id,
          name: options.name ?? null,
          scopes: options.scopes,
          space: spaceOf(options, teamId),
          expiresAt: options.expires(tools.clock()),
        });
        printIssued(issued, options.json === true, {
          isNewUser: isNew,
          ...(team !== undefined && {
            json: { team, team_id: teamId },
            line: `team        ${printable(team)} (${teamId})`,
          }),
        });
      });
    });
}

async function memberOf({ teams }: Tools, owner: string, team: string) {
  const user = await teams.findUser(owner);
  const joined = user ? await teams.teamsOf(user.id) : [];
  const membership = joined.find((one) => one.team.name === team);
  if (user && membership) return { user, isNew: false, teamId: membership.team.id };
  throw new CommandFailure(
    `${printable(owner)} is not a member of a team named ${printable(team)}: add the user with recollect teams add.`,
  );
}

const labelOption = () =>
  new Option("--name <LABEL>", "What you will recognise it by").argParser(value(checked(text(1, 128))));
const projectsOption = () =>
  new Option("--projects <a,b>", "Only these projects").argParser(value(list(projectId)));
const pathPrefixOption = () =>
  new Option("--path-prefix <PATH>", "Only this path and what is below it").argParser(value(checked(path)));
const bucketsOption = () =>
  new Option("--buckets <a,b>", "Only these buckets").argParser(value(list(bucket)));

interface SpaceOptions {
  readonly projects?: string[] | undefined;
  readonly pathPrefix?: string | undefined;
  readonly buckets?: string[] | undefined;
}

function spaceOf({ projects, pathPrefix, buckets }: SpaceOptions, teamId: string | null): TokenSpace {
  return { teamId, projects: projects ?? null, pathPrefix: pathPrefix ?? null, buckets: buckets ?? null };
}

/** What else is printed of a credential: whether its user was made for it, members of the JSON, and a line for people. */
interface Addition {
  readonly isNewUser: boolean | undefined;
  readonly json?: Readonly<Record<string, unknown>>;
  readonly line?: string;
}

/** The one time its secret is shown. */
function printIssued(
  { credential, secret }: { credential: ListedCredential; secret: string },
  asJson: boolean,
  { isNewUser, json, line }: Addition,
): void {
  const { tokenId, owner, expiresAt } = credential;
  if (asJson) {
    printJson({
      id: tokenId,
      token: secret,
      owner: owner.name,
      owner_kind: owner.kind,
      owner_id: owner.id,
      user_is_new: isNewUser,
      scopes: credential.scopes,
      expires_at: iso(expiresAt),
      ...json,
    });
    return;
  }
  print(
    [
      `id          ${tokenId}`,
      `token       ${secret}`,
      `owner       ${printable(owner.name)} (${owner.kind} ${owner.id})${newcomer(owner.kind === "user" && isNewUser)}`,
      `scopes      ${credential.scopes.join(", ")}`,
      `expires_at  ${iso(expiresAt) ?? "never"}`,
      ...(line === undefined ? [] : [line]),
    ].join("\n"),
  );
  say("Keep the token now: it is not stored and cannot be shown again.");
}
