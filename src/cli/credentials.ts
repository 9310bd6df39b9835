import { type Command, Option } from "@commander-js/extra-typings";
import { printable } from "../compose/printable.ts";
import { SKILL_TOKEN_DAYS_MAX } from "../contract/agent.ts";
import { OVERLAP_SECONDS } from "../contract/key.ts";
import { bucket, path, projectId, text } from "../contract/primitives.ts";
import { grantableScopes, type Scope, scopes } from "../contract/scope.ts";
import { toolSets } from "../contract/tool-set.ts";
import type { TokenSpace } from "../core/access/credential.ts";
import type { ListedCredential } from "../core/access/credential-store.ts";
import { toWire } from "../core/memory/member-table.ts";
import { CommandFailure } from "./failure.ts";
import { type Tools, withTools } from "./open.ts";
import {
  checked,
  expiry,
  expiryWithin,
  inHelp,
  jsonOption,
  list,
  overlap,
  owner,
  scopesOption,
  value,
  WORKS_ON_DATABASE,
} from "./options.ts";
import { iso, minute, print, printJson, printList, printResult, say } from "./terminal.ts";
import { newcomer, userMade } from "./users.ts";

const allScopes = Object.keys(scopes) as Scope[];

const credentialNotes = (offered: readonly Scope[]) => `
${inHelp("Scopes", offered)}
memory:write includes update, delete, restore, redact and hard_delete. The older
names read:memories and write:memories also work. A date means the end of that
day in UTC.`;

export function addKeys(program: Command): void {
  const keys = program
    .command("keys")
    .description("Create API keys; list, rotate and revoke credentials")
    .addHelpText("after", WORKS_ON_DATABASE);
  addCreate(keys);
  addList(keys);
  addRotate(keys);
  addRevoke(keys);
}

function addCreate(keys: Command): void {
  keys
    .command("create")
    .description("Create an API key and print its secret, once")
    .option("--owner <NAME>", "The user the key is for; created if new", value(owner))
    .option(
      "--team <NAME>",
      "Make the key belong to this team instead, which the user joins; created if new",
      value(owner),
    )
    .addOption(labelOption())
    .addOption(scopesOption(allScopes))
    .option("--end-users", "Let it act for the end users of an application: adds the scope users:act")
    .addOption(projectsOption())
    .addOption(pathPrefixOption())
    .addOption(bucketsOption())
    .addOption(
      new Option(
        "--tools <SET>",
        "The tools that MCP lists if its address names no set (default: full)",
      ).choices(toolSets),
    )
    .option("--expires <WHEN>", "When it expires: 90d, 12h, 2026-12-31 (default: never)", value(expiry))
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `${credentialNotes(allScopes)}

With --team the key belongs to the team. It gives access to the team's memories
and nothing else, and works until it is revoked, even if the user leaves. The
user joins the team: as its owner if it has no members yet, otherwise as
recollect teams add would add them; an existing member keeps their role. Without
--owner nobody joins.

With --end-users the key serves an application with end users of its own: each
request names one in user_id or X-User-Id, and reads and writes that end user's
space alone.

Examples:
  recollect keys create --owner alice
  recollect keys create --owner alice --name laptop --scopes memory:read --expires 90d
  recollect keys create --owner alice --team research --projects apollo --json
  recollect keys create --owner shop --end-users

With --json it prints {id, token, owner, owner_kind, owner_id, user_is_new,
scopes, projects, path_prefix, buckets, expires_at}, with --tools also tools,
and with --owner and --team also member: {user, user_id, role, change}; change
is added, invited or unchanged. A team's owner_id is what callers pass as
team_id; user_is_new appears with --owner. The token is not stored, so keep it.`,
    )
    .action(async (options, command) => {
      const { owner: user, team } = options;
      if (user === undefined && team === undefined)
        command.error("error: give --owner NAME, the user the key is for, or --team NAME");
      await withTools(
        async (tools) => {
          const { owner, member, isNewUser } = await keyOwner(tools, user, team);
          const issued = await tools.credentials.issue({
            kind: "api_key",
            ownerId: owner.id,
            name: options.name ?? member?.user ?? null,
            scopes: options.endUsers
              ? [...new Set([...options.scopes, "users:act" as const])]
              : options.scopes,
            space: spaceOf(options, null),
            expiresAt: options.expires?.(tools.clock()) ?? null,
            toolSet: options.tools ?? null,
          });
          printIssued(issued, options.json === true, {
            isNewUser,
            json: { ...(options.tools && { tools: options.tools }), ...(member && { member }) },
            ...(member && {
              line: `member      ${printable(member.user)} is ${member.change === "invited" ? `invited as ${member.role}` : `${member.role} of the team`}${newcomer(isNewUser)}`,
            }),
          });
        },
        { makesDatabase: true },
      );
    });
}

