/** The admin UI in a real browser: main jobs, main failures, both schemes, a phone's width, and what a stranger may not do. */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium } from "../browser/support/chromium.ts";
import { openServed, type Served } from "../browser/support/served.ts";
import { setUp, signIn } from "../browser/support/signing-in.ts";
import { buildAdminUi, DIST, faultsOf, remember, settled, silentPage } from "./support/pages.ts";

let browser: Browser;
let served: Served;

beforeAll(async () => {
  buildAdminUi();
  browser = await launchChromium();
  served = await openServed();
}, 180_000);

afterAll(async () => {
  await browser?.close();
  await served?.close();
});

const h1 = (page: Page) => page.getByRole("heading", { level: 1 });

test("whoever is not signed in is led to the sign-in page and back, and a first run to something remembered", async () => {
  const page = await silentPage(browser, /401/);
  await page.goto(`${served.url}/admin/own/memories?q=5`);
  await page.waitForURL(/\/sign-in\?next=/);
  const person = await setUp(page, served);
  await page.goto(`${served.url}/admin`);
  await page.waitForURL(`${served.url}/admin/own`);
  await page.getByRole("heading", { name: "The first five minutes" }).waitFor();
  await remember(page, "Deploys go out on Tuesdays");
  await page.getByRole("link", { name: "Account" }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL(`${served.url}/sign-in`);
  await page.goto(`${served.url}/admin/own/memories?q=5`);
  await page.waitForURL(/\/sign-in\?next=/);
  await signIn(page, person);
  await page.waitForURL(`${served.url}/admin/own/memories?q=5`);
  expect(await page.getByLabel("Search memories").inputValue()).toBe("5");
});

test("a memory is found, edited, forgotten, taken back, and its versions are compared; the address holds all of it", async () => {
  const page = await silentPage(browser);
  await setUp(page, served);
  await page.goto(`${served.url}/admin/own/memories`);
  await page.getByRole("heading", { name: "No memories yet" }).waitFor();
  await remember(page, "The staging database is db-1");
  await remember(page, "Lunch is at noon");
  await page.keyboard.press("/");
  await page.keyboard.type("where is staging?");
  await page.keyboard.press("Enter");
  await page.waitForURL(/q=where/);
  await page.getByRole("button", { name: "The staging database is db-1" }).click();
  await page.waitForURL(/id=/);
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Content").fill("The staging database is db-2");
  await page.getByRole("button", { name: "Save the change" }).click();
  await page.getByRole("tab", { name: "History" }).click();
  await page.waitForURL(/part=history/);
  await page.getByRole("heading", { name: "2 versions, newest first" }).waitFor();
  expect(await page.locator("ins").allTextContents()).toEqual(["2"]);
  await page.getByRole("button", { name: "Forget this memory" }).click();
  await page.getByText("1 memory left recall").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("The memory is back in recall.").waitFor();
  await page.getByRole("button", { name: "The staging database is db-2" }).waitFor();
  await page.goBack();
  await page.goto(`${served.url}/admin/own/memories?type=nothing`);
  await page.getByRole("heading", { name: "Nothing matches" }).waitFor();
  await page.getByRole("button", { name: "Clear the filters" }).click();
  await page.getByText("2 memories, newest first").waitFor();
});

test("what was changed meanwhile is not overwritten, and what fails is said and put back", async () => {
  const page = await silentPage(browser, /412|503|ERR_/);
  await setUp(page, served);
  await page.goto(`${served.url}/admin/own/memories`);
  await remember(page, "One of two writers");
  await page.getByRole("button", { name: "One of two writers" }).click();
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Content").fill("Mine");
  const { sql } = served.world.service;
  await sql`update memories set revision = revision + 1, version = version + 1 where content = 'One of two writers'`;
  await page.getByRole("button", { name: "Save the change" }).click();
  await page.getByText("Not changed: It has changed in the meantime.").waitFor();
  expect(await page.getByLabel("Content").inputValue()).toBe("Mine");
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.route("**/trpc/deleteMemory**", (route) => route.abort());
  await page.getByRole("button", { name: "Forget this memory" }).click();
  await page.getByText("Not forgotten: The service did not answer").waitFor();
  await page.getByRole("button", { name: "One of two writers" }).waitFor();
});

test("a viewer is offered nothing that the role refuses, and an ended session keeps the page", async () => {
  const page = await silentPage(browser, /401/);
  const { owner } = await setUp(page, served);
  const { teams } = served.world.service;
  const other = await served.world.service.credentials.ensureOwner("user", `keeper of ${owner.name}`);
  const { team } = await teams.create(`team of ${owner.name}`, other);
  await teams.add(team.id, owner.id, "viewer");
  await page.goto(`${served.url}/admin/${team.id}`);
  await page.getByText("you are viewer").waitFor();
  expect(await page.getByRole("button", { name: "Add memory" }).count()).toBe(0);
  await page.getByRole("link", { name: "People and agents" }).click();
  await page.getByText("You are viewer").waitFor();
  expect(await page.getByRole("button", { name: "Invite a person" }).count()).toBe(0);
  await page.getByRole("link", { name: "Memories" }).click();
  await page.getByText("Nobody has written here yet").waitFor();
  await page.context().clearCookies();
  await page.getByLabel("Search memories").fill("a draft");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Your session has ended" }).waitFor();
  expect(await page.getByLabel("Search memories").inputValue()).toBe("a draft");
});

test("stored text is text wherever it is shown", async () => {
  const page = await silentPage(browser);
  const attack = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>';
  const { owner } = await setUp(page, served);
  const { team } = await served.world.service.teams.create(`<b onmouseover=alert(1)>${owner.name}`, owner);
  await page.goto(`${served.url}/admin/${team.id}/memories`);
  await remember(page, attack, "<svg onload=alert(1)>");
  await page.getByRole("button", { name: attack }).click();
  await page.getByRole("heading", { name: "Where it comes from" }).waitFor();
  expect(await page.locator("main img, main script, main svg[onload]").count()).toBe(0);
  expect(await page.title()).toBe("Recollect");
});

test("axe finds nothing in either scheme, nothing is wider than a phone, and the palette opens", async () => {
  const page = await silentPage(browser);
  const { owner } = await setUp(page, served);
  const { team } = await served.world.service.teams.create(`crew of ${owner.name}`, owner);
  await page.goto(`${served.url}/admin/own/memories`);
  const found: unknown[] = [];
  const look = async (name: string) => found.push(...(await faultsOf(page, name)));
  await page.getByRole("heading", { name: "No memories yet" }).waitFor();
  await look("memories-empty");
  for (const text of ["The staging database is db-1", "Ada prefers tea 🍵", "שלום עולם", "x".repeat(400)])
    await remember(page, text, "projects/apollo");
  await page.getByText("4 memories, newest first").waitFor();
  await look("memories");
  await page.getByRole("button", { name: "The staging database is db-1" }).click();
  await page.getByRole("heading", { name: "Where it comes from" }).waitFor();
  await look("memory");
  for (const [part, ready] of [
    ["History", "One version"],
    ["Relations", "None yet"],
    ["Recall", "In none of"],
  ] as const) {
    await page.getByRole("tab", { name: part }).click();
    await page.getByRole("tabpanel", { name: part }).getByText(ready).first().waitFor();
    await look(`memory-${part}`);
  }
  for (const [path, ready] of [
    ["own", "The first five minutes"],
    ["own/access", "Your teams"],
    [`${team.id}/access`, "People and agents"],
    [`${team.id}/access/person/${owner.id}`, "Sessions and keys"],
    ["own/account", "Where you are signed in"],
    ["nowhere", "Not found"],
  ] as const) {
    await page.goto(`${served.url}/admin/${path}`);
    await page.getByRole("heading", { name: ready }).first().waitFor();
    expect(await h1(page).count()).toBe(1);
    await settled(page);
    await look(path.replace(team.id, "crew").replace(owner.id, "ada").replaceAll("/", "-"));
  }
  await page.goto(`${served.url}/admin/own`);
  await h1(page).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("textbox", { name: "Search or jump to" }).fill("memo");
  await look("palette");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/own\/memories/);
  expect(found).toEqual([]);
}, 240_000);

