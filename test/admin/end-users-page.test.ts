/** End users in a real browser: made by an application's key, found, looked into, given a token, exported and erased. */
import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium } from "../browser/support/chromium.ts";
import { openServed, type Served } from "../browser/support/served.ts";
import { setUp } from "../browser/support/signing-in.ts";
import { unguessable } from "../support/acting.ts";
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

const ATTACK = `<img src=x onerror="document.title='owned'">`;

test("an application's key is made, its end users appear, and one is looked into, exported and erased", async () => {
  const page = await silentPage(browser, /404/);
  const { owner } = await setUp(page, served);
  const { team } = await served.world.service.teams.create(unguessable("shop"), owner);
  await page.goto(`${served.url}/admin/${team.id}`);
  await page.getByRole("link", { name: "End users" }).click();
  await page.getByRole("heading", { name: "No end users yet" }).waitFor();
  await settled(page);
  const found = await faultsOf(page, "end-users-empty");
  await page.getByRole("button", { name: "Create an application's key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).fill("shop");
  expect(await dialog.getByLabel("Act for the application's end users").isChecked()).toBe(true);
  // A key of one's own, confined to the team, could not act for them.
  await dialog.getByLabel(/^Yours, for this team only/).check();
  expect(await dialog.getByLabel("Act for the application's end users").count()).toBe(0);
  await dialog.getByLabel(/^The team's own/).check();
  await dialog.getByRole("button", { name: "Create 1 key" }).click();
  const application = served.world.withToken(await dialog.getByLabel("Secret").inputValue());
  await dialog.getByRole("button", { name: "I have kept it" }).click();
  await dialog.waitFor({ state: "hidden" });

  const remember = async (user_id: string, content: string) => {
    const { status } = await application.post("/v1/remember", { content, path: "notes", user_id });
    expect(status).toBe(201);
  };
  await remember("cust_1", "Keeps a marmot in Vienna");
  await remember("cust_1", ATTACK);
  await remember("cust_2", "Sells marmot food");
  await remember("other", "Nothing of the kind");
  await page.reload();
  await page.getByText("3 end users, in the order of their ids").waitFor();
  found.push(...(await faultsOf(page, "end-users")));
  await page.keyboard.press("/");
  await page.keyboard.type("cust_");
  await page.keyboard.press("Enter");
  await page.waitForURL(/prefix=cust_/);
  await page.getByText("2 end users, in the order of their ids").waitFor();

  const row = page.getByRole("row").filter({ hasText: "cust_1" });
  await row.focus();
  await page.keyboard.press("Enter");
  const panel = page.getByRole("region", { name: "cust_1" });
  await panel.getByRole("button", { name: "Show 2 memories" }).click();
  await panel.getByText("Keeps a marmot in Vienna").waitFor();
  await panel.getByText(ATTACK).waitFor();
  expect(await page.locator("main img").count()).toBe(0);
  found.push(...(await faultsOf(page, "end-user")));

  await panel.getByRole("button", { name: "Issue a token" }).click();
  await dialog.getByRole("button", { name: "Issue 1 token" }).click();
  const token = served.world.withToken(await dialog.getByLabel("Token").inputValue());
  await dialog.getByRole("button", { name: "I have kept it" }).click();
  await dialog.waitFor({ state: "hidden" });
  expect((await token.get("/v1/memories")).body.memories).toHaveLength(2);
  await panel.getByRole("link", { name: "Audit log" }).click();
  await page.getByText("in the space of the end user cust_1").waitFor();
  const issued = page.getByRole("row").filter({ hasText: "issued a credential" });
  await issued.getByText(owner.name).waitFor();
  await page.goBack();

  await panel.getByRole("link", { name: "Ask in the lab" }).click();
  await page.getByRole("searchbox", { name: "Query" }).fill("marmot");
  await page.getByRole("button", { name: "Recall", exact: true }).click();
  await page.waitForURL(/user=cust_1/);
  await page.getByRole("cell", { name: "Keeps a marmot in Vienna", exact: true }).waitFor();
  expect(await page.getByText("Sells marmot food").count()).toBe(0);
  expect(await page.getByRole("link", { name: "Keeps a marmot in Vienna" }).count()).toBe(0);
  found.push(...(await faultsOf(page, "lab-end-user")));
  await page.goto(`${served.url}/admin/${team.id}/end-users?user=cust_1`);

  const [file] = await Promise.all([
    page.waitForEvent("download"),
    panel.getByRole("button", { name: "Export" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("cust_1.jsonl");
  const lines = readFileSync(await file.path(), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map(({ content }) => content)).toContain("Keeps a marmot in Vienna");

  await panel.getByRole("button", { name: "Erase…" }).click();
  const erase = dialog.getByRole("button", { name: "Erase 2 memories" });
  await erase.waitFor();
  expect(
    await dialog.getByRole("button", { name: "Cancel" }).evaluate((one) => one === document.activeElement),
  ).toBe(true);
  found.push(...(await faultsOf(page, "end-user-erase")));
  await dialog.getByRole("textbox").fill("cust_2");
  expect(await erase.isEnabled()).toBe(false);
  await dialog.getByRole("textbox").fill("cust_1");
  await erase.click();
  await page.getByRole("heading", { name: "The erasure has begun" }).waitFor();
  const receipt = await dialog.getByRole("link").getAttribute("href");
  expect((await (await fetch(`${served.url}${receipt}`)).json()).kind).toBe("end_user");
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.getByText("2 end users, in the order of their ids").waitFor();
  expect((await token.get("/v1/memories")).status).toBe(401);
  expect(found).toEqual([]);
}, 240_000);

test("a member of the team is not offered its end users, and is refused them", async () => {
  const page = await silentPage(browser, /403/);
  const { owner } = await setUp(page, served);
  const keeper = await served.world.service.credentials.ensureOwner("user", unguessable("keeper"));
  const { team } = await served.world.service.teams.create(unguessable("shop"), keeper);
  await served.world.service.teams.add(team.id, owner.id, "member");
  await page.goto(`${served.url}/admin/${team.id}`);
  await page.getByRole("link", { name: "Memories", exact: true }).waitFor();
  expect(await page.getByRole("link", { name: "End users" }).count()).toBe(0);
  await page.goto(`${served.url}/admin/${team.id}/end-users`);
  await page.getByText("Your role does not allow this").waitFor();
  expect(await page.getByRole("button", { name: "Create an application's key" }).count()).toBe(0);
}, 120_000);
