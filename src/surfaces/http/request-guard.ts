import { isIPv4, isIPv6 } from "node:net";
import { DomainError } from "../../core/error.ts";

export interface BrowserRules extends HostNames {
  /** Other origins whose pages may send requests here. */
  readonly corsOrigins: readonly string[];
  /** True if a person may arrive at the request's path from another site, by a link or a redirect. */
  readonly isPage: (request: Request) => boolean;
}

/** Returns the refusal of a request before any work is done for it; null if it may go on. */
export type RequestGuard = (request: Request) => DomainError | null;

/**
 * Refuses requests that a browser sends for another site's page: requests for another host (`createHostGuard`), and
 * requests from another origin's page (`origin_not_allowed`), be it a form, a script, an image, a frame or a socket. A
 * page that may not read an answer may not trigger the request either. Clients other than browsers send no origin, and
 * pass.
 */
export function createRequestGuard(rules: BrowserRules): RequestGuard {
  const refusedHost = createHostGuard(rules);
  const isOwnOrigin = createOwnOrigin(rules.publicUrl);
  const isFromElsewhere = (request: Request): boolean => {
    const site = request.headers.get("sec-fetch-site");
    const origin = request.headers.get("origin");
    // `none`: a person typed the address, or it was sent by a browser extension that they trust.
    if (site === "same-origin" || site === "none") return false;
    if (origin !== null && rules.corsOrigins.includes(origin)) return false;
    if (site !== null) return !isNavigation(request) || !rules.isPage(request);
    return origin !== null && !isOwnOrigin(origin, request);
  };
  return (request) => {
    const refused = refusedHost(request);
    if (refused) return refused;
    // A CORS preflight has no effect, and each surface answers it only for its allowed origins.
    if (request.method === "OPTIONS" || !isFromElsewhere(request)) return null;
    return new DomainError("origin_not_allowed", ORIGIN_NOT_ALLOWED);
  };
}

const ORIGIN_NOT_ALLOWED =
  "A page of another origin sent this, and nothing was done. Whoever runs the service lists in CORS_ORIGINS the origins whose pages may call it.";

/** True if a browser opens a page in a tab, not in a frame. Browsers before 2020 do not distinguish the two. */
function isNavigation({ method, headers }: Request): boolean {
  const isTab = ["document", null].includes(headers.get("sec-fetch-dest"));
  return method === "GET" && headers.get("sec-fetch-mode") === "navigate" && isTab;
}

/**
 * Creates a check whether an origin or page address belongs to this service, by `PUBLIC_URL` or by the requested host.
 * False for `null`.
 */
export function createOwnOrigin(publicUrl: string): (address: string, request: Request) => boolean {
  const publicOrigin = new URL(publicUrl).origin;
  return (address, request) => {
    if (!URL.canParse(address)) return false;
    const url = new URL(address);
    const isWeb = url.protocol === "http:" || url.protocol === "https:";
    // Behind a proxy that terminates TLS, the request does not have the public scheme, so only hosts are compared.
    return url.origin === publicOrigin || (isWeb && url.host === hostOf(request).toLowerCase());
  };
}

/**
 * Creates a check whether a request was sent by a page of this service. Our pages send no referrer, so browsers send
 * `Origin: null` and state the form's site in `Sec-Fetch-Site`. A request with none of these headers is refused.
 */
export function createOriginCheck(publicUrl: string): (request: Request) => boolean {
  const isOurs = createOwnOrigin(publicUrl);
  return (request) => {
    const origin = request.headers.get("origin");
    if (origin !== null && origin !== "null") return isOurs(origin, request);
    const site = request.headers.get("sec-fetch-site");
    if (site !== null) return site === "same-origin";
    const referrer = request.headers.get("referer");
    return referrer !== null && isOurs(referrer, request);
  };
}

/** Returns the path and query of a request, without the cost of parsing its URL. */
export function targetOf({ url }: Request): string {
  return url.slice(url.indexOf("/", url.indexOf("//") + 2));
}

export interface HostNames {
  /** How clients reach the service from outside. */
  readonly publicUrl: string;
  /** Additional host names, in lower case. A leading `*.` stands for any subdomain. */
  readonly allowedHosts: readonly string[];
}

/**
 * Refuses requests for a foreign host: `malformed_host` (400) or `host_not_allowed` (403). This stops DNS rebinding: if
 * an attacker points a name at this service, browsers treat it as the same origin, and only the `Host` header reveals
 * the attack. IP addresses and loopback names cannot be rebound, and pass.
 */
export function createHostGuard({
  publicUrl,
  allowedHosts,
}: HostNames): (request: Request) => DomainError | null {
  const names = new Set([hostnameIn(new URL(publicUrl).host), ...allowedHosts]);
  const domains = allowedHosts.filter((name) => name.startsWith("*.")).map((name) => name.slice(1));
  const isOurs = (name: string) =>
    names.has(name) || isAddress(name) || isLoopbackName(name) || domains.some((end) => name.endsWith(end));
  return (request) => {
    const name = hostnameIn(hostOf(request));
    if (name === null) {
      return new DomainError("malformed_host", "The Host header must be one host name or address.");
    }
    return isOurs(name) ? null : new DomainError("host_not_allowed", HOST_NOT_ALLOWED);
  };
}

const HOST_NOT_ALLOWED =
  "This service does not go by the host name that was asked for. To let it, add the name to ALLOWED_HOSTS, or set PUBLIC_URL to the address that clients use.";

/** Returns the host of a request. A request made in this process may lack the header; then its URL has the host. */
export function hostOf(request: Request): string {
  return request.headers.get("host") ?? new URL(request.url).host;
}

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i;

/**
 * Returns the name or address in a `Host` header, in lower case and without a port; null if it is not a single host.
 */
function hostnameIn(host: string): string | null {
  const [, name = "", port = ""] = HOST.exec(host) ?? [];
  const isMalformed = Number(port) > 65_535 || (name.startsWith("[") && !isIPv6(name.slice(1, -1)));
  // A trailing dot denotes the DNS root; the name is the same without it.
  return isMalformed ? null : name.toLowerCase().replace(/\.$/, "") || null;
}

/**
 * Accepts addresses as browsers and probes write them: IPv4 in four parts, and IPv6 in brackets (already validated).
 */
function isAddress(name: string): boolean {
  return name.startsWith("[") || isIPv4(name);
}

/** Names that resolvers map to this machine regardless of DNS (RFC 6761). */
function isLoopbackName(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost");
}
