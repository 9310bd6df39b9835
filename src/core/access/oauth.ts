import type { Scope } from "../../contract/scope.ts";
import type { Account } from "./accounts.ts";
import type { Credential } from "./credential.ts";

/** A client's request for access, as the consent page shows it. */
export interface ConsentRequest {
  readonly clientId: string;
  readonly clientName: string | null;
  /** The client's own page, as it claims. */
  readonly clientUri: string | null;
  /** Address that the answer will be sent to. */
  readonly redirectUri: string;
  /** False for every client that registered itself or that only its own metadata document describes. */
  readonly isVerified: boolean;
  /** The requested scopes that exist here. */
  readonly scopes: readonly Scope[];
}

/** A client that a person let in. */
export interface Grant {
  readonly id: string;
  readonly clientId: string;
  readonly clientName: string | null;
  readonly scopes: readonly Scope[];
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

/**
 * The OAuth 2.1 authorization server that lets MCP clients in, with nothing but the service's address.
 *
 * How the pages take part:
 *
 * - A browser without a session is sent to `/sign-in?next=<path>`, where `next` is a path of this origin with a query
 *   (the authorization endpoint). After signing in the page redirects there (303). It must take only a `next` that
 *   begins with one `/` followed by neither `/` nor `\`, and resolve it against its own origin, never another.
 * - A browser that must consent is sent to `/oauth/consent?<query>`. The page gives that query, exactly as it came and
 *   without the `?`, to `consentRequest`, carries it through its form, gives it to `decide`, and redirects (303) to
 *   `redirectTo`, which is the client's address and so mostly another origin or no web page at all: a page with the
 *   policy `form-action 'self'` blocks that in some browsers.
 * - What goes wrong before the client's address is known to be its own is shown at `/oauth/error?error=<code>`.
 */
export interface OAuthServer {
  /** False where the service's address is not one that tokens may be sent to; then nobody is let in by OAuth. */
  readonly isOffered: boolean;
  /** Answers the endpoints of OAuth and its metadata documents; 404 for all else. `address` is the client's, for limits. */
  handle(request: Request, address: string | null): Promise<Response>;
  /**
   * The credential of an access token: null unless it is genuine, unexpired, meant for this service, and its grant
   * stands at this moment. A revocation is obeyed within a second on every replica.
   */
  authenticate(accessToken: string): Promise<Credential | null>;
  /** Reads the consent page's query; null if it is forged, expired or not for this account. */
  consentRequest(account: Account, query: string, headers: Headers): Promise<ConsentRequest | null>;
  /** Answers the client: where the browser goes next. */
  decide(
    account: Account,
    answer: { query: string; accept: boolean; scopes: readonly Scope[] },
    headers: Headers,
  ): Promise<{ redirectTo: string }>;
  grants(account: Account): Promise<Grant[]>;
  /** Ends a grant at once: its access and refresh tokens are of no more use. False where there is none. */
  revoke(account: Account, grantId: string): Promise<boolean>;
}

/** True for what has the form of a signed token. Nothing of it is checked. */
export function looksLikeJwt(token: string): boolean {
  return /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(token);
}
