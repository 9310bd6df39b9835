import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browserOf, locationOf } from "./browser.ts";
import { clientNamed, rawClient, registration } from "./client.ts";
import { accountOn, openServer, server } from "./server.ts";

/** A server for tests that change nothing of it but their own client. */
let at: Awaited<ReturnType<typeof openServer>>;
beforeAll(async () => {
  at = await openServer();
  await accountOn(at.service);
});
afterAll(() => at.close());

async function ready() {
  return { ...at, client: await rawClient(at.url), browser: browserOf(at.service) };
}

test("a wish that is not safe is refused", async () => {
  const { url, client, browser } = await ready();
  const errorOf = async (more: Record<string, string | null>) => {
    const location = await locationOf(client.authorization(more), browser.headers);
    // What a client of another flow is told stands in the fragment.
    const told = new URLSearchParams(location.search || location.hash.slice(1));
    return { to: location.origin, error: told.get("error") };
  };
  const toClient = (error: string) => ({ to: "http://127.0.0.1:7777", error });
  expect(await errorOf({ code_challenge: null, code_challenge_method: null })).toEqual(
    toClient("invalid_request"),
  );
  expect(await errorOf({ code_challenge_method: "plain" })).toEqual(toClient("invalid_request"));
  expect(await errorOf({ scope: "everything:always" })).toEqual(toClient("invalid_scope"));
  expect(await errorOf({ response_type: "token" })).toEqual(toClient("unsupported_response_type"));
  expect(await errorOf({ resource: "https://elsewhere.example/mcp" })).toEqual(toClient("invalid_target"));
  // Where the client's address is not known to be its own, the browser stays here.
  for (const more of [
    { redirect_uri: "http://127.0.0.1:7777/other" },
    { redirect_uri: "https://evil.example/callback" },
    { redirect_uri: null },
    { client_id: "nobody" },
    { client_id: null },
  ]) {
    expect((await errorOf(more)).to).toBe(url);
  }
});

test("unknown scopes beside known ones are left out, and none at all means to read and write", async () => {
  const { client, browser } = await ready();
  const some = await browser.visit(client.authorization({ scope: "openid memory:read everything:always" }));
  expect(some.asked?.scopes).toEqual(["memory:read"]);
  const none = await browser.visit(client.authorization({ scope: null }));
  expect(none.asked?.scopes).toEqual(["memory:read", "memory:write"]);
  const identity = await browser.visit(client.authorization({ scope: "openid profile", prompt: "consent" }));
  expect(identity.asked?.scopes).toEqual(["memory:read", "memory:write"]);
});

test("a code is for whoever asked for it", async () => {
  const { url, client, browser } = await ready();
  const other = await rawClient(url);
  const wrong = [
    { code_verifier: null },
    { code_verifier: other.verifier },
    { redirect_uri: "http://127.0.0.1:7777/other" },
    { client_id: other.clientId },
    { resource: "https://elsewhere.example/mcp" },
  ];
  for (const more of wrong) {
    const answer = await client.exchange(await client.code(browser), more);
    expect([400, 401]).toContain(answer.status);
    expect(answer.body).not.toHaveProperty("access_token");
  }
});

test("a resource may be named as the service's address", async () => {
  const { url, service, client, browser } = await ready();
  for (const resource of [url, `${url}/`, `${url}/mcp`, `${url}/mcp?tools=core`, null]) {
    const tokens = await client.connect(browser, { resource });
    expect(await service.oauth.authenticate(tokens.access_token)).toMatchObject({ kind: "oauth" });
  }
});

test("a token for another service, of another maker, or changed is nothing here", async () => {
  const here = await ready();
  // The same database and keys under another address: only the audience and the issuer differ.
  const there = await server({ address: here.address, publicUrl: "http://127.0.0.1:1" });
  const { access_token: token } = await here.client.connect(here.browser);
  expect(await here.service.oauth.authenticate(token)).not.toBe(null);
  expect(await there.service.oauth.authenticate(token)).toBe(null);

  const [header, payload, signature] = token.split(".") as [string, string, string];
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const more = encoded({ ...claims, scope: "memory:read memory:write ledger:write" });
  const unsigned = encoded({ alg: "none", typ: "at+jwt" });
  for (const forged of [
    `${header}.${more}.${signature}`,
    `${unsigned}.${payload}.`,
    `${unsigned}.${payload}.${signature}`,
    `${header}.${payload}.${"A".repeat(86)}`,
    `${encoded({ alg: "EdDSA", typ: "at+jwt", kid: "other" })}.${payload}.${signature}`,
    "eyJ.eyJ.a",
    "",
  ]) {
    expect(await here.service.oauth.authenticate(forged)).toBe(null);
  }
});

