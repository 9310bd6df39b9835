import { expect, test } from "vitest";
import { createOriginCheck } from "../../src/surfaces/http/request-guard.ts";
import { referrerPolicyFor } from "../../src/surfaces/pages/visit.ts";

const isOurs = createOriginCheck("https://memory.example");

function form(headers: Record<string, string>, host = "memory.example"): Request {
  return new Request(`http://${host}/sign-in`, { method: "POST", headers: { host, ...headers } });
}

test.each<[string, Record<string, string>, string?]>([
  ["the public origin", { origin: "https://memory.example" }],
  [
    "the public origin behind a proxy that changes the host",
    { origin: "https://memory.example" },
    "127.0.0.1:8787",
  ],
  ["the host that was asked", { origin: "http://localhost:8787" }, "localhost:8787"],
  ["no referrer, and the browser vouches", { origin: "null", "sec-fetch-site": "same-origin" }],
  ["no origin, and the browser vouches", { "sec-fetch-site": "same-origin" }],
  ["no origin, and our referrer", { referer: "https://memory.example/sign-in" }],
])("a form is taken from %s", (_, headers, host) => {
  expect(isOurs(form(headers, host))).toBe(true);
});

test.each<[string, Record<string, string>]>([
  ["that says nothing", {}],
  ["of another site", { origin: "https://evil.example" }],
  [
    "of another site that the browser is said to vouch for",
    { origin: "https://evil.example", "sec-fetch-site": "same-origin" },
  ],
  ["of a subdomain", { origin: "https://a.memory.example" }],
  ["of a host that begins alike", { origin: "https://memory.example.evil.example" }],
  ["of another port", { origin: "https://memory.example:8443" }],
  ["of a scheme that is no web page's", { origin: "chrome-extension://memory.example" }],
  ["of a sandboxed frame", { origin: "null" }],
  ["of a sandboxed frame elsewhere", { origin: "null", "sec-fetch-site": "cross-site" }],
  ["of the same site, not the same origin", { origin: "null", "sec-fetch-site": "same-site" }],
  ["of nobody knows where", { "sec-fetch-site": "none" }],
  ["with a foreign referrer", { referer: "https://evil.example/?https://memory.example/" }],
  ["with an origin that is none", { origin: "memory.example" }],
  ["with two origins", { origin: "https://memory.example, https://evil.example" }],
])("a form %s is refused", (_, headers) => {
  expect(isOurs(form(headers))).toBe(false);
});

test("pages send no referrer, but where the browser could not vouch for a form otherwise", () => {
  expect(referrerPolicyFor("https://memory.example")).toBe("no-referrer");
  expect(referrerPolicyFor("http://127.0.0.1:8787")).toBe("no-referrer");
  expect(referrerPolicyFor("http://[::1]:8787")).toBe("no-referrer");
  expect(referrerPolicyFor("http://192.168.1.20:8787")).toBe("same-origin");
});
