import AxeBuilder from "@axe-core/playwright";
import type { Page } from "playwright-core";

export const COLOR_SCHEMES = ["light", "dark"] as const;

/** Rules whose outcome depends on the color scheme. The others are tried in light only. */
const COLOR_RULES = ["color-contrast", "link-in-text-block"];

/** Shows the page in a color scheme and returns the violations that axe finds. */
export async function violationsIn(page: Page, colorScheme: (typeof COLOR_SCHEMES)[number]) {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  // Legacy mode runs in the page itself instead of a second one, which took three quarters of the time. It leaves out
  // frames of other origins; no page has any. Collecting what passed takes half of the rest on a long page.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({
    resultTypes: ["violations"],
    ...(colorScheme === "dark" ? { runOnly: COLOR_RULES } : {}),
  });
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => ({ colorScheme, id, html: nodes.map(({ html }) => html) }));
}
