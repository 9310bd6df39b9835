/** Registration of clients, and the redirect addresses that they may use. */
import { z } from "zod";
import { text } from "../../contract/primitives.ts";
import { isAllowedApp, isOfAnApp } from "../../contract/redirect-uri.ts";
import { REGISTRATIONS_PER_ADDRESS } from "./attempts.ts";
import { ask, type EndpointDependencies, json, oauthError, readText } from "./endpoint.ts";
import { deleteUnusedClients } from "./grants.ts";
import { knownScopes, OFFLINE } from "./scopes.ts";

export const REGISTER_PATH = "/oauth2/register";

const label = text(0, 200);
const address = text(0, 2048);
/** An address that is shown as a link, so it must not run code. */
const page = address.refine((value) => /^https?:\/\//i.test(value));

/**
 * Accepted members of a client's registration. Others are ignored, as RFC 7591 allows, in particular those that would
 * make the service send requests to an address of the client's choice.
 */
const clientMetadata = z.object({
  redirect_uris: z.array(address).min(1).max(20),
  client_name: label.optional(),
  client_uri: page.optional(),
  logo_uri: page.optional(),
  tos_uri: page.optional(),
  policy_uri: page.optional(),
  software_id: label.optional(),
  software_version: label.optional(),
  token_endpoint_auth_method: label.optional(),
  application_type: label.optional(),
  grant_types: z.array(label).max(20).optional(),
  response_types: z.array(label).max(20).optional(),
  scope: address.optional(),
});

type ClientMetadata = z.infer<typeof clientMetadata>;

/** Dynamic registration (RFC 7591), open to anyone and rate-limited by address. It gives no access. */
export async function register(
  dependencies: EndpointDependencies,
  request: Request,
  clientAddress: string | null,
): Promise<Response> {
  const { attempts, sql } = dependencies;
  const limited =
    clientAddress === null ? null : await attempts.count(REGISTRATIONS_PER_ADDRESS, clientAddress);
  if (limited) {
    return oauthError(429, "temporarily_unavailable", "Too many registrations. Try again later.", {
      "retry-after": String(limited.retryAfterSeconds),
    });
  }
  const parsed = clientMetadata.safeParse(await readJson(request));
  if (!parsed.success) {
    const place = parsed.error.issues[0]?.path.join(".") || "the document";
    return oauthError(400, "invalid_client_metadata", `${place} is not valid.`);
  }
  const { redirect_uris: redirectUris } = parsed.data;
  const odd = redirectUris.findIndex((uri) => isOfAnApp(uri) && !isAllowedApp(uri));
  if (odd >= 0) {
    return oauthError(
      400,
      "invalid_redirect_uri",
      `redirect_uris.${odd} is not for answers to be sent to: use https, a loopback address, or a scheme that is your domain reversed, such as com.example.app:/callback.`,
    );
  }
  await deleteUnusedClients(sql);
  return registered(dependencies, accepted(parsed.data));
}

/** Stand-in for an app's address in better-auth. The client's id stays unknown until it is replaced. */
const STAND_IN = "http://127.0.0.1/";

/**
 * Registers a client. better-auth accepts only app schemes that are reversed domains without a host, which editors do
 * not use. It checks this only at registration, so other app addresses are inserted afterwards. The person is asked
 * each time that an answer would go there (`authorize.ts`).
 */
async function registered(dependencies: EndpointDependencies, metadata: ClientMetadata): Promise<Response> {
  const { redirect_uris: redirectUris } = metadata;
  const answer = await ask(dependencies, REGISTER_PATH, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      ...metadata,
      redirect_uris: redirectUris.map((uri) => (isOfAnApp(uri) ? STAND_IN : uri)),
    }),
  });
  if (!answer.ok || !redirectUris.some(isOfAnApp)) return answer;
  const client = (await answer.json()) as { client_id: string };
  await dependencies.sql`
    update auth."oauthClient" set "redirectUris" = ${JSON.stringify(redirectUris)}::jsonb
    where "clientId" = ${client.client_id}`;
  return json({ ...client, redirect_uris: redirectUris }, answer.status);
}

/** Returns the metadata to register, without features that are not offered here. */
function accepted(metadata: ClientMetadata): ClientMetadata {
  const grants = metadata.grant_types?.filter((type) =>
    ["authorization_code", "refresh_token"].includes(type),
  );
  const scopes = metadata.scope === undefined ? [] : knownScopes(metadata.scope);
  const { scope: _, ...rest } = metadata;
  return {
    ...rest,
    ...(grants && { grant_types: grants }),
    ...(scopes.length > 0 && { scope: [...scopes, OFFLINE].join(" ") }),
    application_type: metadata.application_type ?? applicationType(metadata.redirect_uris),
  };
}

/**
 * Derives the type, which older clients do not state, from the redirect addresses: native clients listen on the
 * person's machine.
 */
function applicationType(redirectUris: readonly string[]): "native" | "web" {
  return redirectUris.every((uri) => uri.startsWith("https:")) ? "web" : "native";
}

async function readJson(request: Request): Promise<unknown> {
  try {
    return JSON.parse((await readText(request)) ?? "");
  } catch {
    return undefined;
  }
}
