import type { ListedCredential } from "../../core/access/credential-store.ts";
import { command, group, json } from "../command.ts";
import { CommandFailure, UsageError } from "../failure.ts";
import { CREDENTIAL_NOTES, credentialFlags, printIssued, readCredentialFlags } from "../new-credential.ts";
import { type Tools, withTools } from "../open.ts";
import { print, printable, printJson, table } from "../terminal.ts";
import { expiryOf, iso, optionalOwnerName } from "../values.ts";

const create = command(
  {
    meta: { name: "create", description: "Make an API key and print its secret, this once" },
    args: {
      owner: { type: "string", valueHint: "NAME", description: "The user the key is for; made if new" },
      team: {
        type: "string",
        valueHint: "NAME",
        description: "The key belongs to this team instead, which the user joins; made if new",
      },
      ...credentialFlags,
      expires: { type: "string", valueHint: "WHEN", description: "90d, 12h, 2026-12-31; never unless given" },
      ...json,
    },
    async run({ args }) {
      const wanted = readWanted(args);
      return withTools(async (tools) => {
        const expiresAt = expiryOf(args.expires, tools.clock());
        const { owner, member } = await ownerOf(tools, wanted);
        const issued = await tools.credentials.issue({
          kind: "api_key",
          ownerId: owner.id,
          name: wanted.name ?? member?.user ?? null,
          scopes: wanted.scopes,
          space: { teamId: null, ...wanted.space },
          expiresAt,
        });
        const line = member && `member      ${printable(member.user)} is ${member.role} of the team`;
        printIssued(issued, args.json === true, member && { json: { member }, line: line as string });
      });
    },
  },
  {
    notes: `${CREDENTIAL_NOTES}

With --team the key is the team's: it reaches what is the team's and nothing else, until it is revoked, whatever
becomes of the user. The user becomes a member, so that its own keys reach the team too: owner where the team has no
member yet, member otherwise. One who is a member already keeps its role. Without --owner nobody joins.

EXAMPLES

  recollect keys create --owner alice
  recollect keys create --owner alice --name laptop --scopes memory:read --expires 90d
  recollect keys create --owner alice --team research --projects apollo --json

It prints {id, token, owner, owner_kind, owner_id, scopes, expires_at}, and with --owner and --team also
member: {user, user_id, role}. A team's owner_id is what callers give as team_id.
The token is not stored: keep it.`,
  },
);

interface OwnerFlags {
  owner?: string | undefined;
  team?: string | undefined;
  expires?: string | undefined;
}

function readWanted(args: OwnerFlags & Parameters<typeof readCredentialFlags>[0]) {
  const user = optionalOwnerName("--owner", args.owner);
  const team = optionalOwnerName("--team", args.team);
  if (user === null && team === null) throw new UsageError("--owner is missing: whose key is it?");
  // Checked here too, so that a bad value is told before anything is opened.
  expiryOf(args.expires, Date.now());
  return { user, team, ...readCredentialFlags(args) };
}

/** Whose the key is: the user's, or the team's, and then what the user is in it. */
async function ownerOf(
  { credentials, teams }: Tools,
  wanted: { readonly user: string | null; readonly team: string | null },
) {
  if (wanted.user === null) {
    return { owner: await credentials.ensureOwner("team", wanted.team as string), member: null };
  }
  const user = await credentials.ensureOwner("user", wanted.user);
  if (wanted.team === null) return { owner: user, member: null };
  const { team, role } = await teams.create(wanted.team, user);
  const held = role ?? (await teams.add(team.id, user.id, "member")).role;
  return { owner: team, member: { user: user.name, user_id: user.id, role: held } };
}

const list = command(
  {
    meta: { name: "list", description: "List every credential, newest first, without its secret" },
    args: json,
    async run({ args }) {
      const listed = await withTools(({ credentials }) => credentials.list());
      if (args.json) printJson(listed.map(toListed));
      else if (listed.length === 0)
        print("There is no key yet: recollect keys create --owner NAME makes one.");
      else print(tableOf(listed));
    },
  },
  {
    notes: `
Of every kind: API keys, agents' and skills' tokens, and the clients that people let in by OAuth. Revoked and expired
ones are listed too. hint is how the secret begins; TEAM is the one team that a user's credential is confined to.

With --json it prints an array of {id, kind, name, owner, owner_kind, owner_id, scopes, team_id, projects,
path_prefix, buckets, agent_id, hint, created_at, expires_at, revoked_at, last_used_at}; times are RFC 3339 in UTC or
null.

EXAMPLES

  recollect keys list
  recollect keys list --json | jq -r '.[] | select(.revoked_at == null) | .id'`,
  },
);

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

function minute(instant: number | null): string {
  return iso(instant)?.slice(0, 16).concat("Z") ?? "-";
}

const revoke = command(
  {
    meta: { name: "revoke", description: "Revoke a credential for good" },
    args: {
      id: { type: "positional", required: true, description: "Its id, as keys list shows it" },
      ...json,
    },
    async run({ args }) {
      const isRevoked = await withTools(({ credentials }) => credentials.revoke(args.id));
      if (!isRevoked)
        throw new CommandFailure("There is no credential of that id. recollect keys list shows them.");
      if (args.json) printJson({ id: args.id, status: "revoked" });
      else print(`Revoked ${args.id}. Running servers obey within a second.`);
    },
  },
  {
    notes: `
It ends a credential of any kind; recollect agents revoke ends an agent with all its tokens.
Revoking twice changes nothing. The exit status is 1 where there is no such credential.
An agent's formal token is revoked with the agent and all its tokens.
With --json it prints {id, status}.

EXAMPLES

  recollect keys revoke 0199c1d2-7b3e-7c4f-9a5b-6d7e8f901234`,
  },
);

export const keysCommand = group(
  { name: "keys", description: "Make API keys; list and revoke credentials of every kind" },
  { create, list, revoke },
  "It works on the database itself, beside a running server if there is one.",
);
