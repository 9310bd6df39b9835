import { createHash, randomBytes } from "node:crypto";
import { createVisitor, type Visitor } from "../browser/support/visitor.ts";
import type { Server } from "../protocol/server.ts";

const ACCOUNT = { email: "ada@example.com", password: "correct horse battery staple" };

/** A person with an account, at a browser. */
export interface Person {
  /** Lets the client in that sent the person to this address; answers the client's own address with its answer. */
  allow(address: string): Promise<URL>;
}

/** Makes an account of the owner `local`, and signs in. */
export async function personAt(server: Server): Promise<Person> {
  const { url: link } = (await server.recollect("users", "invite", "local")) as { url: string };
  const visitor = createVisitor(server.url, (request) => fetch(request));
  // It redirects to the page without the code, which it keeps in a cookie.
  await visitor.get(pathIn(link));
  const code = new URL(link).searchParams.get("code") ?? "";
  const made = await visitor.submit("/setup", "/setup", { code, ...ACCOUNT });
  if (made.status !== 303) throw new Error(`The account was not made: ${made.status} ${wordsOf(made.html)}`);
  return { allow: (address) => allow(server, visitor, address) };
}

async function allow(server: Server, visitor: Visitor, address: string): Promise<URL> {
  const sent = await visitor.get(pathIn(address));
  if (sent.location === null || !new URL(sent.location, server.url).pathname.startsWith("/oauth/consent"))
    throw new Error(`There is nothing to allow: ${sent.status} ${sent.location} ${wordsOf(sent.html)}`);
  const consent = pathIn(new URL(sent.location, server.url).href);
  const { html, formToken } = await visitor.get(consent);
  const scopes = [...html.matchAll(/name="scope" value="([^"]+)"/g)].map(([, scope = ""]) => scope);
  const query = consent.slice(consent.indexOf("?") + 1);
  const fields = { form_token: formToken, query, decision: "allow", scope: scopes };
  const answered = await visitor.post("/oauth/consent", fields);
  // The page leads on by a link: the client's address may open an app.
  const onward = /href="([^"]*[?&;]code=[^"]*)"/.exec(answered.html)?.[1];
  if (onward === undefined)
    throw new Error(`It was not allowed: ${answered.status} ${wordsOf(answered.html)}`);
  return new URL(onward.replaceAll("&amp;", "&"));
}

const pathIn = (address: string): string => {
  const { pathname, search } = new URL(address);
  return pathname + search;
};

const wordsOf = (html: string): string => html.replace(/<style.*?<\/style>|<[^>]+>|\s+/gs, " ").trim();

/** What a client that registered has once it was let in. */
export interface SignedIn {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly scope: string;
}

/** Registers a client in the place of an agent that only a terminal and a browser can sign in, and lets it in. */
export async function signInFor(server: Server, person: Person, clientName: string): Promise<SignedIn> {
  const redirectUri = "http://127.0.0.1:7777/callback";
  const registered = await posted(`${server.url}/oauth2/register`, "application/json", {
    client_name: clientName,
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: "none",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
  });
  const clientId = registered.client_id as string;
  const verifier = randomBytes(32).toString("base64url");
  const asked = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    resource: `${server.url}/mcp`,
  });
  const answer = await person.allow(`${server.url}/oauth2/authorize?${asked}`);
  const tokens = await posted(`${server.url}/oauth2/token`, "application/x-www-form-urlencoded", {
    grant_type: "authorization_code",
    code: answer.searchParams.get("code") ?? "",
    code_verifier: verifier,
    client_id: clientId,
    redirect_uri: redirectUri,
  });
  const { access_token, refresh_token, scope } = tokens as Record<string, string>;
  return {
    clientId,
    redirectUri,
    accessToken: access_token ?? "",
    refreshToken: refresh_token ?? "",
    scope: scope ?? "",
  };
}

async function posted(
  address: string,
  type: "application/json" | "application/x-www-form-urlencoded",
  members: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const body =
    type === "application/json"
      ? JSON.stringify(members)
      : new URLSearchParams(members as Record<string, string>).toString();
  const answer = await fetch(address, { method: "POST", headers: { "content-type": type }, body });
  if (!answer.ok) throw new Error(`${address}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
}
