/** Rights of a credential. Scopes never widen what the owner, team or token space allows. */
export const scopes = {
  "memory:read": "Recall, search, list and read memories",
  "memory:write": "Write, change, delete and restore memories",
  "memory:update": "Change memories",
  "memory:delete": "Soft-delete memories",
  "memory:restore": "Restore soft-deleted memories",
  "memory:redact": "Redact memories permanently",
  "memory:hard_delete": "Delete memories permanently",
  "knowledge:read": "Read the bucket and type knowledge",
  "ledger:write": "Write the bucket ledger",
  "users:act": "Act for the application's end users, each in a space of their own",
  "owner:erase": "Erase the user, or a team of theirs, with everything they own",
} as const;

export type Scope = keyof typeof scopes;

/** Scopes that only a person's own keys may have, never an agent, app or skill. */
const ownKeysAlone: readonly Scope[] = ["owner:erase"];

/** All scopes that an agent, app or skill may be granted. */
export const grantableScopes: readonly Scope[] = (Object.keys(scopes) as Scope[]).filter(
  (scope) => !ownKeysAlone.includes(scope),
);

/** All scopes that a token confined to one end user may have. */
export const endUserScopes: readonly Scope[] = grantableScopes.filter((scope) => scope !== "users:act");

/** Older scope names, still accepted as input. */
export const scopeAliases: Readonly<Record<string, Scope>> = {
  "read:memories": "memory:read",
  "write:memories": "memory:write",
};

/** Scopes that `memory:write` includes. */
export const includedInWrite: readonly Scope[] = [
  "memory:update",
  "memory:delete",
  "memory:restore",
  "memory:redact",
  "memory:hard_delete",
];

/** Returns the scope of a name or alias; null if there is none. There is no wildcard. */
export function scopeNamed(name: string): Scope | null {
  const resolved = scopeAliases[name] ?? name;
  return Object.hasOwn(scopes, resolved) ? (resolved as Scope) : null;
}

/** Rights of a team's member: viewers read, members write, admins and owners also maintain and permanently delete. */
export const teamRoles = ["owner", "admin", "member", "viewer"] as const;