test("a bootstrap key may look like a signed token", async () => {
  const { service } = await server();
  const key = `eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJub2JvZHkifQ.${"a".repeat(40)}`;
  await service.credentials.bootstrap(key);
  expect(await service.credentials.authenticate(key)).toMatchObject({ kind: "api_key" });
});

test("whoever authorizes a client that is not known here is told how to connect again, and goes nowhere else", async () => {
  const { url, client } = await ready();
  const stale = client.authorization({
    client_id: "a-client-from-before",
    redirect_uri: "https://anywhere.example/callback",
  });
  const location = await locationOf(stale);
  expect([location.origin, location.pathname]).toEqual([url, "/oauth/error"]);
  const page = await fetch(location);
  expect(page.status).toBe(400);
  const text = await page.text();
  expect(text).toContain("does not know the app");
  expect(text).toContain("registers anew");
  expect(text).not.toContain("anywhere.example");
});

test("a repeated parameter and another form than a form are refused", async () => {
  const { url, client } = await ready();
  const twice = client.authorization();
  twice.searchParams.append("redirect_uri", "https://evil.example/");
  expect((await locationOf(twice)).pathname).toBe("/oauth/error");
  const post = (headers: Record<string, string>, body: string) =>
    fetch(`${url}/oauth2/token`, { method: "POST", headers, body }).then(({ status }) => status);
  const form = { "content-type": "application/x-www-form-urlencoded" };
  expect(await post({ "content-type": "application/json" }, "{}")).toBe(400);
  expect(await post(form, "grant_type=refresh_token&grant_type=password")).toBe(400);
  expect(await post(form, `grant_type=${"x".repeat(70_000)}`)).toBe(400);
  expect(await post(form, "grant_type=client_credentials")).toBe(400);
  expect(await post(form, "grant_type=password&username=a&password=b")).toBe(400);
});

