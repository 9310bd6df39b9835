import { isIPv4, isIPv6 } from "node:net";
import { DomainError } from "../../core/error.ts";

/** Rules for requests from browsers. */
export interface BrowserRules extends HostNames {
  /** Origins other than the service's own whose pages may send requests here. */
  readonly corsOrigins: readonly string[];
  /** True where a person may come from elsewhere, by a link or a redirect. */
  readonly isPage: (request: Request) => boolean;
}

/** Returns the refusal of a request before any work is done for it; null if it may go on. */
export type RequestGuard = (request: Request) => DomainError | null;

/**
 * Refuses what a browser sends for a page of somebody else's: a request for another host (`createHostGuard`), and one that
 * another origin's page sends (`origin_not_allowed`), be it a form, a script, an image, a frame or a socket. What such a
 * page may not read it may not cause either. Other clients send nothing that says where they are, and pass.
 */
export function createRequestGuard(rules: BrowserRules): RequestGuard {
  const refusedHost = createHostGuard(rules);
  const isOwnOrigin = createOwnOrigin(rules.publicUrl);
  const isFromElsewhere = (request: Request): boolean => {
    const site = request.headers.get("sec-fetch-site");
    const origin = request.headers.get("origin");
    // `none`: a person typed the address, or an extension that they trust with it asks.
    if (site === "same-origin" || site === "none") return false;
    if (origin !== null && rules.corsOrigins.includes(origin)) return false;
    if (site !== null) return !isNavigation(request) || !rules.isPage(request);
    return origin !== null && !isOwnOrigin(origin, request);
  };
  return (request) => {
    const refused = refusedHost(request);
    if (refused) return refused;
    // A browser asks with OPTIONS what a page may do. That does nothing, and a surface answers it for its own origins alone.
    if (request.method === "OPTIONS" || !isFromElsewhere(request)) return null;
    return new DomainError("origin_not_allowed", ORIGIN_NOT_ALLOWED);
  };
}

const ORIGIN_NOT_ALLOWED =
  "A page of another origin sent this, and nothing was done. Whoever runs the service lists in CORS_ORIGINS the origins whose pages may call it.";

/** True where a browser opens a page in a tab, not in a frame. Browsers before 2020 do not say which. */
function isNavigation({ method, headers }: Request): boolean {
  const isTab = ["document", null].includes(headers.get("sec-fetch-dest"));
  return method === "GET" && headers.get("sec-fetch-mode") === "navigate" && isTab;
}

/**
 * Tells an address of this service, an origin or a page of it, by `PUBLIC_URL` or by the host that was asked, from others
 * and from `null`.
 */
export function createOwnOrigin(publicUrl: string): (address: string, request: Request) => boolean {
  const publicOrigin = new URL(publicUrl).origin;
  return (address, request) => {
    if (!URL.canParse(address)) return false;
    const url = new URL(address);
    const isWeb = url.protocol === "http:" || url.protocol === "https:";
    // Behind a proxy that ends TLS the request itself does not know the scheme, so only its host is compared.
    return url.origin === publicOrigin || (isWeb && url.host === hostOf(request).toLowerCase());
  };
}

/**
 * True where a page of this service sent it, a form or a script. Our pages send no referrer, and a browser then sends
 * `Origin: null` and says in `Sec-Fetch-Site` where the form was. A request that has none of them is refused.
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

/** The path and query of a request, without parsing its URL: every request would pay for that. */
export function targetOf({ url }: Request): string {
  return url.slice(url.indexOf("/", url.indexOf("//") + 2));
}

/** Which names a service goes by. */
export interface HostNames {
  /** How clients reach the service from outside. */
  readonly publicUrl: string;
  /** Further host names, in lower case; `*.` at the beginning stands for any subdomain. */
  readonly allowedHosts: readonly string[];
}

/**
 * Refuses a request for a host that this service is not: `malformed_host` (400) or `host_not_allowed` (403). A site whose
 * name an attacker lets point here (DNS rebinding) is of the same origin as this service to a browser, and only its name
 * in `Host` gives it away. Addresses and loopback names nobody can let point elsewhere: they pass.
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

/** The host a request is for. One that was made in this process may have no header: then its address names it. */
export function hostOf(request: Request): string {
  return request.headers.get("host") ?? new URL(request.url).host;
}

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i;

/** The name or address in a `Host` header, in lower case and without a port; null where it is not one host. */
function hostnameIn(host: string): string | null {
  const [, name = "", port = ""] = HOST.exec(host) ?? [];
  const isMalformed = Number(port) > 65_535 || (name.startsWith("[") && !isIPv6(name.slice(1, -1)));
  // A dot at the end is that of the root: the same name.
  return isMalformed ? null : name.toLowerCase().replace(/\.$/, "") || null;
}

/** As browsers and probes write it: IPv4 in four parts, IPv6 in the brackets that were found to hold one. */
function isAddress(name: string): boolean {
  return name.startsWith("[") || isIPv4(name);
}

/** Names that resolvers lead to this machine whatever a DNS server says (RFC 6761). */
function isLoopbackName(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost");
}
