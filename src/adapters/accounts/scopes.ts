import { type Scope, scopeNamed, scopes } from "../../contract/scope.ts";

/** With it a client gets a refresh token. Every client may have one: its grant is what ends. */
export const OFFLINE = "offline_access";

/** Every scope there is for clients. */
export const OAUTH_SCOPES: readonly string[] = [...Object.keys(scopes), OFFLINE];

/** What a client asks for that does not say. */
export const DEFAULT_SCOPES: readonly Scope[] = ["memory:read", "memory:write"];

/** Scopes of OpenID Connect, which many clients ask for everywhere. There is no identity to be had here. */
const OF_IDENTITY = ["openid", "profile", "email", OFFLINE];

/** Of the scopes named, those that there are here, each once. */
export function knownScopes(named: string): Scope[] {
  return [...new Set(words(named).flatMap((name) => scopeNamed(name) ?? []))];
}

/**
 * The scopes to ask a person for: what the client named and there is, or the default where it named none of its own.
 * null where it named unknown ones only.
 */
export function scopesToAsk(named: string): readonly Scope[] | null {
  const known = knownScopes(named);
  if (known.length > 0) return known;
  return words(named).every((name) => OF_IDENTITY.includes(name)) ? DEFAULT_SCOPES : null;
}

function words(text: string): string[] {
  return text.split(" ").filter((word) => word !== "");
}
