/** What tests of the admin UI do on every page: open one that must not complain, remember something, and look at it. */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { COLOR_SCHEMES, violationsIn } from "../../browser/support/axe.ts";
import { profile } from "../../browser/support/chromium.ts";

const repository = fileURLToPath(new URL("../../../", import.meta.url));

/** The folder that the admin UI is built into. */
export const DIST = join(repository, "admin-ui/dist");

export function buildAdminUi(): void {
  const script = join(repository, "admin-ui/build.js");
  expect(spawnSync(process.execPath, [script, "--if-changed"], { encoding: "utf8" }).stderr).toBe("");
}

/** A page whose console must stay silent: what the browser says of expected statuses is no error of ours. */
export async function silentPage(browser: Browser, expected: RegExp = /^$/): Promise<Page> {
  const page = await (await profile(browser)).newPage();
  const said: string[] = [];
  page.on("console", (line) => {
    if (["error", "warning"].includes(line.type()) && !expected.test(line.text())) said.push(line.text());
  });
  page.on("pageerror", (error) => said.push(String(error)));
  onTestFinished(() => expect(said).toEqual([]));
  return page;
}

/** Nothing is awaited any more but the stream of changes, which goes on as long as somebody looks. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector("main h1") !== null &&
      document.querySelector("main .mantine-Loader-root") === null,
  );
  await page.evaluate(() => document.fonts.ready.then(() => {}));
}

/** Remembers something by the dialog of the page. */
export async function remember(page: Page, content: string, path = "notes"): Promise<void> {
  await page.getByRole("button", { name: "Add memory" }).click();
  await page.getByLabel("What to remember").fill(content);
  await page.getByRole("dialog").getByLabel("Path").fill(path);
  await page.getByRole("button", { name: "Remember it" }).click();
  await page.getByText("Remembered.", { exact: true }).first().waitFor();
  await page.getByRole("dialog").waitFor({ state: "hidden" });
}

/**
 * What is wrong with what the page shows now: what axe finds in either scheme, and what is wider than a phone.
 * SCREENSHOTS names a folder for pictures of it, `<name>-light.png`, `-dark` and `-phone`.
 */
export async function faultsOf(page: Page, name: string): Promise<unknown[]> {
  const folder = process.env.SCREENSHOTS;
  if (folder) mkdirSync(folder, { recursive: true });
  const picture = async (of: string) => {
    if (folder) await page.screenshot({ path: join(folder, `${name}-${of}.png`) });
  };
  const found: unknown[] = [];
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const colorScheme of COLOR_SCHEMES) {
    found.push(...(await violationsIn(page, colorScheme)).map((fault) => ({ name, ...fault })));
    await picture(colorScheme);
  }
  await page.setViewportSize({ width: 390, height: 800 });
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  if (width > 390) found.push({ name, width });
  await picture("phone");
  await page.setViewportSize({ width: 1280, height: 800 });
  return found;
}
