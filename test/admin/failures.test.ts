/**
 * What the pages of the admin UI say when the service does not answer, refuses, is slow, or knows nobody any more; and
 * what axe finds on each of them, where nothing is yet and where there is something of everything.
 */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { personOf } from "../../bench/small/served.ts";
import { furnish } from "../../docs/site/pictures/world.ts";
import { launchChromium, profile } from "../browser/support/chromium.ts";
import { openServed, type Served } from "../browser/support/served.ts";
import { setUp } from "../browser/support/signing-in.ts";
import { rotating } from "../support/random.ts";
import { everyPage } from "./support/every-page.ts";
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

/** Share of the pages that one run opens: each takes seconds, and a few components show all failures. */
const PAGES_SHARE = 1 / 3;

type Fault = "none" | "down" | "forbidden" | "conflict" | "busy" | "slow" | "signed out";

const SLOW_MS = 1800;
const CODES = {
  forbidden: { code: "role_forbidden", httpStatus: 403 },
  conflict: { code: "plan_changed", httpStatus: 409 },
  busy: { code: "rate_limited", httpStatus: 429, retry_after_seconds: 5 },
  "signed out": { code: "invalid_token", httpStatus: 401 },
} as const;

/** Puts a fault between the page and the service, but for who is signed in: without that there is no page. */
async function withFaults(page: Page): Promise<{ fault: Fault }> {
  const state: { fault: Fault } = { fault: "none" };
  await page.route("**/trpc/**", async (route) => {
    const names = new URL(route.request().url()).pathname.replace(/.*\/trpc\//, "").split(",");
    const { fault } = state;
    if (fault === "none" || names.every((name) => name === "session")) return route.continue();
    if (fault === "down") return route.abort();
    if (fault === "slow") {
      await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
      return route.continue().catch(() => {});
    }
    const data = { ...CODES[fault], requestId: "made-up" };
    const error = { message: "It is refused by the test.", code: -32603, data };
    return route.fulfill({
      status: data.httpStatus,
      contentType: "application/json",
      body: JSON.stringify(names.map(() => ({ error }))),
    });
  });
  return state;
}

/**
 * A file to be chosen and terms to be typed ask for nothing before they are used, and the list of one's teams is part of who
 * is signed in.
 */
const asksForNothing = new Set(["service/transfer", "erase"]);
/** What works with part of it away says so beside it; the lab asks for credentials alone until something is typed. */
const question: Readonly<Record<string, string>> = { lab: "lab?q=staging" };
const pages = rotating(
  everyPage.filter((path) => !asksForNothing.has(path)).map((path) => question[path] ?? path),
  PAGES_SHARE,
);

test("a page says what failed and what to do, comes back when the service does, and waits with a word", async () => {
  const page = await (await profile(browser)).newPage();
  const said: string[] = [];
  page.on("pageerror", (error) => said.push(String(error)));
  page.on("console", (line) => {
    if (line.type() === "error" && !/Failed to load resource|ERR_FAILED|40[139]|429/.test(line.text()))
      said.push(line.text());
  });
  await setUp(page, served);
  const state = await withFaults(page);
  const wrong: string[] = [];
  const expectThere = async (path: string, what: string, words: RegExp) => {
    try {
      await page.getByText(words).first().waitFor({ timeout: 12_000 });
    } catch {
      wrong.push(`${path || "home"}: ${what}`);
    }
  };
  for (const path of pages) {
    const open = async (fault: Fault) => {
      state.fault = fault;
      await page.goto(`${served.url}/admin/own/${path}`);
    };
    await open("down");
    await expectThere(path, "does not say that nothing answered", /The service did not answer/);
    if ((await page.getByRole("heading", { level: 1 }).count()) !== 1) wrong.push(`${path}: has no heading`);
    state.fault = "busy";
    const again = page.getByRole("button", { name: "Try again" });
    if ((await again.count()) === 0) wrong.push(`${path || "home"}: offers no way on`);
    for (const button of await again.all()) await button.click({ timeout: 3000 }).catch(() => {});
    await expectThere(path, "does not say that it is busy", /Too many requests right now/);
    state.fault = "none";
    for (let at = 0; at < 6 && (await again.count()) > 0; at += 1) {
      await again
        .first()
        .click({ timeout: 3000 })
        .catch(() => {});
      await page.waitForTimeout(150);
    }
    await settled(page);
    if ((await page.getByRole("alert").count()) > 0) wrong.push(`${path || "home"}: does not come back`);
    await open("forbidden");
    await expectThere(path, "does not say that the role refuses it", /Your role does not allow this/);
    await open("conflict");
    await expectThere(path, "does not say that it has changed", /It has changed in the meantime/);
    await open("slow");
    await expectThere(path, "says nothing while it waits", /Waiting for|Looking/);
    await open("signed out");
    await expectThere(path, "does not say that the session has ended", /Your session has ended/);
  }
  expect({ wrong, said }).toEqual({ wrong: [], said: [] });
}, 800_000);

describe("axe finds nothing in either scheme, and nothing is wider than a phone", () => {
  test("on pages where nothing is yet", async () => {
    const page = await silentPage(browser);
    const { owner } = await setUp(page, served);
    const { team } = await served.world.service.teams.create(`crew of ${owner.name}`, owner);
    const found: unknown[] = [];
    for (const path of rotating(everyPage, PAGES_SHARE)) {
      await page.goto(`${served.url}/admin/${team.id}/${path}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await settled(page);
      found.push(...(await faultsOf(page, `${path || "home"} with nothing`)));
    }
    expect(found).toEqual([]);
  }, 600_000);

  test("on pages of a team that has been at work for weeks", async () => {
    const { service } = served.world;
    const { url } = served;
    const { ada, teamId } = await furnish({
      url,
      sql: service.sql,
      person: (name) => personOf(service, url, name),
    });
    const page = await silentPage(browser);
    await page.context().addCookies([{ ...ada.cookie, url }]);
    const found: unknown[] = [];
    for (const path of rotating(everyPage, PAGES_SHARE)) {
      await page.goto(`${url}/admin/${teamId}/${path === "lab" ? "lab?q=staging" : path}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await settled(page);
      found.push(...(await faultsOf(page, `${path || "home"} of a team at work`)));
    }
    expect(found).toEqual([]);
  }, 600_000);
});
