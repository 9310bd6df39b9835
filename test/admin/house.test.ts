/** The pages of the house in a real browser: the charts at home, the service's health, its index, the audit log. */
import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium } from "../browser/support/chromium.ts";
import { openServed, type Served } from "../browser/support/served.ts";
import { setUp } from "../browser/support/signing-in.ts";
import { stored } from "../support/acting.ts";
import { buildAdminUi, faultsOf, remember, silentPage } from "./support/pages.ts";

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

const MINUTE = 60_000;

/** A day of figures: recalls in every quarter of an hour but those of one hour, and ever more memories. */
async function withFigures(ownerId: string): Promise<void> {
  const { sql } = served.world.service;
  const now = Math.floor(Date.now() / MINUTE) * MINUTE;
  for (let minutes = 1439; minutes > 0; minutes -= 15) {
    if (minutes > 600 && minutes < 660) continue;
    const wave = 1 + Math.sin(minutes / 120);
    const latency = [...Array(20).fill(0), Math.round(20 * wave), 3];
    for (const owner of [ownerId, null])
      await sql`
        insert into figures (owner_id, resolution, at, memories, recalls, writes, failures, latency, coverage_sum, covered, index_lag_seconds)
        values (${owner}, 'minute', ${sql.typed.instant(now - minutes * MINUTE)}, ${12_000 + (1440 - minutes) * 7},
          ${Math.round(40 * wave)}, ${Math.round(9 * wave)}, 0, ${latency}, ${0.98 * 20}, 20, ${wave})
        on conflict do nothing`;
  }
}

const tables = (page: Page) => page.getByRole("button", { name: /^Show as table/ });

test("home charts what the service kept of a range of time; the range is in the address, and the numbers are a table", async () => {
  const page = await silentPage(browser);
  const { owner } = await setUp(page, served);
  await page.goto(`${served.url}/admin/own?range=hour`);
  await page.getByRole("heading", { name: "Nothing happened in the last hour" }).waitFor();
  await withFigures(owner.id);
  await page.getByRole("link", { name: "the last 24 hours" }).click();
  await page.waitForURL(/range=day/);
  await page.getByRole("img", { name: /recalls and .* writes in the last 24 hours; none failed/ }).waitFor();
  expect(await page.getByRole("img", { name: /At least 98% of the memories/ }).count()).toBe(1);
  const found = await faultsOf(page, "home-charts");
  await tables(page).first().click();
  const numbers = page.getByRole("region", { name: "Recalls and writes per minute, as a table" });
  expect(await numbers.getByRole("columnheader").allTextContents()).toEqual(["From", "Recalls", "Writes"]);
  expect(await numbers.getByRole("row").count()).toBe(97);
  found.push(...(await faultsOf(page, "home-table")));
  await page.reload();
  await page
    .getByRole("img", { name: /in the last 24 hours/ })
    .first()
    .waitFor();
  expect(found).toEqual([]);
}, 120_000);

test("from home it is two clicks to why recall is degraded and what to do", async () => {
  const page = await silentPage(browser);
  await setUp(page, served);
  await page.goto(`${served.url}/admin/own`);
  await page.getByRole("link", { name: "Health", exact: true }).click();
  await page.getByText("Recall sees every memory of this workspace").waitFor();
  const found = await faultsOf(page, "service-health");
  const { sql } = served.world.service;
  await sql`
    insert into outbox (owner_id, memory, revision, kind, set_aside, available_at, queued_at)
    values (gen_random_uuid(), gen_random_uuid(), 1, 'put', 'mapper_parsing_exception', 'infinity', now())`;
  try {
    await page.reload();
    await page.getByText(/^Recall is degraded/).waitFor();
    const why = page.getByRole("list", { name: "Why recall is degraded" });
    expect(await why.textContent()).toContain("mapper_parsing_exception");
    expect(await why.textContent()).toContain("recollect reindex --verify");
    found.push(...(await faultsOf(page, "service-degraded")));
  } finally {
    await sql`delete from outbox where set_aside = 'mapper_parsing_exception'`;
  }
  await page.getByRole("link", { name: "The index and its vectors" }).click();
  await page.waitForURL(/service\/indexes/);
  await page.getByText("0 of 0 memories").waitFor();
  found.push(...(await faultsOf(page, "service-index")));
  expect(found).toEqual([]);
}, 120_000);

