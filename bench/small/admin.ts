import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";
import { fill } from "../scale/fill.ts";
import { render } from "../speed/table.ts";
import { bench, median } from "./bench.ts";
import { openServed, type Person, type Served } from "./served.ts";

const HELP = `Measures the admin UI's memories page with many memories against the same page with few, in Chromium.

  npm run bench:admin -- [--memories 100000] [--few 1000] [--rounds 7]

One service, two people: one with many memories, one with few. The first search of each reads their memories into the index,
and is a figure of its own. Then each round opens the page of both, one after the other, and does the same on it. Printed are medians in milliseconds, from the start of the navigation, the click or the key to what
the person waits for, and the ratio of the two; the ratio says what the number of memories costs, whatever the machine.

It needs Chromium, at /usr/bin/chromium or named in CHROMIUM.
`;

const QUESTION = "the lighthouse in Oslo";
const THINGS = "gateway certificate invoice queue canary budget contract interview backup release".split(" ");
const PLACES = "Frankfurt Lisbon Tallinn Oslo Dublin Bonn".split(" ");

const of = <T>(from: readonly T[], at: number): T => from[at % from.length] as T;

/** One in a hundred is about the lighthouse, and lies where a filter finds it. */
function memory(at: number) {
  const thing = at % 100 === 7 ? "lighthouse" : of(THINGS, at * 7 + (at >> 3));
  return {
    content: `Note ${at}: the ${thing} in ${of(PLACES, at >> 2)} was looked at on day ${at % 365} and is in order, says ${of(PLACES, at)}.`,
    path: `${thing}/${at % 40}`,
    source: "bench",
    provenance: { session_id: `session-${at % 100}` },
  };
}

/** Told by the page itself, so that the way to this process and back is in no number. */
const PROBE = `
  window.probe = {
    worst: 0,
    rowsAt: null,
    isRow: () => document.querySelector('[role="row"][data-index], [role="row"][aria-rowindex="2"]') !== null,
  };
  const look = () => {
    if (window.probe.rowsAt === null && window.probe.isRow()) window.probe.rowsAt = performance.now();
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true });
  new PerformanceObserver((list) => {
    for (const { duration, interactionId } of list.getEntries())
      if (interactionId) window.probe.worst = Math.max(window.probe.worst, duration);
  }).observe({ type: "event", durationThreshold: 16, buffered: true });
`;

/** Does something in the page and waits, in the page, until what is wanted is seen. Answers the milliseconds. */
async function within(page: Page, begin: string, isThere: string): Promise<number> {
  return page.evaluate(`new Promise((resolve, reject) => {
    const since = performance.now();
    ${begin};
    const look = () => {
      if (${isThere}) requestAnimationFrame(() => resolve(performance.now() - since));
      else if (performance.now() - since > 180_000) 
        reject(new Error("never seen: " + ${JSON.stringify(isThere)} + "; the page says: " + document.querySelector("main")?.innerText.slice(0, 300)));
      else requestAnimationFrame(look);
    };
    look();
  })`);
}

const GO = (search: string) => `history.pushState({}, "", "/admin/own/memories${search}");`;
const FIRST = `(document.querySelector('[role="row"][data-index="0"] .open')?.textContent ?? "")`;
const SCROLLER = `document.querySelector('.table .scroller')`;
/** Where the middle of what is seen has a row with its text. */
const ROW_IN_SIGHT = `(() => {
  const box = ${SCROLLER}.getBoundingClientRect();
  const at = document.elementFromPoint(box.left + 60, box.top + box.height / 2);
  const row = at?.closest('[role="row"]');
  return row?.querySelector('.open') ? Number(row.getAttribute('aria-rowindex')) : null;
})()`;

type Numbers = Readonly<Record<string, number>>;

