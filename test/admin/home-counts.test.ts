/** What home counts of what waits for a person, and the pages it leads to: conflicts, what is overdue, knowledge, rate limits. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { approve, bind, register } from "../agents/agents.ts";
import { launchChromium } from "../browser/support/chromium.ts";
import { openServed, type Served } from "../browser/support/served.ts";
import { setUp } from "../browser/support/signing-in.ts";
import { buildAdminUi, faultsOf, remember, settled, silentPage } from "./support/pages.ts";

let browser: Browser;
let served: Served;

beforeAll(async () => {
  buildAdminUi();
  browser = await launchChromium();
  served = await openServed("127.0.0.1", { RATE_LIMIT_ENABLED: "true", RATE_LIMIT_WRITES: "99" });
}, 180_000);

afterAll(async () => {
  await browser?.close();
  await served?.close();
});

const main = (page: Page) => page.getByRole("main");
const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const tile = (page: Page, label: string) =>
  page.locator(".tile").filter({ has: page.getByText(label, { exact: true }) });
const figureOf = (page: Page, label: string) => tile(page, label).getByRole("link");

async function shows(page: Page, label: string, figure: string): Promise<void> {
  await figureOf(page, label).getByText(figure, { exact: true }).waitFor();
}

/** Everything that the page asks the service for, from now on. */
function asksOf(page: Page): string[] {
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/trpc/")) asked.push(...pathname.slice("/trpc/".length).split(","));
  });
  return asked;
}

test("home says what needs attention, one action a line, and each leads to what it counts", async () => {
  const page = await silentPage(browser);
  const { owner } = await setUp(page, served);
  const client = await served.world.client({ owner: owner.name });
  const past = "2020-01-01T00:00:00Z";
  await page.goto(`${served.url}/admin/own`);
  await page.getByText("Nothing: no conflicts, nothing overdue, and no agent is waiting.").waitFor();
  const first = { content: "The port is 5432", path: "notes", semantic_key: "port" };
  await client.post("/v1/remember", first);
  const { body } = await client.post("/v1/remember", { content: "The database port is 6432", path: "notes" });
  await client.patch(`/v1/memories/${body.id}`, { semantic_key: "port" });
  await client.post("/v1/remember", { content: "Not part of it", path: "notes" });
  const reminder = { path: "notes", memory_type: "reminder", metadata: { due_at: past } };
  await client.post("/v1/remember", { content: "Renew the certificate", ...reminder });
  await client.post("/v1/projects/apollo/todos", { content: "Ship it", due_at: past });
  const agent = await register(served.world, { client_name: "Coder" });
  await approve(served.world, agent, owner);
  await page.reload();
  const needs = page.getByRole("region", { name: "Needs attention" });
  await needs.getByText("2 conflicts").waitFor();
  expect((await needs.getByRole("listitem").allTextContents()).map((text) => text.trim())).toEqual([
    "1 agent to confirmapproved, not connected yet: CoderReview",
    "2 conflictsmemories with different values for one factResolve",
    "1 overdue todoShip itOpen",
    "1 overdue reminderRenew the certificateOpen",
  ]);
  const found = await faultsOf(page, "home-counts");
  await needs.getByRole("link", { name: "Open: 1 overdue todo" }).click();
  await page.waitForURL(/projects\/apollo\?tab=todos/);
  await page.goBack();
  await needs.getByRole("link", { name: "Resolve: 2 conflicts" }).click();
  await page.getByText("2 memories, newest first").waitFor();
  await page.getByText("Named by a link: 2").waitFor();
  expect(await main(page).getByText("Not part of it").count()).toBe(0);
  found.push(...(await faultsOf(page, "conflicts")));
  await page.getByRole("button", { name: "Remove: Named by a link: 2" }).click();
  await page.getByText(/^[45] memories, newest first/).waitFor();
  for (const [name, at] of [
    ["Open: 1 overdue reminder", /\/reminders$/],
    ["Review: 1 agent to confirm", /\/access$/],
  ] as const) {
    await page.goto(`${served.url}/admin/own`);
    await needs.getByRole("link", { name }).click();
    await page.waitForURL(at);
  }
  for (const [label, at] of [
    ["Active memories", /\/memories\?status=active$/],
    ["Recalls", /\/recalls$/],
    ["Recall p95", /\/recalls$/],
    ["Answered", /\/recalls$/],
    ["Coverage", /\/service\/indexes$/],
  ] as const) {
    await page.goto(`${served.url}/admin/own`);
    await figureOf(page, label).click();
    await page.waitForURL(at);
  }
  expect(found).toEqual([]);
}, 120_000);

