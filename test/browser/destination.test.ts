import { expect, test } from "vitest";
import { destinationOf } from "../../src/surfaces/pages/consent.ts";

test.each([
  ["https://app.example/cb?x=1", { name: "app.example", kind: "site" }],
  ["https://app.example:8443/cb", { name: "app.example:8443", kind: "site" }],
  ["https://bank.example@evil.example/cb", { name: "evil.example", kind: "site" }],
  ["https://\u0430pple.example/cb", { name: "xn--pple-43d.example", kind: "site" }],
  ["http://127.0.0.1:6274/cb", { name: "127.0.0.1:6274", kind: "this_device" }],
  ["http://[::1]:6274/cb", { name: "[::1]:6274", kind: "this_device" }],
  ["http://localhost/cb", { name: "localhost", kind: "this_device" }],
  ["http://localhost.evil.example/cb", { name: "localhost.evil.example", kind: "site" }],
  ["cursor://anysphere/cb", { name: "cursor:", kind: "app" }],
  ["com.example.app:/cb", { name: "com.example.app:", kind: "app" }],
])("%s is shown as what it is", (address, expected) => {
  expect(destinationOf(address)).toEqual(expected);
});

test.each([
  "javascript:alert(1)",
  "JavaScript:alert(1)",
  " javascript:alert(1)",
  "java\nscript:alert(1)",
  "data:text/html,x",
  "vbscript:x",
  "blob:https://a.example/1",
  "file:///etc/passwd",
  "/relative",
  "",
])("no browser is sent to %j", (address) => {
  expect(destinationOf(address)).toBeNull();
});
