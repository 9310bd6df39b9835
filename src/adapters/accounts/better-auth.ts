import { createCimdClientDiscovery } from "@better-auth/cimd";
import { mcp } from "@better-auth/mcp";
import { type BetterAuthOptions, type BetterAuthPlugin, betterAuth } from "better-auth";
import { APIError } from "better-auth/api";
import { jwt } from "better-auth/plugins";
import { Kysely } from "kysely";
import { PostgresJSDialect } from "kysely-postgres-js";
import { SERVICE_NAME } from "../../contract/service.ts";
import { PASSWORD_CHARACTERS_MAX, PASSWORD_CHARACTERS_MIN } from "../../core/access/accounts.ts";
import type { Auth } from "./auth.ts";
import type { Sql } from "./database.ts";
import type { DocumentFetches } from "./document-fetches.ts";
import { allowsOAuth, type Places } from "./places.ts";
import { createRefreshGrant, REFRESH_GRANT } from "./refresh-grant.ts";
import { hashOf, REFRESH_TOKEN_SECONDS, type RefreshTokens } from "./refresh-tokens.ts";
import { OAUTH_SCOPES } from "./scopes.ts";

/** A session ends after this long, used or not. */
const SESSION_SECONDS = 14 * 24 * 3600;
/** Lifetime of an access token. Each request is checked against its grant anyway. */
const ACCESS_TOKEN_SECONDS = 600;
/** An authorization code is exchanged at once; a consent page may lie open for a while. Both have this limit. */
const CODE_SECONDS = 600;
const SIGNING_KEY_SECONDS = 90 * 24 * 3600;
const SIGNING_KEY_GRACE_SECONDS = 24 * 3600;

/** Clients' documents in memory, of 64 KiB at most each. */
const DOCUMENTS_KEPT_MAX = 200;

export interface BetterAuthDependencies {
  readonly sql: Sql;
  /** The secret that protects cookies, signed queries and stored keys, the same on every replica. */
  readonly secret: string;
  readonly places: Places;
  /** Returns the id of the live grant of an account and client, or null. Without a grant no token is issued. */
  readonly grantOf: (accountId: string, clientId: string) => Promise<string | null>;
  readonly refreshTokens: Pick<RefreshTokens, "find">;
  /** Fetches a client's metadata document and keys. */
  readonly documents: Pick<DocumentFetches, "fetch" | "mayFetch">;
  /** Reports errors, without the data they concern. */
  readonly report: (error: unknown) => void;
}

/**
 * better-auth, set up for accounts by invitation and for MCP clients. `oauth-endpoints.ts` decides which of its
 * endpoints are exposed.
 */
export function createBetterAuth(dependencies: BetterAuthDependencies): Auth {
  return betterAuth(betterAuthOptions(dependencies)) as unknown as Auth;
}

/** All of better-auth's settings, which determine the tables that it expects. */
export function betterAuthOptions(dependencies: BetterAuthDependencies): BetterAuthOptions {
  const { places } = dependencies;
  const plugins = [
    jwt({
      jwt: { issuer: places.issuer },
      jwks: {
        jwksPath: "/oauth2/jwks",
        rotationInterval: SIGNING_KEY_SECONDS,
        gracePeriod: SIGNING_KEY_GRACE_SECONDS,
      },
      disableSettingJwtHeader: true,
    }),
    // The plugin throws on plain http, except on loopback. OAuth is not offered there.
    ...(allowsOAuth(places) ? [mcp(authorizationServer(dependencies))] : []),
  ];
  // Its plugin types do not agree with each other about undefined members.
  return { ...foundations(dependencies), plugins: plugins as unknown as BetterAuthPlugin[] };
}

