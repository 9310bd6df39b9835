/**
 * A visit to a page: the visitor, the browser, and whether a submitted form is ours. Every request to a page passes
 * through here.
 *
 * A form is accepted only if its page was of this origin according to the browser (`Origin`, `Sec-Fetch-Site` or
 * `Referer`), and it carries a token made for this browser (a random id in a cookie) and for the signed-in person. The
 * id changes with every sign-in and sign-out, which invalidates forms of earlier sessions.
 */
import { Buffer } from "node:buffer";
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Accounts, SignInRequest } from "../../core/access/accounts.ts";
import { isLoopback } from "../../core/access/loopback.ts";
import type { OAuthServer } from "../../core/access/oauth.ts";
import type { TeamStore } from "../../core/access/team-store.ts";
import type { AgentClaims } from "../../core/agent/agent-claims.ts";
import type { Application } from "../../core/application.ts";
import type { Caller } from "../../core/caller.ts";
import { DomainError } from "../../core/error.ts";
import { clientAddress, networkOf } from "../http/address.ts";
import { sessionNow } from "../http/admission.ts";
import type { SurfaceDependencies } from "../http/pipeline.ts";
import { createOriginCheck } from "../http/request-guard.ts";
import type { RequestLine } from "../http/request-line.ts";
import { crossOriginPage, staleFormPage } from "./error-pages.ts";
import { codeOf, readForm } from "./form.ts";
import type { PageContext, PageReply, RedirectReply, Reply } from "./page.ts";

export interface BrowserDependencies
  extends Pick<
    SurfaceDependencies,
    "newId" | "hash" | "isUnavailable" | "trustedProxies" | "publicUrl" | "allowedHosts" | "share" | "watch"
  > {
  readonly accounts: Pick<Accounts, "signedIn" | "session" | "signIn" | "signOut" | "invitation" | "accept">;
  readonly oauth: Pick<OAuthServer, "consentRequest" | "decide" | "grants" | "revoke">;
  readonly claims: Pick<AgentClaims, "list" | "revoke">;
  readonly teams: Pick<TeamStore, "teamsOf" | "invitationsFor">;
  readonly application: Pick<Application, "call">;
  /** The secret for form tokens, the same on every replica. */
  readonly formKey: () => Promise<Uint8Array>;
  readonly clock: () => number;
  /** Called for each request once its answer is ready. */
  readonly log: (line: RequestLine) => void;
}

/** A browser's request, with the facts established before a page handles it. */
export interface Visit extends PageContext {
  readonly request: Request;
  readonly url: URL;
  readonly requestId: string;
  /** The client's network address; null if unknown. */
  readonly address: string | null;
  /** The fields of a submitted form whose origin and token were checked; empty for GET. */
  readonly form: URLSearchParams;
  readonly now: number;
}

/** A visit of a person who is signed in. */
export interface SignedInVisit extends Visit {
  readonly account: NonNullable<Visit["account"]>;
}

export type Handler = (visit: Visit) => Promise<Reply> | Reply;

/** Handlers of one path. HEAD is answered as GET. */
export interface BrowserEndpoint {
  readonly path: string;
  readonly get?: Handler;
  readonly post?: Handler;
}

/** A request before it reaches a page. Its facts are also used by error pages. */
export interface Arrival {
  readonly requestId: string;
  page: PageContext;
  /** `Set-Cookie` values of any response to it. */
  cookies: readonly string[];
}

/** Context of an error page before the visitor is known. */
export const anonymous: PageContext = { account: null, formToken: "" };

/** Opens visits from requests. */
export interface Visits {
  /** Returns the visit, or an error page if the submitted form is not ours or not of this session. */
  open(request: Request, arrival: Arrival): Promise<{ visit: Visit } | { errorPage: PageReply }>;
  /** Returns the `Set-Cookie` values that a reply requires: a new session invalidates earlier forms. */
  cookiesAfter(reply: Reply): readonly string[];
}

type Needs = Pick<BrowserDependencies, "accounts" | "clock" | "formKey" | "publicUrl" | "trustedProxies">;

