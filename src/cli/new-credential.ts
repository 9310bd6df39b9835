import type { ArgsDef } from "citty";
import { bucket, path, projectId, text } from "../contract/primitives.ts";
import { type Scope, scopes } from "../contract/scope.ts";
import type { TokenSpace } from "../core/access/credential.ts";
import type { ListedCredential } from "../core/access/credential-store.ts";
import { print, printable, printJson, say } from "./terminal.ts";
import { iso, listOf, optional, scopesOf } from "./values.ts";

/** The flags of every command that issues a credential, but for whose it is and when it ends. */
export const credentialFlags = {
  name: { type: "string", valueHint: "LABEL", description: "What you will recognise it by" },
  scopes: {
    type: "string",
    valueHint: "a,b",
    default: "memory:read,memory:write",
    description: "What it may do",
  },
  projects: { type: "string", valueHint: "a,b", description: "Only these projects" },
  "path-prefix": { type: "string", valueHint: "PATH", description: "Only this path and what is below it" },
  buckets: { type: "string", valueHint: "a,b", description: "Only these buckets" },
} as const satisfies ArgsDef;

/** What the help says of them. */
export const CREDENTIAL_NOTES = `
The scopes are: ${Object.keys(scopes).join(", ")}.
memory:write covers update, delete, restore, redact and hard_delete. The older names read:memories and
write:memories are taken as well. A date means the end of that day in UTC.`;

interface GivenFlags {
  name?: string | undefined;
  scopes: string;
  projects?: string | undefined;
  "path-prefix"?: string | undefined;
  buckets?: string | undefined;
}

/** What the flags ask for. `UsageError` names the one that is not valid. */
export function readCredentialFlags(args: GivenFlags): {
  name: string | null;
  scopes: Scope[];
  space: Omit<TokenSpace, "teamId">;
} {
  return {
    name: optional("--name", text(1, 128), args.name),
    scopes: scopesOf(args.scopes),
    space: {
      projects: listOf("--projects", projectId, args.projects),
      pathPrefix: optional("--path-prefix", path, args["path-prefix"]),
      buckets: listOf("--buckets", bucket, args.buckets),
    },
  };
}

/** One more thing to tell of a credential: a member of the JSON, and a line for people. */
interface Addition {
  readonly json: Readonly<Record<string, unknown>>;
  readonly line: string;
}

/** The one time its secret is shown. */
export function printIssued(
  { credential, secret }: { credential: ListedCredential; secret: string },
  asJson: boolean,
  more: Addition | null = null,
): void {
  const { tokenId, owner, expiresAt } = credential;
  if (asJson) {
    printJson({
      id: tokenId,
      token: secret,
      owner: owner.name,
      owner_kind: owner.kind,
      owner_id: owner.id,
      scopes: credential.scopes,
      expires_at: iso(expiresAt),
      ...more?.json,
    });
    return;
  }
  print(
    [
      `id          ${tokenId}`,
      `token       ${secret}`,
      `owner       ${printable(owner.name)} (${owner.kind} ${owner.id})`,
      `scopes      ${credential.scopes.join(", ")}`,
      `expires_at  ${iso(expiresAt) ?? "never"}`,
      ...(more ? [more.line] : []),
    ].join("\n"),
  );
  say("Keep the token now: it is not stored and cannot be shown again.");
}
