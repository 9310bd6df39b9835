import { AUTHORIZE_PATH, authorize } from "./authorize.ts";
import { ask, type EndpointDependencies } from "./endpoint.ts";
import { authorizationServer, protectedResource } from "./metadata.ts";
import { oauthError, redirect } from "./oauth-answer.ts";
import { REGISTER_PATH, register } from "./register.ts";
import { REVOKE_PATH, revoke } from "./revoke.ts";
import { TOKEN_PATH, token } from "./token.ts";

type Handler = (
  dependencies: EndpointDependencies,
  request: Request,
  address: string | null,
) => Promise<Response>;

const JWKS_PATH = "/oauth2/jwks";
const RESOURCE_METADATA = "/.well-known/oauth-protected-resource";
const SERVER_METADATA = "/.well-known/oauth-authorization-server";

/** Everything there is. Of better-auth's own endpoints no other is reached from outside. */
const ROUTES: Readonly<Record<string, { readonly GET?: Handler; readonly POST?: Handler }>> = {
  [RESOURCE_METADATA]: { GET: async ({ places }) => protectedResource(places, places.issuer) },
  [`${RESOURCE_METADATA}/mcp`]: { GET: async ({ places }) => protectedResource(places, places.resource) },
  [SERVER_METADATA]: { GET: ({ auth }) => authorizationServer(auth) },
  // Where clients look that take the address of MCP for the issuer's.
  [`${SERVER_METADATA}/mcp`]: { GET: ({ auth }) => authorizationServer(auth) },
  [JWKS_PATH]: { GET: (dependencies) => ask(dependencies, JWKS_PATH, { method: "GET" }) },
  [AUTHORIZE_PATH]: { GET: authorize },
  [TOKEN_PATH]: { POST: token },
  [REGISTER_PATH]: { POST: register },
  [REVOKE_PATH]: { POST: revoke },
};

/** Clients that are web pages call these; nothing here but the authorization endpoint looks at a cookie. */
const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET, POST",
  "access-control-allow-headers": "authorization, content-type, mcp-protocol-version",
  "access-control-max-age": "3600",
};

/** Answers a request of OAuth; 404 for what there is not, 405 for another method. */
export async function answer(
  dependencies: EndpointDependencies,
  request: Request,
  address: string | null,
): Promise<Response> {
  const path = pathOf(request, dependencies.places.basePath);
  const route = Object.hasOwn(ROUTES, path) ? ROUTES[path] : undefined;
  if (!route) return oauthError(404, "not_found", "There is no such endpoint.");
  const isShared = path !== AUTHORIZE_PATH;
  if (request.method === "OPTIONS" && isShared) return new Response(null, { status: 204, headers: CORS });
  const handler = handlerOf(route, request.method);
  if (!handler) {
    const allow = Object.keys(route).join(", ");
    return oauthError(405, "invalid_request", "This endpoint has another method.", { allow });
  }
  const response = await handler(dependencies, request, address).catch((error) => {
    if (!isUnstorable(error)) throw error;
    return isShared
      ? oauthError(400, "invalid_request", "A parameter holds U+0000.")
      : redirect(`${dependencies.places.errorPage}?error=invalid_request`);
  });
  return finished(response, request.method, isShared ? CORS : {});
}

function handlerOf(route: { GET?: Handler; POST?: Handler }, method: string): Handler | undefined {
  if (method === "GET" || method === "HEAD") return route.GET;
  return method === "POST" ? route.POST : undefined;
}

/** What Postgres says of text with U+0000. It comes from parameters alone, some of them within a header or a token. */
function isUnstorable(error: unknown): boolean {
  return (error as { code?: unknown }).code === "22021";
}

/** The path below the service's own, whether or not the proxy in front of it takes that away. */
function pathOf(request: Request, basePath: string): string {
  const { pathname } = new URL(request.url);
  return basePath !== "" && pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : pathname;
}

/** A copy whose headers can be set; better-auth sets no cookie that a browser should have here. */
function finished(response: Response, method: string, more: Record<string, string>): Response {
  const headers = new Headers(response.headers);
  headers.delete("set-cookie");
  for (const [name, value] of Object.entries(more)) headers.set(name, value);
  return new Response(method === "HEAD" ? null : response.body, { status: response.status, headers });
}
