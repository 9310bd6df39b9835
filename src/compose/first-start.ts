import { type Scope, scopes } from "../contract/scope.ts";
import type { Config } from "./config.ts";
import type { Service } from "./service.ts";

/** All but acting for end users: coding agents get this key, and with it every tool would take a `user_id`. */
const FIRST_SCOPES = (Object.keys(scopes) as Scope[]).filter((scope) => scope !== "users:act");

/** Created by the first start, and shown once. */
export interface FirstStart {
  readonly key: string;
  /** The invitation to create the account of the key's owner. */
  readonly setupCode: string;
}

/**
 * Creates the first key, if there is none, and an invitation to its owner's account. In production it throws instead,
 * with how to create a credential, since a server without one is useless. Returns null if this is not the first start,
 * or if another server on the same database was first.
 */
export async function firstStart(
  config: Config,
  { credentials, accounts }: Pick<Service, "credentials" | "accounts">,
): Promise<FirstStart | null> {
  if (await credentials.hasAny()) return null;
  if (config.appEnv === "production") {
    throw new Error(
      "There is no API key yet. Create one with `npm run -s recollect -- keys create --owner NAME`, or set BOOTSTRAP_API_KEY, then start again.",
    );
  }
  const owner = await credentials.ensureOwner("user", "local");
  const issued = await credentials.issueFirst({
    kind: "api_key",
    ownerId: owner.id,
    name: "first start",
    scopes: FIRST_SCOPES,
    space: { teamId: null, projects: null, pathPrefix: null, buckets: null },
    expiresAt: null,
  });
  if (issued === null) return null;
  const { secret: setupCode } = await accounts.invite(owner);
  return { key: issued.secret, setupCode };
}

/** Text of the first start: the key and the set-up link, shown once, and three commands to try. */
export function welcome(url: string, { key, setupCode }: FirstStart): string {
  const json = `-H 'Content-Type: application/json'`;
  return `
Your API key, shown only this once (owner: local):

  export RECOLLECT_API_KEY=${key}

Try it in another terminal:

  curl ${url}/v1/remember -H "X-API-Key: $RECOLLECT_API_KEY" ${json} -d '{"content": "Deploys go out on Tuesdays", "path": "team/deploys"}'
  curl "${url}/v1/recall?query=when+do+we+deploy" -H "X-API-Key: $RECOLLECT_API_KEY"
  curl ${url}/v1/recall/context -H "X-API-Key: $RECOLLECT_API_KEY" ${json} -d '{"query": "when do we deploy?"}'

Set up your account within 24 hours to approve agents and apps in a browser (the link works once):

  ${url}/setup?code=${setupCode}

The documentation is at ${url}/docs, the admin UI at ${url}/admin, and MCP at ${url}/mcp.
`;
}
