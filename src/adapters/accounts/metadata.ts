import { SERVICE_NAME } from "../../contract/service.ts";
import type { Auth } from "./auth.ts";
import { json } from "./oauth-answer.ts";
import type { Places } from "./places.ts";
import { DEFAULT_SCOPES } from "./scopes.ts";

/** Metadata changes with a new version of the service only. */
const CACHE = { "cache-control": "public, max-age=60" };

/** Of better-auth's document, what there is here: no introspection, no proofs of possession, no logout. */
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

/** The authorization server (RFC 8414). */
export async function authorizationServer(auth: Auth): Promise<Response> {
  const full = await auth.api.getOAuthServerConfig();
  const offered = OFFERED.flatMap((name) => (full[name] === undefined ? [] : [[name, full[name]]]));
  const authMethods = full.token_endpoint_auth_methods_supported;
  return json(
    { ...Object.fromEntries(offered), revocation_endpoint_auth_methods_supported: authMethods },
    200,
    CACHE,
  );
}

/** The protected resource (RFC 9728), under the name it was asked for by. */
export function protectedResource({ issuer }: Places, resource: string): Response {
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