/** The key's owner: the user, or the team with the user's role in it. */
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
  const { team, isNew, role: held } = await teams.create(teamName, user);
  const { role, change } =
    held === null
      ? await teams.provision(team.id, user, "member")
      : { role: held, change: isNew ? ("added" as const) : ("unchanged" as const) };
  return { owner: team, member: { user: user.name, user_id: user.id, role, change }, isNewUser };
}

function addList(keys: Command): void {
  keys
    .command("list")
    .description("List all credentials, newest first, without their secrets")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
The list includes API keys, agent and skill tokens, and the clients that people
let in with OAuth, revoked and expired ones too. HINT is the beginning of the
secret; TEAM is the team that a user's credential is confined to, and CONFINED TO
the path, projects and buckets. On a terminal that is too narrow for the table,
each credential is a block of lines.

With --json it prints an array of {id, kind, name, owner, owner_kind, owner_id,
scopes, team_id, projects, path_prefix, buckets, tools, agent_id, hint,
created_at, expires_at, revoked_at, last_used_at}; times are RFC 3339 in UTC, or null.

Examples:
  recollect keys list
  recollect keys list --json | jq -r '.[] | select(.revoked_at == null) | .id'`,
    )
    .action(async ({ json }) => {
      const listed = await withTools(({ credentials }) => credentials.list());
      printList(json, listed, {
        json: toListed,
        empty: "There are no keys yet. Create one with recollect keys create --owner NAME.",
        columns: [
          ["ID", ({ tokenId }) => tokenId],
          ["KIND", ({ kind }) => kind],
          ["NAME", ({ name }) => name ?? "-"],
          ["OWNER", ({ owner }) => (owner.kind === "user" ? owner.name : `${owner.name} (${owner.kind})`)],
          ["AGENT", ({ agentId }) => agentId ?? "-"],
          ["TEAM", ({ space }) => space.teamId ?? "-"],
          ["CONFINED TO", ({ space }) => confinement(space) ?? "-"],
          ["SCOPES", ({ scopes }) => scopes.join(",")],
          ["HINT", ({ hint }) => `${hint}…`],
          ["CREATED", ({ createdAt }) => minute(createdAt)],
          ["EXPIRES", ({ expiresAt }) => minute(expiresAt)],
          ["REVOKED", ({ revokedAt }) => minute(revokedAt)],
          ["LAST USED", ({ lastUsedAt }) => minute(lastUsedAt)],
        ],
      });
    });
}

/** A credential as JSON, without `onlyFor`: an ended credential's last operation is not shown. */
function toListed({ tokenId, owner, space, toolSet, onlyFor: _, ...credential }: ListedCredential) {
  return {
    id: tokenId,
    owner: owner.name,
    owner_kind: owner.kind,
    owner_id: owner.id,
    ...toWire({ ...space, ...credential }),
    tools: toolSet ?? null,
  };
}

function addRotate(keys: Command): void {
  keys
    .command("rotate")
    .description("Replace a key with a new one and print the new secret, once")
    .argument("<ID>", "The credential's id, from recollect keys list")
    .addOption(
      new Option("--overlap <SPAN>", "How long the old key stays valid: 12h, 30m; 0 ends it at once")
        .argParser(value(overlap))
        .default(1000 * OVERLAP_SECONDS, "24h"),
    )
    .option(
      "--expires <WHEN>",
      "When the new key expires: 90d, 12h, 2026-12-31 (default: when the old one would have)",
      value(expiry),
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
The new key has the same access as the old one. Put it wherever the old one is
used; the old one works until the overlap is over. If the output was lost, run
the command again: the first new key is revoked and another takes its place.
Once the new key has been used, or if the old key has ended, the command is
refused with exit status 1.

This works for API keys and skill tokens. Agents replace their own tokens
(POST /v1/agents/rotate), and whoever holds a key can replace it too
(POST /v1/keys/rotate). Rate limits and stored answers for an Idempotency-Key
belong to one key: the new one starts with neither.

Examples:
  recollect keys rotate 0199c1d2-7b3e-7c4f-9a5b-6d7e8f901234
  recollect keys rotate 0199c1d2-7b3e-7c4f-9a5b-6d7e8f901234 --overlap 1h --json

With --json it prints {id, token, owner, owner_kind, owner_id, scopes, projects,
path_prefix, buckets, expires_at, previous_id, previous_valid_until}. The token
is not stored, so keep it.`,
    )
    .action(async (id, { overlap, expires, json }) => {
      const rotated = await withTools(({ credentials, clock }) =>
        credentials.rotate(id, { overlapMs: overlap, ...(expires && { expiresAt: expires(clock()) }) }),
      );
      const until = iso(rotated.previousValidUntil);
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
    .argument("<ID>", "The credential's id, from recollect keys list")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
This revokes a credential of any kind. Revoking an agent's formal token revokes
the agent and all its tokens, as recollect agents revoke does. Revoking twice
changes nothing. The exit status is 1 if there is no such credential.
With --json it prints {id, status}.

Examples:
  recollect keys revoke 0199c1d2-7b3e-7c4f-9a5b-6d7e8f901234`,
    )
    .action(async (id, { json }) => {
      const isRevoked = await withTools(({ credentials }) => credentials.revoke(id));
      if (!isRevoked)
        throw new CommandFailure(
          "There is no credential with that id. Run recollect keys list to see them all.",
        );
      const text = `Revoked ${id}: it takes effect on running servers within a second.`;
      printResult(json, { id, status: "revoked" }, text);
    });
}

export function addSkills(program: Command): void {
  const skills = program
    .command("skills")
    .description("Issue tokens for skills")
    .addHelpText("after", WORKS_ON_DATABASE);
  skills
    .command("issue")
    .description("Issue a skill token and print its secret, once")
    .requiredOption("--owner <NAME>", "The user the skill acts for; created if new (required)", value(owner))
    .option("--team <NAME>", "Give access only to this team, within the user's role in it", value(owner))
    .addOption(labelOption())
    .addOption(scopesOption(grantableScopes))
    .addOption(projectsOption())
    .addOption(pathPrefixOption())
    .addOption(bucketsOption())
    .addOption(
      new Option(
        "--expires <WHEN>",
        `When it expires: 30d, 12h, 2026-12-31; at most ${SKILL_TOKEN_DAYS_MAX} days`,
      )
        .argParser(value(expiryWithin(SKILL_TOKEN_DAYS_MAX)))
        .default(expiry(`${SKILL_TOKEN_DAYS_MAX}d`), `${SKILL_TOKEN_DAYS_MAX}d`),
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
A skill token is for one program. Without --team it gives access to the user's
own memories and those of the user's teams. With --team it gives access only to
that team, within the role that the user has at that moment, and to nothing once
the user has left. The user must be a member of the team.
${credentialNotes(grantableScopes)}

Examples:
  recollect skills issue --owner alice --name expenses --buckets ledger --scopes memory:write,ledger:write
  recollect skills issue --owner alice --team research --scopes memory:read --expires 30d --json

With --json it prints {id, token, owner, owner_kind, owner_id, user_is_new,
scopes, projects, path_prefix, buckets, expires_at}, and with --team also {team,
team_id}. The token is not stored, so keep it. recollect keys list shows it
without its secret, and recollect keys revoke ends it.`,
    )
    .action(async (options) => {
      const { owner, team } = options;
      await withTools(
        async (tools) => {
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
        },
        { makesDatabase: true },
      );
    });
}