test("home shows the memories that are recalled most, those that never are, and the agents that recall most", async () => {
  const page = await silentPage(browser);
  const { owner } = await setUp(page, served);
  await page.goto(`${served.url}/admin/own`);
  await region(page, "Most recalled").getByText("No memory has come in a recall yet.").waitFor();
  await region(page, "Busiest agents").getByText("No agent has recalled in the last 24 hours.").waitFor();
  const client = await served.world.client({ owner: owner.name });
  const contents = ["The gateway is in Vienna", "It has two racks", "Lunch is at noon", "Tea is at four"];
  for (const content of contents) await client.post("/v1/remember", { content, path: "notes" });
  const agent = await register(served.world, { client_name: "Coder" });
  await bind(served.world, agent, owner);
  const { sql } = served.world.service;
  const recalled = async (content: string, times: number, by: string | null, outcome: string) => sql`
    insert into recalls (id, owner_id, at, operation, question, outcome, memories, ms, token_id, agent_id)
    select gen_random_uuid(), ${owner.id}, now() - n * interval '1 hour', 'context', 'asked', ${outcome}, array[m.id], 4,
      gen_random_uuid(), ${by} from generate_series(1, ${times}) n, memories m
    where m.owner_id = ${owner.id} and m.content = ${content}`;
  await recalled("The gateway is in Vienna", 9, agent.id, "answered");
  await recalled("It has two racks", 3, agent.id, "none");
  await recalled("It has two racks", 2, "bot-7", "partial");
  await page.reload();
  const rows = (name: string) => region(page, name).locator("tbody tr").allInnerTexts();
  await region(page, "Most recalled").getByRole("link", { name: "The gateway is in Vienna" }).waitFor();
  // The counts come after the memories.
  await expect
    .poll(() => rows("Most recalled"))
    .toEqual(["The gateway is in Vienna\t9", "It has two racks\t5"]);
  await region(page, "Busiest agents").getByText("Coder").waitFor();
  expect((await rows("Busiest agents")).map((row) => row.replaceAll(/\s+/g, " ").trim())).toEqual([
    "CO Coder 12 75%",
    "B7 bot-7 2 0%",
  ]);
  const never = region(page, "Never recalled");
  await never.getByText("In none of the recalls kept, at most 14 days.").waitFor();
  expect((await rows("Never recalled")).map((row) => row.split("\t")[0])).toEqual([
    "Lunch is at noon",
    "Tea is at four",
  ]);
  const found = await faultsOf(page, "home-recalled");
  await never.getByRole("link", { name: "Review: never recalled" }).click();
  await page.waitForURL(/memories\?recalled=never&order=ascending/);
  await page.getByText("2 memories, oldest first").waitFor();
  await page.getByText("Recalled never").waitFor();
  await page.getByText("In the recalls that are kept: at most 14 days.").waitFor();
  found.push(...(await faultsOf(page, "never-recalled")));
  await page.getByLabel("At least once").check();
  await page.getByText("2 memories, oldest first").waitFor();
  await page.getByRole("button", { name: "Recalls" }).click();
  await page.getByText("2 memories, most recalled first").waitFor();
  expect(found).toEqual([]);
}, 120_000);

