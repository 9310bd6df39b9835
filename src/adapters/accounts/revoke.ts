import { Buffer } from "node:buffer";
import { readAccessToken } from "./access-token.ts";
import { askAsClient, type EndpointDependencies } from "./endpoint.ts";
import { looksLikeJwt } from "./jwt-form.ts";
import { oauthError } from "./oauth-answer.ts";
import { readForm } from "./request-body.ts";
import { refreshTokenOf } from "./token.ts";

export const REVOKE_PATH = "/oauth2/revoke";

/**
 * Revocation (RFC 7009): either kind of token ends the whole grant, with everything that came of it. better-auth checks
 * who the client is; a token of another client, or of nobody, is answered like one that was revoked.
 */
export async function revoke(dependencies: EndpointDependencies, request: Request): Promise<Response> {
  const { grants } = dependencies;
  const form = await readForm(request);
  const token = form?.get("token");
  if (!form || !token) return oauthError(400, "invalid_request", "This takes one form with a token.");
  const of = await grantBehind(dependencies, token);
  const answer = await askAsClient(dependencies, REVOKE_PATH, request, form);
  const outcome = answer.status === 200 ? "revoked" : await outcomeOf(answer);
  if (outcome === "refused") return answer;
  if (outcome === "revoked" && of !== null && of.clientId === clientIdIn(request, form)) {
    await grants.revokeFor(of.accountId, of.clientId);
  }
  return new Response(null, { status: 200, headers: { "cache-control": "no-store" } });
}

async function grantBehind(
  { auth, places, sql }: EndpointDependencies,
  token: string,
): Promise<{ accountId: string; clientId: string } | null> {
  return looksLikeJwt(token) ? readAccessToken(auth, places, token) : refreshTokenOf(sql, token);
}

/**
 * What better-auth's error means once it knows the client. It cannot revoke a signed token, which we can, since each
 * names its grant; a token that came back after it was used ends the grant too; one that there is not is as good as
 * revoked (RFC 7009, section 2.2).
 */
async function outcomeOf(answer: Response): Promise<"revoked" | "unknown" | "refused"> {
  if (answer.status !== 400) return "refused";
  const { error, error_description: description } = (await answer.clone().json()) as Record<string, unknown>;
  if (error === "unsupported_token_type" || description === "refresh token revoked") return "revoked";
  return UNKNOWN_TOKEN.includes(String(description)) ? "unknown" : "refused";
}

/** better-auth's words for tokens that are none. */
const UNKNOWN_TOKEN = ["token not found", "Invalid access token", "invalid JWT signature"];

/** The client that has just been authenticated, by whichever way it was. */
function clientIdIn(request: Request, form: URLSearchParams): string | null {
  const basic = /^basic +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (basic !== undefined) return basicUser(basic);
  return form.get("client_id") ?? subjectOf(form.get("client_assertion"));
}

function basicUser(encoded: string): string | null {
  try {
    const [user = ""] = Buffer.from(encoded, "base64").toString("utf8").split(":");
    return decodeURIComponent(user.replaceAll("+", " "));
  } catch {
    return null;
  }
}

function subjectOf(assertion: string | null): string | null {
  try {
    const payload = Buffer.from(assertion?.split(".")[1] ?? "", "base64url").toString("utf8");
    return (JSON.parse(payload) as { sub?: string }).sub ?? null;
  } catch {
    return null;
  }
}
