import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import { render } from "../speed/table.ts";
import { bench, median } from "./bench.ts";

const HELP = `Measures how long the documents of a running server take to be seen, and to be searched, in Chromium.

  npm run bench:docs -- [--url http://127.0.0.1:8787] [--rounds 7]

Each round opens a page in a browser that has seen nothing yet: its first paint, the first hit of a search from the moment the words
are there (the index is fetched then), and the first hit of another search. Printed are medians in milliseconds.

It needs Chromium, at /usr/bin/chromium or named in CHROMIUM.
`;

const PAGES = ["/docs/", "/docs/tutorial", "/docs/operations/postgres", "/docs/reference/memories"];

/** Puts words into the field and waits, in the page, until a hit that says them is drawn. */
const hit = (words: string) => `new Promise((resolve) => {
  const field = document.querySelector(".search-box input");
  const since = performance.now();
  field.value = ${JSON.stringify(words)};
  field.dispatchEvent(new Event("input", { bubbles: true }));
  const look = () => {
    const first = document.querySelector(".search-box .result");
    if (first?.textContent.toLowerCase().includes(${JSON.stringify(words)})) resolve(performance.now() - since);
    else requestAnimationFrame(look);
  };
  look();
})`;

export const program = bench(HELP, { url: "http://127.0.0.1:8787", rounds: 7 }, async ({ url, rounds }) => {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  if (!existsSync(executablePath)) throw new Error(`There is no browser at ${executablePath}.\n\n${HELP}`);
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  const rows: string[][] = [];
  for (const path of PAGES) {
    const taken: number[][] = [[], [], []];
    // The first round fills the server's caches, and is not counted.
    for (let at = 0; at <= rounds; at += 1) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
      const page = await context.newPage();
      await page.goto(url + path);
      await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
      const paint = await page.evaluate(
        () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
      );
      await page.getByRole("button", { name: "Search" }).click();
      await page.getByRole("searchbox").waitFor();
      const first = (await page.evaluate(hit("rolling restarts"))) as number;
      const next = (await page.evaluate(hit("context pack"))) as number;
      if (at > 0) for (const [which, value] of [paint, first, next].entries()) taken[which]?.push(value);
      await context.close();
    }
    rows.push([path, ...taken.map((values) => median(values).toFixed(0))]);
  }
  await browser.close();
  console.log(
    render({
      title: `The documents, ${rounds} rounds, medians in ms`,
      columns: ["page", "first paint", "first search", "next search"],
      rows,
    }),
  );
});
