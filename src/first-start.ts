import type { Config } from "./config.ts";
import { type Scope, scopes } from "./contract/scope.ts";
import type { CredentialStore } from "./core/credential/credential-store.ts";

/**
 * The key that the first start makes where no other exists: in development only. In production a server without a
 * credential is of no use to anybody, so it refuses and names the way to make one.
 */
export async function firstKey(config: Config, credentials: CredentialStore): Promise<string | null> {
  if (await credentials.hasAny()) return null;
  if (config.appEnv === "production") {
    throw new Error(
      "There is no API key yet. Make one with `npm run -s recollect -- keys create --owner NAME`, or set BOOTSTRAP_API_KEY, then start again.",
    );
  }
  const owner = await credentials.ensureOwner("user", "local");
  const { secret } = await credentials.issue({
    kind: "api_key",
    ownerId: owner.id,
    name: "first start",
    scopes: Object.keys(scopes) as Scope[],
    space: { projects: null, pathPrefix: null, buckets: null },
    expiresAt: null,
  });
  return secret;
}

/** What a person sees at the first start: the key, once, and three things to try. */
export function welcome(url: string, key: string): string {
  const json = `-H 'Content-Type: application/json'`;
  return `
Your API key, shown this once (owner: local):

  export RECOLLECT_API_KEY=${key}

Try, in another terminal:

  curl ${url}/v1/remember -H "X-API-Key: $RECOLLECT_API_KEY" ${json} -d '{"content": "Deploys go out on Tuesdays", "path": "projects/demo"}'
  curl "${url}/v1/recall?query=when+do+we+deploy" -H "X-API-Key: $RECOLLECT_API_KEY"
  curl ${url}/v1/recall/context -H "X-API-Key: $RECOLLECT_API_KEY" ${json} -d '{"query": "when do we deploy?"}'

The API is described at ${url}/docs, MCP is at ${url}/mcp.
`;
}