test("home counts contexts by their answers as the recall log has them, and nothing where the log is empty", async () => {
  const page = await silentPage(browser);
  const { owner } = await setUp(page, served);
  await page.goto(`${served.url}/admin/own`);
  await tile(page, "Answered").getByText("no context in the log").waitFor();
  await tile(page, "Recall p95").getByText("no recall in the log").waitFor();
  const outcomes = { answered: 6, partial: 3, none: 1, found: 5 };
  const { sql } = served.world.service;
  for (const [outcome, times] of Object.entries(outcomes))
    await sql`
      insert into recalls (id, owner_id, at, operation, question, outcome, memories, ms, token_id)
      select gen_random_uuid(), ${owner.id}, now() - interval '1 hour', 'context', 'asked', ${outcome}, '{}', 40, gen_random_uuid()
      from generate_series(1, ${times})`;
  await page.reload();
  await shows(page, "Answered", "60%");
  expect(await tile(page, "Answered").locator(".answer").allTextContents()).toEqual([
    "Answered 6",
    "Partial 3",
    "No answer 1",
  ]);
  await shows(page, "Recall p95", "40 ms");
  await page.getByRole("link", { name: "the last hour" }).click();
  await page.waitForURL(/range=hour/);
  expect(await faultsOf(page, "home-answers")).toEqual([]);
}, 120_000);

test("no page that only tells how the service is searches for it; the first recall is marked done once there was one", async () => {
  const page = await silentPage(browser);
  await setUp(page, served);
  const asked = asksOf(page);
  await page.goto(`${served.url}/admin/own`);
  await shows(page, "Coverage", "100%");
  await remember(page, "The staging database is db-1");
  const steps = page.getByRole("region", { name: "The first five minutes" });
  const recall = steps.getByRole("listitem").filter({ hasText: "Recall it" });
  await recall.getByText("Try it").waitFor();
  await settled(page);
  await page.goto(`${served.url}/admin/own/service`);
  await page.getByText("Recall sees every memory of this workspace").waitFor();
  await settled(page);
  expect(asked.filter((name) => /searchMemories/.test(name))).toEqual([]);
  await page.goto(`${served.url}/admin/own`);
  await recall.getByRole("link", { name: "Search" }).click();
  await page.getByLabel("Search memories").fill("where is staging?");
  await page.keyboard.press("Enter");
  await page.getByText(/most relevant first/).waitFor();
  await page.getByRole("link", { name: "Home" }).first().click();
  // The service writes its figures down every ten seconds, and the page looks for them as often.
  await recall.getByText("Done").waitFor({ timeout: 60_000 });
  expect(await recall.getByRole("link").count()).toBe(0);
}, 180_000);

