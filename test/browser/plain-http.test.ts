/** A service on a local network without TLS, where browsers say less of where a form was. */
import { expect, onTestFinished, test } from "vitest";
import { launchChromium, profile } from "./support/chromium.ts";
import { openServed } from "./support/served.ts";
import { setUp, signIn } from "./support/signing-in.ts";

test("beyond this device over plain http a person can set up, sign out and sign in", async () => {
  const served = await openServed("memory.test");
  onTestFinished(() => served.close());
  const browser = await launchChromium(["--host-resolver-rules=MAP memory.test 127.0.0.1"]);
  onTestFinished(() => browser.close());
  const page = await (await profile(browser)).newPage();
  const person = await setUp(page, served);
  await page.getByRole("button", { name: "Sign out" }).click();
  await signIn(page, person);
  await page.waitForURL(`${served.url}/admin**`);
  await page.goto(`${served.url}/account`);
  expect(await page.getByRole("banner").textContent()).toContain(person.email);
}, 120_000);
