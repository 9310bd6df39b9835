/**
 * Jobs of an operator, from the home page to the end, in as many clicks as docs/admin.md says. What is typed is no click, a
 * key that opens or sends something neither. JOB_TIMES names a file to which each job adds its seconds, for that page.
 */
import { appendFileSync, readFileSync } from "node:fs";
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
  const seen = { clicks: 0, since: 0 };
  await page.exposeFunction("clicked", () => {
    seen.clicks += 1;
  });
  // On the document: a press that missed what was moved away, and is tried again, is stopped at the window.
  await page.addInitScript(() =>
    document.addEventListener(
      "pointerdown",
      () => (window as unknown as { clicked(): void }).clicked(),
      true,
    ),
  );
  const key = await of.world.client({ owner: owner.name });
  const home = async () => {
    await page.goto(`${of.url}/admin/own`);
    await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
    seen.clicks = 0;
    seen.since = performance.now();
  };
  /** The job is done, in as many clicks as the documentation promises. */
  const done = (job: string) => {
    const seconds = (performance.now() - seen.since) / 1000;
    if (process.env.JOB_TIMES) appendFileSync(process.env.JOB_TIMES, `${seconds.toFixed(1)} s ${job}\n`);
    expect(seen.clicks).toBe(clicksOf(job));
  };
  return { page, owner, key, home, done };
}

/** What the documentation promises. */
function clicksOf(job: string): number {
  const text = readFileSync(new URL("../../docs/admin.md", import.meta.url), "utf8");
  const row = text.split("\n").find((line) => line.startsWith("|") && line.includes(job));
  return Number(row?.split("|")[2]);
}

/** A key by its name on the pages. */
async function keyNamed(name: string, owner: string) {
  const { service } = served.world;
  const key = await served.world.client({ owner });
  await service.sql`update tokens set name = ${name} where id = ${key.tokenId}`;
  return key;
}

const press = (page: Page, role: "button" | "link" | "radio" | "option", name: string | RegExp) =>
  page.getByRole(role, { name, exact: true }).click();

test("find and erase everything about a person", async () => {
  const { page, key, home, done } = await operator(served, /404/);
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
  done("everything about a person");
  const { sql } = served.world.service;
  expect(await sql`select content from memories where content like '%Ada Lovelace%'`).toHaveLength(0);
  expect(
    await sql`select state from memory_versions where state ->> 'content' like '%Ada Lovelace%'`,
  ).toHaveLength(0);
  expect((await key.get(`/v1/memories/${kept}`)).status).toBe(200);
}, 120_000);

test("undo yesterday's merge", async () => {
  const { page, key, home, done } = await operator();
  for (let at = 0; at < 2; at++)
    await stored(key, { content: "The office is in Bonn", project_id: "bonn", dedupe: false });
  const plan = (await key.get("/v1/projects/bonn/maintenance")).body;
  const { sql } = served.world.service;
  const merged = await key.post("/v1/projects/bonn/maintenance/execute", {
    plan_hash: plan.plan_hash,
    actions: ["merge_duplicates"],
  });
  expect([merged.status, merged.body]).toEqual([200, expect.anything()]);
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
  done("Undo yesterday's merge");
  expect(await live()).toBe(2);
}, 120_000);

test("see why an agent did not get a memory", async () => {
  const { page, owner, key, home, done } = await operator();
  await key.post("/v1/memories", memory({ content: "The hint is about herons", path: "private/hints" }));
  const { world } = served;
  await world.client({ owner: owner.name, space: { pathPrefix: "projects" } });
  await home();
  await press(page, "link", "Memories");
  await press(page, "button", "The hint is about herons");
  await press(page, "link", "Why recalled?");
  await page.getByRole("combobox", { name: "As" }).click();
  await page.getByRole("listbox").getByRole("option").nth(1).click();
  await page.getByLabel("Query").fill("what is the hint?");
  await page.keyboard.press("Enter");
  await page.getByText('reaches only paths below "projects", and the memory is at "private/hints"').waitFor();
  done("why an agent did not get a memory");
}, 120_000);

