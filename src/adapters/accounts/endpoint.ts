import type { Attempts } from "./attempts.ts";
import type { Auth } from "./auth.ts";
import type { AnySql } from "./database.ts";
import type { Grants } from "./grants.ts";
import type { Places } from "./places.ts";
import { failWith } from "./session.ts";

/** What an endpoint of OAuth stands on. */
export interface EndpointDependencies {
  readonly sql: AnySql;
  readonly auth: Auth;
  readonly places: Places;
  readonly grants: Grants;
  readonly attempts: Attempts;
}

/**
 * Passes a request to better-auth with nothing of the original but what is given: no forwarding header, no proof of
 * possession and, unless it is named, no cookie reaches it.
 */
export async function ask(
  { auth, places, sql }: EndpointDependencies,
  path: string,
  request: { method: "GET" | "POST"; headers?: Record<string, string | null>; body?: string },
): Promise<Response> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    if (value !== null) headers.set(name, value);
  }
  const body = request.body === undefined ? {} : { body: request.body };
  const answer = await auth.handler(
    new Request(`${places.issuer}${path}`, { method: request.method, headers, ...body }),
  );
  if (answer.status >= 500) return failWith(sql, new Error(`better-auth answered ${answer.status}.`));
  return answer;
}

/** Passes a form to an endpoint that a client authenticates at. */
export function askAsClient(
  dependencies: EndpointDependencies,
  path: string,
  request: Request,
  form: URLSearchParams,
): Promise<Response> {
  return ask(dependencies, path, {
    method: "POST",
    headers: {
      authorization: request.headers.get("authorization"),
      "content-type": "application/x-www-form-urlencoded",
      accept: "application/json",
    },
    body: form.toString(),
  });
}