async function round(browser: Browser, served: Served, person: Person): Promise<Numbers> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await context.addCookies([{ ...person.cookie, url: served.url }]);
  await context.addInitScript(PROBE);
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  const taken: Record<string, number> = {};
  await page.goto(`${served.url}/admin/own/memories`);
  await page.locator('[role="row"][data-index="0"]').waitFor();
  taken["first paint"] = await page.evaluate(
    () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
  );
  taken["rows there"] = await page.evaluate("window.probe.rowsAt");
  await page.waitForTimeout(500);
  for (const [name, share] of [
    ["scroll to the middle", 0.5],
    ["scroll to the end", 1],
  ] as const) {
    taken[name] = await within(
      page,
      `const of = ${SCROLLER}; of.scrollTop = (of.scrollHeight - of.clientHeight) * ${share};`,
      `${ROW_IN_SIGHT} > 2`,
    );
    taken[`${name}: row reached`] = (await page.evaluate(ROW_IN_SIGHT)) as number;
  }
  taken["filter by path"] = await within(page, GO("?path=lighthouse"), `${FIRST}.includes("lighthouse")`);
  taken["clear the filter"] = await within(
    page,
    GO(""),
    `${FIRST} !== "" && !${FIRST}.includes("lighthouse")`,
  );
  await page.waitForTimeout(500);
  taken.search = await within(
    page,
    GO(`?q=${encodeURIComponent(QUESTION)}`),
    `${FIRST}.includes("lighthouse")`,
  );
  taken["open a memory"] = await within(
    page,
    `document.querySelector('[role="row"][data-index="0"] .open').click()`,
    `document.body.textContent.includes("Where it comes from")`,
  );
  // Real keys and a real click, for the browser's own measure of how long a person waits to see something happen.
  await page.goto(`${served.url}/admin/own/memories`);
  await page.locator('[role="row"][data-index="3"]').waitFor();
  await page.waitForTimeout(500);
  await page.locator('[role="row"][data-index="3"] .open').click();
  await page.getByText("Where it comes from").first().waitFor();
  await page.locator('[role="row"][data-index="3"] .open').focus();
  for (let at = 0; at < 10; at += 1) await page.keyboard.press("ArrowDown");
  await page.locator("[data-search-field]").first().click();
  await page.keyboard.type("lighthouse");
  await page.waitForTimeout(200);
  taken["worst interaction"] = await page.evaluate("window.probe.worst");
  await page.goto(`${served.url}/admin/own`);
  const tile = page.locator(".tile dd").first();
  await tile.filter({ hasText: /\d/ }).waitFor();
  taken["home: counts there"] = await page.evaluate(() => performance.now());
  await context.close();
  return taken;
}

/** A server that has just started reads a person's memories when they first search: with many that is seconds, once. */
async function firstSearch({ ask }: Person): Promise<number> {
  const since = performance.now();
  await ask("searchMemories", { query: QUESTION, scope: "private" });
  return performance.now() - since;
}

export const program = bench(
  HELP,
  { memories: 100_000, few: 1000, rounds: 7 },
  async ({ memories, few, rounds }) => {
    spawnSync(process.execPath, ["admin-ui/build.js", "--if-changed"], { stdio: "inherit" });
    const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
    if (!existsSync(executablePath)) throw new Error(`There is no browser at ${executablePath}.\n\n${HELP}`);
    const served = await openServed();
    const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
    try {
      const [small, large] = [await served.person("few"), await served.person("many")];
      await fill(served.connection, { memory }, [
        { name: small.name, first: 0, count: few },
        { name: large.name, first: few, count: memories },
      ]);
      const first = [await firstSearch(small), await firstSearch(large)] as const;
      const taken: [Numbers[], Numbers[]] = [[], []];
      // The first round fills caches, and is not counted.
      for (let at = 0; at <= rounds; at += 1)
        for (const which of at % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
          const numbers = await round(browser, served, which === 0 ? small : large);
          if (at > 0) taken[which].push(numbers);
        }
      const names = Object.keys(taken[0][0] ?? {});
      const rows = names.map((name) => {
        const [a, b] = taken.map((all) => median(all.map((one) => one[name] ?? 0))) as [number, number];
        const isCount = name.endsWith("reached");
        const show = (value: number) => (isCount ? String(value) : value.toFixed(0));
        return [name, show(a), show(b), isCount ? "" : (b / a).toFixed(2)];
      });
      console.log(
        render({
          title: `The memories page, ${rounds} rounds, medians in ms`,
          columns: ["", `${few} memories`, `${memories} memories`, "ratio"],
          rows: [
            [
              "first search since the start",
              ...first.map((ms) => ms.toFixed(0)),
              (first[1] / first[0]).toFixed(2),
            ],
            ...rows,
          ],
        }),
      );
    } finally {
      await browser.close();
      await served.close();
    }
  },
);
