import { isIPv4, isIPv6 } from "node:net";
import { DomainError } from "../../core/error.ts";

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
    return isOurs(name) ? null : new DomainError("host_not_allowed", NOT_ALLOWED);
  };
}

const NOT_ALLOWED =
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
