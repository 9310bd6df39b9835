/** The admin UI's pages of projects and of their maintenance in a real browser: main jobs, main failures, every scheme. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium } from "../browser/support/chromium.ts";
import { openServed, type Served } from "../browser/support/served.ts";
import { setUp } from "../browser/support/signing-in.ts";
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

/** Calls a procedure as the page that is signed in would: what a test needs to be there before it looks. */
async function ask(page: Page, procedure: string, input: object) {
  const response = await page.request.post(`${served.url}/trpc/${procedure}`, {
    headers: { origin: served.url, "content-type": "application/json" },
    data: input,
  });
  const body = await response.json();
  if (body.error) throw new Error(`${procedure}: ${JSON.stringify(body.error)}`);
  return body.result.data;
}

const notes = (project_id: string, content: string, more: object = {}) => ({
  content,
  path: "notes",
  project_id,
  dedupe: false,
  ...more,
});

/** Ages what was written to a project, so that it is stale. */
const age = (project: string) =>
  served.world.service
    .sql`update memories set updated_at = now() - interval '1 year', created_at = now() - interval '1 year' where project_id = ${project}`;

const projectPage = (project: string, tab: string, space = "own") =>
  `${served.url}/admin/${space}/projects/${project}?tab=${tab}`;

test("of a plan exactly the chosen part is carried out, and a run of yesterday is undone in three clicks", async () => {
  const page = await silentPage(browser);
  await setUp(page, served);
  for (const text of ["The old office is in Bonn", "The old office is in Bonn", "Keep this note"])
    await ask(page, "remember", notes("tidy", text));
  await age("tidy");
  await page.goto(projectPage("tidy", "maintenance"));
  await page.getByText("neither changed nor verified since").first().waitFor();
  const stale = page.getByRole("group", { name: /^Stale/ });
  await stale.getByRole("listitem").filter({ hasText: "Keep this note" }).getByRole("checkbox").uncheck();
  await page.getByRole("checkbox", { name: /^Stale: 2 of 3/ }).waitFor();
  await page.getByRole("checkbox", { name: /^Duplicates: 1 of 1/ }).uncheck();
  await page.getByRole("button", { name: "Carry out 2 of this plan" }).click();
  await page.getByText("2 memories leave recall as archived").waitFor();
  await page.getByRole("button", { name: "Carry it out" }).click();
  await page.getByText("2 archived").first().waitFor();
  const { sql } = served.world.service;
  const statuses = () =>
    sql`select content, status from memories where project_id = 'tidy' order by content, status`.then(
      (rows) => rows.map((row) => `${row.content}: ${row.status}`),
    );
  expect(await statuses()).toEqual([
    "Keep this note: active",
    "The old office is in Bonn: archived",
    "The old office is in Bonn: archived",
  ]);
  await page.goto(`${served.url}/admin/own`);
  const click = (role: "link" | "button", name: string) =>
    page.getByRole(role, { name, exact: true }).click();
  await click("link", "Maintenance");
  await click("button", "Undo 2");
  await click("button", "Undo 2 changes");
  await page.getByText("Restored 2 memories.").waitFor();
  await page.getByText("Undone").first().waitFor();
  expect((await statuses()).filter((line) => line.endsWith("active"))).toHaveLength(3);
});

test("a plan that changed meanwhile is refused, its difference shown, and nothing is done until it is looked at", async () => {
  const page = await silentPage(browser, /409/);
  await setUp(page, served);
  for (const text of ["First old note", "Second old note"])
    await ask(page, "remember", notes("moving", text));
  await age("moving");
  await page.goto(projectPage("moving", "maintenance"));
  await page.getByRole("button", { name: "Carry out 2 of this plan" }).click();
  const { sql } = served.world.service;
  await sql`update memories set updated_at = now(), revision = revision + 1 where content = 'First old note'`;
  await page.getByRole("button", { name: "Carry it out" }).click();
  await page.getByText("The plan has changed since you looked. Nothing was done.").waitFor();
  await page.getByText("1 no longer due").waitFor();
  await page.getByText("No run yet").waitFor();
  await page.getByRole("button", { name: "Carry out 1 of this plan" }).click();
  await page.getByRole("button", { name: "Carry it out" }).click();
  await page.getByText("1 archived").first().waitFor();
  await page.getByRole("button", { name: "What it did" }).click();
  await page.getByRole("list", { name: "What the run did" }).getByText("Second old note").waitFor();
});

