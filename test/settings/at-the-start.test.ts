/** What a server says of settings and options before it does anything else. */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { home } from "../support/server.ts";

const start = fileURLToPath(new URL("../../bin/start.js", import.meta.url));

/** A start that a setting ends; what it says. */
function saidAtStart(env: Record<string, string>, ...args: string[]): string {
  const { PATH = "" } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [start, "node", ...args], {
    env: { PATH, ...env },
    encoding: "utf8",
  });
  expect(status).toBe(1);
  return stdout + stderr;
}

test("the beginning of a value is told the whole", { timeout: 240_000 }, () => {
  const said = saidAtStart({ APP_ENV: "prod" });
  expect(said).toContain("did you mean production?");
  expect(said).not.toContain("takes no options");
});

test("options have no effect, which is said, whether npm kept them or passed them on", {
  timeout: 240_000,
}, () => {
  expect(saidAtStart({ APP_ENV: "prod" }, "--port", "8954")).toContain("PORT=8788 npm start");
  expect(saidAtStart({ APP_ENV: "prod", npm_config_port: "8954" })).toContain("PORT=8788 npm start");
});

test("RETENTION that is no JSON is told its form", { timeout: 240_000 }, () => {
  expect(saidAtStart({ RETENTION: "365 days" })).toContain('must be JSON, such as {"audit":[');
});

test("where the port is taken no first key is made: the next start shows it", {
  timeout: 240_000,
}, async () => {
  const at = await home();
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const first = at.start("node", { PORT: String(port) });
  expect(await first.exited).toEqual({ code: 1, signal: null });
  expect(first.stdout() + first.stderr()).toContain(`${port}`);
  other.close();
  const second = at.start("node", { PORT: String(port) });
  await second.ready();
  expect(second.stdout() + second.stderr()).toContain("export RECOLLECT_API_KEY=");
});
