/** The routes of OAuth, and its metadata. */
import { SERVICE_NAME } from "../../contract/service.ts";
import type { Auth } from "./auth.ts";
import { AUTHORIZE_PATH, authorize } from "./authorize.ts";
import { ask, type EndpointDependencies, json, oauthError, redirect } from "./endpoint.ts";
import type { Places } from "./places.ts";
import { REGISTER_PATH, register } from "./registration.ts";
import { DEFAULT_SCOPES } from "./scopes.ts";
import { REVOKE_PATH, revoke, TOKEN_PATH, token } from "./tokens.ts";

type Handler = (
  dependencies: EndpointDependencies,
  request: Request,
  address: string | null,
) => Promise<Response>;

const JWKS_PATH = "/oauth2/jwks";
const RESOURCE_METADATA = "/.well-known/oauth-protected-resource";
const SERVER_METADATA = "/.well-known/oauth-authorization-server";

/** All exposed endpoints. No other endpoint of better-auth can be reached from outside. */
const ROUTES: Readonly<Record<string, { readonly GET?: Handler; readonly POST?: Handler }>> = {
  [RESOURCE_METADATA]: { GET: async ({ places }) => protectedResource(places, places.issuer) },
  [`${RESOURCE_METADATA}/mcp`]: { GET: async ({ places }) => protectedResource(places, places.resource) },
  [SERVER_METADATA]: { GET: ({ auth }) => authorizationServer(auth) },
  // For clients that treat the MCP address as the issuer.
  [`${SERVER_METADATA}/mcp`]: { GET: ({ auth }) => authorizationServer(auth) },
  [JWKS_PATH]: { GET: (dependencies) => ask(dependencies, JWKS_PATH, { method: "GET" }) },
  [AUTHORIZE_PATH]: { GET: authorize },
  [TOKEN_PATH]: { POST: token },
  [REGISTER_PATH]: { POST: register },
  [REVOKE_PATH]: { POST: revoke },
};

/** Answers a request of OAuth; 404 for unknown paths, 405 for another method. */
export async function answer(
  dependencies: EndpointDependencies,
  request: Request,
  address: string | null,
): Promise<Response> {
  const path = pathOf(request, dependencies.places.basePath);
  const route = Object.hasOwn(ROUTES, path) ? ROUTES[path] : undefined;
  if (!route) return oauthError(404, "not_found", "There is no such endpoint.");
  const isShared = path !== AUTHORIZE_PATH;
  const handler = handlerOf(route, request.method);
  if (!handler) {
    const allow = Object.keys(route).join(", ");
    return oauthError(405, "invalid_request", "This endpoint has another method.", { allow });
  }
  const refused = (status: number, error: string, description: string, more?: Record<string, string>) =>
    isShared
      ? oauthError(status, error, description, more)
      : redirect(`${dependencies.places.errorPage}?error=${error}`);
  const { result, retryAfterSeconds } = await dependencies.documents.for(address, () =>
    handler(dependencies, request, address).catch((error) => {
      if (!isUnstorable(error)) throw error;
      return refused(400, "invalid_request", "A parameter holds U+0000.");
    }),
  );
  const response =
    // If the client's new keys could not be fetched, its old ones may have sufficed.
    retryAfterSeconds === null || (isShared && result.ok)
      ? result
      : refused(429, "temporarily_unavailable", "Too many clients' documents. Try again later.", {
          "retry-after": String(retryAfterSeconds),
        });
  return finished(response, request.method);
}

function handlerOf(route: { GET?: Handler; POST?: Handler }, method: string): Handler | undefined {
  if (method === "GET" || method === "HEAD") return route.GET;
  return method === "POST" ? route.POST : undefined;
}

/** Postgres's error for text with U+0000. It can come from parameters only, some of them within a header or a token. */
function isUnstorable(error: unknown): boolean {
  return (error as { code?: unknown }).code === "22021";
}

/** Returns the path below the service's base path, whether or not a proxy strips that. */
function pathOf(request: Request, basePath: string): string {
  const { pathname } = new URL(request.url);
  return basePath !== "" && pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : pathname;
}

/** Returns a copy with mutable headers and without cookies, none of which a browser needs here. */
function finished(response: Response, method: string): Response {
  const headers = new Headers(response.headers);
  headers.delete("set-cookie");
  return new Response(method === "HEAD" ? null : response.body, { status: response.status, headers });
}

/** Metadata changes only with a new version of the service. */
const CACHE = { "cache-control": "public, max-age=60" };

/** The members of better-auth's document that apply here: no introspection, no proofs of possession, no logout. */
const OFFERED = [
  "issuer",
  "authorization_endpoint",
  "token_endpoint",
  "jwks_uri",
  "registration_endpoint",
  "revocation_endpoint",
  "scopes_supported",
  "response_types_supported",
  "response_modes_supported",
  "grant_types_supported",
  "token_endpoint_auth_methods_supported",
  "token_endpoint_auth_signing_alg_values_supported",
  "code_challenge_methods_supported",
  "authorization_response_iss_parameter_supported",
  "client_id_metadata_document_supported",
];

/** Returns the metadata of the authorization server (RFC 8414). */
async function authorizationServer(auth: Auth): Promise<Response> {
  const full = await auth.api.getOAuthServerConfig();
  // Omits the internal grant type under which better-auth serves refresh tokens.
  const grantTypes = ["authorization_code", "refresh_token"];
  const document: Record<string, unknown> = { ...full, grant_types_supported: grantTypes };
  const offered = OFFERED.flatMap((name) => (document[name] === undefined ? [] : [[name, document[name]]]));
  const authMethods = full.token_endpoint_auth_methods_supported;
  return json(
    { ...Object.fromEntries(offered), revocation_endpoint_auth_methods_supported: authMethods },
    200,
    CACHE,
  );
}

/** Returns the metadata of the protected resource (RFC 9728), under the requested name. */
function protectedResource({ issuer }: Places, resource: string): Response {
  return json(
    {
      resource,
      resource_name: SERVICE_NAME,
      authorization_servers: [issuer],
      bearer_methods_supported: ["header"],
      scopes_supported: DEFAULT_SCOPES,
    },
    200,
    CACHE,
  );
}