test("what does not return is typed first, settings are saved, and a viewer maintains nothing", async () => {
  const page = await silentPage(browser);
  const { owner } = await setUp(page, served);
  const { id } = await ask(page, "remember", notes("gone", "To be erased"));
  await ask(page, "deleteMemory", { memory_id: id, mode: "soft_delete" });
  await page.goto(projectPage("gone", "maintenance"));
  await page.getByRole("heading", { name: "Nothing is due" }).waitFor();
  await page.getByLabel("Forgotten ones stay").fill("0");
  await page.getByRole("button", { name: "Save the settings" }).click();
  await page.getByText("The settings were saved.").waitFor();
  await page.getByRole("checkbox", { name: /^Forgotten long ago: 0 of 1/ }).check();
  await page.getByRole("button", { name: "Carry out 1 of this plan" }).click();
  const erase = page.getByRole("button", { name: "Erase 1 memory" });
  expect(await erase.isDisabled()).toBe(true);
  await page.getByLabel("Type 1 to erase 1 memory for good").fill("1");
  await erase.click();
  await page.getByText("1 erased").first().waitFor();
  expect(await page.getByRole("button", { name: /^Undo/ }).count()).toBe(0);

  const { teams, credentials } = served.world.service;
  const keeper = await credentials.ensureOwner("user", `keeper of ${owner.name}`);
  const { team } = await teams.create(`team of ${owner.name}`, keeper);
  await teams.add(team.id, owner.id, "member");
  await ask(page, "remember", notes("shared", "An old shared note", { team_id: team.id }));
  await ask(page, "createTodo", { project_id: "shared", content: "A shared todo", team_id: team.id });
  await age("shared");
  await teams.add(team.id, owner.id, "member");
  await served.world.service
    .sql`update team_members set role = 'viewer' where team_id = ${team.id} and user_id = ${owner.id}`;
  await page.goto(projectPage("shared", "maintenance", team.id));
  await page.getByText("An old shared note").waitFor();
  await page
    .getByText("Your role, viewer, can only read here; owners and admins run maintenance.")
    .first()
    .waitFor();
  expect(await page.getByRole("button", { name: /Carry out|Save the settings/ }).count()).toBe(0);
  await page.goto(projectPage("shared", "todos", team.id));
  await page.getByText("A shared todo").waitFor();
  expect(await page.getByRole("button", { name: /^(Add a todo|Move)/ }).count()).toBe(0);
});

