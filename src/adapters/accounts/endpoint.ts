/** The common part of all OAuth endpoints: read the request, pass only that to better-auth, answer. */
import type { Attempts } from "./attempts.ts";
import { type Auth, failWith } from "./auth.ts";
import type { AnySql } from "./database.ts";
import type { DocumentFetches } from "./document-fetches.ts";
import type { Grants } from "./grants.ts";
import type { Places } from "./places.ts";
import type { RefreshTokens } from "./refresh-tokens.ts";

export interface EndpointDependencies {
  readonly sql: AnySql;
  readonly auth: Auth;
  readonly places: Places;
  readonly grants: Grants;
  readonly refreshTokens: RefreshTokens;
  readonly attempts: Attempts;
  readonly documents: DocumentFetches;
}

/**
 * Passes only the given parts of a request to better-auth: no forwarding headers, no proof of possession and, unless
 * named, no cookies.
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

/** Passes a form to an endpoint at which a client authenticates. */
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

/** Larger than any OAuth request. */
const BODY_BYTES_MAX = 64 * 1024;

/** Reads the body as text; null if it is too large or not UTF-8. */
export async function readText(request: Request): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > BODY_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Reads the parameters of a form; null if the body is not a form, or repeats a parameter that must be unique. */
export async function readForm(request: Request): Promise<URLSearchParams | null> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) return null;
  const text = await readText(request);
  if (text === null) return null;
  const form = new URLSearchParams(text);
  return isRepeating(form) ? null : form;
}

/** True if a parameter is repeated, which RFC 6749 (section 3.1) forbids. `resource` may be repeated (RFC 8707). */
export function isRepeating(parameters: URLSearchParams): boolean {
  return [...parameters.keys()].some((name) => name !== "resource" && parameters.getAll(name).length > 1);
}

/** Creates a JSON response that must not be cached unless `headers` say otherwise. */
export function json(body: unknown, status: number, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { "cache-control": "no-store", ...headers } });
}

/** An error of OAuth (RFC 6749, section 5.2). */
export function oauthError(
  status: number,
  error: string,
  description: string,
  headers: Record<string, string> = {},
): Response {
  return json({ error, error_description: description }, status, headers);
}

/** Redirects the browser to the client or to one of our pages. */
export function redirect(location: string): Response {
  return new Response(null, { status: 302, headers: { location, "cache-control": "no-store" } });
}
