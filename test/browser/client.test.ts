/** The client's package in a page: loaded as a module as it is published, and used against a real service. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { listen } from "../../src/adapters/runtime/listen.ts";
import type * as Recollect from "../../src/client/index.ts";
import { buildClient, unpack } from "../support/built-client.ts";
import { freePort } from "../support/free-port.ts";
import { openWorld, type World } from "../support/world.ts";
import { launchChromium, profile } from "./support/chromium.ts";

const APP = "app.test";
const FLAGS = [
  `--host-resolver-rules=MAP ${APP} 127.0.0.1`,
  // What a browser of today asks a person about, an older one lets pass.
  "--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests",
];
/** Of one minute, so that a page comes to their end. */
const READS = 40;

const folder = mkdtempSync(join(tmpdir(), "recollect-in-a-page-"));
const installed = join(folder, "installed");
beforeAll(async () => unpack(await buildClient(folder), installed), 180_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A page that has the package from an address, and its files; undefined for any other path. */
function served(path: string, packageAt: string): { type: string; body: string } | undefined {
  if (path === "/page") {
    const module = `import * as recollect from "${packageAt}/package/dist/client/index.js"; globalThis.recollect = recollect;`;
    return { type: "text/html", body: `<!doctype html><script type="module">${module}</script>` };
  }
  if (!/^\/package(?:\/[\w-]+)+\.js$/.test(path)) return undefined;
  return {
    type: "text/javascript",
    body: readFileSync(join(installed, path.slice("/package".length)), "utf8"),
  };
}

/** A site of its own. `packageAt`: where its page has the package from, its own origin unless given. */
async function site(packageAt = ""): Promise<number> {
  const server = createServer((request, response) => {
    const file = served(request.url ?? "", packageAt);
    // As those do that serve modules to everybody.
    response.writeHead(file ? 200 : 404, {
      "content-type": file?.type ?? "text/plain",
      "access-control-allow-origin": "*",
    });
    response.end(file?.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A service, and beside it under one address a page of its own and something that redirects, as a proxy may put them. */
async function service(env: Record<string, string> = {}): Promise<{ world: World; url: string }> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const limits = { RATE_LIMIT_ENABLED: "true", RATE_LIMIT_READS: String(READS) };
  const world = await openWorld({ PUBLIC_URL: url, ...limits, ...env });
  const listener = await listen({
    host: "127.0.0.1",
    port,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith("/moved/")) return Response.redirect(`${url}/v1/memories`, 307);
      const file = served(pathname, "");
      if (file) return new Response(file.body, { headers: { "content-type": file.type } });
      return world.handle(request);
    },
  });
  onTestFinished(async () => {
    await listener.close();
    await world.close();
  });
  return { world, url };
}

/** A page with the package loaded. */
async function pageAt(address: string): Promise<Page> {
  const browser = await launchChromium(FLAGS);
  onTestFinished(() => browser.close());
  const page = await (await profile(browser)).newPage();
  await page.goto(address);
  await page.waitForFunction(() => "recollect" in globalThis);
  return page;
}

/** Runs in the page: what a program does with a memory. */
async function use({ url, key, reads }: { url: string; key: string; reads: number }) {
  const { recollect } = globalThis as unknown as { recollect: typeof Recollect };
  const { createClient, createWorkflow, isRecollectError } = recollect;
  const client = createClient({ baseUrl: url, apiKey: key, agent: { id: "page" }, sessionId: "tab" });
  const failure = async (work: Promise<unknown>) => {
    try {
      return { answer: await work };
    } catch (error) {
      if (!isRecollectError(error)) return { thrown: error };
      const { code, status, attempts, requestId, retryAfterMs } = error;
      return { code, status, attempts, hasRequestId: requestId !== null, isToWait: retryAfterMs !== null };
    }
  };

  const { next } = await client.listEvents();
  const ids: string[] = [];
  for (const day of ["Monday", "Tuesday", "Wednesday"]) {
    ids.push((await client.remember({ content: `The ferry sails on ${day}.`, path: "ferry" })).id);
  }
  const { context_text } = await client.recallContext({ query: "When does the ferry sail?" });
  const listed: string[] = [];
  for await (const { id } of client.each("listMemories", { path: "ferry", limit: 1 })) listed.push(id);

  const ending = new AbortController();
  const told: string[] = [];
  for await (const { data } of client.events({ after: next, signal: ending.signal })) {
    told.push(data.id);
    if (told.length === ids.length) ending.abort();
  }

  const leaving = new AbortController();
  const left = failure(client.recallContext({ query: "Which ferry?" }, { signal: leaving.signal }));
  leaving.abort("enough");

  const [memory_id = ""] = ids;
  const { etag, provenance } = await client.getMemory({ memory_id });
  await client.updateMemory({ memory_id, importance: 0.9, if_match: etag });
  const { reason } = await createWorkflow(client).recordDecision("We take the ferry on Tuesday.");
  const refusals = {
    missing: await failure(client.getMemory({ memory_id: "nothing-of-ours" })),
    stale: await failure(client.updateMemory({ memory_id, importance: 0.1, if_match: etag })),
    moved: await failure(createClient({ baseUrl: `${url}/moved`, apiKey: key, retries: 1 }).listMemories()),
    aborted: await left,
  };
  // Two minutes' worth and more, since one may end meanwhile.
  const limited: unknown[] = [];
  for (let read = 0; read < reads * 3 && limited.length === 0; read += 1) {
    const { code, isToWait } = await failure(client.getMemory({ memory_id }, { retries: 0 }));
    if (code !== undefined) limited.push({ code, isToWait });
  }
  return { ids, context_text, listed, told, provenance, reason, refusals, limited };
}

function expectUsed(seen: Awaited<ReturnType<typeof use>>, moved: object): void {
  expect(seen.ids).toHaveLength(3);
  for (const day of ["Monday", "Tuesday", "Wednesday"]) expect(seen.context_text).toContain(day);
  expect([...seen.listed].sort()).toEqual([...seen.ids].sort());
  expect(seen.told).toEqual(seen.ids);
  expect(seen.provenance).toMatchObject({ agent_id: "page", session_id: "tab" });
  expect(seen.reason).toBe("captured");
  const ofService = { attempts: 1, hasRequestId: true };
  expect(seen.refusals).toMatchObject({
    missing: { code: "not_found", status: 404, ...ofService },
    stale: { code: "precondition_failed", status: 412, ...ofService },
    moved,
    aborted: { thrown: "enough" },
  });
  expect(seen.limited).toEqual([{ code: "rate_limited", isToWait: true }]);
}

test("in a page of the service's own origin everything works, without a setting", async () => {
  const { world, url } = await service();
  const { token } = await world.client();
  const page = await pageAt(`${url}/page`);
  // A browser does not say which redirection it was that the client did not follow.
  const moved = { code: "unexpected_answer", status: null, attempts: 1 };
  expectUsed(await page.evaluate(use, { url, key: token, reads: READS }), moved);
}, 120_000);

test("in a page of an origin that CORS_ORIGINS names, with the package from a third one, it is the same", async () => {
  const store = `http://127.0.0.1:${await site()}`;
  const origin = `http://${APP}:${await site(store)}`;
  const { world, url } = await service({ CORS_ORIGINS: origin });
  const { token } = await world.client();
  const page = await pageAt(`${origin}/page`);
  // It is the preflight that is redirected, which no browser follows.
  const moved = { code: "connection_failed", status: null, attempts: 2 };
  expectUsed(await page.evaluate(use, { url, key: token, reads: READS }), moved);
}, 120_000);

test("in a page of any other origin nothing is read or written, and the error is that of a connection", async () => {
  const origin = `http://${APP}:${await site()}`;
  const { world, url } = await service({ CORS_ORIGINS: "http://elsewhere.test" });
  const client = await world.client();
  const page = await pageAt(`${origin}/page`);
  const seen = await page.evaluate(
    async ([baseUrl, apiKey]) => {
      const { recollect } = globalThis as unknown as { recollect: typeof Recollect };
      const lost = recollect.createClient({ baseUrl, apiKey, retries: 1, backOffMs: 1 });
      const code = (error: unknown) => (recollect.isRecollectError(error) ? error.code : String(error));
      const written = await lost.remember({ content: "From afar.", path: "p" }).catch(code);
      const read = await lost.listMemories().catch(code);
      const ending = new AbortController();
      const told = lost.events({ signal: ending.signal }).next();
      ending.abort();
      return { written, read, isToldNothing: (await told).done };
    },
    [url, client.token] as const,
  );
  expect(seen).toEqual({ written: "connection_failed", read: "connection_failed", isToldNothing: true });
  expect((await client.get("/v1/memories")).body.total).toBe(0);
}, 120_000);
