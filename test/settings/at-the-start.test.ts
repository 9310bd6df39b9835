/** What a server says of settings and options before it does anything else. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

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

test("the beginning of a value is told the whole", () => {
  const said = saidAtStart({ APP_ENV: "prod" });
  expect(said).toContain("did you mean production?");
  expect(said).not.toContain("takes no options");
});

test("options have no effect, which is said, whether npm kept them or passed them on", () => {
  expect(saidAtStart({ APP_ENV: "prod" }, "--port", "8954")).toContain("PORT=8788 npm start");
  expect(saidAtStart({ APP_ENV: "prod", npm_config_port: "8954" })).toContain("PORT=8788 npm start");
});

test("RETENTION that is no JSON is told its form", () => {
  expect(saidAtStart({ RETENTION: "365 days" })).toContain('must be JSON, such as {"audit":[');
});