test("let an agent in for one project, which is chosen from those that exist", async () => {
  const { page, key, home, done } = await operator();
  await stored(key, { content: "Apollo flies", project_id: "apollo" });
  const agent = await register(served.world);
  await home();
  await press(page, "link", "People and agents");
  await press(page, "button", "Add agent");
  await page.getByRole("textbox", { name: "Code" }).fill(agent.code);
  await page.keyboard.press("Enter");
  await page.getByRole("combobox", { name: "Only in these projects" }).focus();
  await page.getByRole("option", { name: "apollo" }).waitFor();
  await page.keyboard.type("apolo");
  await page.getByText("No such project").waitFor();
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("llo");
  // The first that matches is chosen a moment after it is shown.
  await page.locator("[data-combobox-selected]", { hasText: "apollo" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Remove apollo" }).waitFor();
  await page.getByText("It has written nothing yet.").waitFor();
  await press(page, "button", "Approve 1 agent");
  const token = await page.getByLabel("Confirmation token").inputValue();
  await press(page, "button", "I have handed it over");
  done("Let an agent in for one project");
  expect((await confirm(agent, token)).status).toBe(200);
  await page.getByTitle("only in apollo").waitFor();
}, 120_000);

test("see which memories are never recalled", async () => {
  const { page, key, home, done } = await operator();
  await stored(key, { content: "The hint is about herons" });
  await home();
  await press(page, "link", "Review: never recalled");
  await page.getByText("1 memory, oldest first").waitFor();
  done("which memories are never recalled");
}, 120_000);

test("tell why recall is degraded", async () => {
  const provider = await openProvider();
  const ill = await openServed("127.0.0.1", settingsOf(provider));
  try {
    const { page, key, home, done } = await operator(ill);
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
    done("why recall is degraded");
    await page.context().close();
  } finally {
    await ill.close();
  }
}, 120_000);

test("see who deleted a memory", async () => {
  const { page, owner, key, home, done } = await operator();
  const bot = await keyNamed("cleanup-bot", owner.name);
  const gone = await stored(key, { content: "The vault is behind the map" });
  await stored(key, { content: "The map is of Styria" });
  await bot.delete(`/v1/memories/${gone}`);
  await home();
  await press(page, "link", "Audit log");
  await page.getByRole("combobox", { name: "What" }).click();
  await press(page, "option", "forgot");
  const line = page.getByRole("row").filter({ hasText: "The vault is behind the map" });
  await line.getByText("via cleanup-bot").waitFor();
  await line.getByText(owner.name).waitFor();
  done("See who deleted a memory");
}, 120_000);

test("resolve six conflicts", async () => {
  const { page, owner, key, home, done } = await operator();
  const names = ["port", "host", "region"];
  for (const [n, name] of names.entries())
    for (const value of [`old ${name} is ${n}`, `new ${name} is ${n + 10}`]) {
      const id = await stored(key, { content: `The ${value}`, dedupe: false });
      await key.patch(`/v1/memories/${id}`, { semantic_key: name });
    }
  await home();
  await press(page, "link", "Resolve: 6 conflicts");
  for (const [n, name] of names.entries())
    await page.getByRole("checkbox", { name: `Choose The old ${name} is ${n}` }).click();
  await press(page, "button", "Remove 3 chosen…");
  await press(page, "button", "Forget 3 memories");
  await page.getByText("3 memories left recall").first().waitFor();
  done("Resolve six conflicts");
  const { sql } = served.world.service;
  const left = await sql`select content from memories where owner_id = ${owner.id} and status = 'active'`;
  expect(left.map(({ content }) => content).sort()).toEqual([
    "The new host is 11",
    "The new port is 10",
    "The new region is 12",
  ]);
}, 120_000);

test("compare two settings of recall and keep the better", async () => {
  const { page, key, home, done } = await operator();
  const id = await stored(key, { content: "Ada keeps the keys", path: "projects/apollo" });
  await stored(key, { content: "The keys are for the piano", path: "private" });
  await home();
  const set = { name: "keys", questions: [{ query: "who keeps the keys?", relevant: [id] }] };
  await page.evaluate(async (body) => {
    const headers = { "content-type": "application/json" };
    await fetch("/trpc/addEvalQuestions", { method: "POST", headers, body });
  }, JSON.stringify(set));
  await press(page, "link", "Recall lab");
  await press(page, "button", "Compare two");
  const b = page.getByRole("form", { name: "Settings of B" });
  await b.getByLabel("Path").fill("private");
  await page.keyboard.press("Enter");
  await press(page, "link", "Evaluation sets");
  await press(page, "button", "Run A and B");
  await page.getByRole("row", { name: /^Place of the first \(MRR\) 1.00 0.00/ }).waitFor();
  await press(page, "button", "Keep A");
  await page.waitForURL((url) => !url.searchParams.has("compare"));
  done("Compare two settings");
}, 120_000);

test("find and end a leaked key", async () => {
  const { page, owner, home, done } = await operator();
  const leaked = await keyNamed("ci", owner.name);
  await home();
  await press(page, "link", "People and agents");
  await page.getByLabel("Search people and agents").fill(leaked.token);
  const found = page.getByRole("table").getByRole("link");
  await expect.poll(() => found.allTextContents()).toEqual(["ci"]);
  expect(page.url()).not.toContain(leaked.token);
  await press(page, "link", "ci");
  await press(page, "button", "Revoke…");
  await press(page, "button", "Revoke 1 credential");
  await page.getByText("ci is refused from now on.").first().waitFor();
  done("Find and end a leaked key");
  await eventually("the key to be refused", async () =>
    (await leaked.get("/v1/memories")).status === 401 ? true : undefined,
  );
}, 120_000);