test("todos move by menu, keys and dragging; what is refused is put back and said; a decision is made and replaced", async () => {
  const page = await silentPage(browser, /409|ERR_/);
  await setUp(page, served);
  await page.goto(projectPage("board", "todos"));
  await page.getByRole("heading", { name: "No todo yet" }).waitFor();
  await page.getByRole("button", { name: "Add a todo" }).click();
  await page.getByLabel("What to do").fill("Lay the cable");
  await page.getByRole("button", { name: "Add it" }).click();
  await page.getByRole("button", { name: "Lay the cable", exact: true }).waitFor();
  const [{ todo_id }] = await ask(page, "listTodos", { project_id: "board" });
  await ask(page, "createTodo", { project_id: "board", content: "Switch it on", depends_on: [todo_id] });
  await page.reload();
  const card = page.locator(".card", { hasText: "Depends on" });
  await card.locator(".open").focus();
  await page.locator('.card[data-role="before"]', { hasText: "Blocks" }).waitFor();
  await page.getByRole("button", { name: "By dependencies" }).click();
  await page.waitForURL(/by=dependencies/);
  await page.getByRole("region", { name: "Next, 1" }).getByRole("button", { name: "Switch it on" }).waitFor();
  expect(await faultsOf(page, "order")).toEqual([]);
  await page.getByRole("button", { name: "By dependencies" }).click();
  const cable = page.locator(`[data-todo="${todo_id}"] .open`);
  const column = (name: string) => page.locator(`[data-column="${name}"]`);
  const cableIn = (name: string) => column(name).locator(`[data-todo="${todo_id}"]`);
  // A refusal of the service: what waits cannot be done first.
  await page.getByRole("button", { name: "Move: Switch it on" }).click();
  await page.getByRole("menuitem", { name: "Complete it…" }).click();
  await page.getByRole("button", { name: "Complete it", exact: true }).click();
  await page.getByRole("alert").getByText("Not moved").waitFor();
  await page.getByRole("button", { name: "Not now" }).click();
  // What is shown at once goes back where it was.
  await page.route("**/trpc/acceptTodo**", (route) => route.abort());
  await cable.focus();
  await page.keyboard.press("Shift+ArrowRight");
  await page.getByText("Not moved: The service did not answer").waitFor();
  await cableIn("open").waitFor();
  await page.unroute("**/trpc/acceptTodo**");
  await cable.focus();
  await page.keyboard.press("Shift+ArrowRight");
  await cableIn("doing").waitFor();
  await page.getByText("You accepted it.").waitFor();
  await page.locator(`[data-todo="${todo_id}"]`).dragTo(column("blocked"));
  await page.getByLabel("What is blocking it").fill("No cable left");
  await page.getByRole("button", { name: "Block it", exact: true }).click();
  await column("blocked").getByText("No cable left").waitFor();
  await cable.click();
  await page.waitForURL(/id=/);
  await page.getByRole("dialog").getByText("accepted → blocked").waitFor();
  await page.goBack();
  await page.getByRole("dialog").waitFor({ state: "hidden" });

  await page.getByRole("link", { name: "Decisions" }).click();
  await page.getByRole("button", { name: "Propose a decision" }).click();
  await page.getByLabel("What to decide").fill("Which cable?");
  await page.getByRole("button", { name: "Propose it" }).click();
  await page.getByRole("button", { name: "Decide it" }).click();
  await page.getByLabel("What was decided").fill("Copper");
  await page.getByRole("dialog").getByRole("button", { name: "Decide it" }).click();
  await page.getByText("Copper").waitFor();
  await page.getByRole("button", { name: "Replace it" }).click();
  await page.getByLabel("What to decide instead").fill("Which cable now?");
  await page.getByLabel("What was decided").fill("Fibre");
  await page.getByRole("dialog").getByRole("button", { name: "Replace it" }).click();
  await page.getByText("Replaced an earlier one").click();
  await page.getByText("Copper").waitFor();
  await page.getByText("1 decision, open ones first").waitFor();
  await page.getByRole("link", { name: "Timeline" }).click();
  await page.getByText("todo blocked · accepted → blocked").waitFor();
});

test("axe finds nothing on any side of a project where nothing is yet", async () => {
  const page = await silentPage(browser);
  await setUp(page, served);
  const found: unknown[] = [];
  const look = async (name: string) => found.push(...(await faultsOf(page, name)));
  for (const [path, ready] of [
    ["projects", "No project yet"],
    ["maintenance", "No project yet"],
    ["projects/apollo?tab=todos", "No todo yet"],
    ["projects/apollo?tab=decisions", "No decision yet"],
    ["projects/apollo?tab=timeline", "Nothing happened"],
    ["projects/apollo?tab=maintenance", "Nothing is due"],
  ] as const) {
    await page.goto(`${served.url}/admin/own/${path}`);
    await page.getByRole("heading", { name: ready }).waitFor();
    await look(`${path.replace(/[/?]|tab=/g, "-")}-empty`);
  }
  expect(found).toEqual([]);
}, 240_000);

