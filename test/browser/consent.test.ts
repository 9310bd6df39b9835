/** Letting an app in by OAuth, in a real browser. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientNamed, type RawClient, registration } from "../oauth/client.ts";
import { openCallback } from "./support/callback.ts";
import { launchChromium, profile } from "./support/chromium.ts";
import { scripting } from "./support/scripting.ts";
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
const main = (page: Page) => page.getByRole("main").textContent();

async function client(redirectUri: string, metadata: Record<string, unknown> = {}): Promise<RawClient> {
  const answer = await registration(served.url, { redirect_uris: [redirectUri], ...metadata });
  expect(answer.status).toBe(201);
  const { client_id } = (await answer.json()) as { client_id: string };
  return clientNamed(served.url, client_id, redirectUri);
}

async function listWith(token: string): Promise<number> {
  return (await fetch(`${served.url}/v1/memories`, { headers: { authorization: `Bearer ${token}` } })).status;
}

describe.each(scripting)("with %o", { timeout: 120_000 }, (options) => {
  test("a person signs in, sees who asks and where the answer goes, leaves out writing, allows, and later disconnects", async () => {
    const page = await (await profile(browser, options)).newPage();
    const person = await setUp(page, served);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL("**/sign-in**");
    const { url, called } = await openCallback();
    const app = await client(url, { client_name: "Test client", client_uri: "https://app.example" });

    await page.goto(app.authorization({ scope: "memory:read memory:write" }).href);
    expect(await heading(page)).toBe("Sign in");
    await signIn(page, person);
    await page.waitForURL(/\/oauth\/consent\?/);
    expect(await heading(page)).toBe("Let Test client use your memory?");
    const words = await main(page);
    for (const part of [
      "Nobody has verified this app.",
      new URL(url).host,
      "https://app.example",
      person.email,
    ])
      expect(words).toContain(part);
    await page.getByLabel("Write, change, delete and restore memories").uncheck();
    await page.getByRole("button", { name: "Allow" }).click();
    await page.waitForURL(/\/callback\?/);
    expect(await heading(page)).toBe("Back in the app");

    const answer = await called;
    expect(answer.get("state")).toBe("a state");
    const { status, body } = await app.exchange(answer.get("code") as string);
    expect([status, body.scope]).toEqual([200, expect.not.stringContaining("memory:write")]);
    expect(await listWith(body.access_token)).toBe(200);

    await page.goto(`${served.url}/account`);
    await page.getByText("Disconnect").first().click();
    await page.getByRole("button", { name: "Disconnect Test client" }).click();
    expect(await page.getByRole("status").textContent()).toContain("The app was disconnected.");
    expect(await listWith(body.access_token)).toBe(401);
    expect(await main(page)).toContain("No app is connected.");
  });

  test("a person denies, and the app is told so", async () => {
    const page = await (await profile(browser, options)).newPage();
    await setUp(page, served);
    const { url, called } = await openCallback();
    await page.goto((await client(url)).authorization().href);
    await page.getByRole("button", { name: "Deny" }).click();
    await page.waitForURL(/\/callback\?/);
    const answer = await called;
    expect([answer.get("error"), answer.get("code")]).toEqual(["access_denied", null]);
    await page.goto(`${served.url}/account`);
    expect(await main(page)).toContain("No app is connected.");
  });
});

test("an app that is reached by links of its own is named by them, and there is a link where nothing opens", async () => {
  const page = await (await profile(browser)).newPage();
  await setUp(page, served);
  const app = await client("com.example.app:/callback", { application_type: "native" });
  await page.goto(app.authorization().href);
  expect(await main(page)).toContain("com.example.app:");
  await page.getByRole("button", { name: "Allow" }).click();
  expect(await heading(page)).toBe("Allowed");
  expect(await page.getByRole("link", { name: "Continue" }).getAttribute("href")).toMatch(
    /^com\.example\.app:\/callback\?.*code=/,
  );
});

test("what an app calls itself is text", async () => {
  const page = await (await profile(browser)).newPage();
  await setUp(page, served);
  const { url } = await openCallback();
  const name = `<img src=x onerror="document.title='run'">"'\u202Eevil`;
  await page.goto((await client(url, { client_name: name })).authorization().href);
  expect(await heading(page)).toBe(`Let ${name.replace("\u202e", "\ufffd")} use your memory?`);
  expect(await page.locator("img").count()).toBe(0);
});

test("a request that was changed on the way cannot be answered, and says so", async () => {
  const page = await (await profile(browser)).newPage();
  await setUp(page, served);
  const { url } = await openCallback();
  await page.goto((await client(url)).authorization().href);
  const consent = page.url();
  await page.goto(consent.replace("memory%3Awrite", "ledger%3Awrite"));
  expect(await heading(page)).toBe("This request cannot be answered any more");
  await page.goto(
    consent.replace(encodeURIComponent(url), encodeURIComponent("https://evil.example/callback")),
  );
  expect(await heading(page)).toBe("This request cannot be answered any more");
});

test("nothing chosen is asked again", async () => {
  const page = await (await profile(browser)).newPage();
  await setUp(page, served);
  const { url } = await openCallback();
  await page.goto((await client(url)).authorization().href);
  while ((await page.getByRole("checkbox", { checked: true }).count()) > 0)
    await page.getByRole("checkbox", { checked: true }).first().uncheck();
  await page.getByRole("button", { name: "Allow" }).click();
  expect(await page.getByRole("alert").textContent()).toContain("Choose at least one thing");
});