test("knowledge has a page of its own, by its type and by its bucket, with the search and the panel of memories", async () => {
  const page = await silentPage(browser);
  const { owner } = await setUp(page, served);
  const client = await served.world.client({ owner: owner.name });
  await client.post("/v1/remember", { content: "Lunch is at noon", path: "notes" });
  await page.goto(`${served.url}/admin/own`);
  await page.getByRole("link", { name: "Knowledge", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Knowledge" }).waitFor();
  await page.getByRole("heading", { name: "No knowledge yet" }).waitFor();
  await remember(page, "Water boils at 100 °C");
  await page.getByText("1 memory, newest first").waitFor();
  const found = await faultsOf(page, "knowledge");
  await page.getByLabel("Search memories").fill("When does water boil?");
  await page.keyboard.press("Enter");
  await page.getByText("1 found, most relevant first").waitFor();
  await page.getByRole("button", { name: "Water boils at 100 °C" }).click();
  await page.waitForURL(/knowledge\?.*id=/);
  await page.getByRole("heading", { name: "Where it comes from" }).waitFor();
  await page.getByRole("button", { name: "In the bucket knowledge" }).click();
  await page.waitForURL(/bucket=knowledge/);
  await page.getByRole("heading", { name: "Nothing matches" }).waitFor();
  found.push(...(await faultsOf(page, "knowledge-bucket")));
  expect(found).toEqual([]);
}, 120_000);

test("what a credential has used of its rate limits is one line with what it may, and when it begins anew", async () => {
  const page = await silentPage(browser);
  const { owner } = await setUp(page, served);
  const client = await served.world.client({ owner: owner.name });
  await page.goto(`${served.url}/admin/own/service`);
  await page.getByRole("link", { name: "Rate limits" }).click();
  await page.getByRole("heading", { level: 1, name: "Rate limits" }).waitFor();
  const lines = page.getByRole("region", { name: "This window" }).getByRole("listitem");
  await expect
    .poll(
      async () => {
        await client.post("/v1/remember", { content: `One of many ${Math.random()}`, path: "notes" });
        await page.reload();
        await lines.first().waitFor();
        return (await lines.allTextContents()).some((text) => /Writes[1-9]\d* of 99/.test(text));
      },
      { timeout: 60_000 },
    )
    .toBe(true);
  expect(await lines.count()).toBe(2);
  expect(await faultsOf(page, "service-limits")).toEqual([]);
  const { teams, credentials } = served.world.service;
  const keeper = await credentials.ensureOwner("user", `keeper of ${owner.name}`);
  const { team } = await teams.create(`team of ${owner.name}`, keeper);
  await teams.add(team.id, owner.id, "member");
  await page.goto(`${served.url}/admin/${team.id}/service/limits`);
  await page
    .getByText("You are member. What your own credentials have used is in your own workspace.")
    .waitFor();
  expect(await page.getByRole("link", { name: "Rate limits" }).count()).toBe(0);
}, 120_000);

test("a memory's type, bucket and importance are edited beside what it says, and nothing else changes", async () => {
  const page = await silentPage(browser);
  const { owner } = await setUp(page, served);
  const client = await served.world.client({ owner: owner.name });
  const { body } = await client.post("/v1/remember", {
    content: "Deploys go out on Tuesdays",
    path: "notes",
  });
  await page.goto(`${served.url}/admin/own/memories?id=${body.id}`);
  await page.getByRole("button", { name: "Edit" }).click();
  const save = page.getByRole("button", { name: "Save the change" });
  const form = page.locator("form", { has: save });
  expect(await save.isDisabled()).toBe(true);
  await form.getByLabel("Type").fill("procedural");
  await form.getByLabel("Bucket").fill("releases");
  await form.getByLabel("Importance").fill("0.9");
  const found = await faultsOf(page, "memory-edit");
  await save.click();
  await page.getByText("The memory was changed.").first().waitFor();
  const { body: now } = await client.get(`/v1/memories/${body.id}`);
  expect(now).toMatchObject({
    content: "Deploys go out on Tuesdays",
    path: "notes",
    memory_type: "procedural",
    bucket: "releases",
    importance: 0.9,
  });
  await page.getByRole("button", { name: "Edit" }).click();
  await form.getByLabel("Type").fill("No type");
  await save.click();
  expect(await form.getByLabel("Type").evaluate((field) => (field as HTMLInputElement).validity.valid)).toBe(
    false,
  );
  expect(found).toEqual([]);
}, 120_000);

test("at a desktop's width no word of the navigation wraps, and no role and no instant is cut", async () => {
  const page = await silentPage(browser);
  const { owner } = await setUp(page, served);
  const { teams, credentials } = served.world.service;
  const { team } = await teams.create(`crew of ${owner.name}`, owner);
  const other = await credentials.ensureOwner("user", `admin beside ${owner.name}`);
  await teams.add(team.id, other.id, "admin");
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${served.url}/admin/${team.id}/access/person/${other.id}`);
  const role = page.getByLabel("Role", { exact: true }).first();
  await role.waitFor();
  const isCut = (element: Element) => element.scrollWidth > element.clientWidth;
  expect(await role.evaluate(isCut)).toBe(false);
  const heights = await page
    .getByRole("navigation", { name: "Pages" })
    .getByRole("link")
    .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().height));
  expect(heights.length).toBeGreaterThan(10);
  // One line of text each, none of two.
  expect(Math.max(...heights)).toBeLessThan(36);
  expect(new Set(heights).size).toBe(1);
  await page.goto(`${served.url}/admin/${team.id}/service/audit`);
  for (const label of ["From", "Before"]) {
    const field = page.getByLabel(label, { exact: true });
    await field.waitFor();
    expect(await field.evaluate((element) => element.getBoundingClientRect().width)).toBeGreaterThan(200);
    expect(await field.evaluate(isCut)).toBe(false);
  }
}, 120_000);
