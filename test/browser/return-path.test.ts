import { expect, test } from "vitest";
import { returnPath, signInPath } from "../../src/surfaces/pages/visit.ts";

test.each([
  "/account",
  "/bind",
  "/oauth/consent?client_id=a&redirect_uri=https%3A%2F%2Fevil.example%2Fcb&state=1",
  "/a?next=//evil.example",
  "/a//b",
])("the path %j of this service is gone back to", (path) => {
  expect(returnPath(path)).toBe(path);
});

const ELSEWHERE = [
  null,
  "",
  "account",
  "https://evil.example",
  "HTTPS://evil.example/",
  "//evil.example",
  "///evil.example",
  "////evil.example/%2f..",
  "/\\evil.example",
  "\\\\evil.example",
  "\\/evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "/\r\n/evil.example",
  "/ /evil.example",
  " //evil.example",
  "\u0000//evil.example",
  "/\u0000/evil.example",
  "/.//evil.example",
  "/..//evil.example",
  "/a/..//evil.example",
  "/%2e//evil.example",
  "/account\\@evil.example",
  "javascript:alert(1)",
  "data:text/html,x",
  "@evil.example",
  "https:evil.example",
  "https:/evil.example",
  ":80",
  "?next=//evil.example",
  "#//evil.example",
  "/\u2028/evil.example",
  "/\uff0fevil.example",
  "/account\r\nSet-Cookie: a=b",
  `/${"a".repeat(9000)}`,
];

test.each(ELSEWHERE.map((given) => [given]))("%j leads to the account page", (given) => {
  expect(returnPath(given)).toBe("/admin");
});

test("the sign-in page carries the path it leads back to", () => {
  expect(signInPath("/admin")).toBe("/sign-in");
  expect(signInPath("/bind")).toBe("/sign-in?next=%2Fbind");
});
