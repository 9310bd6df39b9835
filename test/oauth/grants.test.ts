import { afterAll, beforeAll, expect, test } from "vitest";
import { STORAGE_LIMITS } from "../../src/core/limits/storage-limits.ts";
import { eventually } from "../support/acting.ts";
import { browserOf } from "./browser.ts";
import { rawClient } from "./client.ts";
import {
  accountOn,
  fromNowhere,
  type OAuthServerUnderTest,
  openServer,
  PASSWORD,
  server,
  withCookies,
} from "./server.ts";

let at: Awaited<ReturnType<typeof openServer>>;
beforeAll(async () => {
  at = await openServer();
});
afterAll(() => at.close());

let users = 0;
const someone = () => accountOn(at.service, `user${users++}`);

async function connected(more: Record<string, string | null> = {}) {
  const account = await someone();
  const client = await rawClient(at.url);
  const browser = browserOf(at.service, { email: account.email });
  const tokens = await client.connect(browser, more);
  return { ...at, account, client, browser, tokens };
}

/** What the access token is worth at the service's API. */
async function statusWith({ url }: OAuthServerUnderTest, accessToken: string): Promise<number> {
  const answer = await fetch(`${url}/v1/memories`, { headers: { authorization: `Bearer ${accessToken}` } });
  await answer.body?.cancel();
  return answer.status;
}

