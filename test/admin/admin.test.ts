/** The admin UI in a real browser: main jobs, main failures, and what a stranger may not do. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { launchChromium, profile } from "../browser/support/chromium.ts";
import { openServed, type Served } from "../browser/support/served.ts";
import { setUp, signIn } from "../browser/support/signing-in.ts";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const DIST = join(repository, "admin-ui/dist");

let browser: Browser;
let served: Served;

beforeAll(async () => {
  const built = spawnSync(process.execPath, [join(repository, "admin-ui/build.js"), "--if-changed"], {
    encoding: "utf8",
  });
  expect(built.stderr).toBe("");
  browser = await launchChromium();
  served = await openServed();
}, 180_000);

afterAll(async () => {
  await browser?.close();
  await served?.close();
});

/** A page whose console must stay silent: what the browser says of expected statuses is no error of ours. */
async function silentPage(expected: RegExp = /^$/): Promise<Page> {
  const page = await (await profile(browser)).newPage();
  const said: string[] = [];
  page.on("console", (line) => {
    if (["error", "warning"].includes(line.type()) && !expected.test(line.text())) said.push(line.text());
  });
  page.on("pageerror", (error) => said.push(String(error)));
  onTestFinished(() => expect(said).toEqual([]));
  return page;
}

async function remember(page: Page, content: string, path = "notes"): Promise<void> {
  await page.getByRole("button", { name: "Remember something" }).click();
  await page.getByLabel("What is to be remembered").fill(content);
  await page.getByRole("dialog").getByLabel("Path").fill(path);
  await page.getByRole("button", { name: "Remember it" }).click();
  await page.getByText("Remembered.", { exact: true }).first().waitFor();
}

test("whoever is not signed in is led to the sign-in page and back, and a first run to something remembered", async () => {
  const page = await silentPage(/401/);
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

test("what was changed meanwhile is not overwritten, and what fails is said and put back", async () => {
  const page = await silentPage(/412|503|ERR_/);
  await setUp(page, served);
  await page.goto(`${served.url}/admin/own/memories`);
  await remember(page, "One of two writers");
  await page.getByRole("button", { name: "One of two writers" }).click();
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Content").fill("Mine");
  const { sql } = served.world.service;
  await sql`update memories set revision = revision + 1, version = version + 1 where content = 'One of two writers'`;
  await page.getByRole("button", { name: "Save the change" }).click();
  await page.getByText("Not changed: It has changed meanwhile.").waitFor();
  expect(await page.getByLabel("Content").inputValue()).toBe("Mine");
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.route("**/trpc/deleteMemory**", (route) => route.abort());
  await page.getByRole("button", { name: "Forget this memory" }).click();
  await page.getByText("Not forgotten: The service did not answer").waitFor();
  await page.getByRole("button", { name: "One of two writers" }).waitFor();
});

test("a viewer is offered nothing that the role refuses, and an ended session keeps the page", async () => {
  const page = await silentPage(/401/);
  const { owner } = await setUp(page, served);
  const { teams } = served.world.service;
  const other = await served.world.service.credentials.ensureOwner("user", `keeper of ${owner.name}`);
  const { team } = await teams.create(`team of ${owner.name}`, other);
  await teams.add(team.id, owner.id, "viewer");
  await page.goto(`${served.url}/admin/${team.id}`);
  await page.getByText("you are viewer").waitFor();
  expect(await page.getByRole("button", { name: "Remember something" }).count()).toBe(0);
  await page.getByRole("link", { name: "Team" }).click();
  await page.getByText("You are viewer").waitFor();
  expect(await page.getByRole("button", { name: "Add a member" }).count()).toBe(0);
  await page.getByRole("link", { name: "Memories" }).click();
  await page.getByText("Nobody has written here yet").waitFor();
  await page.context().clearCookies();
  await page.getByLabel("Search memories").fill("a draft");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.getByRole("dialog", { name: "Your session has ended" }).waitFor();
  expect(await page.getByLabel("Search memories").inputValue()).toBe("a draft");
});

test("stored text is text wherever it is shown", async () => {
  const page = await silentPage();
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

test("what is loaded first is at most 350 kB of script, compressed", () => {
  const page = readFileSync(join(DIST, "index.html"), "utf8");
  const first = [...page.matchAll(/(?:src|href)="\/admin\/(assets\/[^"]+\.js)"/g)].map(([, name]) => name);
  expect(first.length).toBeGreaterThan(0);
  // Of the pages the largest comes with it, all of its parts.
  const names = readdirSync(join(DIST, "assets")).filter((name) => name.endsWith(".js.gz"));
  const bytes = names.reduce((sum, name) => sum + readFileSync(join(DIST, "assets", name)).length, 0);
  expect(bytes).toBeLessThan(350 * 1024);
});
