/**
 * A visit of a page: who comes, with which browser, and whether the form that was sent is ours. Pages get no request
 * that did not pass here.
 *
 * A form is accepted where three things agree. The browser says that it was on a page of this origin (`Origin`,
 * `Sec-Fetch-Site` or `Referer`). The form carries a token that was made for this browser, known by a random id in a
 * cookie, and for the person who is signed in. And the id changes with every sign-in and sign-out, so that forms of
 * another session are worth nothing.
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

/** Dependencies of the pages. */
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
  /** The secret that form tokens are made with, the same on every replica. */
  readonly formKey: () => Promise<Uint8Array>;
  readonly clock: () => number;
  /** Called for each request once its answer is made. */
  readonly log: (line: RequestLine) => void;
}

/** A browser's request, with all that is found out about it before a page is asked. */
export interface Visit extends PageContext {
  readonly request: Request;
  readonly url: URL;
  readonly requestId: string;
  /** The client's network address; null where it is unknown. */
  readonly address: string | null;
  /** The fields of a form that was sent, its origin and token checked; none for GET. */
  readonly form: URLSearchParams;
  readonly now: number;
}

/** A visit of somebody who is signed in. */
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

/** A request on its way to a page. The error pages use what is found out on the way, too. */
export interface Arrival {
  readonly requestId: string;
  page: PageContext;
  /** `Set-Cookie` values of any response to it. */
  cookies: readonly string[];
}

/** Context of an error page before the visitor is known. */
export const anonymous: PageContext = { account: null, formToken: "" };

/** Makes visits of requests. */
export interface Visits {
  /** The visit, or the page that says why there is none: the form that was sent is not ours, or not this session's. */
  open(request: Request, arrival: Arrival): Promise<{ visit: Visit } | { errorPage: PageReply }>;
  /** `Set-Cookie` values that follow from the reply: in another session, forms made before are no longer valid. */
  cookiesAfter(reply: Reply): readonly string[];
}

type Needs = Pick<BrowserDependencies, "accounts" | "clock" | "formKey" | "publicUrl" | "trustedProxies">;

export function createVisits(deps: Needs): Visits {
  const cookie = createCookie("recollect_form", deps.publicUrl);
  const isOwnOrigin = createOriginCheck(deps.publicUrl);
  const tokens = createFormTokens(deps.formKey);

  /** Identifies the visitor. A browser without an id gets one, so that the forms it is shown now are valid later. */
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

/** A browser is known by this before anybody has signed in: random, in a cookie that no script reads. */
function newBrowserId(): string {
  return randomBytes(32).toString("base64url");
}

/** True for what `newBrowserId` could have made. */
function isBrowserId(value: string | null): value is string {
  return value !== null && /^[A-Za-z0-9_-]{43}$/.test(value);
}

/** The holder of a form. */
interface FormHolder {
  readonly browserId: string;
  readonly accountId: string | null;
}

/** Tokens that only a form made for the same browser and the same person carries. */
function createFormTokens(key: () => Promise<Uint8Array>) {
  // Asked for once; where that fails, again the next time.
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
 * The referrer that targets of links and forms get. None, if the browser vouches for our
 * forms by `Sec-Fetch-Site`. Over plain http beyond this device it sends no such header, and without a referrer no
 * origin either: there this service gets the referrer, and still nobody else does.
 */
export function referrerPolicyFor(publicUrl: string): "no-referrer" | "same-origin" {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === "https:" || isLoopback(hostname) ? "no-referrer" : "same-origin";
}

/**
 * A cookie that no script reads and that is sent with same-site requests and followed links only. Over https its name
 * has the prefix with which a browser takes it from this host alone.
 */
function createCookie(name: string, publicUrl: string) {
  const isSecure = publicUrl.startsWith("https:");
  const fullName = isSecure ? `__Host-${name}` : name;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  return {
    /** The value the browser sent, or null. */
    read(headers: Headers): string | null {
      const pairs = (headers.get("cookie") ?? "").split(";").map((pair) => pair.trim());
      const pair = pairs.find((one) => one.startsWith(`${fullName}=`));
      return pair === undefined ? null : decoded(pair.slice(fullName.length + 1));
    },
    /** The `Set-Cookie` value that keeps it: for that many seconds, or until the browser is closed. */
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

/** As long as it may take to sign in on the way. */
const LINK_CODE_SECONDS = 15 * 60;

/**
 * A code from a link, kept out of the address while it is needed: addresses end up in histories, logs and screenshots.
 */
export interface LinkCode {
  /** If the address has a code: a redirect to the same page without it, the code in a short-lived cookie. */
  moved(visit: Visit): RedirectReply | null;
  /** The code that came with the visit, or null. Nothing vouches for it: a browser may send anything. */
  read(visit: Visit): string | null;
  /** The `Set-Cookie` value that keeps a code. */
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

/** Default page after sign-in. Its pages without script are at /account. */
export const HOME = "/admin";

/**
 * A handler for people who are signed in. Others are led to the sign-in page, and from there to what they asked for:
 * the page they are at, or the one that `back` names for a form.
 */
export function signedIn(
  handle: (visit: SignedInVisit) => Promise<Reply> | Reply,
  back: (visit: Visit) => string = pageOf,
): Handler {
  return (visit) => (isSignedIn(visit) ? handle(visit) : { redirectTo: signInPath(returnPath(back(visit))) });
}

/** The caller that the visit's session is. */
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

/** The sign-in page, which leads back to that path. */
export function signInPath(next: string): string {
  return next === HOME ? "/sign-in" : `/sign-in?${new URLSearchParams({ next })}`;
}

const RETURN_PATH_CHARACTERS_MAX = 8192;

/**
 * The path, with its query, that a person goes back to after signing in: the given one if it is a path of this service,
 * otherwise the admin UI. Never an address elsewhere, however it is spelt.
 */
export function returnPath(given: string | null): string {
  if (given === null || given.length > RETURN_PATH_CHARACTERS_MAX) return HOME;
  // One slash and no second; no backslash, which browsers take for a slash; no white space, which they leave out.
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