test("what the vectors of a workspace lack is asked for in words, and made while the page looks on", async () => {
  const page = await silentPage(browser);
  const { owner } = await setUp(page, served);
  await page.goto(`${served.url}/admin/own`);
  await remember(page, "The staging gateway is gw-3");
  await remember(page, "Lunch is at noon");
  await page.goto(`${served.url}/admin/own/service/indexes`);
  await page.getByText("2 of 2 memories").waitFor({ timeout: 60_000 });
  const { sql } = served.world.service;
  await sql`delete from embeddings where memory in (select id from memories where owner_id = ${owner.id})`;
  await page.reload();
  await page.getByText("0 of 2 memories").waitFor();
  await page.getByRole("button", { name: "Embed what is missing" }).click();
  const dialog = page.getByRole("dialog");
  expect(await dialog.textContent()).toContain("Recall keeps working");
  expect(await faultsOf(page, "service-catch-up")).toEqual([]);
  await dialog.getByRole("button", { name: "Embed it" }).click();
  await page.getByText("2 memories are waiting for their vector.").waitFor();
  await page.getByText("2 of 2 memories").waitFor({ timeout: 60_000 });
  await page.goto(`${served.url}/admin/own/service/audit`);
  await page.getByText("Catch up index").first().waitFor();
}, 180_000);

test("the audit log is narrowed by its address, says who did what, and shows stored text as text", async () => {
  const page = await silentPage(browser);
  const { owner } = await setUp(page, served);
  await page.goto(`${served.url}/admin/own/memories`);
  await remember(page, "The staging database is db-1");
  await remember(page, "Lunch is at noon");
  const { sql } = served.world.service;
  const attack = '<img src=x onerror="document.title=1">';
  await sql`
    insert into audit_log (owner_id, operation, agent_id, detail)
    values (${owner.id}, 'update', ${attack}, ${{ [attack]: attack } as never})`;
  await page.getByRole("link", { name: "Audit log" }).click();
  await page.getByRole("table", { name: "Audit log" }).waitFor();
  await page.getByText(attack).first().waitFor();
  expect(await page.locator("main img").count()).toBe(0);
  const found = await faultsOf(page, "service-audit");
  // Two in a row are one line, which opens.
  await page.getByText("wrote").first().waitFor();
  await page.getByText("2 records").waitFor();
  await page.getByRole("button", { name: "Show details" }).nth(1).click();
  await page.locator("summary", { hasText: "Lunch is at noon" }).click();
  await page.getByRole("link", { name: "Lunch is at noon" }).waitFor();
  found.push(...(await faultsOf(page, "service-audit-open")));
  await page.getByRole("checkbox", { name: "Group bursts" }).uncheck();
  await page.waitForURL(/bursts=no/);
  await page.getByRole("combobox", { name: "What" }).click();
  await page.getByRole("option", { name: "wrote" }).click();
  await page.waitForURL(/operation=create/);
  await page.getByText("2 lines, newest first").waitFor();
  await page.reload();
  await page.getByText("2 lines, newest first").waitFor();
  // By name and by title: who wrote it, and how it begins.
  const written = page.getByRole("row").filter({ hasText: "Lunch is at noon" });
  await written.getByText(owner.name).waitFor();
  await written.getByText("wrote", { exact: true }).waitFor();
  await page.getByRole("row").nth(2).getByRole("link").click();
  await page.waitForURL(/memories\?id=/);
  await page.goto(`${served.url}/admin/own/service/audit?operation=nothing`);
  await page.getByRole("heading", { name: "Nothing matches" }).waitFor();
  found.push(...(await faultsOf(page, "service-audit-empty")));
  expect(found).toEqual([]);
}, 120_000);