describe("what there is of endpoints", () => {
  test("metadata names this service alone", async () => {
    const get = async (path: string) => (await fetch(at.url + path)).json();
    const resource = await get("/.well-known/oauth-protected-resource/mcp");
    expect(resource).toEqual({
      resource: `${at.url}/mcp`,
      resource_name: "Recollect",
      authorization_servers: [at.url],
      bearer_methods_supported: ["header"],
      scopes_supported: ["memory:read", "memory:write"],
    });
    expect(await get("/.well-known/oauth-protected-resource")).toMatchObject({ resource: at.url });
    const metadata = (await get("/.well-known/oauth-authorization-server")) as Record<string, unknown>;
    expect(metadata).toMatchObject({
      issuer: at.url,
      authorization_endpoint: `${at.url}/oauth2/authorize`,
      code_challenge_methods_supported: ["S256"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      client_id_metadata_document_supported: true,
    });
    expect(metadata).not.toHaveProperty("introspection_endpoint");
    expect(await get("/.well-known/oauth-authorization-server/mcp")).toEqual(metadata);
    const refused = await fetch(`${at.url}/mcp`, { method: "POST", body: "{}" });
    expect(refused.status).toBe(401);
    expect(refused.headers.get("www-authenticate")).toBe(
      `Bearer resource_metadata="${at.url}/.well-known/oauth-protected-resource/mcp", scope="memory:read memory:write"`,
    );
  });

  test("nothing else of better-auth is reached", async () => {
    const { url } = at;
    const paths = [
      "sign-up/email",
      "sign-in/email",
      "update-user",
      "change-email",
      "change-password",
      "list-sessions",
      "get-session",
      "delete-user",
      "token",
      "jwks",
      "ok",
      "error",
      "oauth2/consent",
      "oauth2/continue",
      "oauth2/introspect",
      "oauth2/userinfo",
      "oauth2/end-session",
      "oauth2/create-client",
      "oauth2/get-clients",
      "oauth2/public-client-prelogin",
      "oauth2/get-consents",
      "api/auth/sign-up/email",
      "oauth2//token",
      "oauth2/../get-session",
    ];
    for (const path of paths) {
      for (const method of ["GET", "POST"]) {
        const answer = await fetch(`${url}/${path}`, { method });
        expect({ path, method, status: answer.status }).toEqual({ path, method, status: 404 });
      }
    }
    // Below these addresses is the admin UI: its one page, whatever comes after.
    for (const path of ["admin/oauth2/create-client", "admin/oauth2/resources"]) {
      const page = await fetch(`${url}/${path}`);
      expect(await page.text()).toContain('<div id="root"></div>');
      expect((await fetch(`${url}/${path}`, { method: "POST" })).status).toBe(405);
    }
  });

  test("an endpoint has its method only", async () => {
    const { url } = at;
    const status = async (method: string, path: string) => (await fetch(url + path, { method })).status;
    expect(await status("GET", "/oauth2/token")).toBe(405);
    expect(await status("POST", "/oauth2/authorize")).toBe(405);
    expect(await status("DELETE", "/oauth2/register")).toBe(405);
    expect(await status("HEAD", "/.well-known/oauth-authorization-server")).toBe(200);
    expect(await status("OPTIONS", "/oauth2/token")).toBe(405);
  });
});

test("HEAD says the length of GET or none, at OAuth's endpoints too", async () => {
  const { url } = at;
  for (const path of ["/.well-known/oauth-protected-resource/mcp", "/oauth2/token"]) {
    const length = (await (await fetch(url + path)).arrayBuffer()).byteLength;
    const head = await fetch(url + path, { method: "HEAD" });
    expect([null, String(length)]).toContain(head.headers.get("content-length"));
  }
});

test("beyond this machine there is no OAuth on plain http", async () => {
  const { url, service } = await server({ publicUrl: "http://memory.internal" });
  const account = await accountOn(service);
  for (const path of ["/.well-known/oauth-authorization-server", "/oauth2/jwks", "/oauth2/authorize"]) {
    expect((await fetch(url + path, { redirect: "manual" })).status).toBe(404);
  }
  const refused = await fetch(`${url}/mcp`, { method: "POST", body: "{}" });
  expect(refused.status).toBe(401);
  expect(refused.headers.get("www-authenticate")).toBe("Bearer");
  expect(await service.oauth.authenticate("eyJ.eyJ.a")).toBe(null);
  expect(await service.oauth.consentRequest(account, "client_id=a&redirect_uri=b", new Headers())).toBe(null);
});

describe("registration", () => {
  test("takes what clients say of themselves, and leaves out what is dangerous", async () => {
    const { url, service } = await server();
    const answer = await registration(url, {
      scope: "openid memory:read",
      grant_types: ["authorization_code", "refresh_token", "client_credentials"],
      backchannel_logout_uri: "https://victim.example/logout",
      jwks_uri: "https://victim.example/keys",
      skip_consent: true,
      require_pkce: false,
    });
    expect(answer.status).toBe(201);
    const [row] = await service.sql`select * from auth."oauthClient"`;
    expect(row).toMatchObject({
      backchannelLogoutUri: null,
      jwksUri: null,
      skipConsent: null,
      requirePKCE: null,
      grantTypes: ["authorization_code", "refresh_token"],
      userId: null,
    });
  });

  test("refuses what is no client", async () => {
    const { url } = at;
    const status = async (metadata: Record<string, unknown>) => (await registration(url, metadata)).status;
    expect(await status({ redirect_uris: undefined })).toBe(400);
    expect(await status({ redirect_uris: ["javascript:alert(1)"] })).toBe(400);
    expect(await status({ redirect_uris: ["http://evil.example/callback"] })).toBe(400);
    expect(await status({ redirect_uris: ["https://app.example/#here"] })).toBe(400);
    expect(await status({ client_name: "x".repeat(5000) })).toBe(400);
    const headers = { "content-type": "application/json" };
    expect((await fetch(`${url}/oauth2/register`, { method: "POST", body: "{", headers })).status).toBe(400);
  });

  test("a client with a secret must give it", async () => {
    const { url, service } = await server();
    await accountOn(service);
    const answer = await registration(url, {
      redirect_uris: ["https://app.example/callback"],
      token_endpoint_auth_method: "client_secret_post",
    });
    const { client_id, client_secret } = (await answer.json()) as Record<string, string>;
    const client = clientNamed(url, client_id as string, "https://app.example/callback");
    const browser = browserOf(service);
    const without = await client.exchange(await client.code(browser));
    expect([400, 401]).toContain(without.status);
    const secret = { client_secret: client_secret as string };
    const tokens = await client.exchange(await client.code(browser), secret);
    expect(tokens).toMatchObject({ status: 200 });
    expect([400, 401]).toContain((await client.revoke(tokens.body.access_token)).status);
    expect(await service.oauth.authenticate(tokens.body.access_token)).not.toBe(null);
    expect((await client.revoke(tokens.body.access_token, secret)).status).toBe(200);
    expect(await service.oauth.authenticate(tokens.body.access_token)).toBe(null);
  });

  test("is limited by address", async () => {
    const { service } = await server();
    const ask = (address: string) =>
      service.oauth.handle(
        new Request("http://127.0.0.1/oauth2/register", { method: "POST", body: "{}" }),
        address,
      );
    for (let count = 0; count < 30; count += 1) expect((await ask("192.0.2.1")).status).toBe(400);
    const refused = await ask("192.0.2.1");
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await ask("192.0.2.2")).status).toBe(400);
  });
});