async function memberOf({ teams }: Tools, owner: string, team: string) {
  const user = await teams.findUser(owner);
  const joined = user ? await teams.teamsOf(user.id) : [];
  const membership = joined.find((one) => one.team.name === team);
  if (user && membership) return { user, isNew: false, teamId: membership.team.id };
  throw new CommandFailure(
    `${printable(owner)} is not a member of a team named ${printable(team)}. Add the user with recollect teams add.`,
  );
}

const labelOption = () =>
  new Option("--name <LABEL>", "A name to recognise it by").argParser(value(checked(text(1, 128))));
const projectsOption = () =>
  new Option("--projects <a,b>", "Give access only to these projects").argParser(value(list(projectId)));
const pathPrefixOption = () =>
  new Option("--path-prefix <PATH>", "Give access only to this path and below").argParser(
    value(checked(path)),
  );
const bucketsOption = () =>
  new Option("--buckets <a,b>", "Give access only to these buckets").argParser(value(list(bucket)));

interface SpaceOptions {
  readonly projects?: string[] | undefined;
  readonly pathPrefix?: string | undefined;
  readonly buckets?: string[] | undefined;
}

function spaceOf({ projects, pathPrefix, buckets }: SpaceOptions, teamId: string | null): TokenSpace {
  return { teamId, projects: projects ?? null, pathPrefix: pathPrefix ?? null, buckets: buckets ?? null };
}

