/** The site of the documents as a browser shows it, by the service itself. */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listen } from "../../src/adapters/runtime/listen.ts";
import { faultsOf, silentPage } from "../admin/support/pages.ts";
import { launchChromium } from "../browser/support/chromium.ts";
import { freePort } from "../support/free-port.ts";
import { rotating, SHARE } from "../support/random.ts";
import { openWorld, type World } from "../support/world.ts";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const DIST = join(repository, "docs/site/dist");

let browser: Browser;
let world: World;
let server: Awaited<ReturnType<typeof listen>>;

// At collection, since each page is a test.
const built = spawnSync(process.execPath, [join(repository, "docs/site/build.js"), "--if-changed"], {
  encoding: "utf8",
});
if (built.status !== 0) throw new Error(`The site cannot be built: ${built.stderr}`);

beforeAll(async () => {
  const port = await freePort();
  world = await openWorld({ PORT: String(port) });
  server = await listen({ fetch: world.handle, host: "127.0.0.1", port });
  browser = await launchChromium();
}, 240_000);

afterAll(async () => {
  await browser.close();
  await server.close();
  await world.close();
});

/** Every page of the build by its address. */
const pages = readdirSync(DIST, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".html.gz") && name !== "404.html.gz")
  .map((name) => `/docs/${name.replace(/\.html\.gz$/, "").replace(/(^|\/)index$/, "$1")}`)
  .sort();

/** One page of each layout. They are tried in every run, of the others a tenth, and of the decisions, which are alike, less. */
const LAYOUTS = ["/docs/", "/docs/overview", "/docs/compared", "/docs/reference/"];
const isDecision = (path: string) => path.startsWith("/docs/decisions/");
const triedPages = new Set([
  ...LAYOUTS,
  ...rotating(pages.filter((path) => !isDecision(path))),
  ...rotating(pages.filter(isDecision), SHARE / 4),
]);

test("every link within the site leads to a page, and to a place that is on it", async () => {
  const texts = new Map<string, string>();
  for (const path of pages) texts.set(path, await (await fetch(server.url + path)).text());
  expect(texts.size).toBeGreaterThan(80);
  const wrong: string[] = [];
  for (const [path, text] of texts)
    for (const [, href = ""] of text.matchAll(/<a [^>]*href="([^"]+)"/g)) {
      const target = new URL(href, server.url + path);
      if (target.origin !== new URL(server.url).origin) continue;
      const known = texts.get(target.pathname);
      if (known === undefined) {
        const { status } = await fetch(target, { redirect: "manual" });
        if (status !== 200 && status !== 302) wrong.push(`${path}: ${href} is ${status}`);
      } else if (target.hash !== "" && !known.includes(`id="${decodeURIComponent(target.hash.slice(1))}"`))
        wrong.push(`${path}: ${href} is no place there`);
    }
  expect([...new Set(wrong)]).toEqual([]);
});

test.each([...triedPages])(
  "%s: axe finds nothing in either scheme, and nothing is wider than a phone",
  { timeout: 240_000 },
  async (path) => {
    const page = await silentPage(browser);
    await page.goto(server.url + path);
    expect(await faultsOf(page, `docs${path.slice(5).replaceAll("/", "-")}`)).toEqual([]);
  },
);

test("a search finds what a page says, shows the sentence, and leads there", async () => {
  const page = await silentPage(browser);
  await page.goto(`${server.url}/docs/`);
  await page.getByRole("button", { name: "Search" }).click();
  const first = page.locator(".search-box .result").first();
  for (const words of ["user_id", "windows", "docker", "rolling restarts"]) {
    await page.getByRole("searchbox").fill(words);
    await page.locator(".search-box .result mark").first().waitFor();
    expect((await first.locator("mark").allTextContents()).join(" ").toLowerCase()).toContain(
      words.split(" ")[0],
    );
  }
  expect(await faultsOf(page, "docs-search")).toEqual([]);
  expect(await first.textContent()).toContain("Rolling restarts");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/docs/operations/postgres#rolling-restarts");
});

test("a language that is chosen is shown in all tabs, on the next page too", async () => {
  const page = await silentPage(browser);
  await page.goto(`${server.url}/docs/reference/memories`);
  await page.locator(".vp-code-group label", { hasText: "Python" }).first().click();
  await page.goto(`${server.url}/docs/`);
  await page.locator(".hero").getByText("from recollect import Recollect").waitFor();
});

test("code can be copied, and llms.txt leads to each page as Markdown", async () => {
  const page = await silentPage(browser);
  await page.goto(`${server.url}/docs/tutorial`);
  expect(await page.locator("button.copy").count()).toBeGreaterThan(10);
  const list = await (await fetch(`${server.url}/llms.txt`)).text();
  const links = [...list.matchAll(/\]\((\/docs\/[^)]+)\)/g)].map(([, path]) => path as string);
  expect(links.length).toBeGreaterThan(30);
  for (const path of links) {
    const response = await fetch(server.url + path);
    expect([path, response.status]).toEqual([path, 200]);
    expect(await response.text()).toMatch(/^# /);
  }
});

test("the reference shows an operation with its samples, and sends it with a key", async () => {
  const { token } = await world.client({ owner: "ada" });
  const page = await silentPage(browser);
  await page.goto(`${server.url}/docs/reference/memories#remember-something-without-duplicates`);
  await page.getByText("$RECOLLECT_URL/v1/remember").first().waitFor();
  const form = page.locator(".try-it", { hasText: "/v1/remember" });
  await form.getByText("Try it").click();
  await form.getByLabel("API key").fill(token);
  await form.getByRole("button", { name: "Send POST /v1/remember" }).click();
  await form.locator("strong", { hasText: "201" }).waitFor();
});
