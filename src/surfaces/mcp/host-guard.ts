import {
  localhostAllowedHostnames,
  validateHostHeader,
  validateOriginHeader,
} from "@modelcontextprotocol/server";

/**
 * Refuses (403) what a browser was tricked into sending: a `Host` or an `Origin` that is neither loopback nor one of
 * the given hosts. Clients that are no browsers send no `Origin`, which is fine. Throws where a host is not a host.
 */
export function createHostGuard(hosts: readonly string[]): (request: Request) => Response | null {
  const allowed = [...new Set([...localhostAllowedHostnames(), ...hosts.map(hostname)])];
  return (request) => {
    // HTTP/2 has no Host header, nor has a request made in this process: there the address itself names the host.
    const host = request.headers.get("host") ?? new URL(request.url).host;
    const verdicts = [
      validateHostHeader(host, allowed),
      validateOriginHeader(request.headers.get("origin"), allowed),
    ];
    const refusal = verdicts.find((verdict) => !verdict.ok);
    return refusal ? forbidden(refusal.message) : null;
  };
}

/** As the SDK compares it: lower case, no port, IPv6 in brackets. */
function hostname(host: string): string {
  return new URL(`http://${host}`).hostname;
}

/** The body that the SDK's own checks answer. */
function forbidden(message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code: -32_000, message }, id: null }, { status: 403 });
}
