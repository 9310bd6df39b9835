import { afterAll, beforeAll, expect, test } from "vitest";
import { rotating } from "../support/random.ts";
import { browserOf } from "./browser.ts";
import { rawClient } from "./client.ts";
import { accountOn, type OAuthServerUnderTest, openServer } from "./server.ts";

const FORM = "application/x-www-form-urlencoded";

/** Values that no parameter has, in the form of a form. */
const ODD = [
  "",
  "%00",
  "%ff%fe",
  "%zz",
  "%ed%a0%80",
  "%F0%9F%92%A9",
  "__proto__",
  "[object Object]",
  "%0d%0aset-cookie:a=b",
  "https://127.0.0.1/%00",
  "x".repeat(5000),
];

const NAMES = {
  authorize: [
    "response_type",
    "client_id",
    "redirect_uri",
    "scope",
    "state",
    "code_challenge",
    "code_challenge_method",
    "resource",
    "prompt",
    "response_mode",
  ],
  token: [
    "grant_type",
    "code",
    "client_id",
    "client_secret",
    "code_verifier",
    "redirect_uri",
    "resource",
    "refresh_token",
    "scope",
    "client_assertion",
    "client_assertion_type",
  ],
  revoke: ["token", "token_type_hint", "client_id", "client_secret", "client_assertion"],
};

/** Pairs of a name and an odd value that this run tries. */
const eachOdd = (names: readonly string[]) =>
  rotating(names.flatMap((name) => ODD.map((odd) => [name, odd] as const)));

let at: Awaited<ReturnType<typeof openServer>>;
beforeAll(async () => {
  at = await openServer();
  await accountOn(at.service);
});
afterAll(() => at.close());

async function ready() {
  const client = await rawClient(at.url);
  const browser = browserOf(at.service);
  return { ...at, client, browser };
}

function post(
  { url }: OAuthServerUnderTest,
  path: string,
  body: BodyInit,
  headers: Record<string, string> = {},
) {
  return fetch(url + path, { method: "POST", body, headers: { "content-type": FORM, ...headers } });
}

/** Refused as RFC 6749 says: a 4xx with an error in JSON that holds nothing of the inside. */
async function expectRefused(answer: Response, what: string): Promise<void> {
  const text = await answer.text();
  const said = { what, status: answer.status, text };
  expect(said).toEqual({
    ...said,
    status: expect.toSatisfy((status: number) => status >= 400 && status < 500),
  });
  const body = JSON.parse(text) as { error?: unknown };
  expect({ what, error: body.error }).toEqual({ what, error: expect.stringMatching(/^[a-z_]+$/) });
  expect(text).not.toMatch(/postgres|kysely|node_modules|stack|select |insert /i);
}

test("an odd wish leads to a page of the service or back to the client, never to a fault", async () => {
  const { client, browser, url } = await ready();
  for (const [name, odd] of eachOdd(NAMES.authorize)) {
    const wish = client.authorization();
    wish.searchParams.delete(name);
    for (const headers of [new Headers(), browser.headers]) {
      const answer = await fetch(`${wish}&${name}=${odd}`, { redirect: "manual", headers });
      expect({ name, odd, status: answer.status }).toEqual({ name, odd, status: 302 });
      const location = answer.headers.get("location") as string;
      expect([url, "http://127.0.0.1:7777"]).toContain(new URL(location).origin);
      expect(answer.headers.get("set-cookie")).toBe(null);
    }
  }
});

test.each(["token", "revoke"] as const)("odd parameters of /oauth2/%s are refused", async (endpoint) => {
  const it = await ready();
  const { access_token: access, refresh_token: refresh } = await it.client.connect(it.browser);
  const sound: Record<string, string>[] =
    endpoint === "token"
      ? [
          { grant_type: "authorization_code", code: "none", code_verifier: "v".repeat(43) },
          { grant_type: "refresh_token", refresh_token: "none" },
        ]
      : [{ token: refresh }, { token: access }];
  for (const base of sound)
    for (const [name, odd] of eachOdd(NAMES[endpoint])) {
      const { [name]: _, ...rest } = { client_id: "somebody", ...base } as Record<string, string>;
      const answer = await post(it, `/oauth2/${endpoint}`, `${new URLSearchParams(rest)}&${name}=${odd}`);
      await expectRefused(answer, `${name}=${odd.slice(0, 40)}`);
    }
  expect(await it.service.oauth.authenticate(access)).not.toBe(null);
});

