import type { Page } from "playwright-core";
import { unguessable } from "../../support/acting.ts";
import { invitation, PASSWORD, type Person } from "./people.ts";
import type { Served } from "./served.ts";

/** Makes an account on the setup page, which signs it in and leads to the admin UI; then to what needs no script of that. */
export async function setUp(page: Page, { world, url }: Served): Promise<Person> {
  const { owner, secret } = await invitation(world);
  const email = `${unguessable("p")}@example.com`;
  await page.goto(`${url}/setup?code=${secret}`);
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Make the account" }).click();
  await page.waitForURL(`${url}/admin**`);
  await page.goto(`${url}/account`);
  return { owner, email, password: PASSWORD };
}

/** Fills in the sign-in page that the browser is at. */
export async function signIn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}
