/**
 * Six jobs of an operator, from the home page to the end, in as many clicks as docs/admin.md says at most. What is typed is
 * no click, a key that opens or sends something neither.
 */
import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { confirm, register } from "../agents/agents.ts";
import { launchChromium } from "../browser/support/chromium.ts";
import { openServed, type Served } from "../browser/support/served.ts";
import { setUp } from "../browser/support/signing-in.ts";
import { openProvider, settingsOf } from "../embedding/provider.ts";
import { memory, stored } from "../support/acting.ts";
import { eventually } from "../support/processes.ts";
import { buildAdminUi, silentPage } from "./support/pages.ts";

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

/** Somebody who is signed in; `clicks` are those that the browser has seen. */
async function operator(of: Served = served, expected?: RegExp) {
  const page = await silentPage(browser, expected);
  const { owner } = await setUp(page, of);
  const seen = { clicks: 0 };
  await page.exposeFunction("clicked", () => {
    seen.clicks += 1;
  });
  await page.addInitScript(() =>
    addEventListener("pointerdown", () => (window as unknown as { clicked(): void }).clicked(), true),
  );
  const key = await of.world.client({ owner: owner.name });
  const home = async () => {
    await page.goto(`${of.url}/admin/own`);
    await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
    seen.clicks = 0;
  };
  return { page, owner, key, home, seen };
}

/** What the documentation promises. */
function clicksOf(job: string): number {
  const text = readFileSync(new URL("../../docs/admin.md", import.meta.url), "utf8");
  const row = text.split("\n").find((line) => line.startsWith("|") && line.includes(job));
  return Number(row?.split("|")[2]);
}

const press = (page: Page, role: "button" | "link" | "radio" | "option", name: string | RegExp) =>
  page.getByRole(role, { name, exact: true }).click();

test("find and erase everything about a person", async () => {
  const { page, key, home, seen } = await operator(served, /404/);
  const about = [
    await stored(key, { content: "Ada Lovelace likes tea", path: "people" }),
    await stored(key, { content: "The door code of Ada Lovelace is 1234", semantic_key: "ada.door" }),
    await stored(key, { content: "The door code of Ada Lovelace is 9876", semantic_key: "ada.door" }),
    await stored(key, { content: "Ada Lovelace was born in London" }),
  ];
  const kept = await stored(key, { content: "Tea is grown in Assam" });
  await key.delete(`/v1/memories/${about[3]}`);
  await home();
  await press(page, "link", "Erase");
  await page.getByLabel("Names, mail addresses and other terms, one on each line").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("Ada Lovelace");
  await press(page, "button", "Search every record");
  await press(page, "button", "Erase 4 records…");
  await page.getByRole("dialog").getByLabel("Type 4 to continue").fill("4");
  await press(page, "button", "Erase 4 records");
  await page
    .getByRole("region", { name: "Your erasures" })
    .getByText(/^4 records erased/)
    .waitFor();
  expect(seen.clicks).toBe(clicksOf("everything about a person"));
  const { sql } = served.world.service;
  expect(await sql`select content from memories where content like '%Ada Lovelace%'`).toHaveLength(0);
  expect(
    await sql`select state from memory_versions where state ->> 'content' like '%Ada Lovelace%'`,
  ).toHaveLength(0);
  expect((await key.get(`/v1/memories/${kept}`)).status).toBe(200);
}, 120_000);

test("undo yesterday's merge", async () => {
  const { page, key, home, seen } = await operator();
  for (let at = 0; at < 2; at++)
    await stored(key, { content: "The office is in Bonn", project_id: "bonn", dedupe: false });
  const plan = (await key.get("/v1/projects/bonn/maintenance")).body;
  const { sql } = served.world.service;
  const done = await key.post("/v1/projects/bonn/maintenance/execute", {
    plan_hash: plan.plan_hash,
    actions: ["merge_duplicates"],
  });
  expect([done.status, done.body]).toEqual([200, expect.anything()]);
  await sql`update maintenance_runs set started_at = started_at - interval '1 day' where project_id = 'bonn'`;
  const live = async () => (await key.get("/v1/memories?project_id=bonn")).body.total;
  expect(await live()).toBe(1);
  await home();
  await press(page, "link", "Maintenance");
  await press(page, "button", /^Undo \d/);
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Undo \d/ })
    .click();
  await page.getByText(/^Restored /).waitFor();
  expect(seen.clicks).toBe(clicksOf("Undo yesterday's merge"));
  expect(await live()).toBe(2);
}, 120_000);

test("see why an agent did not get a memory", async () => {
  const { page, owner, key, home, seen } = await operator();
  await key.post("/v1/memories", memory({ content: "The hint is about herons", path: "private/hints" }));
  const { world } = served;
  await world.client({ owner: owner.name, space: { pathPrefix: "projects" } });
  await home();
  await press(page, "link", "Memories");
  await press(page, "button", "The hint is about herons");
  await press(page, "link", "Why is it recalled, or not?");
  await page.getByRole("combobox", { name: "As" }).click();
  await page.getByRole("listbox").getByRole("option").nth(1).click();
  await page.getByLabel("Query").fill("what is the hint?");
  await page.keyboard.press("Enter");
  await page.getByText('reaches only paths below "projects", and the memory is at "private/hints"').waitFor();
  expect(seen.clicks).toBe(clicksOf("why an agent did not get a memory"));
}, 120_000);

test("let an agent in for one project, which is chosen from those that exist", async () => {
  const { page, key, home, seen } = await operator();
  await stored(key, { content: "Apollo flies", project_id: "apollo" });
  const agent = await register(served.world);
  await home();
  await press(page, "link", "Agents");
  await press(page, "button", "Let an agent in");
  await page.getByLabel("Code").fill(agent.code);
  await page.keyboard.press("Enter");
  await page.getByRole("combobox", { name: "Only in these projects" }).focus();
  await page.keyboard.type("apolo");
  await page.getByText("No such project").waitFor();
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("llo");
  await page.getByRole("option", { name: "apollo" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Remove apollo" }).waitFor();
  await page.getByText("It has written nothing yet.").waitFor();
  await press(page, "button", "Approve 1 agent");
  const token = await page.getByLabel("Confirmation token").inputValue();
  await press(page, "button", "I have handed it over");
  expect(seen.clicks).toBe(clicksOf("Let an agent in for one project"));
  expect((await confirm(agent, token)).status).toBe(200);
  await page.getByText("only in apollo").waitFor();
}, 120_000);

test("see which memories are never recalled", async () => {
  const { page, key, home, seen } = await operator();
  await stored(key, { content: "The hint is about herons" });
  await home();
  await press(page, "link", "Review: never recalled");
  await page.getByText("1 memory, oldest first").waitFor();
  expect(seen.clicks).toBe(clicksOf("which memories are never recalled"));
}, 120_000);

test("tell why recall is degraded", async () => {
  const provider = await openProvider();
  const ill = await openServed("127.0.0.1", settingsOf(provider));
  try {
    const { page, key, home, seen } = await operator(ill);
    await provider.away();
    await stored(key, { content: "The zorp is green" });
    await eventually("recall to be degraded", async () =>
      (await key.get("/v1/memories/search?query=zorp")).body.degraded?.length > 0 ? true : undefined,
    );
    await home();
    await press(page, "link", "Health");
    await page
      .getByText(/^Embedder: /)
      .first()
      .waitFor();
    await page.getByText("Check that the provider answers and its key is valid").first().waitFor();
    expect(seen.clicks).toBe(clicksOf("why recall is degraded"));
    await page.context().close();
  } finally {
    await ill.close();
  }
}, 120_000);