test.each(["token", "revoke"])("odd forms and headers at /oauth2/%s are refused", async (endpoint) => {
  const it = await ready();
  const path = `/oauth2/${endpoint}`;
  const good = "grant_type=refresh_token&refresh_token=a&token=a&client_id=b";
  const basic = (text: string) => ({
    authorization: `Basic ${Buffer.from(text, "latin1").toString("base64")}`,
  });
  const requests: [string, BodyInit, Record<string, string>?][] = [
    ["no body", ""],
    ["JSON", "{}", { "content-type": "application/json" }],
    ["JSON said to be a form", "{}"],
    ["text", good, { "content-type": "text/plain" }],
    ["multipart", good, { "content-type": "multipart/form-data; boundary=x" }],
    ["another charset", good, { "content-type": `${FORM}; charset=utf-16` }],
    ["bytes that are no UTF-8", new Uint8Array([0xff, 0xfe, 0x3d, 0x80])],
    ["too much", `${good}&x=${"y".repeat(100_000)}`],
    ["a parameter twice", `${good}&client_id=c`],
    ["arrays", "grant_type[]=refresh_token&token[0]=a&client_id[a]=b"],
    ["no user", good, basic("")],
    ["no colon", good, basic("user")],
    ["U+0000", good, basic("\0:\0")],
    ["U+0000 in per cent", good, basic("%00:%00")],
    ["bad per cent", good, basic("%zz:%")],
    ["no base64", good, { authorization: "Basic ****" }],
    ["another scheme", good, { authorization: "Bearer a" }],
    ["a proof", good, { dpop: "eyJ.eyJ.a" }],
  ];
  for (const [what, body, headers] of requests)
    await expectRefused(await post(it, path, body, headers), what);
});

test("a client's signed assertion that is none is refused", async () => {
  const it = await ready();
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const kind = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
  for (const sub of [
    it.client.clientId,
    "nobody",
    "\0",
    "https://127.0.0.1/c",
    "https://169.254.169.254/c",
    "",
    7,
    null,
  ]) {
    for (const alg of ["none", "HS256", "EdDSA"]) {
      const assertion = `${encoded({ alg })}.${encoded({ iss: sub, sub, aud: it.url, exp: 9_999_999_999, jti: "a" })}.AAAA`;
      const form = { grant_type: "refresh_token", refresh_token: "a", token: "a" };
      for (const path of ["/oauth2/token", "/oauth2/revoke"]) {
        const body = new URLSearchParams({
          ...form,
          client_assertion_type: kind,
          client_assertion: assertion,
        });
        await expectRefused(await post(it, path, body), `${path} ${alg} ${sub}`);
      }
    }
  }
});

test("odd registrations are refused, and what is taken can be shown", async () => {
  const { service } = await ready();
  const sound = { redirect_uris: ["https://app.example/callback"] };
  const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
  const bodies = [
    "",
    "null",
    "[]",
    '"text"',
    "7",
    "{",
    deep,
    `{"redirect_uris":${deep}}`,
    "\ufeff{}",
    "x".repeat(100_000),
    ...[
      { redirect_uris: "https://app.example/callback" },
      { redirect_uris: [] },
      { redirect_uris: [7] },
      { redirect_uris: [["https://app.example/callback"]] },
      { redirect_uris: ["https://app.example/\0"] },
      { redirect_uris: ["https://app.example/\ud800"] },
      { redirect_uris: ["https://user:word@app.example/callback"] },
      { redirect_uris: ["http://127.0.0.1.evil.example/callback"] },
      { redirect_uris: ["http://localhost./callback"] },
      { redirect_uris: ["http://0x7f.1/callback"] },
      { redirect_uris: [`https://app.example/${"x".repeat(3000)}`] },
      { redirect_uris: Array.from({ length: 21 }, (_, at) => `https://app.example/${at}`) },
      { ...sound, client_name: "a\0b" },
      { ...sound, client_name: "\ud800" },
      { ...sound, client_name: "" },
      { ...sound, client_name: ["a"] },
      { ...sound, client_uri: "javascript:alert(1)" },
      { ...sound, logo_uri: "data:text/html,x" },
      { ...sound, grant_types: ["password"] },
      { ...sound, grant_types: "authorization_code" },
      { ...sound, response_types: ["token"] },
      { ...sound, response_types: ["\0"] },
      { ...sound, application_type: "\0" },
      { ...sound, token_endpoint_auth_method: "tls_client_auth" },
      { ...sound, token_endpoint_auth_method: "private_key_jwt" },
      { ...sound, software_id: "\0" },
      { ...sound, scope: "\0" },
    ].map((one) => JSON.stringify(one)),
  ];
  const register = (body: string) =>
    service.oauth.handle(new Request("http://127.0.0.1/oauth2/register", { method: "POST", body }), null);
  for (const body of bodies) await expectRefused(await register(body), body.slice(0, 100));

  const taken = await register(
    JSON.stringify({
      ...sound,
      client_name: "\u202e<script>\r\n",
      __proto__: null,
      constructor: "x",
      userId: "x",
    }),
  );
  expect(taken.status).toBe(201);
});
