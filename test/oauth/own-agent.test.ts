/** The agent of docs/integrations/mcp.md, as the page has it: let in by a person once, and by its kept tokens afterwards. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { blocksOf } from "../clients/documented.ts";
import { freePort } from "../support/free-port.ts";
import { browserOf } from "./browser.ts";
import { accountOn, server } from "./server.ts";

const MODULES = fileURLToPath(new URL("../../node_modules", import.meta.url));

test("an agent of one's own comes in by the browser once, and by itself afterwards", async () => {
  const { url, service } = await server();
  await accountOn(service);
  const folder = mkdtempSync(join(tmpdir(), "recollect-own-agent-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(MODULES, join(folder, "node_modules"));
  writeFileSync(join(folder, "agent.mjs"), blocksOf("mcp", "js")[0] ?? "");
  const env = { RECOLLECT_URL: url, CALLBACK_PORT: String(await freePort()) };

  const first = await run(folder, env, async (address) => {
    const { redirectTo, asked } = await browserOf(service).visit(address);
    expect(asked).toMatchObject({ clientName: "My agent", scopes: ["memory:read", "memory:write"] });
    // What the browser does next; what is not the answer that the agent asked for is not taken for it.
    const foreign = new URL(redirectTo);
    foreign.searchParams.set("state", "another");
    expect((await fetch(foreign)).status).toBe(404);
    expect(await (await fetch(redirectTo)).text()).toBe("You can close this page.");
  });
  expect(first).toMatchObject({ status: 0, stderr: "" });
  expect(first.stdout).toContain("Ada does not eat nuts.");
  expect(statSync(join(folder, "recollect-oauth.json")).mode & 0o777).toBe(0o600);

  const again = await run(folder, env, () => Promise.reject(new Error("It asked a second time.")));
  expect(again).toMatchObject({ status: 0, stderr: "" });
  expect(again.stdout).not.toContain("Open this address");
  expect(again.stdout).toContain("Ada does not eat nuts.");
});

/** Runs the agent to its end; `allow` is given the address that it asks a person to open. */
async function run(folder: string, env: Record<string, string>, allow: (address: string) => Promise<void>) {
  const { PATH = "" } = process.env;
  const child = spawn(process.execPath, ["agent.mjs"], { cwd: folder, env: { PATH, ...env } });
  let allowed: Promise<void> | undefined;
  const told = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    told.stdout += part;
    const address = /^Open this address and choose Allow:\n(\S+)\n/m.exec(told.stdout)?.[1];
    if (address !== undefined) allowed ??= allow(address);
    // Nobody answers it any more.
    allowed?.catch(() => child.kill());
  });
  child.stderr.setEncoding("utf8").on("data", (part: string) => {
    told.stderr += part;
  });
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject).once("close", resolve);
  });
  await allowed;
  return { status, ...told };
}
