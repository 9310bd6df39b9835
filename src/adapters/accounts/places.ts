import { TOOLS_PARAMETER } from "../../contract/tool-set.ts";
import { isLoopback } from "../../core/access/loopback.ts";

/** The addresses of the authorization server, all below the service's public one. */
export interface Places {
  readonly issuer: string;
  readonly origin: string;
  /** The path that the service is below, as a proxy may put it; empty at the root. */
  readonly basePath: string;
  /** The resource that tokens are for (RFC 8707). */
  readonly resource: string;
  readonly signInPage: string;
  readonly consentPage: string;
  readonly errorPage: string;
}

export function placesOf(publicUrl: string): Places {
  const issuer = publicUrl.replace(/\/+$/, "");
  const { origin, pathname } = new URL(issuer);
  return {
    issuer,
    origin,
    basePath: pathname === "/" ? "" : pathname,
    resource: `${issuer}/mcp`,
    signInPage: `${issuer}/sign-in`,
    consentPage: `${issuer}/oauth/consent`,
    errorPage: `${issuer}/oauth/error`,
  };
}

/** OAuth is for https, and for http where nobody is in between. */
export function allowsOAuth({ issuer }: Places): boolean {
  const { protocol, hostname } = new URL(issuer);
  return protocol === "https:" || isLoopback(hostname);
}

/**
 * True for the ways in which clients name this service as a resource: the address of MCP, with or without the set of tools
 * that they ask it for, or of the service.
 */
function isThisResource({ issuer, resource }: Places, named: string): boolean {
  const address = named.startsWith(`${resource}?${TOOLS_PARAMETER}=`) ? resource : named;
  return [resource, `${resource}/`, issuer, `${issuer}/`].includes(address);
}

/** Replaces every way of naming this service by the one that tokens are for. Another resource stays, to be rejected. */
export function setResource(parameters: URLSearchParams, places: Places): void {
  const named = parameters.getAll("resource");
  if (named.every((resource) => isThisResource(places, resource)))
    parameters.set("resource", places.resource);
}