test("stored text is text, and axe finds nothing on any side of a project that is full", async () => {
  const page = await silentPage(browser);
  await setUp(page, served);
  const found: unknown[] = [];
  const look = async (name: string) => found.push(...(await faultsOf(page, name)));
  await furnish(page);
  for (const [path, ready] of [
    ["projects", "apollo"],
    ["maintenance", "2 archived"],
    ["projects/apollo?tab=pack", "What to do next"],
    ["projects/apollo?tab=todos", "Renew the certificate of the staging gateway"],
    ["projects/apollo?tab=decisions", "Do we keep the old gateway as a fallback?"],
    ["projects/apollo?tab=timeline", "todo blocked"],
    ["projects/apollo?tab=maintenance", "Duplicates"],
  ] as const) {
    await page.goto(`${served.url}/admin/own/${path}`);
    await page.getByText(ready).first().waitFor();
    await settled(page);
    expect(await page.locator("main img, main script, main svg[onload]").count()).toBe(0);
    await look(path.replace(/[/?]|tab=/g, "-"));
  }
  expect(await page.title()).toBe("Recollect");
  expect(found).toEqual([]);
}, 240_000);

/** A project as one is after some weeks of work, texts that attack the page among it. */
async function furnish(page: Page): Promise<void> {
  const attack = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>';
  const apollo = { project_id: "apollo" };
  const todo = (content: string, more: object = {}) =>
    ask(page, "createTodo", { ...apollo, content, ...more });
  const key = await todo("Ask operations for the key of the staging gateway", { priority: "high" });
  const certificate = await todo("Renew the certificate of the staging gateway", {
    priority: "urgent",
    due_at: new Date(Date.now() - 86_400_000).toISOString(),
    depends_on: [key.todo_id],
  });
  await todo("Announce the new address to everybody who calls the gateway", {
    depends_on: [certificate.todo_id],
    assignee_agent_id: "claude-code",
  });
  await ask(page, "acceptTodo", { ...apollo, todo_id: key.todo_id });
  await ask(page, "blockTodo", {
    ...apollo,
    todo_id: certificate.todo_id,
    reason: "The key is with operations",
  });
  const done = await todo("Measure how long a reconnect takes");
  await ask(page, "completeTodo", { ...apollo, todo_id: done.todo_id, note: "430 ms at p95" });
  await todo(attack, { priority: "low" });
  const decide = (context: string, more: object = {}) =>
    ask(page, "createDecision", { ...apollo, context, ...more });
  const first = await decide("Which database do we build on?", {
    impact_level: "high",
    options: ["Postgres", "SQLite"],
  });
  await ask(page, "supersedeDecision", {
    ...apollo,
    decision_id: first.decision_id,
    context: "Which database do we build on, now that there are two regions?",
    resolution_note: "Postgres, one primary",
  });
  await decide("Do we keep the old gateway as a fallback?", {
    impact_level: "medium",
    options: ["Yes", "No", attack],
  });
  for (const text of [
    "The gateway in staging is at gw-2",
    "The gateway in staging is at gw-2",
    "Deploys of the gateway go out on Tuesdays",
    "Ada owns the certificates 🔑 שלום",
    attack,
  ])
    await ask(page, "remember", notes("apollo", text));
  for (const text of ["The canary runs in Frankfurt", "The old canary ran in Dublin"])
    await ask(page, "remember", notes("hermes", text));
  await served.world.service.sql`update memories set updated_at = now() - interval '200 days'
    where workspace_item is null and (project_id = 'hermes' or content like 'Deploys%')`;
  const of = { project_id: "hermes" };
  const { plan_hash } = await ask(page, "reportMaintenance", of);
  await ask(page, "executeMaintenance", { ...of, plan_hash, actions: ["archive_stale"] });
}