/** The part of the memories that a credential is confined to, besides its team; null if it is not confined. */
function confinement({ projects, pathPrefix, buckets }: TokenSpace): string | null {
  const parts = [
    pathPrefix === null ? [] : `path ${pathPrefix}`,
    projects === null ? [] : `projects ${projects.join(", ")}`,
    buckets === null ? [] : `buckets ${buckets.join(", ")}`,
  ].flat();
  return parts.length === 0 ? null : parts.join("; ");
}

/** Further output about a credential: whether its user was created, members of the JSON, and a line for people. */
interface Addition {
  readonly isNewUser: boolean | undefined;
  readonly json?: Readonly<Record<string, unknown>>;
  readonly line?: string;
}

/** Prints a new credential with its secret, which is never shown again. */
function printIssued(
  { credential, secret }: { credential: ListedCredential; secret: string },
  asJson: boolean,
  { isNewUser, json, line }: Addition,
): void {
  const { tokenId, owner, expiresAt, space } = credential;
  const only = confinement(space);
  const { scopes } = credential;
  if (asJson) {
    printJson({
      id: tokenId,
      token: secret,
      owner: owner.name,
      owner_kind: owner.kind,
      owner_id: owner.id,
      user_is_new: isNewUser,
      ...toWire({
        scopes,
        projects: space.projects,
        pathPrefix: space.pathPrefix,
        buckets: space.buckets,
        expiresAt,
      }),
      ...json,
    });
    return;
  }
  print(
    [
      `id          ${tokenId}`,
      `token       ${secret}`,
      `owner       ${printable(owner.name)} (${owner.kind} ${owner.id})${newcomer(owner.kind === "user" && isNewUser)}`,
      `scopes      ${scopes.join(", ")}`,
      ...(only === null ? [] : [`confined to ${printable(only)}`]),
      `expires_at  ${iso(expiresAt) ?? "never"}`,
      ...(line === undefined ? [] : [line]),
    ].join("\n"),
  );
  say("Save the token now: it is not stored and cannot be shown again.");
}