test("a code is good once", async () => {
  const it = await connected();
  const code = await it.client.code(it.browser);
  expect(await it.client.exchange(code)).toMatchObject({ status: 200 });
  expect(await it.client.exchange(code)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
});

test("a code that comes back ends all that came of it", async () => {
  const it = await connected();
  const code = await it.client.code(it.browser);
  const { body } = await it.client.exchange(code);
  expect(await statusWith(it, body.access_token)).toBe(200);
  expect(await it.client.exchange(code)).toMatchObject({ status: 400 });
  expect(await statusWith(it, body.access_token)).toBe(401);
  expect(await it.client.refresh(body.refresh_token)).toMatchObject({ status: 400 });
});

test("a person revokes a grant: access and refresh end, and the client begins anew", async () => {
  const it = await connected();
  const [grant] = await it.service.oauth.grants(it.account);
  expect(grant).toMatchObject({ clientId: it.client.clientId, clientName: "Test client" });
  expect(await it.service.oauth.revoke(it.account, grant?.id as string)).toBe(true);
  expect(await it.service.oauth.revoke(it.account, grant?.id as string)).toBe(false);

  expect(await statusWith(it, it.tokens.access_token)).toBe(401);
  expect(await it.client.refresh(it.tokens.refresh_token)).toMatchObject({ status: 400 });

  const again = await it.browser.visit(it.client.authorization());
  expect(again.asked).not.toBe(null);
  const fresh = await it.client.exchange(again.redirectTo.searchParams.get("code") as string);
  expect(await statusWith(it, fresh.body.access_token)).toBe(200);
  expect(await statusWith(it, it.tokens.access_token)).toBe(401);
  const [anew] = await it.service.oauth.grants(it.account);
  expect(anew?.id).not.toBe(grant?.id);
});

test("a grant of somebody else cannot be revoked, nor one that is none", async () => {
  const it = await connected();
  const [grant] = await it.service.oauth.grants(it.account);
  const other = await someone();
  expect(await it.service.oauth.revoke(other, grant?.id as string)).toBe(false);
  expect(await it.service.oauth.revoke(it.account, "no such grant")).toBe(false);
  expect(await statusWith(it, it.tokens.access_token)).toBe(200);
});

test("revoking the credential on the command line's way ends access, refresh and consent", async () => {
  const it = await connected();
  const listed = await it.service.credentials.list();
  const credential = listed.find(({ owner }) => owner.id === it.account.owner.id);
  expect(await it.service.credentials.revoke(credential?.tokenId as string)).toBe(true);

  await eventually(
    () => statusWith(it, it.tokens.access_token),
    (status) => status === 401,
  );
  expect(await it.client.refresh(it.tokens.refresh_token)).toMatchObject({
    status: 400,
    body: { error: "invalid_grant" },
  });
  const again = await it.browser.visit(it.client.authorization());
  expect(again.asked).not.toBe(null);
  // What was handed out before stays dead beside the fresh grant.
  expect(await statusWith(it, it.tokens.access_token)).toBe(401);
  expect(await it.client.refresh(it.tokens.refresh_token)).toMatchObject({ status: 400 });
});

test("revoking, and a code that comes back, end one authorization and no other of the same client", async () => {
  const it = await connected();
  const [revoked, replayed] = [await it.client.connect(it.browser), it.tokens];
  const code = await it.client.code(it.browser);
  const { body: last } = await it.client.exchange(code);
  expect((await it.client.revoke(revoked.refresh_token)).status).toBe(200);
  expect(await statusWith(it, revoked.access_token)).toBe(401);
  expect(await it.client.exchange(code)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  expect(await statusWith(it, last.access_token)).toBe(401);
  expect(await it.client.refresh(last.refresh_token)).toMatchObject({ status: 400 });

  expect(await statusWith(it, replayed.access_token)).toBe(200);
  const next = await it.client.refresh(replayed.refresh_token);
  expect(next.status).toBe(200);
  expect(await it.service.oauth.grants(it.account)).toHaveLength(1);
  // A token that was exchanged still names its authorization; with the last of them the grant ends.
  expect((await it.client.revoke(replayed.refresh_token)).status).toBe(200);
  expect(await statusWith(it, next.body.access_token)).toBe(401);
  expect(await it.service.oauth.grants(it.account)).toEqual([]);
});

test.each(["access_token", "refresh_token"] as const)("a client revokes by its %s", async (kind) => {
  const it = await connected();
  expect((await it.client.revoke(it.tokens[kind])).status).toBe(200);
  expect(await statusWith(it, it.tokens.access_token)).toBe(401);
  expect(await it.client.refresh(it.tokens.refresh_token)).toMatchObject({ status: 400 });
  expect(await it.service.oauth.grants(it.account)).toEqual([]);
});

test("a client cannot revoke what is another one's", async () => {
  const it = await connected();
  const other = await rawClient(it.url);
  for (const token of [it.tokens.access_token, it.tokens.refresh_token, "nothing"]) {
    expect((await other.revoke(token)).status).toBe(200);
  }
  expect(await statusWith(it, it.tokens.access_token)).toBe(200);
  expect(await it.client.refresh(it.tokens.refresh_token)).toMatchObject({ status: 200 });
});

test("consent is asked once, and again for more", async () => {
  const it = await connected({ scope: "memory:read" });
  expect((await it.browser.visit(it.client.authorization({ scope: "memory:read" }))).asked).toBe(null);
  const more = await it.browser.visit(it.client.authorization({ scope: "memory:read ledger:write" }));
  expect(more.asked?.scopes).toEqual(["memory:read", "ledger:write"]);
});

test("what a person leaves out is not granted, and a narrower consent narrows what is out there", async () => {
  const it = await connected();
  const narrow = browserOf(it.service, { email: it.account.email, leaves: ["memory:read"] });
  const visited = await narrow.visit(it.client.authorization({ prompt: "consent" }));
  const { body } = await it.client.exchange(visited.redirectTo.searchParams.get("code") as string);
  expect(body.scope.split(" ")).toEqual(["memory:read", "offline_access"]);

  await eventually(
    async () => (await it.service.oauth.authenticate(it.tokens.access_token))?.scopes,
    (scopes) => scopes?.join() === "memory:read",
  );
  expect(await it.service.oauth.grants(it.account)).toMatchObject([{ scopes: ["memory:read"] }]);
});

test("a person who declines sends the client away", async () => {
  const { url, service } = at;
  const account = await someone();
  const client = await rawClient(url);
  for (const person of [{ accept: false }, { leaves: [] }]) {
    const { redirectTo } = await browserOf(service, { ...person, email: account.email }).visit(
      client.authorization(),
    );
    expect(redirectTo.searchParams.get("error")).toBe("access_denied");
    expect(redirectTo.searchParams.get("state")).toBe("a state");
  }
  expect(await service.oauth.grants(account)).toEqual([]);
});

test("an account that is deleted takes its grants with it", async () => {
  const it = await connected();
  await it.service.sql`delete from auth."user" where id = ${it.account.id}`;
  await eventually(
    () => statusWith(it, it.tokens.access_token),
    (status) => status === 401,
  );
  expect(await it.client.refresh(it.tokens.refresh_token)).toMatchObject({ status: 400 });
});

test("ending an account ends its sessions, its password and its grants, and leaves the user", async () => {
  const it = await connected();
  const { accounts } = it.service;
  const remember = await fetch(`${it.url}/v1/memories`, {
    method: "POST",
    headers: { authorization: `Bearer ${it.tokens.access_token}`, "content-type": "application/json" },
    body: JSON.stringify({ content: "The build needs two gigabytes.", path: "projects/apollo" }),
  });
  expect(remember.status).toBe(201);
  const other = await someone();

  expect(await accounts.revoke(it.account.owner)).toBe(true);
  expect(await accounts.revoke(it.account.owner)).toBe(false);
  expect(await accounts.signedIn(it.browser.headers)).toBe(null);
  expect(await accounts.signIn(fromNowhere, it.account.email, PASSWORD)).toEqual({
    refused: "wrong_credentials",
  });
  await eventually(
    () => statusWith(it, it.tokens.access_token),
    (status) => status === 401,
  );
  expect(await it.client.refresh(it.tokens.refresh_token)).toMatchObject({ status: 400 });

  const anew = await accountOn(it.service, it.account.owner.name);
  expect(anew).toMatchObject({ owner: it.account.owner });
  const browser = browserOf(it.service, { email: anew.email });
  const tokens = await it.client.connect(browser);
  const listed = await fetch(`${it.url}/v1/memories`, {
    headers: { authorization: `Bearer ${tokens.access_token}` },
  });
  expect(await listed.text()).toContain("two gigabytes");
  expect(await accounts.signIn(fromNowhere, other.email, PASSWORD)).toMatchObject({ account: other });
});

test("signing out of the browser leaves clients connected", async () => {
  const it = await connected();
  await it.service.accounts.signOut(it.browser.headers);
  expect(await statusWith(it, it.tokens.access_token)).toBe(200);
  expect(await it.client.refresh(it.tokens.refresh_token)).toMatchObject({ status: 200 });
});

test("a second replica knows sessions, grants and their end", async () => {
  const it = await connected();
  const other = await server({ address: it.address, publicUrl: it.url });
  expect(await other.service.accounts.signedIn(it.browser.headers)).toMatchObject({ id: it.account.id });
  expect(await statusWith(other, it.tokens.access_token)).toBe(200);

  const [grant] = await it.service.oauth.grants(it.account);
  await it.service.oauth.revoke(it.account, grant?.id as string);
  await eventually(
    () => statusWith(other, it.tokens.access_token),
    (status) => status === 401,
  );
  await other.service.accounts.signOut(it.browser.headers);
  expect(await it.service.accounts.signedIn(it.browser.headers)).toBe(null);
});

test("a consent page's query is good for its maker only", async () => {
  const it = await connected();
  const { service, account, client, browser } = it;
  const { oauth } = service;
  const address = client.authorization({ scope: "ledger:write" });
  const answer = await fetch(address, { redirect: "manual", headers: browser.headers });
  const query = new URL(answer.headers.get("location") as string).search.slice(1);
  expect(await oauth.consentRequest(account, query, browser.headers)).toMatchObject({
    scopes: ["ledger:write"],
  });

  const forged = query.replace("ledger%3Awrite", "memory%3Aread").replace("ledger:write", "memory:read");
  expect(forged).not.toBe(query);
  expect(await oauth.consentRequest(account, forged, browser.headers)).toBe(null);
  expect(await oauth.consentRequest(account, "", browser.headers)).toBe(null);
  expect(await oauth.consentRequest(account, query, withCookies([]))).toBe(null);
  const other = await someone();
  expect(await oauth.consentRequest(other, query, browser.headers)).toBe(null);
  await expect(
    oauth.decide(account, { query: forged, accept: true, scopes: ["memory:read"] }, browser.headers),
  ).rejects.toMatchObject({ code: "not_found" });
});

test("a user that has as many credentials as it may grants no further client, and may go on with those it has", async () => {
  const it = await connected();
  const { credentials } = it.service;
  const space = { teamId: null, projects: null, pathPrefix: null, buckets: null };
  const key = {
    kind: "api_key",
    ownerId: it.account.owner.id,
    name: null,
    scopes: [],
    space,
    expiresAt: null,
  } as const;
  const keys = await Promise.all(
    Array.from({ length: STORAGE_LIMITS.ownerCredentialsMax - 1 }, () => credentials.issue(key)),
  );
  const other = await rawClient(at.url);
  await expect(other.code(it.browser)).rejects.toMatchObject({ code: "quota_exceeded" });
  await it.client.connect(it.browser);
  await credentials.revoke(keys[0]?.credential.tokenId as string);
  await other.connect(it.browser);
});
