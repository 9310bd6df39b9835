/** Who is let in to each door that there is: by the host that was asked, and by the page that a browser sends it for. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { operationList } from "../../src/contract/operations.ts";
import { everyPath } from "../support/doors.ts";
import { rowsOf } from "../support/rows.ts";
import { type Client, openWorld, type World } from "../support/world.ts";

const APP = "https://app.example";
const ENV = {
  PUBLIC_URL: "https://Memory.example:8443",
  ALLOWED_HOSTS: "recollect, *.Internal.example",
  CORS_ORIGINS: APP,
};

let world: World;
let client: Client;
let paths: string[];

beforeAll(async () => {
  world = await openWorld(ENV);
  client = await world.client();
  paths = everyPath(world);
});

afterAll(() => world.close());

interface Asked {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

async function ask(path: string, { method = "GET", body, headers = {} }: Asked = {}) {
  const response = await world.handle(
    new Request(`http://localhost${path}`, {
      method,
      redirect: "manual",
      headers: { host: "memory.example", ...headers },
      ...(body === undefined ? {} : { body }),
    }),
  );
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const OF_PAGES = { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
const JSON_TYPE = { "content-type": "application/json" };
const AGENT = '{"entry_type":"cli","client_name":"c","installation_fingerprint":"f"}';

test("there are doors of every kind", () => {
  expect(paths).toEqual(
    expect.arrayContaining([
      "/",
      "/healthz",
      "/readyz",
      "/openapi.json",
      "/docs",
      "/llms.txt",
      "/mcp",
      "/oauth2/register",
      "/.well-known/oauth-protected-resource",
      "/sign-in",
      "/account",
      "/bind",
    ]),
  );
  for (const { http } of operationList) expect(paths).toContain(http.path.replaceAll(/\{\w+\}/g, "x"));
});

describe("the host that is asked", () => {
  test.each([
    "evil.example",
    "evil.example:8443",
    "memory.example.evil.example",
    "127.0.0.1.evil.example:8787",
    "localhost.evil.example",
    "notinternal.example",
    "internal.example",
    "127.1",
    "2130706433",
    "0x7f.0.0.1",
    "other",
  ])("%s is refused at every door, before anything is done", async (host) => {
    const before = await rowsOf(world.service.sql);
    for (const path of [...paths, "/nowhere"]) {
      for (const method of ["GET", "POST", "OPTIONS"]) {
        const headers = { host, "x-forwarded-host": "memory.example", ...JSON_TYPE };
        const answer = await ask(path, { method, headers, ...(method === "POST" ? { body: AGENT } : {}) });
        expect({ path, method, status: answer.status }).toEqual({ path, method, status: 403 });
        expect(answer.text).toContain("ALLOWED_HOSTS");
        expect(answer.headers.getSetCookie()).toEqual([]);
        expect(answer.headers.get("x-request-id")).toBeTruthy();
      }
    }
    expect(await rowsOf(world.service.sql)).toEqual(before);
  });

  test.each([
    "memory.example",
    "MEMORY.example:443",
    "memory.example.",
    "localhost",
    "localhost:1",
    "recollect.localhost:8787",
    "127.0.0.1:8787",
    "10.244.3.17:8787",
    "[::1]:8787",
    "[2001:db8::1]",
    "recollect:8787",
    "a.internal.example",
    "a.b.INTERNAL.example:80",
  ])("%s is answered at every door", async (host) => {
    for (const path of paths) {
      const { status } = await ask(path, { headers: { host } });
      expect({ path, isRefused: status === 403 }).toEqual({ path, isRefused: false });
    }
    expect((await ask("/healthz", { headers: { host } })).status).toBe(200);
  });

  test.each([
    "",
    " ",
    "a b",
    "memory.example, evil.example",
    "evil.example@memory.example",
    "memory.example@evil.example",
    "memory.example/x",
    "memory.example:http",
    "memory.example:99999",
    "memory.example:443:443",
    "[::1",
    "[::1]x",
    "[::z]",
    "[1.2.3.4]:80",
    "::1",
    "caf\u00e9.example",
    "%zz",
    "<script>",
    ".",
    ":80",
    "memory.example:",
  ])("%j is malformed, which every door says", async (host) => {
    for (const path of [...paths, "/nowhere"]) {
      const answer = await ask(path, { headers: { host } });
      expect({ path, status: answer.status }).toEqual({ path, status: 400 });
      expect(answer.headers.get("x-request-id")).toBeTruthy();
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  test("each door refuses in its own words", async () => {
    const headers = { host: "evil.example" };
    expect(JSON.parse((await ask("/v1/memories", { headers })).text)).toMatchObject({
      code: "host_not_allowed",
    });
    expect(JSON.parse((await ask("/mcp", { headers })).text)).toMatchObject({ code: "host_not_allowed" });
    const problem = await ask("/openapi.json", {
      headers: { ...headers, accept: "application/problem+json" },
    });
    expect(JSON.parse(problem.text)).toMatchObject({ type: "urn:recollect:problem:host_not_allowed" });
    const oauth = await ask("/oauth2/token", { headers });
    expect(JSON.parse(oauth.text)).toMatchObject({ error: "invalid_request" });
    const page = await ask("/sign-in", { headers });
    expect(page.headers.get("content-type")).toContain("text/html");
    expect(page.text).toContain("This is not the address of this service");
  });
});

/** What browsers say of a request that a page of another origin has sent. */
const FROM_ELSEWHERE: [string, Record<string, string>][] = [
  ["a script", { origin: "https://evil.example", "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" }],
  ["a script of a neighbouring host", { origin: "https://a.memory.example", "sec-fetch-site": "same-site" }],
  ["a script of another port", { origin: "https://memory.example:9443", "sec-fetch-site": "same-site" }],
  ["an older browser's script", { origin: "https://evil.example" }],
  ["an older browser's script of another port", { origin: "http://localhost:5173" }],
  ["a sandboxed frame", { origin: "null", "sec-fetch-site": "cross-site" }],
  ["an older browser's sandboxed frame", { origin: "null" }],
  ["an image", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" }],
  ["a frame", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" }],
  [
    "a socket",
    { origin: "https://evil.example", "sec-fetch-mode": "websocket", "sec-fetch-site": "cross-site" },
  ],
  ["a word that no browser knows", { "sec-fetch-site": "other-site" }],
  ["the origin of no page", { origin: "memory.example" }],
];

describe("a page of another origin", () => {
  test.each(FROM_ELSEWHERE)("by %s gets nothing done at any door", async (_, headers) => {
    const before = await rowsOf(world.service.sql);
    const key = { "x-api-key": client.token };
    for (const path of [...paths, "/nowhere"]) {
      for (const method of ["GET", "HEAD", "POST", "DELETE", "PATCH"]) {
        const hasBody = method === "POST" || method === "PATCH";
        const answer = await ask(path, {
          method,
          headers: { ...JSON_TYPE, ...key, ...headers },
          ...(hasBody ? { body: AGENT } : {}),
        });
        expect({ path, method, status: answer.status }).toEqual({ path, method, status: 403 });
        if (method !== "HEAD") expect(answer.text).toMatch(/CORS_ORIGINS|did not come from here/);
        expect(answer.headers.get("access-control-allow-origin")).toBe(null);
      }
    }
    expect(await rowsOf(world.service.sql)).toEqual(before);
  });

  test("may lead a person to the pages and to nothing else", async () => {
    for (const path of paths) {
      const headers = { ...OF_PAGES, "sec-fetch-site": "cross-site" };
      const { status } = await ask(path, { headers });
      const isForPrograms = /^\/(v1\/|mcp|trpc|oauth2\/(?!authorize)|\.well-known)/.test(path);
      expect({ path, isRefused: status === 403 }).toEqual({ path, isRefused: isForPrograms });
    }
    const toClient = await ask("/oauth2/authorize?client_id=x", {
      headers: { ...OF_PAGES, "sec-fetch-site": "cross-site" },
    });
    expect(toClient.status).toBe(302);
    const posted = await ask("/sign-in", {
      method: "POST",
      headers: { ...OF_PAGES, "sec-fetch-site": "cross-site", origin: "https://evil.example" },
    });
    expect(posted.status).toBe(403);
  });

  test("of an allowed origin may call the doors of programs, and no page for people", async () => {
    const headers = { origin: APP, "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" };
    for (const path of paths) {
      const { status } = await ask(path, { headers });
      const isForPeople = /^\/(sign-|setup|bind|account|admin|docs|llms\.txt|trpc|oauth\/)/.test(path);
      expect({ path, isRefused: status === 403 }).toEqual({ path, isRefused: isForPeople });
    }
    const preflight = { ...headers, "access-control-request-method": "POST" };
    for (const path of [
      "/v1/memories",
      "/mcp",
      "/oauth2/token",
      "/.well-known/oauth-protected-resource/mcp",
    ]) {
      const asked = await ask(path, { method: "OPTIONS", headers: preflight });
      expect([asked.status, asked.headers.get("access-control-allow-origin")]).toEqual([204, APP]);
      expect(asked.headers.get("access-control-allow-credentials")).toBe(null);
    }
    for (const path of ["/sign-in", "/account", "/oauth2/authorize"]) {
      const asked = await ask(path, { method: "OPTIONS", headers: preflight });
      expect([path, asked.headers.get("access-control-allow-origin")]).toEqual([path, null]);
    }
    const stored = await ask("/v1/memories", {
      method: "POST",
      headers: { ...headers, ...JSON_TYPE, "x-api-key": client.token },
      body: '{"content":"From a page that may","path":"p"}',
    });
    expect([stored.status, stored.headers.get("access-control-allow-origin")]).toEqual([201, APP]);
  });
});

test.each<[string, Record<string, string>]>([
  ["another program", {}],
  ["Node's fetch", { "sec-fetch-mode": "cors" }],
  ["a page of this service", { "sec-fetch-site": "same-origin", origin: "https://memory.example:8443" }],
  ["a page of this service behind a proxy that changes the host", { origin: "https://memory.example:8443" }],
  ["a person who typed the address", { "sec-fetch-site": "none", ...OF_PAGES }],
  [
    "an extension that the person trusts with it",
    { "sec-fetch-site": "none", origin: "chrome-extension://abc" },
  ],
  [
    "an older browser's page of the host that was asked",
    { origin: "http://localhost:8787", host: "localhost:8787" },
  ],
])("%s is answered", async (_, headers) => {
  for (const path of paths) {
    const { status } = await ask(path, { headers });
    expect({ path, isRefused: status === 403 }).toEqual({ path, isRefused: false });
  }
});
