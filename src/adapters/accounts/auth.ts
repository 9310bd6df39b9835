import type { AnySql } from "./database.ts";

/** A session of better-auth that is valid now. */
interface BetterSession {
  readonly session: { readonly id: string };
  readonly user: { readonly id: string };
}

/** The part of better-auth that is used here, in types that say no more than that. */
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

/** The session of the request's cookie; null without one that is valid now. */
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
 * Rejects with the error, unless the database is away: then with the driver's own error. Of some faults better-auth
 * tells no more than that there was one.
 */
export async function failWith(sql: AnySql, error: unknown): Promise<never> {
  await sql`select 1`;
  throw error;
}

/** The request's cookies alone: nothing else of it may decide anything here. */
export function cookiesOf(headers: Headers): Headers {
  return new Headers({ cookie: headers.get("cookie") ?? "" });
}
