import type { CredentialStore } from "../core/access/credential-store.ts";
import type { OAuthServer } from "../core/access/oauth.ts";

/**
 * The store, with the access tokens of OAuth among its secrets. Keys of ours begin with their prefix, and a bootstrap
 * key may look like anything: only what has the form of a signed token is tried as one, and then as a key.
 */
export function withOAuth<Store extends CredentialStore>(
  store: Store,
  oauth: Pick<OAuthServer, "authenticate">,
): Store {
  return {
    ...store,
    authenticate: async (secret) =>
      (isSigned(secret) ? await oauth.authenticate(secret) : null) ?? (await store.authenticate(secret)),
  };
}

function isSigned(secret: string): boolean {
  return !secret.startsWith("rcl_") && secret.split(".").length === 3;
}
