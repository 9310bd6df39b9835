import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Browser, chromium, type Page } from "playwright-core";
import { openServed, type Person } from "../../../bench/small/served.ts";
import { record } from "./recording.ts";
import { furnish, type PictureWorld } from "./world.ts";

const HELP = `Takes the pictures of the admin UI, and the recording that the README opens with.

  npm run pictures -- [--only home,lab] [--no-recording] [--to docs/screens]

Starts a service of its own with a world made up for it, opens every page in Chromium in the light scheme, in the dark one
and at a phone's width, and writes <page>-light.webp, -dark and -phone; then recollect.webp, some twenty seconds of work,
faster than it was done where this machine took longer.

It needs Chromium (at /usr/bin/chromium, or named in CHROMIUM) and ffmpeg with libwebp:  apt-get install chromium ffmpeg
`;

const repository = fileURLToPath(new URL("../../../", import.meta.url));

interface Shot {
  readonly name: string;
  /** Below /admin, or from the root with a slash. */
  readonly at: (world: PictureWorld) => string;
  /** A text that is there when the page is. */
  readonly ready: string | RegExp;
  /** Opens parts of the page before the picture is taken. */
  readonly open?: (page: Page, world: PictureWorld) => Promise<void>;
  /** The person who is signed in. Default: Ada, whose team has been at work for weeks. */
  readonly seenBy?: "newcomer" | "nobody";
  readonly before?: (world: PictureWorld) => Promise<void>;
}

const team = (path: string) => (world: PictureWorld) => `${world.teamId}${path === "" ? "" : `/${path}`}`;
const own = (path: string) => () => `own${path === "" ? "" : `/${path}`}`;
const QUESTION = "where is the staging gateway, and who has its key?";
const q = encodeURIComponent(QUESTION);

const shots: readonly Shot[] = [
  { name: "home", at: team("?range=day"), ready: "How long recall takes" },
  { name: "home-first", at: own(""), ready: "The first five minutes", seenBy: "newcomer" },
  { name: "memories", at: team("memories"), ready: /newest first/ },
  { name: "memories-search", at: team(`memories?q=${q}`), ready: "staging gateway" },
  { name: "memory", at: (w) => `${w.teamId}/memories?id=${w.asked.memory}`, ready: "Where it comes from" },
  {
    name: "memory-history",
    at: (w) => `${w.teamId}/memories?id=${w.asked.memory}&part=history`,
    ready: /versions, newest first/,
  },
  {
    name: "memory-relations",
    at: (w) => `${w.teamId}/memories?id=${w.asked.memory}&part=relations`,
    ready: /Supersedes|Superseded by|Often recalled with/,
  },
  { name: "recalls", at: team("recalls"), ready: "staging gateway" },
  {
    name: "recall",
    at: team("recalls"),
    ready: "staging gateway",
    async open(page) {
      await page.getByRole("link", { name: "which rounding does billing use" }).first().click();
      await page.getByText(/came, best first/).waitFor();
    },
  },
  { name: "lab", at: team(`lab?q=${q}&tokens=220`), ready: "weighed" },
  {
    name: "lab-compared",
    at: (w) => `${w.teamId}/lab?q=${q}&compare=yes&tokens=500&b_type=semantic&why=${w.asked.memory}`,
    ready: "weighed",
  },
  { name: "projects", at: team("projects"), ready: "apollo" },
  { name: "project-pack", at: team("projects/apollo?tab=pack"), ready: "What to do next" },
  { name: "project-todos", at: team("projects/apollo?tab=todos"), ready: "Renew the certificate" },
  {
    name: "project-decisions",
    at: team("projects/apollo?tab=decisions"),
    ready: "old gateway as a fallback",
  },
  { name: "project-timeline", at: team("projects/apollo?tab=timeline"), ready: /todo block/ },
  { name: "project-maintenance", at: team("projects/apollo?tab=maintenance"), ready: "Duplicates" },
  { name: "maintenance", at: team("maintenance"), ready: "apollo" },
  { name: "reminders", at: team("reminders"), ready: "Upgrade Postgres" },
  { name: "knowledge", at: team("knowledge"), ready: "An order is charged when it is shipped" },
  { name: "ledger", at: team("ledger"), ready: "Train to Lisbon" },
  { name: "access-team", at: team("access"), ready: "solveig" },
  { name: "access", at: own("access"), ready: "claude-code" },
  {
    name: "access-agent",
    at: team("access"),
    ready: "claude-code",
    async open(page) {
      await page.getByRole("table").getByRole("link", { name: "claude-code" }).click();
      await page.getByText("Verified, own token").waitFor();
    },
  },
  {
    name: "agents-review",
    at: own("access"),
    ready: "claude-code",
    async open(page, { asked }) {
      await page.getByRole("button", { name: "Add agent" }).click();
      await page.getByRole("textbox", { name: "Code" }).fill(asked.code);
      await page.getByRole("button", { name: "Look who it is" }).click();
      await page
        .getByText(/taken over/)
        .first()
        .waitFor();
    },
  },
  { name: "end-users", at: team("end-users"), ready: "cust_8000" },
  {
    name: "end-user",
    at: team("end-users?user=cust_8276"),
    ready: "Ask in the lab",
    async open(page) {
      await page.getByRole("button", { name: /^Show \d/ }).click();
      await page.getByText("Wants invoices as PDF").waitFor();
    },
  },
  {
    name: "end-user-erase",
    at: team("end-users?user=cust_8276"),
    ready: "Ask in the lab",
    async open(page) {
      await page.getByRole("button", { name: "Erase…" }).click();
      await page.getByText("None of this can be restored").waitFor();
    },
  },
  { name: "service", at: team("service"), ready: "Recall sees" },
  { name: "service-index", at: team("service/indexes"), ready: "Vectors of this workspace" },
  { name: "service-transfer", at: team("service/transfer"), ready: "Export the memories" },
  {
    name: "service-limits",
    at: team("service/limits"),
    ready: "This window",
    before: (world) => world.report(),
  },
  { name: "service-audit", at: team("service/audit"), ready: "Audit log" },
  {
    name: "erase",
    at: own("erase"),
    ready: "Erase a person or subject",
    async open(page) {
      await page.getByLabel(/^Names, mail addresses/).fill("Solveig\nLisbon");
      await page.getByRole("button", { name: "Search every record" }).click();
      await page.getByText(/contain these terms/).waitFor();
    },
  },
  { name: "account", at: own("account"), ready: "Where you are signed in" },
  {
    name: "palette",
    at: team("memories"),
    ready: /newest first/,
    async open(page) {
      await page.keyboard.press("Control+k");
      await page.getByRole("textbox", { name: "Search or jump to" }).waitFor();
    },
  },
  { name: "sign-in", at: () => "/sign-in", ready: "Sign in", seenBy: "nobody" },
  { name: "bind", at: () => "/bind", ready: "code" },
];

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

