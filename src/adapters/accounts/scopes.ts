import { grantableScopes, type Scope, scopeNamed } from "../../contract/scope.ts";

/** The scope with which a client gets a refresh token. Allowed for every client, since its grant can be revoked. */
export const OFFLINE = "offline_access";

export const OAUTH_SCOPES: readonly string[] = [...grantableScopes, OFFLINE];

/** Default scopes of a client that names none. */
export const DEFAULT_SCOPES: readonly Scope[] = ["memory:read", "memory:write"];

/** Scopes of OpenID Connect, which many clients always request. This service does not reveal the user's identity. */
const OF_IDENTITY = ["openid", "profile", "email", OFFLINE];

/** Returns the named scopes that a client may have, without duplicates. */
export function knownScopes(named: string): Scope[] {
  const found = words(named).flatMap((name) => scopeNamed(name) ?? []);
  return [...new Set(found)].filter((scope) => grantableScopes.includes(scope));
}

/**
 * Returns the scopes to ask a person for: the existing ones that the client named, or the default if it named none.
 * null if it named only unknown ones.
 */
export function scopesToAsk(named: string): readonly Scope[] | null {
  const known = knownScopes(named);
  if (known.length > 0) return known;
  return words(named).every((name) => OF_IDENTITY.includes(name)) ? DEFAULT_SCOPES : null;
}

function words(text: string): string[] {
  return text.split(" ").filter((word) => word !== "");
}