test("a long audit log keeps few rows in the page and goes on as it is scrolled", async () => {
  const page = await silentPage(browser);
  const { owner } = await setUp(page, served);
  const { sql } = served.world.service;
  await sql`
    insert into audit_log (owner_id, operation)
    select ${owner.id}, 'update' from generate_series(1, 1000)`;
  await page.goto(`${served.url}/admin/own/service/audit?operation=update&bursts=no`);
  await page.getByText("The newest 200, and more as you scroll").waitFor();
  expect(await page.getByRole("row").count()).toBeLessThan(60);
  const body = page.locator(".lines .body");
  while ((await page.getByText("1000 lines, newest first").count()) === 0) {
    await body.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await page.waitForTimeout(50);
  }
  expect(await page.getByRole("row").count()).toBeLessThan(60);
  await page.getByRole("row").nth(5).focus();
  await page.keyboard.press("ArrowDown");
  expect(await page.evaluate(() => document.activeElement?.getAttribute("role"))).toBe("row");
}, 120_000);

test("a change shows what it changed, and an export has every line of the filter, in both formats", async () => {
  const page = await silentPage(browser);
  const { owner } = await setUp(page, served);
  const key = await served.world.client({ owner: owner.name });
  const id = await stored(key, { content: "The gateway is gw-2 in Dublin" });
  await new Promise((resolve) => setTimeout(resolve, 3500));
  await key.patch(`/v1/memories/${id}`, {
    content: "The gateway is gw-3 in Frankfurt",
    supersession_reason: "moved",
  });
  const { sql } = served.world.service;
  await sql`
    insert into audit_log (owner_id, operation, agent_id, at)
    select ${owner.id}, 'catch_up_index', '=1+1, "quoted"', now() - n * interval '1 day' from generate_series(1300, 1, -1) n`;
  await page.goto(`${served.url}/admin/own/service/audit?memory=${id}`);
  const change = page.getByRole("row").filter({ hasText: "changed" });
  await change.getByRole("button", { name: "Show details" }).click();
  await page.locator("del", { hasText: "Dublin" }).waitFor();
  await page.locator("ins", { hasText: "Frankfurt" }).waitFor();
  await page.getByText("Version 1 to 2 · moved").waitFor();
  expect(await faultsOf(page, "service-audit-change")).toEqual([]);

  await page.getByRole("button", { name: "Show all" }).click();
  await page.getByRole("combobox", { name: "Object" }).click();
  await page.getByRole("option", { name: "Members, maintenance and the rest" }).click();
  await page.waitForURL(/object=workspace/);
  await page.goto(`${page.url()}&operation=catch_up_index`);
  await page.getByRole("heading", { name: /^Yesterday/ }).waitFor();
  const exported = async (name: RegExp) => {
    await page.getByRole("button", { name: "Export" }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("menuitem", { name }).click();
    return readFileSync(await (await download).path(), "utf8");
  };
  const lines = (await exported(/JSON Lines/)).trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line).operation)).toEqual(Array(1300).fill("catch_up_index"));
  const rows = (await exported(/CSV/)).trimEnd().split("\r\n");
  expect(rows).toHaveLength(1301);
  expect(rows[0]).toBe(
    "at,operation,memory_id,person,agent_id,agent_name,credential_id,credential_kind,credential_name,user_id,request_id,detail",
  );
  expect(rows[1]).toContain(`catch_up_index,,,"'=1+1, ""quoted""",`);
}, 120_000);

test("a member is not offered the team's audit log and is refused it; what does not answer is said, with a way on", async () => {
  const page = await silentPage(browser, /403|ERR_/);
  const { owner } = await setUp(page, served);
  const { teams, credentials } = served.world.service;
  const keeper = await credentials.ensureOwner("user", `keeper of ${owner.name}`);
  const { team } = await teams.create(`team of ${owner.name}`, keeper);
  await teams.add(team.id, owner.id, "member");
  await page.goto(`${served.url}/admin/${team.id}/service`);
  await page.getByRole("heading", { name: "Dependencies" }).waitFor();
  expect(await page.getByRole("link", { name: "Audit log" }).count()).toBe(0);
  await page.goto(`${served.url}/admin/${team.id}/service/audit`);
  await page.getByText("The audit log: Your role does not allow this.").waitFor();
  await page.getByText("Your role in the team, member, does not let you read its audit log.").waitFor();
  await page.route("**/trpc/**", (route) => route.abort());
  await page.getByRole("link", { name: "Search index" }).click();
  await page.getByText("The index: The service did not answer.").waitFor();
  await page.unroute("**/trpc/**");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "Search indexes" }).waitFor();
}, 120_000);