async function pagesOf(browser: Browser, url: string, seenBy: Person | null): Promise<Page> {
  const context = await browser.newContext({ viewport: WIDE, locale: "en-GB", timezoneId: "Europe/Berlin" });
  context.setDefaultTimeout(20_000);
  if (seenBy) await context.addCookies([{ ...seenBy.cookie, url }]);
  return context.newPage();
}

/** A picture as WebP: a tenth of the PNG, with no difference to be seen. */
function webp(png: string, to: string): void {
  const { status, stderr } = spawnSync(
    "ffmpeg",
    [
      "-y",
      "-loglevel",
      "error",
      "-i",
      png,
      "-c:v",
      "libwebp",
      "-quality",
      "82",
      "-compression_level",
      "6",
      to,
    ],
    { encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`ffmpeg: ${stderr}`);
}

/** A page of several questions has its heading before it has their answers. */
async function expectNothingAwaited(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector(".mantine-Loader-root, [data-loading]") === null);
}

async function take(page: Page, shot: Shot, url: string, world: PictureWorld, to: string): Promise<void> {
  const path = shot.at(world);
  for (const [name, colorScheme, viewport] of [
    ["light", "light", WIDE],
    ["dark", "dark", WIDE],
    ["phone", "light", PHONE],
  ] as const) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await shot.before?.(world);
    await page.goto(path.startsWith("/") ? url + path : `${url}/admin/${path}`);
    await page.locator("main, body").getByText(shot.ready).first().waitFor({ state: "attached" });
    await shot.open?.(page, world);
    await expectNothingAwaited(page);
    // The stream of changes goes on, so that the network is never idle.
    await page.waitForTimeout(700);
    await page.evaluate(() => document.fonts.ready);
    const png = join(to, `.${shot.name}.png`);
    await page.screenshot({ path: png });
    webp(png, join(to, `${shot.name}-${name}.webp`));
    rmSync(png);
  }
}

async function run(only: readonly string[] | null, isRecorded: boolean, to: string): Promise<void> {
  spawnSync(process.execPath, [join(repository, "admin-ui/build.js"), "--if-changed"], { stdio: "inherit" });
  mkdirSync(to, { recursive: true });
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  if (!existsSync(executablePath)) throw new Error(`There is no browser at ${executablePath}.\n\n${HELP}`);
  // Limits that nothing here meets, and near enough to be seen.
  const served = await openServed({
    RATE_LIMIT_ENABLED: "true",
    RATE_LIMIT_DATA_PLANE: "2400",
    RATE_LIMIT_WRITES: "900",
    RATE_LIMIT_READS: "1200",
  });
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const world = await furnish(served);
    const pages = {
      ada: await pagesOf(browser, served.url, world.ada),
      newcomer: await pagesOf(browser, served.url, world.newcomer),
      nobody: await pagesOf(browser, served.url, null),
    };
    for (const shot of shots) {
      if (only && !only.includes(shot.name)) continue;
      await take(pages[shot.seenBy ?? "ada"], shot, served.url, world, to);
      console.log(shot.name);
    }
    if (isRecorded) {
      const frames = mkdtempSync(join(tmpdir(), "recollect-frames-"));
      const page = await pagesOf(browser, served.url, world.ada);
      await record(page, served.url, world, frames, join(to, "recollect.webp"));
      rmSync(frames, { recursive: true });
      console.log("recollect.webp");
    }
  } finally {
    await browser.close();
    await served.close();
  }
  if (only === null) forget(to);
}

/** Pictures of pages that are no more. */
function forget(folder: string): void {
  const names = new Set(shots.flatMap(({ name }) => [`${name}-light`, `${name}-dark`, `${name}-phone`]));
  for (const file of readdirSync(folder)) {
    const [, name = "", ofPage] = /^((?:.*)-(light|dark|phone))\.webp$/.exec(file) ?? [];
    if (ofPage && !names.has(name)) rmSync(join(folder, file));
  }
}

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    "no-recording": { type: "boolean", default: false },
    to: { type: "string", default: join(repository, "docs/screens") },
    help: { type: "boolean", default: false },
  },
});
if (values.help) console.log(HELP);
else {
  await run(values.only?.split(",") ?? null, !values["no-recording"], values.to);
  process.exit(0);
}
