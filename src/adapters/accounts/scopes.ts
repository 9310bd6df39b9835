import { grantableScopes, type Scope, scopeNamed } from "../../contract/scope.ts";

/** With it a client gets a refresh token. Every client may have one: its grant is what ends. */
export const OFFLINE = "offline_access";

/** Every scope that a client may have. */
export const OAUTH_SCOPES: readonly string[] = [...grantableScopes, OFFLINE];

/** Scopes of a client that names none. */
export const DEFAULT_SCOPES: readonly Scope[] = ["memory:read", "memory:write"];

/** Scopes of OpenID Connect, which many clients ask for everywhere. This service tells no client who its user is. */
const OF_IDENTITY = ["openid", "profile", "email", OFFLINE];

/** The named scopes that a client may have, each once. */
export function knownScopes(named: string): Scope[] {
  const found = words(named).flatMap((name) => scopeNamed(name) ?? []);
  return [...new Set(found)].filter((scope) => grantableScopes.includes(scope));
}

/**
 * The scopes to ask a person for: those that the client named and that exist here, or the default where it named none
 * of ours. null where it named only unknown ones.
 */
export function scopesToAsk(named: string): readonly Scope[] | null {
  const known = knownScopes(named);
  if (known.length > 0) return known;
  return words(named).every((name) => OF_IDENTITY.includes(name)) ? DEFAULT_SCOPES : null;
}

function words(text: string): string[] {
  return text.split(" ").filter((word) => word !== "");
}
