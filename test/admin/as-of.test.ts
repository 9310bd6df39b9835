/** The memories and the lab as of a past moment: what was there, with the content that it had, and nothing to change. */
import type { Browser } from "playwright-core";
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

const someTime = () => new Promise((resolve) => setTimeout(resolve, 30));

test("a past moment shows what was there then, in the list, in a search, in a memory and in the lab", async () => {
  const page = await silentPage(browser);
  const { owner } = await setUp(page, served);
  const key = await served.world.client({ owner: owner.name });
  const changed = await stored(key, { content: "The gateway runs in Graz", path: "ops" });
  const replaced = await stored(key, { content: "The gateway has 2 nodes", semantic_key: "gateway.nodes" });
  const forgotten = await stored(key, { content: "The gateway is called Otto", path: "ops" });
  await someTime();
  const moment = new Date().toISOString();
  await someTime();
  await key.patch(`/v1/memories/${changed}`, { content: "The gateway runs in Linz" });
  await stored(key, { content: "The gateway has 5 nodes", semantic_key: "gateway.nodes" });
  await stored(key, { content: "The gateway was moved", path: "ops" });
  await key.delete(`/v1/memories/${forgotten}`);

  const texts = () => page.locator("[data-id]").allInnerTexts();
  const shown = async () => (await texts()).map((text) => /The gateway [^\n]*/.exec(text)?.[0]).sort();
  const then = ["The gateway has 2 nodes", "The gateway runs in Graz"];
  const banner = page.getByText(/^As of \d+ \w+ \d{4}, \d\d:\d\d$/);
  const at = `as_of=${encodeURIComponent(moment)}`;

  await page.goto(`${served.url}/admin/own/memories?${at}`);
  await banner.waitFor();
  await page.getByText("2 memories, newest first").waitFor();
  expect(await shown()).toEqual(then);
  expect(await page.getByRole("button", { name: "Add memory" }).count()).toBe(0);
  expect(await page.getByRole("checkbox", { name: /^Choose/ }).count()).toBe(0);
  expect(await page.getByRole("heading", { name: "Status" }).count()).toBe(0);
  await expect.poll(() => page.locator("aside.facets").textContent()).toMatch(/semantic\s*2/);
  expect(await faultsOf(page, "memories-as-of")).toEqual([]);

  // A memory that has been superseded since is live and has no successor.
  await page.goto(`${served.url}/admin/own/memories?${at}&id=${replaced}`);
  const panel = page.getByRole("region", { name: "The gateway has 2 nodes" });
  await panel.waitFor();
  expect(await panel.getByRole("button", { name: /Edit|Forget|Remove|Erase/ }).count()).toBe(0);
  await page.goto(`${served.url}/admin/own/memories?${at}&id=${changed}`);
  await page.getByRole("region", { name: "The gateway runs in Graz" }).waitFor();
  await page.goto(`${served.url}/admin/own/memories?${at}&q=gateway`);
  await page.getByText("2 found, most relevant first").waitFor();
  expect(await shown()).toEqual(then);

  await page.getByRole("button", { name: "Back to now" }).click();
  await page.getByText("3 found, most relevant first").waitFor();
  await page.getByRole("button", { name: "As of…" }).click();
  await page.getByLabel("As of").fill("2020-05-03T10:00");
  await page.getByRole("button", { name: "Show" }).click();
  await page.getByText("As of 3 May 2020, 10:00").waitFor();
  await page.getByRole("heading", { name: "Nothing matches" }).waitFor();

  await page.goto(`${served.url}/admin/own/lab?q=gateway&${at}`);
  await banner.waitFor();
  await page.getByText("The gateway runs in Graz").filter({ visible: true }).first().waitFor();
  const lab = await page.locator("main").textContent();
  expect(lab).toContain("The gateway has 2 nodes");
  for (const later of ["Linz", "5 nodes", "was moved", "Otto"]) expect(lab).not.toContain(later);
  expect(await faultsOf(page, "lab-as-of")).toEqual([]);
  await page.getByRole("button", { name: "Back to now" }).click();
  await page.getByText("The gateway runs in Linz").filter({ visible: true }).first().waitFor();
}, 240_000);
