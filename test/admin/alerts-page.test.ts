/** Alerts are set on the page Health, and shown there and on Home while they are raised. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium } from "../browser/support/chromium.ts";
import { openServed, type Served } from "../browser/support/served.ts";
import { setUp } from "../browser/support/signing-in.ts";
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

test("a threshold that is set on Health raises an alert, which an open page shows without being loaded again", async () => {
  const page = await silentPage(browser);
  const { owner } = await setUp(page, served);
  const key = await served.world.client({ owner: owner.name });
  await key.get("/v1/memories");
  const { sql } = served.world.service;
  await page.goto(`${served.url}/admin/own/service`);
  const settings = page.getByRole("region", { name: "Alerts", exact: true });
  await settings.getByLabel("Agent silent for").fill("24");
  await settings.getByRole("button", { name: "Fill in suggested values" }).click();
  expect(await settings.getByLabel("Recall p95 above").inputValue()).toBe("1000");
  await settings.getByLabel("Recall p95 above").fill("");
  await settings.getByLabel("Coverage below").fill("95.5");
  await settings.getByRole("button", { name: "Save the alerts" }).click();
  await page.getByText("The alerts were saved.").first().waitFor();
  expect(await faultsOf(page, "alerts-set")).toEqual([]);
  await page.reload();
  expect(await settings.getByLabel("Coverage below").inputValue()).toBe("95.5");
  expect(await settings.getByLabel("Agent silent for").inputValue()).toBe("24");
  expect(await settings.getByLabel("Recall p95 above").inputValue()).toBe("");

  await page.goto(`${served.url}/admin/own`);
  const attention = page.getByRole("region", { name: "Needs attention" });
  await attention.getByText("Nothing: no conflicts").waitFor();
  await sql`
    update tokens set name = 'release-bot', last_used_at = now() - interval '25 hours'
    where owner_id = ${owner.id} and kind = 'api_key'`;
  await sql`update alert_thresholds set checked_at = null`;
  await attention.getByText("release-bot is silent").waitFor();
  await attention.getByText("Not used for 25 hours; raised").waitFor();
  expect(await faultsOf(page, "alerts-home")).toEqual([]);
  await attention.getByRole("link", { name: "See its recalls: release-bot is silent" }).click();
  await page.waitForURL(/recalls\?.*key=/);

  await page.goto(`${served.url}/admin/own/service`);
  await settings.getByText("release-bot is silent").waitFor();
  expect(await faultsOf(page, "alerts-health")).toEqual([]);
  await settings.getByLabel("Agent silent for").fill("");
  await settings.getByRole("button", { name: "Save the alerts" }).click();
  await settings.getByText("release-bot is silent").waitFor({ state: "detached" });
}, 180_000);
