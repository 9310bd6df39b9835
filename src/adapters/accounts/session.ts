import type { Auth } from "./auth.ts";
import type { AnySql } from "./database.ts";

/** The session of the request's cookie; null without one that is valid now. */
export async function sessionOf(
  { auth, sql }: { readonly auth: Auth; readonly sql: AnySql },
  headers: Headers,
): Promise<{ user: { id: string } } | null> {
  try {
    return await auth.api.getSession({ headers: cookiesOf(headers) });
  } catch (error) {
    return failWith(sql, error);
  }
}

/**
 * Rejects with the error, unless the database is away: then with what the driver says of that. better-auth says of some
 * faults no more than that there was one.
 */
export async function failWith(sql: AnySql, error: unknown): Promise<never> {
  await sql`select 1`;
  throw error;
}

/** Nothing of the request but its cookies may decide anything here. */
export function cookiesOf(headers: Headers): Headers {
  return new Headers({ cookie: headers.get("cookie") ?? "" });
}
