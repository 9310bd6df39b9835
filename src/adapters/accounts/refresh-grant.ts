import { getOAuthProviderApi } from "@better-auth/oauth-provider";
import { APIError } from "better-auth/api";
import type { RefreshTokens } from "./refresh-tokens.ts";
import { OFFLINE } from "./scopes.ts";

/**
 * The internal grant type under which better-auth serves refresh tokens for us. Its own grant stores the answer only
 * after the token is used up, so a concurrent request, or a crash in between, loses the client's access; and a reuse
 * there ends every authorization of the client. Clients may not use this name: see `tokens.ts`.
 */
export const REFRESH_GRANT = "urn:recollect:grant-type:refresh";

type Context = Parameters<typeof getOAuthProviderApi>[0];
type Options = Parameters<typeof getOAuthProviderApi>[1];

/**
 * Authenticates the client of a refresh token and issues an access token. The refresh token is not changed, used up or
 * not. Its later exchange decides whether the access token is returned.
 */
export function createRefreshGrant({ find }: Pick<RefreshTokens, "find">) {
  return async ({ ctx, opts }: { ctx: Context; opts: Options }) => {
    const provider = getOAuthProviderApi(ctx, opts, "refresh_token");
    const asked = ctx.body as { refresh_token?: string; scope?: string; resource?: string | string[] };
    const stored = asked.refresh_token === undefined ? null : await find(asked.refresh_token);
    const scopes = asked.scope?.split(" ") ?? stored?.scopes ?? [];
    const { client, clientId } = await provider.authenticateClient({
      requireCredentials: false,
      scopes: [...scopes],
    });
    if (asked.refresh_token === undefined) throw refusal("invalid_request", "refresh_token is required");
    if (!stored || stored.clientId !== clientId || stored.expiresAt < new Date())
      throw refusal("invalid_grant", "unknown or expired refresh token");
    if (!scopes.every((scope) => stored.scopes.includes(scope)))
      throw refusal("invalid_scope", "the refresh token has fewer scopes");
    const resources = [asked.resource ?? stored.resources ?? []].flat();
    if (!resources.every((resource) => stored.resources?.includes(resource)))
      throw refusal("invalid_target", "the refresh token is for another resource");
    const user = await ctx.context.internalAdapter.findUserById(stored.accountId);
    if (!user) throw refusal("invalid_grant", "the account was deleted");
    return provider.issueTokens({
      client,
      user,
      // With this scope better-auth would also make a refresh token.
      scopes: scopes.filter((scope) => scope !== OFFLINE),
      resources,
      ...(stored.sessionId !== null && { sessionId: stored.sessionId }),
      ...(stored.authTime && { authTime: stored.authTime }),
      accessTokenClaims: { authorization: stored.authorizationId },
    });
  };
}

function refusal(error: string, description: string): APIError {
  return new APIError("BAD_REQUEST", { error, error_description: description });
}
