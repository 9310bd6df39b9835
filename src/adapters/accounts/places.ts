import { TOOLS_PARAMETER } from "../../contract/tool-set.ts";
import { isLoopback } from "../../core/access/loopback.ts";

/** The addresses of the authorization server, all below the service's public one. */
export interface Places {
  readonly issuer: string;
  readonly origin: string;
  /** The base path of the service behind a proxy; empty at the root. */
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

/** True if OAuth may be offered: over https, or over http on loopback. */
export function allowsOAuth({ issuer }: Places): boolean {
  const { protocol, hostname } = new URL(issuer);
  return protocol === "https:" || isLoopback(hostname);
}

/**
 * True if the resource is this service as clients name it: its address, or its MCP address with or without a tool set.
 */
function isThisResource({ issuer, resource }: Places, named: string): boolean {
  const address = named.startsWith(`${resource}?${TOOLS_PARAMETER}=`) ? resource : named;
  return [resource, `${resource}/`, issuer, `${issuer}/`].includes(address);
}

/** Replaces every name of this service by the canonical resource. Other resources stay, and are rejected later. */
export function setResource(parameters: URLSearchParams, places: Places): void {
  const named = parameters.getAll("resource");
  if (named.every((resource) => isThisResource(places, resource)))
    parameters.set("resource", places.resource);
}
