import { createHash, randomBytes } from "node:crypto";
import { expect } from "vitest";
import type { Browser, Visited } from "./browser.ts";

export const REDIRECT_URI = "http://127.0.0.1:7777/callback";

/** An OAuth client by plain requests, for what a well-behaved one never does. */
export interface RawClient {
  readonly clientId: string;
  readonly verifier: string;
  /** The authorization request; a member that is null is left out. */
  authorization(more?: Record<string, string | null>): URL;
  /** Through the browser to a code. */
  code(browser: Browser, more?: Record<string, string | null>): Promise<string>;
  exchange(code: string, more?: Record<string, string | null>): Promise<TokenAnswer>;
  refresh(token: string, more?: Record<string, string | null>): Promise<TokenAnswer>;
  revoke(token: string, more?: Record<string, string | null>): Promise<Response>;
  /** All of it. */
  connect(browser: Browser, more?: Record<string, string | null>): Promise<Tokens>;
}

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly scope: string;
  readonly expires_in: number;
}

export interface TokenAnswer {
  readonly status: number;
  readonly body: Tokens & { readonly error?: string };
}

export async function registration(url: string, metadata: Record<string, unknown> = {}): Promise<Response> {
  return fetch(`${url}/oauth2/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      client_name: "Test client",
      redirect_uris: [REDIRECT_URI],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      ...metadata,
    }),
  });
}

export async function rawClient(url: string, metadata: Record<string, unknown> = {}): Promise<RawClient> {
  const answer = await registration(url, metadata);
  expect(answer.status).toBe(201);
  const { client_id: clientId } = (await answer.json()) as { client_id: string };
  return clientNamed(url, clientId);
}

export function clientNamed(url: string, clientId: string, redirectUri = REDIRECT_URI): RawClient {
  const verifier = randomBytes(32).toString("base64url");
  const post = (path: string, form: Record<string, string | null>) =>
    fetch(url + path, { method: "POST", body: given(form) });
  const token = async (form: Record<string, string | null>): Promise<TokenAnswer> => {
    const answer = await post("/oauth2/token", { client_id: clientId, ...form });
    return { status: answer.status, body: (await answer.json()) as TokenAnswer["body"] };
  };
  const authorization = (more: Record<string, string | null> = {}) =>
    new URL(
      `${url}/oauth2/authorize?${given({
        response_type: "code",
        client_id: clientId,
        redirect_uri: redirectUri,
        state: "a state",
        code_challenge: createHash("sha256").update(verifier).digest("base64url"),
        code_challenge_method: "S256",
        resource: `${url}/mcp`,
        ...more,
      })}`,
    );
  const exchange = (code: string, more: Record<string, string | null> = {}) =>
    token({
      grant_type: "authorization_code",
      code,
      code_verifier: verifier,
      redirect_uri: redirectUri,
      ...more,
    });
  const code = async (browser: Browser, more: Record<string, string | null> = {}) =>
    codeIn(await browser.visit(authorization(more)));
  return {
    clientId,
    verifier,
    authorization,
    code,
    exchange,
    refresh: (refreshToken, more = {}) =>
      token({ grant_type: "refresh_token", refresh_token: refreshToken, ...more }),
    revoke: (revoked, more = {}) => post("/oauth2/revoke", { client_id: clientId, token: revoked, ...more }),
    async connect(browser, more = {}) {
      const answer = await exchange(await code(browser, more));
      expect(answer).toMatchObject({ status: 200 });
      return answer.body;
    },
  };
}

export function codeIn({ redirectTo }: Visited): string {
  expect(redirectTo.searchParams.get("error")).toBe(null);
  return redirectTo.searchParams.get("code") as string;
}

function given(members: Record<string, string | null>): URLSearchParams {
  return new URLSearchParams(
    Object.entries(members).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}
