import { afterAll, beforeAll, expect, test } from "vitest";
import { browserOf, locationOf } from "./browser.ts";
import { clientNamed, registration } from "./client.ts";
import { accountOn, openServer, server } from "./server.ts";

const CURSOR = "cursor://anysphere.cursor-retrieval/oauth/user-mcp/callback";

let at: Awaited<ReturnType<typeof openServer>>;
beforeAll(async () => {
  at = await openServer();
  await accountOn(at.service);
});
afterAll(() => at.close());

async function editor(redirectUri = CURSOR) {
  const answer = await registration(at.url, { redirect_uris: [redirectUri, "https://app.example/callback"] });
  const { client_id: id } = (await answer.json()) as { client_id: string };
  return { ...at, id, client: clientNamed(at.url, id, redirectUri), browser: browserOf(at.service) };
}

test.each([
  CURSOR,
  "vscode://vscode.github-authentication/did-authenticate",
  "vscode-insiders://anthropic.claude-code/callback",
  "com.example.app://oauth/callback",
  "com.example.app:/callback",
])("an app is answered at %s, and its person asked each time", async (redirectUri) => {
  const it = await editor(redirectUri);
  for (const prompt of [null, "none", "consent"]) {
    const visited = await it.browser.visit(it.client.authorization({ prompt }));
    expect(visited.asked).toMatchObject({ redirectUri, isVerified: false });
    expect(visited.redirectTo.href.startsWith(`${redirectUri}?code=`)).toBe(true);
    const code = visited.redirectTo.searchParams.get("code") as string;
    expect(await it.client.exchange(code)).toMatchObject({ status: 200 });
  }
  const website = clientNamed(it.url, it.id, "https://app.example/callback");
  expect((await it.browser.visit(website.authorization())).asked).toBe(null);
});

test("registration answers with the addresses that were given", async () => {
  const { url } = at;
  const redirectUris = ["http://127.0.0.1:33418/", CURSOR, "https://vscode.dev/redirect"];
  const answer = await registration(url, { redirect_uris: redirectUris });
  expect(answer.status).toBe(201);
  expect(await answer.json()).toMatchObject({ redirect_uris: redirectUris });
});

test("only the very address that was registered is answered", async () => {
  const { url, client, browser } = await editor();
  for (const redirectUri of [
    `${CURSOR}/more`,
    CURSOR.replace("cursor:", "CURSOR:"),
    CURSOR.replace("anysphere", "mallory"),
    "cursor://anysphere.cursor-retrieval:80/oauth/user-mcp/callback",
    "http://127.0.0.1/",
    "http://127.0.0.1:4711/",
  ]) {
    const location = await locationOf(client.authorization({ redirect_uri: redirectUri }), browser.headers);
    expect({ redirectUri, to: location.origin }).toEqual({ redirectUri, to: url });
  }
});

test("an app is not opened by what goes wrong before a person has answered", async () => {
  const { url, client, browser } = await editor();
  for (const more of [
    { scope: "everything:always" },
    { code_challenge: null, code_challenge_method: null },
    { response_type: "token" },
    { resource: "https://elsewhere.example/mcp" },
  ]) {
    const location = await locationOf(client.authorization(more), browser.headers);
    expect(location.href.startsWith(`${url}/oauth/error?error=`)).toBe(true);
  }
});

test("a person who declines sends the app away", async () => {
  const { service, client } = await editor();
  const { redirectTo } = await browserOf(service, { accept: false }).visit(client.authorization());
  expect(redirectTo.protocol).toBe("cursor:");
  expect(redirectTo.searchParams.get("error")).toBe("access_denied");
});

const NEVER = [
  "javascript:alert(1)",
  "javascript://app.example/%0aalert(1)",
  "JavaScript://app.example/%0aalert(1)",
  " javascript://app.example/%0aalert(1)",
  "java\tscript://app.example/%0aalert(1)",
  "data:text/html,<script>alert(1)</script>",
  "data://text/html,x",
  "vbscript://x/y",
  "file:///etc/passwd",
  "file://host/share",
  "blob:https://app.example/1",
  "blob://app.example/1",
  "about:blank",
  "about://blank",
  "view-source:https://app.example/",
  "view-source://app.example/",
  "filesystem:https://app.example/",
  "ws://app.example/",
  "wss://app.example/",
  "ftp://app.example/",
  "smb://app.example/share",
  "ssh://app.example/",
  "mailto:a@app.example",
  "tel:+1",
  "intent://app.example/#Intent;end",
  "chrome://settings",
  "chrome-extension://abc/page.html",
  "moz-extension://abc/page.html",
  "ms-msdt:/id",
  "ms-msdt://id/x",
  "search-ms:query=x",
  "cursor:",
  "cursor:callback",
  "cursor://",
  "cursor:///callback",
  "cursor://host/callback#fragment",
  "cursor://user@host/callback",
  "cursor://user:word@host/callback",
  'cursor://host/"><script>',
  "cursor://host/\r\nset-cookie:a=b",
  "cursor://h\u202Eost/",
  "steam://run.a/1",
  "zoommtg://zoom.us/join",
  "not-yet-known://app.example/callback",
  "c://host/callback",
  "//app.example/callback",
  "/callback",
  "callback",
  "",
];

test("nobody is answered at what would run, show or start something else", async () => {
  const { service } = await server();
  for (const redirectUri of NEVER) {
    const answer = await service.oauth.handle(
      new Request("http://127.0.0.1/oauth2/register", {
        method: "POST",
        body: JSON.stringify({ redirect_uris: ["https://app.example/callback", redirectUri] }),
      }),
      null,
    );
    const { error } = (await answer.json()) as { error: string };
    expect({ redirectUri, status: answer.status, error }).toEqual({
      redirectUri,
      status: 400,
      error: "invalid_redirect_uri",
    });
  }
  expect(await service.sql`select 1 from auth."oauthClient"`).toHaveLength(0);
});
