import { bucket, path, projectId, text } from "../../contract/primitives.ts";
import { scopes } from "../../contract/scope.ts";
import type { ListedCredential } from "../../core/credential/credential-store.ts";
import { command, group, json } from "../command.ts";
import { CommandFailure, UsageError } from "../failure.ts";
import { withTools } from "../open.ts";
import { print, printable, printJson, say, table } from "../terminal.ts";
import { expiryOf, listOf, optional, optionalOwnerName, scopesOf } from "../values.ts";

const DEFAULT_SCOPES = "memory:read,memory:write";

const create = command(
  {
    meta: { name: "create", description: "Make an API key and print its secret, this once" },
    args: {
      owner: { type: "string", valueHint: "NAME", description: "The user the key is for; made if new" },
      team: {
        type: "string",
        valueHint: "NAME",
        description: "The key belongs to this team instead; made if new",
      },
      name: { type: "string", valueHint: "LABEL", description: "What you will recognise the key by" },
      scopes: { type: "string", valueHint: "a,b", default: DEFAULT_SCOPES, description: "What it may do" },
      projects: { type: "string", valueHint: "a,b", description: "Only these projects" },
      "path-prefix": {
        type: "string",
        valueHint: "PATH",
        description: "Only this path and what is below it",
      },
      buckets: { type: "string", valueHint: "a,b", description: "Only these buckets" },
      expires: { type: "string", valueHint: "WHEN", description: "90d, 12h, 2026-12-31; never unless given" },
      ...json,
    },
    async run({ args }) {
      const wanted = readWanted(args);
      return withTools(async ({ credentials, clock }) => {
        const expiresAt = expiryOf(args.expires, clock());
        // With a team the user is made too: the key is that person's way in, the memories are the team's.
        const user = wanted.user === null ? null : await credentials.ensureOwner("user", wanted.user);
        const owner = wanted.team === null ? user : await credentials.ensureOwner("team", wanted.team);
        if (owner === null) throw new UsageError("--owner or --team is missing.");
        const { credential, secret } = await credentials.issue({
          kind: "api_key",
          ownerId: owner.id,
          name: wanted.name,
          scopes: wanted.scopes,
          space: wanted.space,
          expiresAt,
        });
        printCreated(credential, secret, args.json === true);
      });
    },
  },
  {
    notes: `
The scopes are: ${Object.keys(scopes).join(", ")}.
memory:write covers update, delete, restore, redact and hard_delete. The older names read:memories and
write:memories are taken as well. A date means the end of that day in UTC.

EXAMPLES

  recollect keys create --owner alice
  recollect keys create --owner alice --name laptop --scopes memory:read --expires 90d
  recollect keys create --owner alice --team research --projects apollo --json

It prints {id, token, owner, owner_kind, owner_id, scopes, expires_at}. The token is not stored: keep it.`,
  },
);

function readWanted(args: {
  owner?: string | undefined;
  team?: string | undefined;
  name?: string | undefined;
  scopes: string;
  projects?: string | undefined;
  "path-prefix"?: string | undefined;
  buckets?: string | undefined;
  expires?: string | undefined;
}) {
  const user = optionalOwnerName("--owner", args.owner);
  const team = optionalOwnerName("--team", args.team);
  if (user === null && team === null) throw new UsageError("--owner is missing: whose key is it?");
  // Checked here too, so that a bad value is told before anything is opened.
  expiryOf(args.expires, Date.now());
  return {
    user,
    team,
    name: optional("--name", text(1, 128), args.name) ?? (team === null ? null : user),
    scopes: scopesOf(args.scopes),
    space: {
      projects: listOf("--projects", projectId, args.projects),
      pathPrefix: optional("--path-prefix", path, args["path-prefix"]),
      buckets: listOf("--buckets", bucket, args.buckets),
    },
  };
}

function printCreated(credential: ListedCredential, token: string, asJson: boolean): void {
  const { tokenId, owner, scopes, expiresAt } = credential;
  if (asJson) {
    printJson({
      id: tokenId,
      token,
      owner: owner.name,
      owner_kind: owner.kind,
      owner_id: owner.id,
      scopes,
      expires_at: iso(expiresAt),
    });
    return;
  }
  print(
    [
      `id          ${tokenId}`,
      `token       ${token}`,
      `owner       ${printable(owner.name)} (${owner.kind} ${owner.id})`,
      `scopes      ${scopes.join(", ")}`,
      `expires_at  ${iso(expiresAt) ?? "never"}`,
    ].join("\n"),
  );
  say("Keep the token now: it is not stored and cannot be shown again.");
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
Revoked and expired ones are listed too. hint is how the secret begins.

With --json it prints an array of {id, kind, name, owner, owner_kind, owner_id, scopes, projects, path_prefix,
buckets, agent_id, hint, created_at, expires_at, revoked_at, last_used_at}; times are RFC 3339 in UTC or null.

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
    credential.owner.kind === "team" ? `${credential.owner.name} (team)` : credential.owner.name,
    credential.scopes.join(","),
    `${credential.hint}…`,
    minute(credential.createdAt),
    minute(credential.expiresAt),
    minute(credential.revokedAt),
    minute(credential.lastUsedAt),
  ]);
  return table(header, rows);
}

function iso(instant: number | null): string | null {
  return instant === null ? null : new Date(instant).toISOString();
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
Revoking twice changes nothing. The exit status is 1 where there is no such credential.
With --json it prints {id, status}.

EXAMPLES

  recollect keys revoke 0199c1d2-7b3e-7c4f-9a5b-6d7e8f901234`,
  },
);

export const keysCommand = group(
  { name: "keys", description: "Make, list and revoke API keys" },
  { create, list, revoke },
  "It works on the database itself, beside a running server if there is one.",
);
