import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from "playwright-core";
import { onTestFinished } from "vitest";

const EXECUTABLE = process.env.CHROMIUM ?? "/usr/bin/chromium";

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** A real browser; `flags` besides those that every test needs. */
export async function launchChromium(flags: readonly string[] = []): Promise<Browser> {
  if (!existsSync(EXECUTABLE)) {
    throw new Error(
      `These tests need a browser: there is none at ${EXECUTABLE}. Install it with \`apt-get install chromium\`, or name another in CHROMIUM.`,
    );
  }
  return chromium.launch({ executablePath: EXECUTABLE, args: [...FLAGS, ...flags] });
}

/** A browser's profile of its own, until the test ends. */
export async function profile(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(20_000);
  onTestFinished(() => context.close());
  return context;
}
