/** The door of the documents: which files it serves, how, and what it says where nothing is built. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { createDocsSurface } from "../../src/surfaces/docs/docs-surface.ts";
import { publicPages } from "../../src/surfaces/pages/public-pages.ts";

/** The door with a site of these files, kept as a build keeps them. */
function door(files: Readonly<Record<string, string>>) {
  const site = mkdtempSync(join(tmpdir(), "recollect-docs-"));
  onTestFinished(() => rmSync(site, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(site, name, ".."), { recursive: true });
    writeFileSync(join(site, `${name}.gz`), gzipSync(text));
  }
  writeFileSync(join(site, ".built-from"), "secret");
  const surface = createDocsSurface({
    site,
    newId: () => "r",
    isUnavailable: () => false,
    publicUrl: "http://localhost",
    allowedHosts: [],
    pages: publicPages,
    log: () => {},
  });
  return (path: string, init: RequestInit = {}) =>
    surface.handle(new Request(`http://localhost${path}`, { ...init, redirect: "manual" }));
}

const SITE = {
  "index.html": "<h1>Documents</h1>",
  "recall.html": "<h1>Recall</h1>",
  "recall.md": "# Recall",
  "operations.html": "<h1>Operations</h1>",
  "operations/sizing.html": "<h1>Sizing</h1>",
  "integrations/index.html": "<h1>Integrations</h1>",
  "assets/app.abc.js": "run()",
  "reference/index.html": "<h1>API reference</h1>",
  "llms.txt": "# Recollect",
};

test.each([
  ["/docs/", 200, "text/html", "<h1>Documents</h1>"],
  ["/docs/recall", 200, "text/html", "<h1>Recall</h1>"],
  ["/docs/recall.md", 200, "text/markdown", "# Recall"],
  ["/docs/operations", 200, "text/html", "<h1>Operations</h1>"],
  ["/docs/operations/sizing", 200, "text/html", "<h1>Sizing</h1>"],
  ["/docs/integrations/", 200, "text/html", "<h1>Integrations</h1>"],
  ["/docs/assets/app.abc.js", 200, "text/javascript", "run()"],
  ["/llms.txt", 200, "text/plain", "# Recollect"],
  ["/docs/reference/", 200, "text/html", "<h1>API reference</h1>"],
  ["/docs/nowhere", 404, "text/html", "There is no such page"],
  ["/docs/nowhere.md", 404, "application/json", "There is no such file"],
  ["/docs/.built-from", 404, "application/json", "There is no such file"],
  ["/docs/..%2f..%2fpackage.json", 404, "application/json", "There is no such file"],
  ["/docs/reference/README.md", 404, "application/json", "There is no such file"],
])("%s is %i %s", async (path, status, type, text) => {
  const response = await door(SITE)(path);
  expect([response.status, response.headers.get("content-type")?.split(";")[0]]).toEqual([status, type]);
  expect(await response.text()).toContain(text);
  expect(response.headers.get("content-security-policy")).toContain("script-src 'self';");
});

test("what has an end of its own is led there, and only reading is done", async () => {
  const send = door(SITE);
  const led = await Promise.all(["/docs", "/docs/integrations", "/docs/reference"].map((path) => send(path)));
  expect(led.map(({ status, headers }) => [status, headers.get("location")])).toEqual([
    [302, "/docs/"],
    [302, "/docs/integrations/"],
    [302, "/docs/reference/"],
  ]);
  expect((await send("/docs/recall", { method: "POST" })).status).toBe(405);
  expect((await send("/docs/recall", { method: "HEAD" })).status).toBe(200);
});

test("texts travel compressed to who takes that, and files that are named by their content are kept", async () => {
  const send = door(SITE);
  const accepted = { headers: { "accept-encoding": "gzip" } };
  const page = await send("/docs/recall", accepted);
  expect([page.headers.get("content-encoding"), page.headers.get("cache-control")]).toEqual([
    "gzip",
    "no-cache",
  ]);
  const script = await send("/docs/assets/app.abc.js", accepted);
  expect(script.headers.get("cache-control")).toContain("immutable");
});

test("where the site is not built, the page says so", async () => {
  const send = door({});
  const page = await send("/docs/recall");
  expect(page.status).toBe(503);
  expect(await page.text()).toContain("npm run docs:build");
});
