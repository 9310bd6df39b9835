import type { Accounts } from "../../core/access/accounts.ts";
import type { OAuthServer } from "../../core/access/oauth.ts";
import { createAccounts } from "./accounts.ts";
import { createAttempts } from "./attempts.ts";
import type { Auth } from "./auth.ts";
import { connect, type OpenPool } from "./database.ts";
import { createDocumentFetches } from "./document-fetches.ts";
import { createGrants, type RequireRoom } from "./grants.ts";
import { createOAuthServer } from "./oauth-server.ts";
import { placesOf } from "./places.ts";
import { createRefreshTokens } from "./refresh-tokens.ts";

export interface AccountsOptions {
  readonly openPool: OpenPool;
  /** The address at which browsers and clients reach the service. */
  readonly publicUrl: string;
  /** Returns the secret that protects sessions, the same on every replica. Called once, on first use. */
  readonly secret: () => Promise<string>;
  /** Fetches the document that a client's id names; see `guarded-fetch.ts`. */
  readonly fetchOutbound: typeof fetch;
  readonly requireRoom: RequireRoom;
  /** Reports faults, without the data they concern. */
  readonly report: (error: unknown) => void;
}

export interface OpenAccounts {
  readonly accounts: Accounts;
  readonly oauth: OAuthServer;
  close(): Promise<void>;
}

/**
 * Accounts, sessions and the OAuth server, on the database that the pool is opened on. Lazy: better-auth is loaded, and
 * the pool connects, on the first request that needs them.
 */
export function openAccounts(options: AccountsOptions): OpenAccounts {
  const { publicUrl, report } = options;
  const sql = connect(options.openPool);
  const places = placesOf(publicUrl);
  const attempts = createAttempts(sql);
  const grants = createGrants(sql, options.requireRoom);
  const secret = once(options.secret);
  const refreshTokens = createRefreshTokens(sql, secret);
  const documents = createDocumentFetches(options.fetchOutbound);
  const auth = once(async (): Promise<Auth> => {
    const [{ createBetterAuth }, key] = await Promise.all([import("./better-auth.ts"), secret()]);
    const grantOf = grants.idOf;
    const better = createBetterAuth({ sql, secret: key, places, grantOf, refreshTokens, documents, report });
    // better-auth queries the database as it starts. If that fails it stays broken, so a new instance is created.
    await better.$context;
    return better;
  });
  return {
    accounts: createAccounts({ sql, auth, attempts }),
    oauth: createOAuthServer({ sql, auth, grants, refreshTokens, attempts, places, documents }),
    close: () => sql.end({ timeout: 5 }),
  };
}

/** Creates a value once. A failure is retried on the next request. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
