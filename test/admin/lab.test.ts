/** The recall lab in a real browser: look by an agent's credential, ask why, compare, mark, and run an evaluation set. */
import { readFile } from "node:fs/promises";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium } from "../browser/support/chromium.ts";
import { openServed, type Served } from "../browser/support/served.ts";
import { setUp } from "../browser/support/signing-in.ts";
import { memory } from "../support/acting.ts";
import type { Client } from "../support/world.ts";
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

const TEXTS = [
  ["The staging database is db-2 in Frankfurt", "projects/apollo"],
  ["Ada keeps the keys of the staging database", "projects/apollo"],
  ["Staging is rebuilt on Sunday nights", "projects/apollo"],
  ["The staging password hint is about herons", "private/hints"],
  ["<img src=x onerror=\"document.title='owned'\"> staging", "projects/<b>zeus</b>"],
] as const;

async function remembered(key: Pick<Client, "post">): Promise<string[]> {
  const ids: string[] = [];
  for (const [content, path] of TEXTS)
    ids.push((await key.post("/v1/memories", memory({ content, path }))).body.id);
  return ids;
}

test("an operator sees why an agent did not get a memory, and the address shows it again", async () => {
  const page = await silentPage(browser);
  const { owner } = await setUp(page, served);
  const { world } = served;
  const ids = await remembered(await world.client({ owner: owner.name }));
  const narrow = await world.client({ owner: owner.name, space: { pathPrefix: "projects" } });
  await page.goto(`${served.url}/admin/own/lab`);
  await page.getByRole("heading", { name: "Ask something" }).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("what do I know about staging?");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "The staging password hint" }).waitFor();
  await page.goto(`${page.url()}&as=${narrow.tokenId}`);
  await page.getByText("paths below projects").waitFor();
  await page.getByRole("link", { name: "The staging database is db-2" }).waitFor();
  expect(await page.getByRole("link", { name: "The staging password hint" }).count()).toBe(0);
  await page.getByLabel("Id of the memory").fill(ids[3] ?? "");
  await page.getByRole("button", { name: "Ask why" }).click();
  await page.getByText("The credential cannot see it").waitFor();
  await page.getByText('reaches only paths below "projects", and the memory is at "private/hints"').waitFor();
  await page.waitForURL(/why=/);
  await page.getByLabel("Id of the memory").fill(ids[0] ?? "");
  await page.getByRole("button", { name: "Ask why" }).click();
  await page.getByText("It is in the pack").waitFor();
  await page.goBack();
  await page.getByText("The credential cannot see it").waitFor();
  await page.getByText("Context", { exact: true }).click();
  await page.locator("pre.context", { hasText: "Ada keeps the keys" }).waitFor();
  expect(await page.locator("main img, main b").count()).toBe(0);
  expect(await page.title()).toBe("Recollect");
});

test("two settings are compared in one ranking, and the difference is said", async () => {
  const page = await silentPage(browser);
  const { owner } = await setUp(page, served);
  await remembered(await served.world.client({ owner: owner.name }));
  await page.goto(`${served.url}/admin/own/lab?q=staging&compare=yes`);
  await page.getByText("The same settings").waitFor();
  await page.getByRole("form", { name: "Settings of B" }).getByLabel("Maximum items").fill("1");
  await page.getByRole("button", { name: "Recall B" }).click();
  await page.waitForURL(/b_items=1/);
  const settings = page.getByRole("region", { name: "Settings of B" });
  expect(await settings.locator("del").textContent()).toBe("8 items");
  expect(await settings.locator("ins").textContent()).toBe("1 item");
  const b = page.getByRole("region", { name: "B", exact: true });
  await b.getByText("1 of 1 items").waitFor();
  expect(await page.getByRole("img", { name: "in A, in B" }).count()).toBe(1);
  const moved = await page.getByRole("img", { name: "in A, not in B" }).count();
  expect(moved).toBeGreaterThan(0);
  await page.getByLabel("Only differences").check();
  expect(await page.getByRole("img", { name: "in A, in B" }).count()).toBe(0);
  expect(await page.getByRole("img", { name: "in A, not in B" }).count()).toBe(moved);
  await page
    .getByRole("button", { name: /^Why: / })
    .first()
    .click();
  await page.getByText("out: item limit").waitFor();
  expect(await faultsOf(page, "lab-compared")).toEqual([]);
  await page.reload();
  await b.getByText("1 of 1 items").waitFor();
  await page.getByRole("button", { name: "Stop comparing" }).click();
  await page.waitForURL((url) => !url.search.includes("b_items"));
  // What B has otherwise is taken for A.
  await page.goto(`${served.url}/admin/own/lab?q=staging&compare=yes&b_items=1`);
  await page.getByRole("button", { name: "Keep B" }).click();
  await page.waitForURL((url) => url.searchParams.get("items") === "1" && !url.search.includes("compare"));
}, 120_000);

