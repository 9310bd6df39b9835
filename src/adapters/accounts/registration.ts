/** How a client makes itself known, and which addresses it may have answers sent to. */
import { z } from "zod";
import { text } from "../../contract/primitives.ts";
import { REGISTRATIONS_PER_ADDRESS } from "./attempts.ts";
import { ask, type EndpointDependencies, json, oauthError, readText } from "./endpoint.ts";
import { deleteUnusedClients } from "./grants.ts";
import { knownScopes, OFFLINE } from "./scopes.ts";

export const REGISTER_PATH = "/oauth2/register";

const label = text(0, 200);
const address = text(0, 2048);
/** An address that is shown as one: whoever follows it must not run anything. */
const page = address.refine((value) => /^https?:\/\//i.test(value));

/**
 * What a client may say of itself. The rest is ignored, as RFC 7591 allows: above all what would make the service send
 * requests to an address of the client's choice.
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

/** Dynamic registration (RFC 7591), open to anybody and limited by address. It gives a client access to nothing. */
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
    return oauthError(400, "invalid_redirect_uri", `redirect_uris.${odd} is not for answers to be sent to.`);
  }
  await deleteUnusedClients(sql);
  return registered(dependencies, accepted(parsed.data));
}

/** What better-auth is given in place of an app's address. The client's id is not known to anybody until it is replaced. */
const STAND_IN = "http://127.0.0.1/";

/**
 * better-auth registers no app's scheme but a reversed domain without a host, which is not what editors use. It checks
 * that at registration only, so such an address is put in afterwards; the person is asked each time that an answer would
 * go there (`authorize.ts`).
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

/** The metadata as it is registered, without what is not offered here. */
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

/** Older clients do not name their type: those on a person's own machine are recognised by where they listen. */
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

/** What a registered address of an app may hold: nothing that ends, or hides in, an attribute, a header or a line. */
const PRINTABLE = /^[\x21-\x7e]{1,2048}$/;
/**
 * A scheme and, as apps write it, a place behind two slashes; or a reversed domain and a path (RFC 8252, section 7.1).
 * Commands to the system mostly have neither.
 */
const OF_AN_APP =
  /^(?:([a-z][a-z0-9+.-]{1,63}):\/\/[a-z0-9]|([a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+):\/(?!\/))[^#"<>\\^`{|}]*$/i;

/** Schemes that browsers or systems have a meaning for: what they would run, show or send is not a client's answer. */
const MEANT_OTHERWISE = new Set(
  `about acap admin afp android-app apt attachment blob bookmark brave callto cap cid com content data dav dict
  dict-service dns dntp doi facetime facetime-audio feed file filesystem finger fish ftp ftps geo git gopher gtalk h323
  hcp help hxxp hxxps iax icap icon im imap imaps info intent ipp ipps irc irc6 ircs itms itms-apps itms-services jar
  javascript jms jnlp keyparc ldap ldaps livescript local lpr macappstore magnet mailto man market message mid mms mmst
  mocha modem msnim msrp mvn news nfs nntp opaquelocktoken pack payto pop pres printer proxy rdp res resource rlogin
  rmi rsync rtmp rtsp rtsps rtspu scp secondlife service session sftp sgn shell shttp sieve sip sips skype smb sms smsto
  smtp snews snmp soap ssh steam stun stuns svn tag teamspeak tel telnet tftp tip tn3270 turn turns tv udp urn uuid
  vbscript ventrilo view-source vnc vnd wais webcal wpid ws wss wtai wyciwyg xcon xmlrpc xmpp xri z39.50 zoommtg`.split(
    /\s+/,
  ),
);
/** Families of them: of browsers, and of Windows, where a link may start a tool of the system. */
const FAMILIES =
  /^(?:chrome|edge|mk|moz|ms-|microsoft|opera|safari|search|shell|vivaldi|web\+|windows|x-apple)/;

/** True for an address that no browser opens itself, but hands to whichever app on the device takes that scheme. */
export function isOfAnApp(address: string): boolean {
  return !/^https?:/i.test(address.trim());
}

/** True for an address of an app that a client may have answers sent to, such as `cursor://publisher.extension/callback`. */
function isAllowedApp(address: string): boolean {
  const parts = PRINTABLE.test(address) ? OF_AN_APP.exec(address) : null;
  const scheme = (parts?.[1] ?? parts?.[2])?.toLowerCase();
  if (scheme === undefined || MEANT_OTHERWISE.has(scheme) || FAMILIES.test(scheme)) return false;
  return URL.canParse(address) && !/^[^/]*\/\/[^/?]*@/.test(address);
}
