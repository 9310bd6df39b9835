/** What each page of memories, projects and maintenance says when it cannot be answered: down, refused, slow, signed out; and that it goes on. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium } from "../browser/support/chromium.ts";
import { openServed, type Served } from "../browser/support/served.ts";
import { setUp } from "../browser/support/signing-in.ts";
import { stored } from "../support/acting.ts";
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

/** Each page, what it asks for first, and a word that it shows once it is answered. */
const PAGES = [
  { path: "memories", asks: "operator.listMemories", shows: "Apollo is a rocket" },
  { path: "memories?q=rocket", asks: "operator.searchMemories", shows: "Apollo is a rocket" },
  { path: "projects", asks: "operator.listProjects", shows: "apollo" },
  { path: "projects/apollo?tab=pack", asks: "projectContext", shows: "What to do next" },
  { path: "projects/apollo?tab=todos", asks: "listTodos", shows: "Fuel the rocket" },
  { path: "projects/apollo?tab=decisions", asks: "listDecisions", shows: "Which fuel?" },
  { path: "projects/apollo?tab=timeline", asks: "projectContext", shows: "What happened" },
  { path: "projects/apollo?tab=maintenance", asks: "reportMaintenance", shows: "What is due" },
  { path: "maintenance", asks: "operator.listProjects", shows: "apollo" },
] as const;

/** Answers every call of a request that has this procedure among others with a refusal. */
async function refuse(page: Page, procedure: string, code: string, httpStatus: number): Promise<void> {
  await page.route(isFor(procedure), (route) => {
    const calls = new URL(route.request().url()).pathname.split(",").length;
    const message = "Your role, viewer, reads here.";
    const error = { message, code: -32603, data: { code, httpStatus, requestId: "req-1" } };
    const body = JSON.stringify(Array.from({ length: calls }, () => ({ error })));
    return route.fulfill({ status: httpStatus, contentType: "application/json", body });
  });
}

const isFor = (procedure: string) => (url: URL) =>
  url.pathname.startsWith("/trpc/") && url.pathname.slice(6).split(/,|%2C/).includes(procedure);

test.for(PAGES)("$path", { timeout: 180_000 }, async ({ path, asks, shows }) => {
  const page = await silentPage(browser, /401|403|503|ERR_/);
  const { owner } = await setUp(page, served);
  const key = await served.world.client({ owner: owner.name });
  await stored(key, { content: "Apollo is a rocket", project_id: "apollo" });
  await key.post("/v1/projects/apollo/todos", { content: "Fuel the rocket" });
  await key.post("/v1/projects/apollo/decisions", { context: "Which fuel?" });
  const open = () => page.goto(`${served.url}/admin/own/${path}`);
  const main = page.getByRole("main");
  const shown = () => main.getByText(shows).first().waitFor();
  const unroute = () => page.unrouteAll({ behavior: "ignoreErrors" });

  await page.route(isFor(asks), (route) => route.abort());
  await open();
  await main.getByText("The service did not answer.").first().waitFor();
  await unroute();
  await main.getByRole("button", { name: "Try again" }).first().click();
  await shown();

  await refuse(page, asks, "role_forbidden", 403);
  await open();
  await main.getByText("Your role does not allow this.").first().waitFor();
  await main.getByText("Request req-1").first().waitFor();
  await unroute();

  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(isFor(asks), async (route) => {
    await held;
    await route.continue();
  });
  await open();
  await main
    .getByText(/^Waiting for .+…$/)
    .first()
    .waitFor();
  answer();
  await shown();
  await unroute();

  await refuse(page, asks, "invalid_token", 401);
  await open();
  await page.getByRole("dialog", { name: "Your session has ended" }).waitFor();
  await unroute();
  await page.getByRole("button", { name: "I have signed in" }).click();
  await shown();
  expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
});