test("marks become feedback, and questions of a set that is run with two settings, of which the better is kept", async () => {
  const page = await silentPage(browser);
  const { owner } = await setUp(page, served);
  const key = await served.world.client({ owner: owner.name });
  const ids = await remembered(key);
  await page.goto(`${served.url}/admin/own/lab?view=sets`);
  await page.getByRole("heading", { name: "No evaluation sets yet" }).waitFor();
  expect(await faultsOf(page, "lab-no-sets")).toEqual([]);
  await page.goto(`${served.url}/admin/own/lab?q=who+keeps+the+keys%3F`);
  await page.getByRole("button", { name: "Good hit: Ada keeps the keys" }).click();
  await page.getByRole("button", { name: "Bad hit: Staging is rebuilt" }).click();
  await page.getByText("1 good and 1 bad for 1 query").waitFor();
  expect(await faultsOf(page, "lab-marked")).toEqual([]);
  await page.getByRole("button", { name: "Add to an evaluation set" }).click();
  await page.getByLabel("Name of the set").fill("Staging questions");
  await page.keyboard.press("Enter");
  await page.getByText("Added 1 question to Staging questions").waitFor();
  await page.getByRole("button", { name: "Send 2 marks to recall" }).click();
  await page.getByText("Sent 2 marks").waitFor();
  const { body } = await key.get(`/v1/memories/${ids[2]}`);
  expect(body.confidence).toBeLessThan(1);

  // B looks where the memory is not.
  await page.goto(`${served.url}/admin/own/lab?view=sets&path=private/%25&compare=yes&b_path=projects/%25`);
  await page.getByRole("button", { name: "Run A and B" }).click();
  await page.getByRole("row", { name: "Place of the first (MRR) 0.00 1.00 ▲ 1.00" }).waitFor();
  await page.getByRole("row", { name: /who keeps the keys\? 0 of 1 1 of 1/ }).waitFor();
  expect(await faultsOf(page, "lab-set")).toEqual([]);
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save for recollect eval" }).click(),
  ]);
  expect(JSON.parse(await readFile(await saved.path(), "utf8"))).toEqual({
    query: "who keeps the keys?",
    relevant: [ids[1]],
    stale: [],
  });
  await page.getByRole("button", { name: "Keep B" }).click();
  await page.waitForURL((url) => url.searchParams.get("path") === "projects/%" && !url.search.includes("b_"));
  await page.getByRole("button", { name: "Run A", exact: true }).waitFor();
  await page.getByRole("button", { name: "Delete this set" }).click();
  await page.getByRole("button", { name: "Delete 1 question" }).click();
  await page.getByRole("heading", { name: "No evaluation sets yet" }).waitFor();
}, 120_000);

test("a credential that may not recall is said to be so, and a service that is away is said to be away", async () => {
  const page = await silentPage(browser, /403|ERR_/);
  const { owner } = await setUp(page, served);
  const writer = await served.world.client({ owner: owner.name, scopes: ["memory:write"] });
  await page.goto(`${served.url}/admin/own/lab?q=staging&as=${writer.tokenId}`);
  await page.getByText("This credential gets nothing from recall").waitFor();
  expect(await faultsOf(page, "lab-refused")).toEqual([]);
  await page.route("**/trpc/**labRecall**", (route) => route.abort());
  await page.goto(`${served.url}/admin/own/lab?q=staging`);
  await page.getByText("Recall: The service did not answer").waitFor();
}, 120_000);
