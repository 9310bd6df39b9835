/** Two servers, as they are started by users, on one database: what one counts the other knows of. */
import { dirname } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createCredentialStore } from "../../src/adapters/postgres/access/credential-store.ts";
import { type Address, connect } from "../../src/adapters/postgres/database/client.ts";
import { type HttpClient, httpClient } from "../support/http-client.ts";
import { ownDatabase } from "../support/own-database.ts";
import { eventually } from "../support/processes.ts";
import { home } from "../support/server.ts";
import { type Answer, everyScope } from "../support/world.ts";
import { inOneWindow } from "./one-window.ts";

const TEST_MS_MAX = 300_000;
const AT_ONCE = 24;
/** A revocation is obeyed everywhere within a second; the rest is for a slow machine. */
const REVOKED_WITHIN_MS = 10_000;

/** How a server of another process reaches the database of this run. */
function settingsFor(address: Address): Record<string, string> {
  if ("url" in address) return { DATABASE_URL: address.url };
  const port = /\.(\d+)$/.exec(address.path)?.[1] ?? "5432";
  // A URL cannot name a unix socket; the driver takes what it does not name from these.
  return {
    DATABASE_URL: `postgres:///${address.database}`,
    PGHOST: dirname(address.path),
    PGPORT: port,
    PGUSER: address.username,
  };
}

async function twoServers() {
  const address = await ownDatabase();
  const sql = connect(address, 2);
  onTestFinished(() => sql.end({ timeout: 1 }));
  const credentials = createCredentialStore(sql);
  const at = await home({ fresh: true });
  const env = {
    ...settingsFor(address),
    BOOTSTRAP_API_KEY: "test-key-0123456789abcdef0123456789abcdef",
    RATE_LIMIT_ENABLED: "true",
    DATABASE_CONNECTIONS: "8",
    LOG_LEVEL: "error",
  };
  const urls = await Promise.all((["bun", "node"] as const).map((runtime) => at.start(runtime, env).ready()));
  const owner = await credentials.ensureOwner("user", "alice");
  return {
    credentials,
    /** A key that nothing has been counted for, and its clients. */
    async newKey() {
      const { credential, secret } = await credentials.issue({
        kind: "api_key",
        ownerId: owner.id,
        name: null,
        scopes: everyScope,
        space: { teamId: null, projects: null, pathPrefix: null, buckets: null },
        expiresAt: null,
      });
      return { tokenId: credential.tokenId, clients: urls.map((url) => httpClient(url, secret)) };
    },
  };
}

type Send = (client: HttpClient, at: number) => Promise<Answer>;

/** So many requests, spread over the clients, many at once. */
async function spread(clients: readonly HttpClient[], count: number, send: Send): Promise<Answer[]> {
  const answers: Answer[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (next < count) {
        const at = next++;
        answers.push(await send(clients[at % clients.length] as HttpClient, at));
      }
    }),
  );
  return answers;
}

const headersOf = ({ headers }: Answer) =>
  ["limit", "policy", "reset"].map((name) => headers.get(`x-ratelimit-${name}`));

test(
  "the request after the quota is refused, whichever server answers, with the right headers",
  async () => {
    const servers = await twoServers();
    const cases: readonly (readonly [string, number, Send])[] = [
      ["data", 600, (client) => client.get("/v1/agents/status")],
      ["read", 300, (client) => client.get("/v1/memories/none")],
      ["write", 180, (client) => client.post("/v1/memories/none/restore")],
    ];
    for (const [category, quota, send] of cases) {
      const answers = await inOneWindow(async () => {
        const { clients } = await servers.newKey();
        const value = await spread(clients, quota + 1, send);
        return { resets: value.map(({ headers }) => headers.get("x-ratelimit-reset")), value };
      });
      const refused = answers.filter(({ status }) => status === 429);
      const rest = answers.filter(({ status }) => status !== 429);
      expect([category, refused.length, rest.length]).toEqual([category, 1, quota]);
      const remaining = rest.map(({ headers }) => Number(headers.get("x-ratelimit-remaining")));
      expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: quota }, (_, left) => left));

      const [{ headers, body }] = refused as [Answer];
      const policy = `${category};w=60;q=${quota}`;
      const reset = Number(headers.get("x-ratelimit-reset"));
      for (const answer of answers) expect(headersOf(answer)).toEqual([String(quota), policy, String(reset)]);
      expect(headers.get("x-ratelimit-remaining")).toBe("0");
      expect(reset % 60).toBe(0);
      const wait = Number(headers.get("retry-after"));
      expect(wait).toBeGreaterThanOrEqual(1);
      expect(wait).toBeLessThanOrEqual(60);
      expect(body).toEqual({
        detail: expect.any(String),
        code: "rate_limited",
        category,
        policy,
        limit: quota,
        window_seconds: 60,
        retry_after_seconds: wait,
      });
    }
  },
  TEST_MS_MAX,
);

test(
  "a key that is revoked is refused by both, and stays refused",
  async () => {
    const servers = await twoServers();
    const { tokenId, clients } = await servers.newKey();
    for (const client of clients) expect((await client.get("/v1/memories")).status).toBe(200);
    await servers.credentials.revoke(tokenId);
    for (const client of clients) {
      const isRefused = async () => ((await client.get("/v1/memories")).status === 401 ? true : undefined);
      await eventually("the refusal", isRefused, { withinMs: REVOKED_WITHIN_MS });
    }
    for (let again = 0; again < 5; again += 1) {
      for (const client of clients) expect((await client.get("/v1/memories")).status).toBe(401);
    }
  },
  TEST_MS_MAX,
);
