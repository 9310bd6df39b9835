import type { Scope } from "../../contract/scope.ts";
import type { Account } from "./accounts.ts";
import type { Credential } from "./credential.ts";

/** A client's request for access, as the consent page shows it. */
export interface ConsentRequest {
  readonly clientId: string;
  readonly clientName: string | null;
  /** The client's own page, as it claims. */
  readonly clientUri: string | null;
  /** The address to which the browser is redirected with the answer. */
  readonly redirectUri: string;
  /** False for a client that registered itself, or that is described only by its own metadata document. */
  readonly isVerified: boolean;
  /** The requested scopes that exist here. */
  readonly scopes: readonly Scope[];
}

/** A client to which a person granted access. */
export interface Grant {
  readonly id: string;
  readonly clientId: string;
  readonly clientName: string | null;
  readonly scopes: readonly Scope[];
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

/**
 * The OAuth 2.1 authorization server, with which MCP clients get access knowing only the service's address.
 *
 * Contract with the pages:
 *
 * - A browser without a session is sent to `/sign-in?next=<path>`, where `next` is a path of this origin with a query
 *   (the authorization endpoint). After signing in the page redirects there (303). It must take only a `next` that
 *   begins with one `/` followed by neither `/` nor `\`, and resolve it against its own origin, never another.
 * - A browser that must consent is sent to `/oauth/consent?<query>`. The page gives that query, exactly as it came and
 *   without the `?`, to `consentRequest`, carries it through its form, gives it to `decide`, and redirects (303) to
 *   `redirectTo`, which is the client's address and so mostly another origin or no web page at all: a page with the
 *   policy `form-action 'self'` blocks that in some browsers.
 * - Errors that occur before the client's redirect address is verified are shown at `/oauth/error?error=<code>`.
 */
export interface OAuthServer {
  /** False if OAuth is unavailable, because tokens must not be sent to the service's address (plain http). */
  readonly isOffered: boolean;
  /**
   * Answers requests to the endpoints of OAuth and its metadata documents; others get 404. `address` is the client's,
   * for rate limits.
   */
  handle(request: Request, address: string | null): Promise<Response>;
  /**
   * Returns the credential of an access token; null unless it is genuine, unexpired, meant for this service, and its
   * grant is still live. A revocation takes effect within a second on every replica.
   */
  authenticate(accessToken: string): Promise<Credential | null>;
  /** Parses the consent page's query; null if it is forged, expired or not for this account. */
  consentRequest(account: Account, query: string, headers: Headers): Promise<ConsentRequest | null>;
  /** Records the decision and returns where the browser goes next. */
  decide(
    account: Account,
    answer: { query: string; accept: boolean; scopes: readonly Scope[] },
    headers: Headers,
  ): Promise<{ redirectTo: string }>;
  grants(account: Account): Promise<Grant[]>;
  /** Ends a grant with its access and refresh tokens at once. Returns false if there is none. */
  revoke(account: Account, grantId: string): Promise<boolean>;
}

/** True if the text has the form of a signed token. Verifies nothing. */
export function looksLikeJwt(token: string): boolean {
  return /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(token);
}