test("the page is never stored and runs nothing but its own files; a file is kept for good or is not there", async () => {
  const get = (path: string, init?: RequestInit) => fetch(served.url + path, init);
  const page = await get("/admin/own/anything");
  const policy = page.headers.get("content-security-policy") ?? "";
  expect([page.status, page.headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect(policy).toContain("frame-ancestors 'none'");
  const [, nonce = ""] = /'nonce-([^']+)'/.exec(policy) ?? [];
  const text = await page.text();
  expect(text).toContain(`nonce="${nonce}"`);
  expect(text).not.toContain("__NONCE__");
  expect((await get("/admin")).headers.get("content-security-policy")).not.toBe(policy);
  const asset = /src="(\/admin\/assets\/[^"]+\.js)"/.exec(text)?.[1] ?? "";
  const script = await get(asset, { headers: { "accept-encoding": "gzip" } });
  expect(script.headers.get("cache-control")).toContain("immutable");
  expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  const head = await get(asset, { method: "HEAD", headers: { "accept-encoding": "identity" } });
  expect(Number(head.headers.get("content-length"))).toBe(readFileSync(join(DIST, asset.slice(7))).length);
  for (const path of [
    "/admin/assets/none.js",
    "/admin/..%2fpackage.json",
    "/admin/.built-from",
    "/admin/assets/%2e%2e/build.js",
  ]) {
    const missing = await get(path);
    expect([path, missing.status]).toEqual([path, 404]);
  }
  expect((await get("/admin", { method: "POST" })).status).toBe(405);
});

