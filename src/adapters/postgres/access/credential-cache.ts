import type { ListedCredential } from "../../../core/access/credential-store.ts";

/** Short enough that a revocation on another replica is obeyed within a second. */
const KEPT_MS = 500;
const ENTRIES_MAX = 10_000;

interface Entry {
  readonly credential: Promise<ListedCredential | null>;
  readonly until: number;
}

/** Remembers valid credentials for half a second, so that a burst of requests asks the database once. */
export function createCredentialCache(lookUp: (hash: string) => Promise<ListedCredential | null>) {
  const entries = new Map<string, Entry>();

  return {
    async get(hash: string): Promise<ListedCredential | null> {
      const now = performance.now();
      const known = entries.get(hash);
      if (known && known.until > now) return unexpired(await known.credential);
      if (entries.size >= ENTRIES_MAX) entries.clear();
      const credential = lookUp(hash);
      entries.set(hash, { credential, until: now + KEPT_MS });
      // Unknown secrets and failures are not kept: a new key works at once, and strangers cannot fill the cache.
      const found = await credential.catch((error) => {
        entries.delete(hash);
        throw error;
      });
      if (!found) entries.delete(hash);
      return found;
    },
    clear(): void {
      entries.clear();
    },
  };
}

function unexpired(credential: ListedCredential | null): ListedCredential | null {
  const isExpired = credential?.expiresAt != null && credential.expiresAt <= Date.now();
  return isExpired ? null : credential;
}
