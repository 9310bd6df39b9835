/** The recall log in a real browser: found by its filters, opened by mouse and keyboard, and honest when it is empty or off. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium } from "../browser/support/chromium.ts";
import { openServed, type Served } from "../browser/support/served.ts";
import { setUp } from "../browser/support/signing-in.ts";
import { stored } from "../support/acting.ts";
import { buildAdminUi, faultsOf, settled, silentPage } from "./support/pages.ts";

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

/** Recalls are written within ten seconds. */
const WRITTEN_WITHIN_MS = 30_000;
const ATTACK = `<img src=x onerror="document.title='owned'">`;

const rows = (page: Page) => page.getByRole("table", { name: /^Recall log/ }).getByRole("row");

test("each question is there with who asked and what came; one opens beside the list and leads to the lab", async () => {
  const page = await silentPage(browser);
  const { owner } = await setUp(page, served);
  const client = await served.world.client({ owner: owner.name });
  const id = await stored(client, { content: "The staging database is db-1 in Vienna" });
  await client.post("/v1/recall/context", { query: "Where is the staging database?", max_tokens: 700 });
  await client.post("/v1/recall/context", { query: ATTACK });
  await client.get("/v1/memories/search?query=staging");
  const logged = () => served.world.service.sql`select from recalls where owner_id = ${owner.id}`;
  await expect.poll(logged, { timeout: WRITTEN_WITHIN_MS }).toHaveLength(3);

  await page.goto(`${served.url}/admin/own`);
  await page.getByRole("link", { name: "Recall log" }).click();
  await page.getByText("3 recalls").waitFor();
  await page.getByText(/p50 .* ms · p95/).waitFor();
  expect(await rows(page).count()).toBe(4);
  expect(await page.locator("main img").count()).toBe(0);
  const found = await faultsOf(page, "recalls");

  await page.getByRole("button", { name: "Show as table" }).click();
  await page.getByRole("region", { name: "Recalls, as a table" }).waitFor();
  await page.getByRole("button", { name: "Show as chart" }).click();
  await page.keyboard.press("/");
  await page.keyboard.type("VIENNA?");
  await page.keyboard.press("Enter");
  await page.waitForURL(/q=VIENNA/);
  await page.getByRole("heading", { name: "Nothing matches" }).waitFor();
  await page.getByRole("button", { name: "Clear the filters" }).click();
  await page.getByRole("combobox", { name: "Any answer" }).click();
  await page.getByRole("option", { name: "Found" }).click();
  await page.waitForURL(/answer=found/);
  await page.getByText("1 recall", { exact: true }).waitFor();
  await page.reload();
  await page.getByText("1 recall", { exact: true }).waitFor();
  await page.getByRole("combobox", { name: "Any answer" }).click();
  await page.getByRole("option", { name: "Any answer" }).click();
  await page.getByText("3 recalls").waitFor();

  // By keyboard: to the row, open, close, and back where it was.
  const asked = rows(page).filter({ hasText: "Where is the staging database?" });
  await asked.focus();
  await page.keyboard.press("Enter");
  const heading = page.getByRole("heading", { name: "Where is the staging database?" });
  await heading.waitFor();
  await page.getByRole("heading", { name: "1 came, best first" }).waitFor();
  await page.getByText(/of 700$/).waitFor();
  found.push(...(await faultsOf(page, "recall")));
  expect(await heading.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press("Escape");
  await heading.waitFor({ state: "detached" });
  expect(await asked.evaluate((row) => row.contains(document.activeElement))).toBe(true);

  await asked.getByRole("link").click();
  await page.getByRole("link", { name: "Why this memory was recalled" }).click();
  await page.waitForURL(new RegExp(`lab\\?.*why=${id}`));
  await page.goBack();
  await page.getByRole("link", { name: "Ask again in the lab" }).click();
  await page.waitForURL(/lab\?q=Where/);
  await page.getByText("weighed").first().waitFor();
  expect(page.url()).toContain("tokens=700");

  await page.goto(`${served.url}/admin/own/memories?id=${id}&part=recall`);
  await page.getByRole("img", { name: /^Most on .*: \d/ }).waitFor();
  found.push(...(await faultsOf(page, "memory-recall")));
  expect(found).toEqual([]);
}, 180_000);

test("an empty log says how questions come into it, and a log that is off says so", async () => {
  const page = await silentPage(browser);
  await setUp(page, served);
  await page.goto(`${served.url}/admin/own/recalls`);
  await page.getByRole("heading", { name: "Nothing was asked in the last 24 hours" }).waitFor();
  await page.getByRole("button", { name: "Show all that is kept" }).click();
  await page.getByRole("heading", { name: "Nothing was asked yet" }).waitFor();
  await settled(page);
  expect(await faultsOf(page, "recalls-empty")).toEqual([]);
  const off = await openServed("127.0.0.1", { RECALL_LOG_DAYS: "0" });
  try {
    const other = await silentPage(browser);
    await setUp(other, off);
    await other.goto(`${off.url}/admin/own/recalls`);
    await other.getByRole("heading", { name: "The recall log is off" }).waitFor();
    await other.close();
  } finally {
    await off.close();
  }
}, 120_000);