test("memories leave as a file and come in again elsewhere, once, with a report of every line", async () => {
  const page = await silentPage(browser);
  const { owner } = await setUp(page, served);
  const { team } = await served.world.service.teams.create(`heirs of ${owner.name}`, owner);
  await page.goto(`${served.url}/admin/own/memories`);
  await remember(page, "The staging database is db-1", "projects/apollo");
  await remember(page, "Ada prefers tea 🍵");
  await page.goto(`${served.url}/admin/own/service/transfer`);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export the memories" }).click();
  const text = readFileSync(await (await download).path(), "utf8");
  await page.getByText("2 memories exported.").waitFor();
  const lines = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map(({ content }) => content)).toEqual(["Ada prefers tea 🍵", "The staging database is db-1"]);
  const broken = [
    text.trim(),
    "no JSON",
    JSON.stringify({ path: "notes" }),
    JSON.stringify({ kind: "team", name: "crew" }),
    JSON.stringify({ content: "Of before", path: "notes", status: "superseded" }),
  ].join("\n");
  await page.goto(`${served.url}/admin/${team.id}/service/transfer`);
  const bring = async (content: string) => {
    await page.locator('input[type="file"]').setInputFiles({
      name: "memories.jsonl",
      mimeType: "application/x-ndjson",
      buffer: Buffer.from(content),
    });
    await page.getByRole("button", { name: "Import the memories" }).click();
  };
  await bring(broken);
  await page.getByText("2 memories of 6 lines are here now.").waitFor();
  await page.getByText("2 left out").waitFor();
  await page.getByText("Line 3: It is not a memory in JSON.").waitFor();
  await page.getByText(/^Line 4: content/).waitFor();
  const found = await faultsOf(page, "service-transfer");
  await bring(text);
  await page.getByText("2 memories of 2 lines are here now.").waitFor();
  await page.getByRole("link", { name: "Memories" }).click();
  await page.getByText("2 memories, newest first").waitFor();
  await page.getByRole("button", { name: "The staging database is db-1" }).waitFor();
  expect(found).toEqual([]);
}, 120_000);

test("what is due soonest comes first and is completed; the ledger adds up exactly", async () => {
  const page = await silentPage(browser);
  const { owner } = await setUp(page, served);
  const { post } = await served.world.client({ owner: owner.name });
  const reminder = async (content: string, due_at: string) =>
    expect(
      (await post("/v1/remember", { content, path: "notes", memory_type: "reminder", metadata: { due_at } }))
        .status,
    ).toBe(201);
  await reminder("Renew the certificate", "2999-01-01T00:00:00Z");
  await reminder("Pay the hosting", "2020-01-01T00:00:00Z");
  for (const [item, amount, date] of [
    ["Coffee", "0.10", "2026-01-02"],
    ["<b>Beans</b>", "0.20", "2026-01-03"],
  ])
    expect((await post("/v1/ledger/expenses", { item, amount, date, currency: "EUR" })).status).toBe(201);
  await page.goto(`${served.url}/admin/own/reminders`);
  await page.getByRole("table", { name: "Reminders" }).waitFor();
  expect(await page.getByRole("row").nth(1).textContent()).toContain("Pay the hostingOverdue");
  const found = await faultsOf(page, "reminders");
  await page.getByRole("button", { name: "Complete: Pay the hosting" }).click();
  await page.getByText("The reminder is completed.").waitFor();
  await page.getByText("Completed", { exact: true }).waitFor();
  expect(await page.getByRole("row").nth(1).textContent()).toContain("Renew the certificate");
  await page.getByRole("link", { name: "Ledger", exact: true }).click();
  await page.getByText("0.30", { exact: false }).first().waitFor();
  await page.getByRole("link", { name: "<b>Beans</b>" }).waitFor();
  found.push(...(await faultsOf(page, "ledger")));
  expect(found).toEqual([]);
}, 120_000);