export function createVisits(deps: Needs): Visits {
  const cookie = createCookie("recollect_form", deps.publicUrl);
  const isOwnOrigin = createOriginCheck(deps.publicUrl);
  const tokens = createFormTokens(deps.formKey);

  /** Identifies the visitor. A browser without an id gets one, so that forms shown now can be submitted later. */
  async function formHolder({ headers }: Request, arrival: Arrival): Promise<FormHolder> {
    const account = await deps.accounts.signedIn(headers);
    const known = cookie.read(headers);
    const browserId = isBrowserId(known) ? known : newBrowserId();
    if (browserId !== known) arrival.cookies = [cookie.keep(browserId)];
    const holder = { browserId, accountId: account?.id ?? null };
    arrival.page = { account, formToken: await tokens.issue(holder) };
    return holder;
  }

  return {
    async open(request, arrival) {
      const isForm = request.method === "POST";
      if (isForm && !isOwnOrigin(request)) return { errorPage: crossOriginPage() };
      const holder = await formHolder(request, arrival);
      const form = isForm ? await readForm(request) : new URLSearchParams();
      if (isForm && !(await tokens.isGenuine(form.get("form_token"), holder)))
        return { errorPage: staleFormPage() };
      const visit = {
        ...arrival.page,
        request,
        url: new URL(request.url),
        requestId: arrival.requestId,
        address: clientAddress(request, deps.trustedProxies),
        form,
        now: deps.clock(),
      };
      return { visit };
    },
    cookiesAfter: (reply) =>
      "isOtherSession" in reply && reply.isOtherSession ? [cookie.keep(newBrowserId())] : [],
  };
}

/** Returns a random id that identifies a browser before sign-in, kept in an HttpOnly cookie. */
function newBrowserId(): string {
  return randomBytes(32).toString("base64url");
}

/** True if the value has the form of a `newBrowserId`. */
function isBrowserId(value: string | null): value is string {
  return value !== null && /^[A-Za-z0-9_-]{43}$/.test(value);
}

/** The browser and account that a form was made for. */
interface FormHolder {
  readonly browserId: string;
  readonly accountId: string | null;
}

