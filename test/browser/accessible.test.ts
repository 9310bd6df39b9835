/** Every page as people meet it: in light and dark, on a small screen, with the keyboard alone. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rawClient } from "../oauth/client.ts";
import { COLOR_SCHEMES, violationsIn } from "./support/axe.ts";
import { launchChromium, profile } from "./support/chromium.ts";
import { invitation, registered } from "./support/people.ts";
import { openServed, type Served } from "./support/served.ts";
import { setUp, signIn } from "./support/signing-in.ts";

let served: Served;
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  served = await openServed();
});

afterAll(async () => {
  await browser?.close();
  await served?.close();
});

const heading = (page: Page) => page.getByRole("heading", { level: 1 }).textContent();

/** Leads a browser to every page there is, and looks at each. */
async function everyPage(page: Page, look: (name: string) => Promise<void>): Promise<void> {
  const { world, url } = served;
  const { secret } = await invitation(world);
  const visit = async (path: string, name: string) => {
    await page.goto(url + path);
    expect(await heading(page)).toBe(name);
    await look(name);
  };
  await visit("/sign-in", "Sign in");
  await signIn(page, {
    email: "nobody@example.com",
    password: "wrong",
    owner: { id: "", kind: "user", name: "" },
  });
  await page.getByRole("alert").waitFor();
  await look("Sign in, refused");
  await visit(`/setup?code=${secret}`, "Set up your account");
  await visit("/setup?code=nothing", "This invitation cannot be used");
  await visit("/oauth/error?error=invalid_client", "The app could not be let in");
  const person = await setUp(page, served);
  await look("Your account, empty");
  await visit("/bind", "Connect an agent");
  await visit("/bind?code=nothing", "No agent is waiting under this code");
  await visit("/oauth/consent?x=y", "This request cannot be answered any more");
  await page.goto((await rawClient(url, { client_name: "Test client" })).authorization().href);
  expect(await heading(page)).toBe("Let Test client use your memory?");
  await look("Consent");
  const { team } = await world.service.teams.create(`team of ${person.owner.name}`, person.owner);
  expect(team.kind).toBe("team");
  const agent = await registered(world.handle, {
    client_name: `An agent with a long name ${"x".repeat(90)}`,
  });
  const wrote = { content: "w".repeat(500), path: "p".repeat(200), project_id: "p".repeat(128) };
  expect((await world.withToken(agent.temporary_token).post("/v1/memories", wrote)).status).toBe(201);
  await visit(`/bind?code=${agent.claim_code}`, "An agent asks to use your memory");
  await page.locator("summary", { hasText: "Read it" }).click();
  await look("What an agent has written");
  await page.getByRole("button", { name: "Approve" }).click();
  await look("One more step");
  await visit("/bind", "An agent asks to use your memory");
  await page.goto(`${url}/account`);
  await page.getByText("Revoke").first().click();
  await look("Your account");
  await visit(`/bind?code=${agent.claim_code}`, "An agent asks to use your memory");
  await page.getByRole("button", { name: "Deny" }).click();
  await look("Denied");
  await visit("/bind/deny", "This address is for a form");
}

test("no page has anything that axe objects to in light or in dark, and none is wider than a small screen", async () => {
  const page = await (await profile(browser)).newPage();
  const found: unknown[] = [];
  let pages = 0;
  await everyPage(page, async (name) => {
    for (const colorScheme of COLOR_SCHEMES)
      found.push(...(await violationsIn(page, colorScheme)).map((fault) => ({ name, ...fault })));
    await page.setViewportSize({ width: 320, height: 640 });
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    if (width > 320) found.push({ name, width });
    await page.setViewportSize({ width: 1280, height: 720 });
    pages += 1;
  });
  expect(found).toEqual([]);
  expect(pages).toBeGreaterThan(16);
}, 300_000);

test("Tab reaches everything on every page, and what has the focus shows it", async () => {
  const page = await (await profile(browser)).newPage();
  const missed: unknown[] = [];
  await everyPage(page, async (name) => {
    const { expected, reached, unseen } = await walk(page);
    const left = expected.filter((one) => !reached.includes(one));
    if (left.length > 0 || unseen.length > 0) missed.push({ name, left, unseen });
  });
  expect(missed).toEqual([]);
}, 300_000);

/** Goes through a page with Tab. Of radio buttons in a group one is reached, as everywhere. */
async function walk(page: Page) {
  const expected = await page.evaluate(() => {
    const inTabOrder = 'a[href], button, summary, input:not([type="hidden"])';
    const all = [...document.querySelectorAll<HTMLElement>(inTabOrder)].filter(
      (one) =>
        one.checkVisibility() && !(one instanceof HTMLInputElement && one.type === "radio" && !one.checked),
    );
    all.forEach((one, at) => {
      one.dataset.stop = `${at} ${one.tagName} ${one.textContent?.trim() || one.id}`;
    });
    (document.activeElement as HTMLElement | null)?.blur();
    return all.map((one) => one.dataset.stop ?? "");
  });
  const reached: string[] = [];
  const unseen: string[] = [];
  for (let steps = 0; steps < expected.length + 3; steps += 1) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => {
      const { activeElement } = document;
      const stop = (activeElement as HTMLElement | null)?.dataset.stop ?? null;
      const { outlineStyle, outlineWidth } = getComputedStyle(activeElement ?? document.body);
      return { stop, isSeen: outlineStyle !== "none" && outlineWidth !== "0px" };
    });
    if (at.stop === null) continue;
    reached.push(at.stop);
    if (!at.isSeen) unseen.push(at.stop);
  }
  return { expected, reached, unseen };
}

test("an agent can be approved with the keyboard alone", async () => {
  const page = await (await profile(browser)).newPage();
  const person = await setUp(page, served);
  await page.getByRole("button", { name: "Sign out" }).press("Enter");
  // Its answer must be here before the next page is asked for, or that one still finds the session.
  await page.waitForURL(`${served.url}/sign-in**`);
  const agent = await registered(served.world.handle);
  await page.goto(`${served.url}/bind?code=${agent.claim_code}`);
  // The browser gives it the focus by itself, a moment after the page is there.
  await page.locator("input[type=email]:focus").waitFor();
  await page.keyboard.type(person.email);
  await page.keyboard.press("Tab");
  await page.keyboard.type(person.password);
  await page.keyboard.press("Enter");
  await page.waitForURL(`${served.url}/bind`);
  for (let steps = 0; steps < 40; steps += 1) {
    await page.keyboard.press("Tab");
    if ((await page.evaluate(() => document.activeElement?.textContent)) === "Approve") break;
  }
  await page.keyboard.press("Enter");
  await page.getByLabel("Confirmation token").waitFor();
  expect(await heading(page)).toBe("One more step");
});
