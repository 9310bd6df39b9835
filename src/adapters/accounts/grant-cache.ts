import type { Credential } from "../../core/access/credential.ts";
import type { GrantReference, Grants } from "./grants.ts";

/** Short enough that a revocation on another replica is obeyed within a second. */
const KEPT_MS = 500;
const ENTRIES_MAX = 10_000;

interface Entry {
  readonly credential: Promise<Credential | null>;
  readonly until: number;
}

/** Remembers grants that stand for half a second, so that a burst of requests asks the database once. */
export function createGrantCache(grants: Pick<Grants, "find">) {
  const entries = new Map<string, Entry>();

  return {
    async find(reference: GrantReference): Promise<Credential | null> {
      const key = JSON.stringify([reference.grantId, reference.accountId, reference.clientId]);
      const known = entries.get(key);
      if (known && known.until > performance.now()) return known.credential;
      if (entries.size >= ENTRIES_MAX) entries.clear();
      const credential = grants.find(reference);
      entries.set(key, { credential, until: performance.now() + KEPT_MS });
      const found = await credential.catch((error) => {
        entries.delete(key);
        throw error;
      });
      if (!found) entries.delete(key);
      return found;
    },
    clear(): void {
      entries.clear();
    },
  };
}
