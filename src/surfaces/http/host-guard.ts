import {
  localhostAllowedHostnames,
  validateHostHeader,
  validateOriginHeader,
} from "@modelcontextprotocol/server";

/**
 * Refuses (403) what a browser was tricked into sending: a `Host` or an `Origin` that is neither loopback nor the public
 * host. Clients other than browsers send no `Origin`, which is fine.
 */
export function createHostGuard(publicUrl: string): (request: Request) => Response | null {
  const allowed = allowedHostnames(publicUrl);
  return (request) => {
    const verdicts = [
      validateHostHeader(hostOf(request), allowed),
      validateOriginHeader(request.headers.get("origin"), allowed),
    ];
    const failed = verdicts.find((verdict) => !verdict.ok);
    return failed ? forbidden(failed.message) : null;
  };
}

/** True where a request names the public host, or a loopback one, in `Host`. Its origin is not looked at. */
export function createHostCheck(publicUrl: string): (request: Request) => boolean {
  const allowed = allowedHostnames(publicUrl);
  return (request) => validateHostHeader(hostOf(request), allowed).ok;
}

/** The host a request is for. HTTP/2 has no Host header, nor has a request made in this process: the address names it. */
export function hostOf(request: Request): string {
  return request.headers.get("host") ?? new URL(request.url).host;
}

/** As the SDK compares them: lower case, no port, IPv6 in brackets. */
function allowedHostnames(publicUrl: string): string[] {
  return [...localhostAllowedHostnames(), new URL(publicUrl).hostname];
}

/** The body that the SDK's own checks answer. */
function forbidden(message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code: -32_000, message }, id: null }, { status: 403 });
}