test("every component of Mantine that a page uses has its styles", () => {
  const assets = join(DIST, "assets");
  const textOf = (kind: string) =>
    readdirSync(assets)
      .filter((name) => name.endsWith(kind))
      .map((name) => readFileSync(join(assets, name), "utf8"))
      .join("");
  const classesIn = (text: string) => new Set(text.match(/\bm_[0-9a-f]{6,8}\b/g));
  const mantine = createRequire(import.meta.url).resolve("@mantine/core/styles.css");
  const styled = classesIn(readFileSync(mantine, "utf8"));
  const here = classesIn(textOf(".css"));
  const missing = [...classesIn(textOf(".js"))].filter((name) => styled.has(name) && !here.has(name));
  expect(here.size).toBeGreaterThan(50);
  // A component is added in admin-ui/src/shell/mantine.css.
  expect(missing).toEqual([]);
});

test("the first view loads at most 290 kB, compressed, and all pages together at most 420 kB with styles and fonts", () => {
  const page = readFileSync(join(DIST, "index.html"), "utf8");
  const assets = join(DIST, "assets");
  const sizeOf = (name: string) => {
    const names = readdirSync(assets);
    return readFileSync(join(assets, names.includes(`${name}.gz`) ? `${name}.gz` : name)).length;
  };
  const sum = (names: readonly string[]) => names.reduce((bytes, name) => bytes + sizeOf(name), 0);
  const first = [...page.matchAll(/(?:src|href)="\/admin\/assets\/([^"]+\.(?:js|css))"/g)].map(
    ([, name]) => `${name}`,
  );
  expect(first.length).toBeGreaterThan(0);
  const all = readdirSync(assets).filter((name) => !name.endsWith(".gz"));
  // Letters beyond Latin-1 are loaded only by pages that contain them.
  const fonts = all.filter((name) => name.endsWith(".woff2") && !name.includes("latin-ext"));
  expect(fonts.length).toBe(2);
  // The largest page comes with the first view, with all of its parts.
  const largest = Math.max(
    ...all.filter((name) => name.endsWith(".js") && !first.includes(name)).map(sizeOf),
  );
  expect(sum([...first, ...fonts]) + largest).toBeLessThan(290_000);
  expect(sum([...all.filter((name) => !name.endsWith(".woff2")), ...fonts])).toBeLessThan(420_000);
});
