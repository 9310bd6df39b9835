/** The common part of all OAuth endpoints: read the request, pass only that to better-auth, answer. */
import type { Attempts } from "./attempts.ts";
import { type Auth, failWith } from "./auth.ts";
import type { AnySql } from "./database.ts";
import type { DocumentFetches } from "./document-fetches.ts";
import type { Grants } from "./grants.ts";
import type { Places } from "./places.ts";
import type { RefreshTokens } from "./refresh-tokens.ts";

/** Dependencies of the endpoints. */
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

/** No request of OAuth is larger. */
const BODY_BYTES_MAX = 64 * 1024;

/** The body as text; null where it is larger than any may be, or not UTF-8. */
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

/** The parameters of a form; null where the body is none, or a parameter that may be given once is repeated. */
export async function readForm(request: Request): Promise<URLSearchParams | null> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) return null;
  const text = await readText(request);
  if (text === null) return null;
  const form = new URLSearchParams(text);
  return isRepeating(form) ? null : form;
}

/** RFC 6749, section 3.1: a parameter is given once. A resource may be given more than once (RFC 8707). */
export function isRepeating(parameters: URLSearchParams): boolean {
  return [...parameters.keys()].some((name) => name !== "resource" && parameters.getAll(name).length > 1);
}

/** A JSON response that no cache stores, unless `headers` say otherwise. */
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

/** Sends the browser on, to the client or to a page of ours. */
export function redirect(location: string): Response {
  return new Response(null, { status: 302, headers: { location, "cache-control": "no-store" } });
}
