/** The page of memories: filters in the address, paths to open, many chosen, a long list that can be jumped in, and what is said when it fails. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium } from "../browser/support/chromium.ts";
import { openServed, type Served } from "../browser/support/served.ts";
import { setUp } from "../browser/support/signing-in.ts";
import { stored } from "../support/acting.ts";
import { buildAdminUi, faultsOf, silentPage } from "./support/pages.ts";

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

async function signedIn(expected?: RegExp) {
  const page = await silentPage(browser, expected);
  const { owner } = await setUp(page, served);
  const key = await served.world.client({ owner: owner.name });
  return { page, owner, key };
}

const memories = (more = "") => `${served.url}/admin/own/memories${more}`;
const said = (page: Page, words: string | RegExp) =>
  page.getByRole("status").getByText(words).first().waitFor();

test("a path is opened part by part, an agent and days are chosen, and back goes through all of it", async () => {
  const { page, key } = await signedIn();
  const byBot = { provenance: { agent_id: "bot-7" } };
  await stored(key, { content: "Apollo deploys on Tuesdays", path: "projects/apollo/deploys", ...byBot });
  await stored(key, { content: "Apollo is a rocket", path: "projects/apollo" });
  const old = await stored(key, { content: "Zeus is a server", path: "projects/zeus" });
  await stored(key, { content: "Lunch is at noon", path: "notes" });
  await served.world.service
    .sql`update memories set created_at = '2026-01-05T12:00:00Z' where memory_id = ${old}`;
  await page.goto(memories());
  await said(page, "4 memories, newest first");
  await page.locator("summary", { hasText: "Path" }).click();
  const tree = page.getByRole("region", { name: "Paths" });
  await tree.getByRole("button", { name: "What is below projects", exact: true }).click();
  await tree.getByRole("button", { name: "apollo 2" }).click();
  await page.waitForURL(/path=projects%2Fapollo/);
  await said(page, "2 memories, newest first");
  expect(await faultsOf(page, "memories-paths")).toEqual([]);
  await page.getByRole("checkbox", { name: "bot-7 1" }).check();
  await said(page, "1 memory, newest first");
  await page.goBack();
  await said(page, "2 memories, newest first");
  await page.goBack();
  await said(page, "4 memories, newest first");
  await page.locator("summary", { hasText: "Stored" }).click();
  await page.getByLabel("Stored from").fill("2026-01-04");
  await page.getByLabel("Stored until").fill("2026-01-06");
  await page.getByRole("button", { name: "Zeus is a server" }).waitFor();
  await said(page, "1 memory, newest first");
  await page.reload();
  await said(page, "1 memory, newest first");
  expect(await page.getByLabel("Stored until", { exact: true }).inputValue()).toBe("2026-01-06");
  // The same filters narrow what recall finds.
  await page.keyboard.press("/");
  await page.keyboard.type("server");
  await page.keyboard.press("Enter");
  await said(page, /^1 found/);
}, 120_000);

test("days are those of the reader's own zone", async () => {
  const { page, key } = await signedIn();
  const id = await stored(key, { content: "Just after midnight in Auckland" });
  await served.world.service
    .sql`update memories set created_at = '2026-01-04T11:30:00Z' where memory_id = ${id}`;
  const cookies = await page.context().cookies();
  const there = await browser.newContext({ timezoneId: "Pacific/Auckland" });
  await there.addCookies(cookies);
  const far = await there.newPage();
  await far.goto(memories("?from=2026-01-05&to=2026-01-05"));
  await said(far, "1 memory, newest first");
  await far.getByRole("button", { name: "Just after midnight" }).click();
  await far.getByText("5 Jan 2026", { exact: false }).first().waitFor();
  const hover = await far.locator("dl time").first().getAttribute("title");
  expect(hover).toContain("2026-01-04T11:30:00.000Z (UTC)");
  await there.close();
  await page.goto(memories("?from=2026-01-05&to=2026-01-05"));
  await page.getByRole("heading", { name: "Nothing matches" }).waitFor();
});

test("of what a search found some are chosen, forgotten just so, and all come back by undo", async () => {
  const { page, key } = await signedIn();
  for (const content of ["Ada Lovelace likes tea", "Ada Lovelace lives in Bath", "Tea is grown in Assam"])
    await stored(key, { content });
  await page.goto(memories("?q=Ada+Lovelace"));
  await page.getByRole("link", { name: "Find every record that says it" }).click();
  expect(await page.getByLabel(/^Names, mail addresses/).inputValue()).toBe("Ada Lovelace");
  await page.goBack();
  await page.getByRole("button", { name: "Choose the 2 here that say “Ada Lovelace”" }).click();
  await said(page, /^2 chosen of/);
  expect(await faultsOf(page, "memories-chosen")).toEqual([]);
  await page.getByRole("button", { name: "Remove 2 chosen…" }).click();
  const dialog = page.getByRole("dialog", { name: "The chosen memories" });
  await dialog.getByText("2 memories match.").waitFor();
  await dialog.getByRole("button", { name: "Forget 2 memories" }).click();
  await page.getByText("2 memories left recall. They can be restored.").waitFor();
  expect((await key.get("/v1/memories")).body.total).toBe(1);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("2 memories back in recall.").waitFor();
  expect((await key.get("/v1/memories")).body.total).toBe(3);
  await page.goto(memories());
  await page.getByRole("checkbox", { name: "Choose Tea is grown" }).check();
  await page.getByRole("button", { name: "Remove 1 chosen…" }).waitFor();
  await page.getByRole("button", { name: "Choose none" }).click();
  expect(await page.getByRole("button", { name: /chosen…/ }).count()).toBe(0);
}, 120_000);

test("what was forgotten is read and restored one by one", async () => {
  const { page, key } = await signedIn(/404/);
  const id = await stored(key, { content: "Forgotten by mistake" });
  await key.delete(`/v1/memories/${id}`);
  await page.goto(memories("?status=soft_deleted"));
  await page.getByRole("button", { name: "Forgotten by mistake" }).click();
  await page.getByRole("button", { name: "Restore this memory" }).click();
  await page.getByText("The memory is back in recall.").waitFor();
  expect((await key.get(`/v1/memories/${id}`)).status).toBe(200);
});

test("a list of thousands is jumped in and stepped through; rows say which they are, and few are in the document", async () => {
  const { page, owner, key } = await signedIn();
  const first = await stored(key, { content: "Number 0", path: "many" });
  await served.world.service.sql`
    insert into memories (id, memory_id, owner_id, author_id, author_token, scope, path, bucket, memory_type, status,
      content, metadata, provenance, importance, confidence, version, created_at, updated_at)
    select gen_random_uuid(), gen_random_uuid()::text, owner_id, author_id, author_token, scope, path, bucket, memory_type,
      status, 'Number ' || n, metadata, provenance, importance, confidence, version,
      created_at + n * interval '1 millisecond', updated_at
    from memories, generate_series(1, 10000) n where memory_id = ${first}`;
  expect(owner.name).toBeTruthy();
  let asked = 0;
  page.on("request", (request) => {
    if (request.url().includes("listMemories")) asked += 1;
  });
  await page.goto(memories());
  await said(page, "10,001 memories, newest first");
  // More than the facets are counted in.
  await page.getByRole("checkbox", { name: "semantic 10,000+" }).waitFor();
  await page.getByRole("radio", { name: "Forgotten", exact: true }).waitFor();
  await page.getByText("Counts with + are of the newest 10,000 memories only.").waitFor();
  await page.getByRole("button", { name: "Number 10000", exact: true }).focus();
  const before = asked;
  await page.keyboard.press("End");
  await page.getByRole("button", { name: "Number 0", exact: true }).waitFor();
  expect(asked - before).toBeLessThan(4);
  const table = page.getByRole("table", { name: "Memories" });
  expect(await table.getAttribute("aria-rowcount")).toBe("10002");
  expect(await table.getByRole("row").last().getAttribute("aria-rowindex")).toBe("10002");
  expect(await table.getByRole("row").count()).toBeLessThan(50);
  await page.getByRole("button", { name: "Number 0", exact: true }).click();
  await page.getByRole("heading", { name: "Where it comes from" }).waitFor();
  await page.keyboard.press("k");
  await page.locator(".detail .stored", { hasText: /^Number 1$/ }).waitFor();
  await page.keyboard.press("j");
  await page.locator(".detail .stored", { hasText: /^Number 0$/ }).waitFor();
  await page.goBack();
  await page.locator(".detail").waitFor({ state: "hidden" });
}, 120_000);

test("several values of a facet are chosen, each a sentence that can be removed; a view of it gets a name and stays", async () => {
  const { page, key } = await signedIn();
  for (const [content, memory_type, project_id] of [
    ["Alpha", "semantic", "apollo"],
    ["Beta", "procedural", "apollo"],
    ["Gamma", "episodic", null],
  ] as const)
    await stored(key, { content, memory_type, ...(project_id && { project_id }) });
  await page.goto(memories());
  await page.getByRole("checkbox", { name: "semantic 1" }).check();
  await said(page, "1 memory, newest first");
  // What else there is of the same facet is still counted.
  await page.getByRole("checkbox", { name: "episodic 1" }).check();
  await said(page, "2 memories, newest first");
  await page.getByText("Type is semantic or episodic").waitFor();
  await page.getByRole("checkbox", { name: "No project 1" }).check();
  await said(page, "1 memory, newest first");
  await page.waitForURL(/type=semantic%2Cepisodic/);
  expect(await faultsOf(page, "memories-facets")).toEqual([]);
  await page.getByRole("button", { name: "Save view" }).click();
  await page.getByLabel("Name of the view").fill("Loose ends");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "All", exact: true }).click();
  await said(page, "3 memories, newest first");
  await page.reload();
  await page.getByRole("link", { name: "Loose ends" }).click();
  await said(page, "1 memory, newest first");
  await page.getByRole("button", { name: "Gamma", exact: true }).waitFor();
  await page.getByRole("button", { name: "Remove: Project is No project" }).click();
  await said(page, "2 memories, newest first");
  await page.getByRole("button", { name: "Clear", exact: true }).click();
  await said(page, "3 memories, newest first");
  await page.getByRole("link", { name: "Loose ends" }).click();
  await page.getByRole("button", { name: "Remove this view" }).click();
  await page.getByRole("link", { name: "Loose ends" }).waitFor({ state: "hidden" });
}, 120_000);

test("nothing moves while the counts, the recalls and a memory arrive", async () => {
  const { page, key } = await signedIn();
  for (let at = 0; at < 40; at++) await stored(key, { content: `Number ${at}`, path: `p/${at % 3}` });
  await page.addInitScript(() => {
    const shifts = window as unknown as { shifted: number };
    shifts.shifted = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.shifted += (entry as unknown as { value: number }).value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(memories());
  await page.getByRole("checkbox", { name: "semantic 40" }).waitFor();
  await page.getByRole("button", { name: "Number 39", exact: true }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Where it comes from" }).waitFor();
  const shifted = await page.evaluate(() => (window as unknown as { shifted: number }).shifted);
  expect(shifted).toBeLessThan(0.02);
}, 120_000);

test("the table is sorted by its heads, has the columns that were chosen, and says its order", async () => {
  const { page, key } = await signedIn();
  for (const [content, importance] of [
    ["beta", 0.2],
    ["Alpha", 0.9],
    ["gamma", 0.5],
  ] as const)
    await stored(key, { content, importance });
  await page.goto(memories());
  await said(page, "3 memories, newest first");
  const table = page.getByRole("table", { name: "Memories" });
  const texts = () => table.locator(".open").allTextContents();
  const head = (name: string) => table.getByRole("columnheader", { name, exact: true });
  expect(await head("Stored").getAttribute("aria-sort")).toBe("descending");
  await head("Memory").getByRole("button").click();
  await said(page, "3 memories, by text, A to Z");
  expect([await texts(), await head("Memory").getAttribute("aria-sort")]).toEqual([
    ["Alpha", "beta", "gamma"],
    "ascending",
  ]);
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("checkbox", { name: "Importance" }).check();
  await page.getByRole("checkbox", { name: "Path" }).uncheck();
  await page.keyboard.press("Escape");
  await head("Importance").getByRole("button").click();
  await said(page, "3 memories, most important first");
  expect(await texts()).toEqual(["Alpha", "gamma", "beta"]);
  await page.reload();
  await said(page, "3 memories, most important first");
  expect(await head("Path").count()).toBe(0);
  expect(await faultsOf(page, "memories-sorted")).toEqual([]);
  await page.getByRole("checkbox", { name: "Choose all" }).check();
  await said(page, /^3 chosen of/);
  await page.getByRole("region", { name: "Selection" }).getByText("3 chosen", { exact: true }).waitFor();
}, 120_000);

test("a memory opens beside the list by Enter, in four parts, with what it is related to; Escape goes back to its row", async () => {
  const { page, key } = await signedIn();
  const before = await stored(key, { content: "The gate code is 1234", semantic_key: "gate.code" });
  await stored(key, { content: "The gate code is 9876", semantic_key: "gate.code" });
  await page.goto(memories());
  await page.getByRole("button", { name: "The gate code is 9876" }).focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/id=/);
  await page.getByRole("tab", { name: "Content" }).press("ArrowRight");
  await page.waitForURL(/part=history/);
  await page.keyboard.press("ArrowRight");
  const relations = page.getByRole("tabpanel", { name: "Relations" });
  await relations.getByRole("heading", { name: "Supersedes 1" }).waitFor();
  expect(await faultsOf(page, "memory-related")).toEqual([]);
  await relations.getByRole("link", { name: "The gate code is 1234" }).click();
  await page.waitForURL(new RegExp(`id=${before}`));
  await relations.getByRole("heading", { name: "Superseded by 1" }).waitFor();
  await page.goBack();
  await relations.getByRole("heading", { name: "Supersedes 1" }).waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".detail").waitFor({ state: "hidden" });
  await page.waitForFunction(() => document.activeElement?.textContent === "The gate code is 9876");
  await page.setViewportSize({ width: 390, height: 800 });
  await page.keyboard.press("Enter");
  await page.locator(".detail").waitFor();
  expect(await page.locator(".detail").boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 800 });
  expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe(
    "Close the memory",
  );
}, 120_000);

test("a row that is looked at stays where it is when others come above it", async () => {
  const { page, key } = await signedIn();
  for (let at = 0; at < 40; at++) await stored(key, { content: `Number ${at}` });
  await page.goto(memories());
  await said(page, "40 memories, newest first");
  const scroller = page.locator(".scroller");
  await scroller.evaluate((element) => element.scrollTo(0, 900));
  const row = page.getByRole("button", { name: "Number 20", exact: true });
  await row.waitFor();
  const top = async () => Math.round((await row.boundingBox())?.y ?? 0);
  const before = await top();
  for (let at = 0; at < 3; at++) await stored(key, { content: `New ${at}` });
  await said(page, "43 memories, newest first");
  expect(await top()).toBe(before);
}, 120_000);

test("each failure is said in its own words, with what to do; what waits says for what", async () => {
  const { page, key } = await signedIn(/403|409|412|503|ERR_/);
  await stored(key, { content: "Still here" });
  const refuse = (procedure: string, code: string, httpStatus: number, message = "refused") =>
    page.route(`**/trpc/${procedure}**`, (route) =>
      route.fulfill({
        status: httpStatus,
        contentType: "application/json",
        body: JSON.stringify([
          { error: { message, code: -32603, data: { code, httpStatus, requestId: "req-1" } } },
        ]),
      }),
    );
  await page.route("**/trpc/listMemories**", (route) => route.abort());
  await page.goto(memories());
  await page.getByText("The memories: The service did not answer.").waitFor();
  expect(await faultsOf(page, "memories-down")).toEqual([]);
  await page.unroute("**/trpc/listMemories**");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("button", { name: "Still here" }).waitFor();

  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/trpc/searchMemories**", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(memories("?q=here"));
  await page.getByText("Waiting for recall…").waitFor();
  answer();
  await page.getByRole("button", { name: "Still here" }).waitFor();

  await page.goto(memories("?path=default%25&bucket=public"));
  await page.goto(memories("?bucket=public"));
  await page.getByRole("button", { name: "Remove all 1…" }).waitFor();
  await refuse("deleteMatching", "role_forbidden", 403, "Your role, viewer, cannot delete.");
  await page.getByRole("button", { name: "Remove all 1…" }).click();
  await page.getByText("The dry run: Your role does not allow this.").waitFor();
  await page.getByText("Your role, viewer, cannot delete.").waitFor();
  await page.getByText("Request req-1").waitFor();
}, 180_000);