/** Accounts and sessions. Its own limits are off, since they cannot count by account: see `attempts.ts`. */
function foundations({ sql, secret, places, report }: BetterAuthDependencies) {
  const isHttps = places.issuer.startsWith("https:");
  return {
    appName: SERVICE_NAME,
    baseURL: places.issuer,
    basePath: "/",
    secret,
    database: { db: new Kysely({ dialect: new PostgresJSDialect({ postgres: sql }) }), type: "postgres" },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_CHARACTERS_MIN,
      maxPasswordLength: PASSWORD_CHARACTERS_MAX,
    },
    session: { expiresIn: SESSION_SECONDS, disableSessionRefresh: true },
    trustedOrigins: [places.origin],
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    // Rethrow all errors except OAuth's. better-auth would print them unredacted, and answer 500 while the database is
    // unavailable.
    onAPIError: { errorURL: places.errorPage, throw: true },
    logger: {
      level: "error",
      // Logs only the message, because its arguments may contain an address or a token.
      log: (_level, message) => report(new Error(`accounts: ${message}`)),
    },
    advanced: {
      // With this prefix, a browser accepts the cookie from this host only. Otherwise a sibling domain could plant its
      // own session in a person's browser and receive what the person enters.
      cookiePrefix: `${isHttps ? "__Host-" : ""}${SERVICE_NAME.toLowerCase()}`,
      useSecureCookies: false,
      defaultCookieAttributes: { httpOnly: true, sameSite: "lax", secure: isHttps },
      ipAddress: { disableIpTracking: true },
    },
  } satisfies BetterAuthOptions;
}

function authorizationServer({ places, grantOf, refreshTokens, documents }: BetterAuthDependencies) {
  return {
    loginPage: places.signInPage,
    consentPage: places.consentPage,
    resource: places.resource,
    scopes: [...OAUTH_SCOPES],
    grantTypes: ["authorization_code", "refresh_token"] as ("authorization_code" | "refresh_token")[],
    accessTokenExpiresIn: ACCESS_TOKEN_SECONDS,
    refreshTokenExpiresIn: REFRESH_TOKEN_SECONDS,
    codeExpiresIn: CODE_SECONDS,
    allowDynamicClientRegistration: true,
    allowUnauthenticatedClientRegistration: true,
    allowPublicClientPrelogin: true,
    clientRegistrationDefaultScopes: [...OAUTH_SCOPES],
    // There is only one resource, and every authorised client may use it.
    enforcePerClientResources: false,
    extensions: [
      {
        grants: { [REFRESH_GRANT]: createRefreshGrant(refreshTokens) },
        claims: { accessToken: grantClaim(grantOf) },
        clientDiscovery: clientsByDocument(documents),
      },
    ],
  };
}

/**
 * Clients whose id is the address of a document. A requester over its own limit is refused before the fetch counts
 * against better-auth's global limit.
 */
function clientsByDocument({ fetch, mayFetch }: BetterAuthDependencies["documents"]): ClientDiscovery {
  const discovery = createCimdClientDiscovery({
    fetchClientMetadataResource: fetch,
    metadataProfile: "mcp-2026-07-28",
    maxCacheEntries: DOCUMENTS_KEPT_MAX,
  });
  return {
    ...discovery,
    async resolve(context, clientId, known) {
      if (mayFetch()) return discovery.resolve(context, clientId, known);
      throw new APIError("TOO_MANY_REQUESTS", { error: "temporarily_unavailable" });
    },
  };
}

type ClientDiscovery = ReturnType<typeof createCimdClientDiscovery>;

interface ClaimInput {
  readonly ctx: { readonly body?: { readonly code?: string } };
  readonly user?: { readonly id: string } | null | undefined;
  readonly client: { readonly clientId: string };
}

/**
 * Every access token names its grant and its authorization. The authorization comes from the code here, and from the
 * refresh token in `refresh-grant.ts`. This runs before a token is made, so that without a grant there is none.
 */
function grantClaim(grantOf: BetterAuthDependencies["grantOf"]) {
  return async ({ ctx, user, client }: ClaimInput) => {
    const grant = user ? await grantOf(user.id, client.clientId) : null;
    if (grant === null) {
      throw new APIError("BAD_REQUEST", {
        error: "invalid_grant",
        error_description: "the grant was revoked",
      });
    }
    const { code } = ctx.body ?? {};
    return { grant, ...(code !== undefined && { authorization: hashOf(code) }) };
  };
}
