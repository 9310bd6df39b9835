import { expect, test } from "vitest";
import { readConfig } from "../../src/compose/config.ts";

test.each([
  [{}, "http://127.0.0.1:8787"],
  [{ HOST: "localhost", PORT: "9000" }, "http://localhost:9000"],
  [{ HOST: "::1" }, "http://[::1]:8787"],
  [{ HOST: "::", APP_ENV: "production" }, "http://[::]:8787"],
  [
    { HOST: "fe80::1%eth0", APP_ENV: "production", PUBLIC_URL: "https://memory.example/" },
    "https://memory.example",
  ],
])("%j is reached at %s", (env, publicUrl) => {
  expect(readConfig(env).publicUrl).toBe(publicUrl);
  expect(URL.canParse(publicUrl)).toBe(true);
});

test.each(["no host", "[::1]", "fe80::1%eth0"])("the HOST %s alone is no address for clients", (HOST) => {
  expect(() => readConfig({ HOST, APP_ENV: "production" })).toThrow(/^HOST: .*PUBLIC_URL/);
});

test.each(["localhost", "127.0.0.1", "127.8.9.10", "::1"])("development listens on %s", (HOST) => {
  expect(readConfig({ HOST }).host).toBe(HOST);
});

test.each(["0.0.0.0", "::", "localhost.example", "127.example", "1270.0.0.1"])(
  "development does not listen on %s",
  (HOST) => {
    expect(() => readConfig({ HOST })).toThrow("beyond loopback");
  },
);
