import type { OAuthClientProvider } from "@modelcontextprotocol/client";
import { REDIRECT_URI } from "./client.ts";

/** What a client of MCP keeps between the steps, in memory. */
export function memoryProvider(
  clientMetadataUrl?: string,
): OAuthClientProvider & { authorizationUrl(): URL } {
  let information: Parameters<NonNullable<OAuthClientProvider["saveClientInformation"]>>[0] | undefined;
  let tokens: Parameters<OAuthClientProvider["saveTokens"]>[0] | undefined;
  let verifier = "";
  let authorization: URL | undefined;
  let discovery: Parameters<NonNullable<OAuthClientProvider["saveDiscoveryState"]>>[0] | undefined;
  return {
    redirectUrl: REDIRECT_URI,
    ...(clientMetadataUrl === undefined ? {} : { clientMetadataUrl }),
    clientMetadata: { client_name: "An MCP client", redirect_uris: [REDIRECT_URI] },
    clientInformation: () => information,
    saveClientInformation: (saved) => {
      information = saved;
    },
    tokens: () => tokens,
    saveTokens: (saved) => {
      tokens = saved;
    },
    redirectToAuthorization: (url) => {
      authorization = url;
    },
    saveCodeVerifier: (saved) => {
      verifier = saved;
    },
    codeVerifier: () => verifier,
    saveDiscoveryState: (saved) => {
      discovery = saved;
    },
    discoveryState: () => discovery,
    invalidateCredentials: (what) => {
      if (what === "all" || what === "client") information = undefined;
      if (what === "all" || what === "tokens") tokens = undefined;
      if (what === "all" || what === "discovery") discovery = undefined;
    },
    authorizationUrl() {
      if (!authorization) throw new Error("The client has not asked for an authorization.");
      return authorization;
    },
  };
}
