import type { BrowserContextOptions } from "playwright-core";
import { oneOrAll } from "../../support/random.ts";

/** Browsers with and without script. The pages have none, so they must work in both. */
export const scripting: readonly BrowserContextOptions[] = oneOrAll([
  { javaScriptEnabled: true },
  { javaScriptEnabled: false },
]);
