/**
 * Attacks on whoever is signed in to the admin UI, tried in a real browser: stored text that is a program, in everything
 * that can be stored and on every page; a page of the same site that calls every procedure; and frames around every page.
 */
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { everyOperation } from "../../src/contract/operations.ts";
import { bind, register } from "../agents/agents.ts";
import { launchChromium, profile } from "../browser/support/chromium.ts";
import { openServed, type Served } from "../browser/support/served.ts";
import { setUp } from "../browser/support/signing-in.ts";
import { eventually } from "../support/acting.ts";
import { columnsHolding, fingerprint } from "../support/stored-text.ts";
import { everyPage } from "./support/every-page.ts";
import { buildAdminUi, settled } from "./support/pages.ts";

let browser: Browser;
let served: Served;

beforeAll(async () => {
  buildAdminUi();
  browser = await launchChromium();
  served = await openServed();
}, 180_000);

afterAll(async () => {
  await browser?.close();
  await served?.close();
});

/** What every text begins with, so that it can be told where it is stored. */
const MARK = "Zq7";
/** Each way that has made text a program somewhere: in markup, in an attribute, in an address. */
const ATTACK = `${MARK}"'><img src=x onerror=owned()><script>owned()</script><svg onload=owned()>{{owned()}}`;
/** Where blanks and quotes are refused. */
const SHORT = `${MARK}<img/src=x/onerror=owned()>`;

/** Whatever says that a text was run, or would have been but for the policy. */
async function watched(): Promise<{ page: Page; ran: string[] }> {
  const context = await profile(browser);
  const page = await context.newPage();
  const ran: string[] = [];
  await page.exposeFunction("owned", () => void ran.push("a script of the text ran"));
  page.on("dialog", (dialog) => {
    ran.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("console", (line) => {
    if (/content security policy|refused to/i.test(line.text())) ran.push(line.text());
  });
  page.on("request", (request) => {
    if (/\/x$|\/x\?/.test(new URL(request.url()).pathname)) ran.push(`asked for ${request.url()}`);
  });
  page.on("pageerror", (error) => ran.push(String(error)));
  return { page, ran };
}

/** Elements that only a text could have put there. */
const planted = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("img, script, svg[onload], [onerror], iframe, a[href^='javascript:' i]")]
      .filter((element) => /owned|^x$/.test(`${element.outerHTML}`) || element.getAttribute("src") === "x")
      .map((element) => element.outerHTML),
  );

