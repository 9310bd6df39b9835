/** Everything about a person is erased on one page: searched, looked at, one record left out, the rest for good. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium } from "../browser/support/chromium.ts";
import { openServed, type Served } from "../browser/support/served.ts";
import { setUp } from "../browser/support/signing-in.ts";
import { makeUnerasable } from "../erasure/stuck.ts";
import { stored, unguessable } from "../support/acting.ts";
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

test("a person is searched in every workspace, and erased as it was looked at", async () => {
  const page = await silentPage(browser, /409/);
  const { owner } = await setUp(page, served);
  const key = await served.world.client({ owner: owner.name });
  const { teams } = served.world.service;
  const { team } = await teams.create(unguessable("crew"), owner);
  for (let n = 0; n < 58; n += 1)
    await stored(key, { content: `Call ${n} with Anna Schmidt`, path: `calls/${n}` });
  const kept = await stored(key, { content: "The invoice of ANNA SCHMIDT must be kept", path: "invoices" });
  const of = { team_id: team.id };
  const shared = (await key.post("/v1/remember", { content: "anna-schmidt is on call", path: "crew", ...of }))
    .body.id;
  await key.post("/v1/projects/apollo/todos", { content: "Write to anna@example.com", ...of });
  const similar = await stored(key, { content: "Schmidt, Anna: see the file" });

  await page.goto(`${served.url}/admin/own/erase`);
  await page.getByRole("heading", { name: "Erase a person or subject" }).waitFor();
  expect(await faultsOf(page, "erase-empty")).toEqual([]);
  const terms = page.getByLabel("Names, mail addresses and other terms, one on each line");
  await terms.fill("Anna Schmidt\nanna@example.com\n\nAnna Schmidt");
  await page.getByRole("button", { name: "Search every record" }).click();
  await page.getByRole("heading", { name: "61 records contain these terms" }).waitFor();
  const row = (name: string) => page.getByRole("row", { name });
  expect(await row(`${owner.name} (you)`).getByRole("cell").allTextContents()).toEqual([
    "59",
    "0",
    "0",
    "0",
    "0",
    "0",
  ]);
  expect(await row(team.name).getByRole("cell").allTextContents()).toEqual(["1", "1", "0", "0", "0", "0"]);
  await page.getByText("1 record is similar and will stay").click();
  await page.getByText("Schmidt, Anna: see the file").waitFor();
  await page.getByText("Records: 50 of 61").waitFor();
  await page.getByRole("button", { name: "Show more" }).click();
  await page.getByText("Records: 61 of 61").waitFor();
  expect(await page.locator("mark").allTextContents()).toContain("anna-schmidt");
  await page.getByRole("checkbox", { name: "Erase: The invoice of ANNA SCHMIDT must be kept" }).uncheck();
  expect(await faultsOf(page, "erase-found")).toEqual([]);

  // What is stored after the search stops the erasure.
  const late = await stored(key, { content: "Anna Schmidt called again" });
  const dialog = page.getByRole("dialog", { name: "Erase 60 records for good?" });
  await page.getByRole("button", { name: "Erase 60 records…" }).click();
  expect(await faultsOf(page, "erase-dialog")).toEqual([]);
  await dialog.getByLabel("Type 60 to continue").fill("60");
  await dialog.getByRole("button", { name: "Erase 60 records" }).click();
  await dialog.getByText("Nothing was erased: records with these terms have changed").waitFor();
  await dialog.getByRole("button", { name: "Search again" }).click();
  await page.getByRole("heading", { name: "62 records contain these terms" }).waitFor();
  await page.getByRole("button", { name: "Show more" }).click();
  await page.getByRole("checkbox", { name: "Erase: The invoice of ANNA SCHMIDT must be kept" }).uncheck();
  await page.getByRole("button", { name: "Erase 61 records…" }).click();
  const again = page.getByRole("dialog", { name: "Erase 61 records for good?" });
  await again.getByLabel("Type 61 to continue").fill("61");
  await again.getByRole("button", { name: "Erase 61 records" }).click();
  const erasures = page.getByRole("region", { name: "Your erasures" });
  await erasures.getByText(/^61 records erased/).waitFor();
  await erasures.getByText("receipts").click();
  expect(await faultsOf(page, "erase-done")).toEqual([]);
  // It is the server that erases: another visit shows the same.
  await page.goto(`${served.url}/admin/own/erase`);
  await page
    .getByRole("region", { name: "Your erasures" })
    .getByText(/^61 records erased/)
    .waitFor();
  const status = async (id: string) => (await key.get(`/v1/memories/${id}`)).status;
  expect([await status(kept), await status(shared), await status(late), await status(similar)]).toEqual([
    200, 404, 404, 200,
  ]);
  expect((await key.get(`/v1/projects/apollo/todos?team_id=${team.id}`)).body).toEqual([]);
}, 180_000);

test("an erasure that fails says why and when it is tried again, and is ended by whoever began it", async () => {
  const page = await silentPage(browser);
  const { owner } = await setUp(page, served);
  const key = await served.world.client({ owner: owner.name });
  const stuck = await stored(key, { content: "Emmy Noether cannot be erased" });
  const makeErasable = await makeUnerasable(served.world.service.sql, stuck);
  try {
    await page.goto(`${served.url}/admin/own/erase?term=Emmy%20Noether`);
    await page.getByRole("button", { name: "Search every record" }).click();
    await page.getByRole("button", { name: "Erase 1 record…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Type 1 to continue").fill("1");
    await dialog.getByRole("button", { name: "Erase 1 record" }).click();
    const erasures = page.getByRole("region", { name: "Your erasures" });
    await erasures.getByText("Failing", { exact: true }).waitFor();
    await erasures
      .getByText(/^An unexpected error \(XX001\): the server's log has more. Tried \d+ times?, next try at /)
      .waitFor();
    expect(await faultsOf(page, "erase-failing")).toEqual([]);
    await erasures.getByRole("button", { name: "End erasure…" }).click();
    const end = page.getByRole("dialog", { name: "End this erasure?" });
    await end.getByText("1 record not erased yet will stay.").waitFor();
    expect(await faultsOf(page, "erase-end")).toEqual([]);
    await end.getByRole("button", { name: "End erasure" }).click();
    await erasures.getByText("1 record not erased: you ended it.").waitFor();
    expect(await faultsOf(page, "erase-ended")).toEqual([]);
    expect((await key.get(`/v1/memories/${stuck}`)).status).toBe(200);
  } finally {
    await makeErasable();
  }
}, 180_000);
