/** The admin UI keeps what it shows true by itself: told of changes as they happen, quiet about it, honest when it is cut off. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium } from "../browser/support/chromium.ts";
import { PASSWORD } from "../browser/support/people.ts";
import { openServed, type Served } from "../browser/support/served.ts";
import { setUp } from "../browser/support/signing-in.ts";
import { stored } from "../support/acting.ts";
import { freePort } from "../support/free-port.ts";
import { eventually } from "../support/processes.ts";
import { home } from "../support/server.ts";
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

async function signedIn(expected?: RegExp) {
  const page = await silentPage(browser, expected);
  const { owner } = await setUp(page, served);
  const key = await served.world.client({ owner: owner.name });
  return { page, owner, key };
}

/** Waits until the page is told of changes. */
const following = (page: Page) => page.waitForRequest((request) => request.url().endsWith("/trpc/changes"));

test("what agents write, change and take away is on the page by itself, with few requests for many changes", async () => {
  const { page, key } = await signedIn();
  const first = await stored(key, { content: "The first of them" });
  const begun = following(page);
  await page.goto(`${served.url}/admin/own/memories`);
  await begun;
  await page.getByText("1 memory, newest first").waitFor();
  let asked = 0;
  page.on("request", (request) => {
    if (request.url().includes("listMemories")) asked += 1;
  });
  for (let at = 0; at < 60; at++) await stored(key, { content: `One of many, number ${at}` });
  await page.getByText("61 memories, newest first").waitFor();
  expect(asked).toBeLessThan(20);
  await page.goto(`${served.url}/admin/own/memories?id=${first}&part=history`);
  await page.getByText("One version").waitFor();
  await key.patch(`/v1/memories/${first}`, { content: "The first of them, changed" });
  await page.getByText("2 versions, newest first").waitFor();
  await key.delete(`/v1/memories/${first}`);
  await page.getByText("60 memories, newest first").waitFor();
}, 120_000);

test("a board moves when an agent finishes something", async () => {
  const { page, key } = await signedIn();
  await key.post("/v1/projects/apollo/todos", { content: "Ship it" });
  const begun = following(page);
  await page.goto(`${served.url}/admin/own/projects/apollo?tab=todos`);
  await begun;
  await page.getByText("Ship it").first().waitFor();
  await key.post("/v1/projects/apollo/todos", { content: "Then rest" });
  await page.getByText("Then rest").first().waitFor();
});

test("while the service does not answer the page says so, and goes on where it was by itself", async () => {
  const { page, key } = await signedIn(/ERR_|503/);
  await page.goto(`${served.url}/admin/own/memories`);
  await page.getByRole("heading", { name: "No memories yet" }).waitFor();
  await page.route("**/trpc/changes", (route) => route.abort());
  await page.goto(`${served.url}/admin/own/memories`);
  await page.getByRole("heading", { name: "No memories yet" }).waitFor();
  await page.getByText("Not up to date").waitFor();
  expect(await faultsOf(page, "memories-cut")).toEqual([]);
  await stored(key, { content: "Meanwhile" });
  await page.unroute("**/trpc/changes");
  await page.getByText("Not up to date").waitFor({ state: "hidden" });
  await stored(key, { content: "Afterwards" });
  await page.getByRole("button", { name: "Afterwards" }).waitFor();
}, 120_000);

test("a page of a service that is killed says so, and goes on when it has been started again", async () => {
  const service = await home({ fresh: true });
  const env = { PORT: String(await freePort()), BOOTSTRAP_API_KEY: "" };
  const first = service.start("bun", env);
  const url = await first.ready();
  const code = await eventually(
    "the way to an account",
    () => /\/setup\?code=(\S+)/.exec(first.stdout() + first.stderr())?.[1],
  );
  const page = await silentPage(browser, /ERR_/);
  await page.goto(`${url}/setup?code=${code}`);
  await page.getByLabel("E-mail address").fill("ada@example.com");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Make the account" }).click();
  await page.waitForURL(`${url}/admin**`);
  const begun = following(page);
  await page.goto(`${url}/admin/own/memories`);
  await begun;
  await page.getByRole("heading", { name: "No memories yet" }).waitFor();
  await first.kill();
  await page.getByText("Not up to date").waitFor();
  await page.getByRole("button", { name: "Add memory" }).first().click();
  await page.getByLabel("What to remember").fill("Written while nothing answered");
  await page.getByRole("button", { name: "Remember it" }).click();
  await page.getByText("Not remembered: The service did not answer.").waitFor();
  await service.start("bun", env).ready();
  await page.getByText("Not up to date").waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Remember it" }).click();
  await page.getByRole("button", { name: "Written while nothing answered" }).waitFor();
}, 300_000);

test("whoever loses a role is told, and shown nothing more of the team", async () => {
  const { page, owner } = await signedIn(/404/);
  const { teams, credentials } = served.world.service;
  const other = await credentials.ensureOwner("user", `head of ${owner.name}`);
  const { team } = await teams.create(`gone for ${owner.name}`, other);
  await teams.add(team.id, owner.id, "member");
  await stored(await served.world.client({ team: team.name }), { content: "Of the team" });
  const begun = following(page);
  await page.goto(`${served.url}/admin/${team.id}/memories`);
  await begun;
  await page.getByRole("button", { name: "Of the team" }).waitFor();
  await teams.remove(team.id, owner.id);
  await page.getByRole("heading", { name: "You are no longer in this team" }).waitFor();
  expect(await page.getByRole("button", { name: "Of the team" }).count()).toBe(0);
});

test("a session that ends elsewhere is said at once, and the draft stays", async () => {
  const { page } = await signedIn(/401/);
  const begun = following(page);
  await page.goto(`${served.url}/admin/own/memories`);
  await begun;
  await page.getByRole("button", { name: "Add memory" }).click();
  await page.getByLabel("What to remember").fill("A draft");
  const ask = async (procedure: string, data: object) => {
    const headers = { origin: served.url, "content-type": "application/json" };
    return (await page.request.post(`${served.url}/trpc/${procedure}`, { headers, data })).json();
  };
  const { session_id } = (await ask("session", {})).result.data;
  await ask("endSession", { session_id });
  await page.getByRole("dialog", { name: "Your session has ended" }).waitFor();
  expect(await page.getByLabel("What to remember").inputValue()).toBe("A draft");
});