/** Puts the attack into every text that there is. Answers the team that has it too. */
async function plant(page: Page, owner: { id: string; name: string }) {
  const { teams, credentials, sql } = served.world.service;
  const { team } = await teams.create(`${ATTACK}${owner.name}`.slice(0, 128), owner as never);
  const guest = await credentials.ensureOwner("user", `${ATTACK} guest of ${owner.name}`.slice(0, 128));
  await teams.add(team.id, guest.id, "member");
  const client = await served.world.client({ owner: owner.name });
  const post = async (path: string, body: object) => {
    const answer = await client.post(path, body);
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  let last = "";
  for (const of of [{}, { team_id: team.id }]) {
    const { id } = await post("/v1/remember", {
      content: ATTACK,
      path: SHORT,
      bucket: SHORT,
      source: ATTACK,
      semantic_key: ATTACK,
      metadata: {
        [ATTACK]: ATTACK,
        session_id: SHORT,
        agent_id: SHORT,
        tags: [ATTACK],
        mentions: [ATTACK],
        source_url: "javascript:owned()",
      },
      provenance: { [ATTACK]: ATTACK, url: "javascript:owned()" },
      project_id: "apollo",
      dedupe: false,
      ...of,
    });
    last = id;
    await client.patch(`/v1/memories/${id}`, { content: `${ATTACK} and again`, path: SHORT });
    await post("/v1/remember", {
      content: ATTACK,
      path: SHORT,
      memory_type: "reminder",
      metadata: { due_at: "2020-01-01T00:00:00Z", recurrence: "FREQ=DAILY" },
      ...of,
    });
    await post("/v1/remember", {
      content: ATTACK,
      path: SHORT,
      memory_type: "knowledge",
      bucket: "knowledge",
      ...of,
    });
    await post("/v1/ledger/expenses", { item: ATTACK, amount: "1.00", category: SHORT, ...of });
    const todos = "/v1/projects/apollo/todos";
    const todo = await post(todos, {
      content: ATTACK,
      assignee_agent_id: SHORT,
      metadata: { [ATTACK]: ATTACK },
      ...of,
    });
    await post(`${todos}/${todo.todo_id}/block`, { reason: ATTACK });
    await post(todos, { content: ATTACK, depends_on: [todo.todo_id], ...of });
    const done = await post(todos, { content: ATTACK, ...of });
    await post(`${todos}/${done.todo_id}/complete`, { note: ATTACK });
    const decisions = "/v1/projects/apollo/decisions";
    const decision = await post(decisions, {
      context: ATTACK,
      options: [ATTACK],
      proposed_by_agent_id: SHORT,
      ...of,
    });
    await post(`${decisions}/${decision.decision_id}/supersede`, {
      context: ATTACK,
      resolution_note: ATTACK,
    });
  }
  await sql`update memories set updated_at = now() - interval '1 year' where workspace_item is null and content like ${`${MARK}%and again`}`;
  const agent = {
    client_name: ATTACK,
    client_version: SHORT,
    runtime: SHORT,
    installation_fingerprint: "laptop-7f3a",
  };
  await bind(served.world, await register(served.world, agent), owner as never);
  const waiting = await register(served.world, agent);
  await waiting.client.post("/v1/remember", { content: ATTACK, path: SHORT });
  const space = { teamId: null, projects: null, pathPrefix: SHORT, buckets: [SHORT] };
  const scopes = ["memory:read"] as const;
  for (const [kind, ownerId] of [
    ["api_key", owner.id],
    ["skill", owner.id],
    ["api_key", team.id],
  ] as const)
    await credentials.issue({ kind, ownerId, name: ATTACK, scopes, space, expiresAt: null });
  await sql`
    insert into tokens (id, kind, hash, hint, name, owner_id, scopes, account_id, client_id)
    select gen_random_uuid(), 'oauth', decode(md5(random()::text) || md5(random()::text), 'hex'), 'rcl_oauth_', ${ATTACK},
      owner_id, array['memory:read'], account_id, ${ATTACK} from tokens where owner_id = ${owner.id} and kind = 'session'`;
  for (const ownerId of [owner.id, team.id])
    await sql`
      insert into audit_log (owner_id, operation, agent_id, request_id, detail)
      values (${ownerId}, ${ATTACK}, ${ATTACK}, ${ATTACK}, ${{ [ATTACK]: ATTACK } as never})`;
  await page.goto(`${served.url}/account`);
  return { team, memory: last, code: waiting.code };
}

test("a text that is a program is a text on every page, in every panel, and the policy has nothing to refuse", async () => {
  const { page, ran } = await watched();
  const { owner } = await setUp(page, served);
  const { team, memory, code } = await plant(page, owner);
  // Where texts of callers are, so that one that is added later is not passed over without a word.
  const columns = await columnsHolding(served.world.service.sql, MARK);
  for (const column of ["memories.content", "memories.path", "memories.metadata", "memories.provenance"])
    expect(columns).toContain(column);
  const found: unknown[] = [];
  let seen = 0;
  const look = async (at: string) => {
    await settled(page);
    for (const details of await page.locator("main details:not([open]) > summary").all())
      await details.click({ timeout: 2000 }).catch(() => {});
    seen += await page.getByText(MARK).count();
    const html = await planted(page);
    if (html.length > 0) found.push({ at, html });
    if ((await page.title()) !== "Recollect") found.push({ at, title: await page.title() });
  };
  const q = encodeURIComponent(ATTACK);
  const more = [
    `memories?id=${memory}`,
    `memories?q=${q}&id=${memory}`,
    `memories?type=${q}&agent=${q}&path=${q}`,
    `lab?q=${q}&why=${memory}&session=${q}&project=${q}`,
    `lab?q=${q}&compare=yes&b_q=${q}`,
    `service/audit?operation=${q}&agent=${q}`,
    `projects/${q}`,
  ];
  for (const space of ["own", team.id])
    for (const path of [...everyPage, ...more]) {
      await page.goto(`${served.url}/admin/${space}/${path}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await look(`${space === "own" ? "own" : "team"}/${path}`);
    }
  await page.goto(`${served.url}/admin/own/access`);
  await page.getByRole("button", { name: "Add agent" }).click();
  await page.getByRole("textbox", { name: "Code" }).fill(code);
  await page.getByRole("button", { name: "Look who it is" }).click();
  await page.getByRole("dialog").getByText(MARK).first().waitFor();
  await look("review");
  for (const path of ["/account", "/bind", `/bind?code=${code}`, `/sign-in?next=${q}`]) {
    await page.goto(served.url + path);
    const html = await planted(page);
    if (html.length > 0) found.push({ at: path, html });
  }
  expect({ found, ran }).toEqual({ found: [], ran: [] });
  // The pages did show it.
  expect(seen).toBeGreaterThan(60);
}, 300_000);

/** A page of somebody else's on the same host: to the browser it is the same site, and the cookie goes along. */
async function evilOrigin(): Promise<string> {
  const evil = createServer((_, response) =>
    response.setHeader("content-type", "text/html").end("<!doctype html><title>Evil</title><h1>Evil</h1>"),
  );
  await new Promise<void>((resolve) => evil.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void evil.close());
  return `http://127.0.0.1:${(evil.address() as { port: number }).port}/`;
}

test("a page of another origin on the same site calls every procedure there is, and does nothing", async () => {
  const context = await profile(browser);
  const page = await context.newPage();
  await setUp(page, served);
  const origin = await evilOrigin();
  const { sql } = served.world.service;
  await page.goto(origin);
  // What the page before it had asked for may still be at work.
  let before = await fingerprint(sql);
  await eventually(
    async () => {
      const earlier = before;
      await sleep(500);
      before = await fingerprint(sql);
      return before === earlier;
    },
    (isSettled) => isSettled,
  );
  const paths = Object.keys(everyOperation);
  const opened = await page.evaluate(
    async ([base, procedures]) => {
      const body = JSON.stringify({
        content: "theirs",
        path: "notes",
        name: "theirs",
        kind: "api_key",
        scopes: ["memory:read"],
        project_id: "apollo",
      });
      const through: string[] = [];
      for (const procedure of procedures as string[])
        for (const [type, mode] of [
          ["application/json", "cors"],
          ["text/plain", "no-cors"],
        ] as const) {
          const answer = await fetch(`${base}/trpc/${procedure}`, {
            method: "POST",
            credentials: "include",
            mode,
            headers: { "content-type": type },
            body,
          }).catch(() => null);
          if (answer !== null && answer.type !== "opaque")
            through.push(`${procedure} ${type} ${answer.status}`);
        }
      return through;
    },
    [served.url, paths] as const,
  );
  expect(opened).toEqual([]);
  expect(await fingerprint(sql)).toBe(before);
  // And the session itself may, so that the refusals are about the origin.
  await page.goto(`${served.url}/admin/own`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  const own = await page.evaluate(async () =>
    fetch("/trpc/session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    }).then(({ status }) => status),
  );
  expect(own).toBe(200);
}, 120_000);

test("no page lets itself be framed by another origin", async () => {
  const context = await profile(browser);
  const page = await context.newPage();
  await setUp(page, served);
  await page.goto(await evilOrigin());
  const paths = [...everyPage.map((path) => `/admin/own/${path}`), "/sign-in", "/bind", "/account", "/setup"];
  await page.evaluate(
    (addresses) => {
      const frames = addresses.map((src) => {
        const frame = Object.assign(document.createElement("iframe"), { src });
        return { frame, loaded: new Promise((resolve) => frame.addEventListener("load", resolve)) };
      });
      document.body.replaceChildren(...frames.map(({ frame }) => frame));
      return Promise.race([
        Promise.all(frames.map(({ loaded }) => loaded)),
        new Promise((resolve) => setTimeout(resolve, 10_000)),
      ]);
    },
    paths.map((path) => served.url + path),
  );
  const framed = page.frames().filter((frame) => frame !== page.mainFrame());
  expect(framed).toHaveLength(paths.length);
  expect(framed.filter((frame) => frame.url().startsWith(served.url)).map((frame) => frame.url())).toEqual(
    [],
  );
}, 60_000);
