import type { AnySql } from "./database.ts";

interface BetterSession {
  readonly session: { readonly id: string };
  readonly user: { readonly id: string };
}

/** The subset of better-auth that is used here, with minimal types. */
export interface Auth {
  handler(request: Request): Promise<Response>;
  readonly api: {
    getSession(given: { headers: Headers }): Promise<BetterSession | null>;
    signInEmail(given: {
      body: { email: string; password: string };
      returnHeaders: true;
    }): Promise<{ headers: Headers; response: { user: { id: string } } }>;
    signOut(given: { headers: Headers; returnHeaders: true }): Promise<{ headers: Headers }>;
    getJwks(): Promise<{ keys: { kty: string }[] }>;
    getOAuthServerConfig(): Promise<Record<string, unknown>>;
    /** Rejects with a `statusCode` below 500 unless the query is signed by this service, and has not expired. */
    getOAuthClientPublicPrelogin(given: {
      body: { client_id: string; oauth_query: string };
    }): Promise<{ client_name?: string; client_uri?: string }>;
  };
  readonly $context: Promise<{ readonly password: { hash(password: string): Promise<string> } }>;
}

/** Returns the session of the request's cookie; null without a valid one. */
export async function sessionOf(
  { auth, sql }: { readonly auth: Auth; readonly sql: AnySql },
  headers: Headers,
): Promise<BetterSession | null> {
  try {
    return await auth.api.getSession({ headers: cookiesOf(headers) });
  } catch (error) {
    return failWith(sql, error);
  }
}

/**
 * Rejects with the error or, if the database is unavailable, with the driver's error, because better-auth hides the
 * cause of some faults.
 */
export async function failWith(sql: AnySql, error: unknown): Promise<never> {
  await sql`select 1`;
  throw error;
}

/** Returns only the request's cookies, since no other header may have any effect here. */
export function cookiesOf(headers: Headers): Headers {
  return new Headers({ cookie: headers.get("cookie") ?? "" });
}
