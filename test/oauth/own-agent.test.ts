/** The programs of docs/integrations/mcp.md, as the page has them: let in by a person, by kept tokens, or by a key. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { blocksOf } from "../clients/documented.ts";
import { eventually } from "../support/acting.ts";
import { freePort } from "../support/free-port.ts";
import { browserOf } from "./browser.ts";
import { accountOn, openServer, server } from "./server.ts";

const MODULES = fileURLToPath(new URL("../../node_modules", import.meta.url));

test("an agent of one's own comes in by the browser once, by itself afterwards, and anew when it was revoked", async () => {
  const { url, service } = await server();
  const { owner } = await accountOn(service);
  const { folder, env } = await agentAt(url);

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
  const file = `recollect-oauth-${new URL(url).host.replace(":", "_")}.json`;
  expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);

  const unasked = () => Promise.reject(new Error("It asked a second time."));
  const again = await run(folder, env, unasked);
  expect(again).toMatchObject({ status: 0, stderr: "" });
  expect(again.stdout).not.toContain("Open this address");
  expect(again.stdout).toContain("Ada does not eat nuts.");

  const credential = (await service.credentials.list()).find((listed) => listed.owner.id === owner.id);
  expect(await service.credentials.revoke(credential?.tokenId as string)).toBe(true);
  // A server remembers for a moment what a token may do.
  const { access_token } = JSON.parse(readFileSync(join(folder, file), "utf8")).tokens;
  const authorization = `Bearer ${access_token}`;
  await eventually(
    async () => (await fetch(new URL("/v1/memories", url), { headers: { authorization } })).status,
    (status) => status === 401,
  );
  const anew = await run(folder, env, async (address) => {
    const { redirectTo, asked } = await browserOf(service).visit(address);
    expect(asked).not.toBe(null);
    await fetch(redirectTo);
  });
  expect(anew).toMatchObject({ status: 0, stderr: expect.stringContaining("the grant was revoked") });
  expect(anew.stdout).toContain("Ada does not eat nuts.");
  expect(await run(folder, env, unasked)).toMatchObject({ status: 0, stderr: "" });

  // Another server is another file, so it is signed in to, and what is kept for this one stays as it was.
  const other = await server();
  await accountOn(other.service);
  const elsewhere = await run(folder, { ...env, RECOLLECT_URL: other.url }, async (address) => {
    expect(new URL(address).origin).toBe(other.url);
    await fetch((await browserOf(other.service).visit(address)).redirectTo);
  });
  expect(elsewhere).toMatchObject({ status: 0, stderr: "" });
  expect(await run(folder, env, unasked)).toMatchObject({ status: 0, stderr: "" });
});

test("with a server whose data was replaced it asks for the browser once more, and nobody has to delete anything", async () => {
  const { close, ...before } = await openServer();
  await accountOn(before.service);
  const { folder, env } = await agentAt(before.url);
  const allowing = (at: typeof before) => async (address: string) => {
    await fetch((await browserOf(at.service).visit(address)).redirectTo);
  };
  expect(await run(folder, env, allowing(before))).toMatchObject({ status: 0 });
  await close();
  const after = await server({ insteadOf: before.url });
  await accountOn(after.service);
  const anew = await run(folder, env, allowing(after));
  expect(anew).toMatchObject({ status: 0 });
  expect(anew.stdout).toContain("Ada does not eat nuts.");
});

test("where the person denies it, the agent says so in one sentence", async () => {
  const { url, service } = await server();
  await accountOn(service);
  const { folder, env } = await agentAt(url);
  const denied = await run(folder, env, async (address) => {
    await fetch((await browserOf(service, { accept: false }).visit(address)).redirectTo);
  });
  expect(denied).toMatchObject({ status: 1, stderr: "The agent was not allowed in: access_denied.\n" });
});

test("a batch job comes in with a key", async () => {
  const { url, service } = await server();
  const owner = await service.credentials.ensureOwner("user", "alice");
  const { secret } = await service.credentials.issue({
    kind: "api_key",
    ownerId: owner.id,
    name: "batch",
    scopes: ["memory:read", "memory:write"],
    space: { teamId: null, projects: null, pathPrefix: null, buckets: null },
    expiresAt: null,
  });
  const written = await fetch(new URL("/v1/remember", url), {
    method: "POST",
    headers: { "x-api-key": secret, "content-type": "application/json" },
    body: JSON.stringify({ content: "Ada does not eat nuts.", path: "people/ada" }),
  });
  expect(written.status).toBe(201);
  const { folder, env } = await agentAt(url, "batch.mjs");
  const told = await run(
    folder,
    { ...env, RECOLLECT_API_KEY: secret },
    () => Promise.reject(new Error("It asked.")),
    "batch.mjs",
  );
  expect(told).toMatchObject({ status: 0, stderr: "" });
  expect(told.stdout).toContain("Ada does not eat nuts.");
});

/** A folder with the page's program that has this name in its first line, and what the program is told of the server. */
async function agentAt(url: string, name = "agent.mjs") {
  const folder = mkdtempSync(join(tmpdir(), "recollect-own-agent-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(MODULES, join(folder, "node_modules"));
  const program = blocksOf("mcp", "js").find((block) => block.startsWith(`// ${name}\n`));
  writeFileSync(join(folder, name), program ?? "");
  return { folder, env: { RECOLLECT_URL: url, CALLBACK_PORT: String(await freePort()) } };
}

/** Runs the program to its end; `allow` is given the address that it asks a person to open. */
async function run(
  folder: string,
  env: Record<string, string>,
  allow: (address: string) => Promise<void>,
  name = "agent.mjs",
) {
  const { PATH = "" } = process.env;
  const child = spawn(process.execPath, [name], { cwd: folder, env: { PATH, ...env } });
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