/** Creates and checks form tokens, which are bound to a browser and a person. */
function createFormTokens(key: () => Promise<Uint8Array>) {
  // Requested once; after a failure, again on the next use.
  let known: Promise<Uint8Array> | null = null;
  const knownKey = () => {
    known ??= key().catch((error: unknown) => {
      known = null;
      throw error;
    });
    return known;
  };
  const issue = async ({ browserId, accountId }: FormHolder) =>
    createHmac("sha256", await knownKey())
      .update(`${browserId} ${accountId ?? ""}`)
      .digest("base64url");
  return {
    issue,
    async isGenuine(token: string | null, holder: FormHolder): Promise<boolean> {
      const given = Buffer.from(token ?? "");
      const expected = Buffer.from(await issue(holder));
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}

/**
 * Returns the referrer policy of pages: `no-referrer` if browsers send `Sec-Fetch-Site`. Over plain http to another
 * machine they do not, and without a referrer they send no origin either, so `same-origin` sends the referrer to this
 * service only.
 */
export function referrerPolicyFor(publicUrl: string): "no-referrer" | "same-origin" {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === "https:" || isLoopback(hostname) ? "no-referrer" : "same-origin";
}

/**
 * An HttpOnly, SameSite=Lax cookie. Over https its name has the `__Host-` prefix, so that browsers accept it only from
 * this host.
 */
function createCookie(name: string, publicUrl: string) {
  const isSecure = publicUrl.startsWith("https:");
  const fullName = isSecure ? `__Host-${name}` : name;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  return {
    /** Returns the value that the browser sent, or null. */
    read(headers: Headers): string | null {
      const pairs = (headers.get("cookie") ?? "").split(";").map((pair) => pair.trim());
      const pair = pairs.find((one) => one.startsWith(`${fullName}=`));
      return pair === undefined ? null : decoded(pair.slice(fullName.length + 1));
    },
    /** Returns the `Set-Cookie` value that sets it, for that many seconds or until the browser is closed. */
    keep: (value: string, seconds?: number) =>
      `${fullName}=${encodeURIComponent(value)}; ${attributes}${seconds === undefined ? "" : `; Max-Age=${seconds}`}`,
    /** The `Set-Cookie` value that deletes it. */
    end: `${fullName}=; ${attributes}; Max-Age=0`,
  };
}

function decoded(value: string): string | null {
  try {
    return decodeURIComponent(value);
  } catch {
    return null;
  }
}

/** Long enough to sign in on the way. */
const LINK_CODE_SECONDS = 15 * 60;

/** Moves a code from a link into a cookie, because addresses end up in histories, logs and screenshots. */
export interface LinkCode {
  /**
   * If the address has a code, returns a redirect to the page without it that sets the code as a short-lived cookie.
   */
  moved(visit: Visit): RedirectReply | null;
  /** Returns the code that came with the visit, or null. It is untrusted. */
  read(visit: Visit): string | null;
  /** Returns the `Set-Cookie` value that stores a code. */
  keep(code: string): string;
  /** The `Set-Cookie` value that deletes it. */
  readonly end: string;
}

export function createLinkCode(cookieName: string, publicUrl: string): LinkCode {
  const cookie = createCookie(cookieName, publicUrl);
  const keep = (code: string) => cookie.keep(code, LINK_CODE_SECONDS);
  return {
    keep,
    end: cookie.end,
    read: ({ request }) => codeOf(cookie.read(request.headers)),
    moved({ url }) {
      const given = url.searchParams.get("code");
      if (given === null) return null;
      const code = codeOf(given);
      return { redirectTo: url.pathname, cookies: [code === null ? cookie.end : keep(code)] };
    },
  };
}

/** Default page after sign-in. The pages without scripts are at /account. */
export const HOME = "/admin";

/**
 * A handler that requires sign-in. Other visitors are redirected to the sign-in page and then back to the requested
 * page, or for a form to the page that `back` names.
 */
export function signedIn(
  handle: (visit: SignedInVisit) => Promise<Reply> | Reply,
  back: (visit: Visit) => string = pageOf,
): Handler {
  return (visit) => (isSignedIn(visit) ? handle(visit) : { redirectTo: signInPath(returnPath(back(visit))) });
}

/** Returns the caller of the visit's session. */
export async function callerOf(
  deps: Pick<BrowserDependencies, "accounts" | "hash">,
  visit: SignedInVisit,
): Promise<Caller> {
  const caller = await sessionNow(deps, visit);
  if (caller === null) throw new DomainError("invalid_token", "Your session has ended. Sign in again.");
  return caller;
}

function isSignedIn(visit: Visit): visit is SignedInVisit {
  return visit.account !== null;
}

function pageOf({ request, url }: Visit): string {
  return request.method === "POST" ? HOME : url.pathname + url.search;
}

/** Returns the path of the sign-in page, which leads back to `next`. */
export function signInPath(next: string): string {
  return next === HOME ? "/sign-in" : `/sign-in?${new URLSearchParams({ next })}`;
}

const RETURN_PATH_CHARACTERS_MAX = 8192;

/**
 * Returns the path, with its query, to go to after sign-in: the given one if it is a path of this service, otherwise
 * the admin UI. Never another site, however it is spelt.
 */
export function returnPath(given: string | null): string {
  if (given === null || given.length > RETURN_PATH_CHARACTERS_MAX) return HOME;
  // Exactly one leading slash; no backslash, which browsers treat as a slash; no white space, which they strip.
  if (!/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(given)) return HOME;
  const here = "http://here.invalid";
  if (!URL.canParse(given, here)) return HOME;
  const url = new URL(given, here);
  return url.origin === here && !url.pathname.startsWith("//") ? url.pathname + url.search : HOME;
}

/** Key of a sign-in attempt, besides the account. */
export function attemptOf({ request, address }: Visit): SignInRequest {
  return { headers: request.headers, address: networkOf(address) };
}
