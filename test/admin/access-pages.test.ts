/** Agents and credentials in a real browser: let in, made, replaced, ended; what roles see; and what strangers try. */
import { createServer } from "node:http";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { bind, confirm, register } from "../agents/agents.ts";
import { launchChromium } from "../browser/support/chromium.ts";
import { openServed, type Served } from "../browser/support/served.ts";
import { setUp } from "../browser/support/signing-in.ts";
import { buildAdminUi, faultsOf, settled, silentPage } from "./support/pages.ts";

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

/** Every address that the page has asked for since. */
function addressesOf(page: Page): string[] {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  return asked;
}

const ATTACK = `<img src=x onerror="document.title='owned'"><script>document.title="owned"</script>`;

async function gone(page: Page): Promise<void> {
  await page.getByRole("dialog").waitFor({ state: "hidden" });
}

/** What the service answers to the page's own session, asked past what the page offers. */
function askedDirectly(page: Page, path: string, input: object): Promise<string> {
  return page.evaluate(
    async ([at, body]) => {
      const headers = { "content-type": "application/json" };
      const answer = await fetch(`/trpc/${at}`, { method: "POST", headers, body: body as string });
      const { error } = (await answer.json()) as { error?: { data: { code: string } } };
      return error?.data.code ?? "done";
    },
    [path, JSON.stringify(input)],
  );
}

test("an agent that was not seen for a week is silent, and its recalls of the week lead to the log", async () => {
  const page = await silentPage(browser);
  const { owner } = await setUp(page, served);
  const [silent, busy] = await Promise.all(
    ["Sleeper", "Worker"].map((client_name) => register(served.world, { client_name })),
  );
  const { sql } = served.world.service;
  for (const agent of [silent, busy]) if (agent) await bind(served.world, agent, owner);
  await sql`update tokens set last_used_at = now() - interval '12 days' where agent_id = ${silent?.id ?? ""}`;
  await sql`update tokens set last_used_at = now() where agent_id = ${busy?.id ?? ""}`;
  await sql`
    insert into recalls (id, owner_id, at, operation, question, outcome, memories, ms, token_id, agent_id)
    select gen_random_uuid(), ${owner.id}, now() - n % 3 * interval '1 day', 'search', 'asked', 'found', '{}', 4,
      gen_random_uuid(), ${busy?.id ?? ""} from generate_series(1, 12) n`;
  await page.goto(`${served.url}/admin/own/access`);
  const row = (name: string) => page.getByRole("row").filter({ hasText: name });
  await row("Sleeper").getByText("Silent for 12 days").waitFor();
  await row("Sleeper").getByLabel("0 recalls by Sleeper in 7 days").waitFor();
  expect(
    await row("Worker")
      .getByText(/Silent/)
      .count(),
  ).toBe(0);
  await row("Worker").getByLabel("12 recalls by Worker in 7 days").waitFor();
  await page.getByRole("button", { name: "7 days" }).click();
  await page.waitForURL(/by=recalls/);
  const names = page.getByRole("table").getByRole("link");
  await expect.poll(() => names.first().textContent()).toContain("Worker");
  await row("Worker").getByRole("link", { name: "Worker" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("12 recalls in 7 days, on 3 of them").waitFor();
  await page.getByRole("link", { name: "All 12 of 7 days" }).click();
  await page.waitForURL(/recalls\?(?=.*range=week)(?=.*agent=)/);
}, 120_000);

test("an agent is let in by its code, with a choice that shows what it takes over, and revoked", async () => {
  const page = await silentPage(browser);
  await setUp(page, served);
  const agent = await register(served.world, {
    client_name: ATTACK,
    runtime: "<img src=x onerror=alert(1)>",
  });
  await agent.client.post("/v1/remember", { content: ATTACK, path: "notes" });
  await page.goto(`${served.url}/admin/own/access`);
  const asked = addressesOf(page);
  await page.getByRole("button", { name: "Agents 0" }).waitFor();
  await page.getByRole("button", { name: "Add agent" }).click();
  await page.getByRole("textbox", { name: "Code" }).fill(agent.code.toLowerCase());
  await page.getByRole("button", { name: "Look who it is" }).click();
  // Reading alone is chosen at first, never writing, which includes deleting permanently.
  await page.getByText("is not taken over", { exact: true }).waitFor();
  await page.getByLabel("Write, change, delete and restore memories").check();
  await page.getByText("is taken over", { exact: true }).waitFor();
  await page.getByText("Read it").click();
  expect(await page.locator(".said .stored").textContent()).toBe(ATTACK);
  await page.getByLabel("Write, change, delete and restore memories").uncheck();
  await page.getByText("is not taken over", { exact: true }).waitFor();
  await page.getByLabel("Write, change, delete and restore memories").check();
  await page.getByText("is taken over", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Approve 1 agent" }).click();
  const token = await page.getByLabel("Confirmation token").inputValue();
  await page.getByRole("button", { name: "I have handed it over" }).click();
  await gone(page);
  expect(await page.content()).not.toContain(token);
  expect(asked.filter((url) => url.includes(token) || url.includes(agent.code))).toEqual([]);
  await page.getByText("Waiting for its confirmation token").waitFor();
  await page.getByRole("status").getByText("was approved and has no access yet").waitFor();
  const confirmed = await confirm(agent, token);
  expect(confirmed.status).toBe(200);
  await served.world
    .withToken(confirmed.body.token)
    .post("/v1/remember", { content: "Later", path: "notes" });
  await page.getByText("Waiting for its confirmation token").waitFor({ state: "hidden" });
  await page.getByText("was approved and has no access yet").waitFor({ state: "hidden" });
  await page.getByRole("table").getByRole("link", { name: ATTACK }).click();
  await page.getByText("Verified, own token").waitFor();
  await page.getByRole("region", { name: "Wrote" }).getByRole("link", { name: ATTACK }).waitFor();
  await page.getByRole("region", { name: "Did" }).getByText("wrote").first().waitFor();
  expect(await page.locator("main img, main script").count()).toBe(0);
  expect(await page.title()).toBe("Recollect");
  await page.getByRole("button", { name: /^Revoke/ }).click();
  await page.getByRole("button", { name: "Revoke 1 agent" }).click();
  await page.getByText("The agent was revoked.").waitFor();
  await page.getByText("Revoked", { exact: true }).waitFor();
  await page.getByRole("link", { name: "People and agents" }).last().click();
  await page.getByRole("button", { name: "Agents 0" }).waitFor();
  await page.getByLabel("Show ended (1)").check();
  await page.waitForURL(/ended=shown/);
  await page.reload();
  await page.getByText("Revoked", { exact: true }).waitFor();
}, 120_000);

test("what the agent writes while it is looked at is not taken over unseen, and a wrong code says what to do", async () => {
  const page = await silentPage(browser, /404|412/);
  await setUp(page, served);
  const agent = await register(served.world);
  await page.goto(`${served.url}/admin/own/access`);
  await page.getByRole("button", { name: "Add agent" }).click();
  await page.getByRole("textbox", { name: "Code" }).fill("0000-0000-0000");
  await page.getByRole("button", { name: "Look who it is" }).click();
  await page.getByText("No agent is waiting under this code.").waitFor();
  await page.getByRole("textbox", { name: "Code" }).fill(agent.code);
  await page.getByRole("button", { name: "Look who it is" }).click();
  await page.getByText("It has written nothing yet.").waitFor();
  await agent.client.post("/v1/remember", { content: "Meanwhile", path: "notes" });
  await page.getByRole("button", { name: "Approve 1 agent" }).click();
  await page.getByText("Not decided: It has changed in the meantime.").waitFor();
  await page.getByText("1 memory in").waitFor();
  await page.getByRole("button", { name: "Deny" }).click();
  await page.getByText("Denied.").waitFor();
  expect(await served.world.service.agentClaims.find(agent.code)).toBe(null);
}, 120_000);

test("a key is made, its secret shown once; it is replaced and revoked, and a refusal is said", async () => {
  const page = await silentPage(browser, /409/);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await setUp(page, served);
  await page.goto(`${served.url}/admin/own/access`);
  const asked = addressesOf(page);
  await page.getByRole("button", { name: "Create a key" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("laptop");
  await page.getByRole("button", { name: "Create 1 key" }).click();
  const first = await page.getByLabel("Secret").inputValue();
  await page.getByRole("button", { name: "Copy" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(first);
  const used = () => served.world.withToken(first).get("/v1/memories");
  expect((await used()).status).toBe(200);
  await page.getByRole("button", { name: "I have kept it" }).click();
  await gone(page);
  const newest = async () => {
    await page.goto(`${served.url}/admin/own/access`);
    await page.getByRole("table").getByRole("link", { name: "laptop" }).last().click();
    await page.getByRole("heading", { level: 1, name: "laptop" }).waitFor();
  };
  await newest();
  const former = page.url();
  const replace = async (overlap: string) => {
    await page.getByRole("button", { name: "Replace…" }).click();
    await page.getByRole("combobox", { name: "How long the old one stays valid" }).click();
    await page.getByRole("option", { name: overlap }).click();
    await page.getByRole("button", { name: "Replace 1 credential" }).click();
  };
  await replace("An hour");
  const second = await page.getByLabel("New secret").inputValue();
  await page.getByRole("button", { name: "I have kept it" }).click();
  await gone(page);
  expect((await served.world.withToken(second).get("/v1/memories")).status).toBe(200);
  // The former again: the new one was used already.
  await replace("Not at all");
  await page.getByText("Not replaced: This was refused.").waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await gone(page);
  expect(page.url()).toBe(former);
  await page.getByRole("button", { name: "Revoke…" }).click();
  await page.getByRole("button", { name: "Revoke 1 credential" }).click();
  await page.getByText("laptop is refused from now on.").waitFor();
  expect((await used()).status).toBe(401);
  for (const secret of [first, second]) {
    expect(await page.content()).not.toContain(secret);
    expect(asked.filter((url) => url.includes(secret))).toEqual([]);
  }
  await page.getByRole("link", { name: "People and agents" }).last().click();
  await page.getByLabel("Show ended (1)").check();
  await page.waitForURL(/ended=shown/);
  await page.getByText("Revoked", { exact: true }).waitFor();
}, 120_000);

test("a row's menu offers by keyboard what the page of its item does, and old addresses lead to the new pages", async () => {
  const page = await silentPage(browser);
  const { owner } = await setUp(page, served);
  const agent = await register(served.world, { client_name: "Menu agent" });
  await bind(served.world, agent, owner);
  await page.goto(`${served.url}/admin/own/agents/${agent.id}`);
  await page.waitForURL(`${served.url}/admin/own/access/agent/${agent.id}`);
  await page.getByRole("heading", { name: "Menu agent" }).waitFor();
  await page.goto(`${served.url}/admin/own/credentials/nothing`);
  await page.waitForURL(/own\/access\/key\/nothing$/);
  await page.getByText("It is gone, or you may not see it.").waitFor();
  await page.goto(`${served.url}/admin/own/team`);
  await page.waitForURL(/own\/access\?kind=person$/);
  await page.goto(`${served.url}/admin/own/agents`);
  await page.waitForURL(/own\/access\?kind=agent$/);
  await page.goto(`${served.url}/admin/own/nowhere`);
  await page.getByText("There is no such page").waitFor();
  await page.getByRole("navigation").getByRole("link", { name: "People and agents" }).click();
  const menu = page.getByRole("button", { name: "Actions: Menu agent" });
  await menu.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Open" }).waitFor();
  await expect.poll(() => page.getByRole("menuitem").allTextContents()).toEqual(["Open", "Revoke…"]);
  expect(await faultsOf(page, "access-menu")).toEqual([]);
  await page.getByRole("menuitem", { name: "Open" }).focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Revoke 1 agent" }).click();
  await page.getByText("The agent was revoked.").waitFor();
  await page.getByRole("button", { name: "Agents 0" }).click();
  await page.getByText("No agents yet").waitFor();
  await page.getByText("until then only who has the code can see it").waitFor();
}, 120_000);

test("a viewer, a member and an admin are offered what their role allows, and the service refuses the rest when asked", async () => {
  const { teams, credentials } = served.world.service;
  const keeper = await credentials.ensureOwner("user", `keeper ${crypto.randomUUID()}`);
  const { team } = await teams.create(`crew ${crypto.randomUUID()}`, keeper);
  const space = { teamId: null, projects: null, pathPrefix: null, buckets: null };
  const { credential } = await credentials.issue({
    kind: "api_key",
    ownerId: team.id,
    name: "the team's robot",
    scopes: ["memory:read"],
    space,
    expiresAt: null,
  });
  for (const role of ["viewer", "member", "admin"] as const) {
    const page = await silentPage(browser, /403/);
    const { owner } = await setUp(page, served);
    await teams.add(team.id, owner.id, role);
    await page.goto(`${served.url}/admin/${team.id}/access`);
    await page.getByRole("table").getByRole("link", { name: owner.name }).waitFor();
    const isKeeper = role === "admin";
    if (!isKeeper) await page.getByText(`You are ${role}: only admins and owners manage`).waitFor();
    expect(await page.getByRole("link", { name: "the team's robot" }).count()).toBe(isKeeper ? 1 : 0);
    await page.getByRole("button", { name: "Create a key" }).click();
    await page.getByLabel("A program of your own").waitFor();
    expect(await page.getByLabel("The team's own: it can access").count()).toBe(isKeeper ? 1 : 0);
    const id = { credential_id: credential.tokenId };
    const key = { kind: "api_key", name: "x", scopes: ["memory:read"], team_id: team.id, is_teams: true };
    const direct = [
      await askedDirectly(page, "createCredential", key),
      await askedDirectly(page, "rotateCredential", id),
      await askedDirectly(page, "revokeCredential", id),
    ];
    expect([role, ...direct]).toEqual([role, ...Array(3).fill(isKeeper ? "done" : "role_forbidden")]);
    await page.context().close();
  }
}, 120_000);

test("names of apps, agents and keys are text, whatever is in them", async () => {
  const page = await silentPage(browser);
  const { owner } = await setUp(page, served);
  const { sql, credentials } = served.world.service;
  await bind(served.world, await register(served.world, { client_name: ATTACK }), owner);
  const space = { teamId: null, projects: null, pathPrefix: ATTACK, buckets: [ATTACK] };
  const scopes = ["memory:read"] as const;
  await credentials.issue({ kind: "skill", ownerId: owner.id, name: ATTACK, scopes, space, expiresAt: null });
  await sql`
    insert into tokens (id, kind, hash, hint, name, owner_id, scopes, account_id, client_id)
    select gen_random_uuid(), 'oauth', decode(md5(random()::text) || md5(random()::text), 'hex'), 'rcl_oauth_', ${ATTACK},
      owner_id, array['memory:read'], account_id, 'client' from tokens where owner_id = ${owner.id} and kind = 'session'`;
  await page.goto(`${served.url}/admin/own/access`);
  const names = page.getByRole("table").getByRole("link", { name: ATTACK });
  await names.nth(2).waitFor();
  expect(await names.count()).toBe(3);
  expect(await page.locator("main img, main script").count()).toBe(0);
  expect(await page.title()).toBe("Recollect");
  await page.getByRole("button", { name: "Apps 1" }).click();
  await names.click();
  await page.getByRole("button", { name: /^Disconnect/ }).click();
  expect(await page.getByRole("dialog").locator("img, script").count()).toBe(0);
  await page.getByRole("button", { name: "Disconnect 1 app" }).click();
  await page.getByText("is refused from now on.").waitFor();
  expect(await page.title()).toBe("Recollect");
}, 120_000);

test("a page of another origin can neither frame these pages nor do anything here for whoever is signed in", async () => {
  const evil = createServer((_, response) =>
    response.setHeader("content-type", "text/html").end("<!doctype html><title>Evil</title><h1>Evil</h1>"),
  );
  await new Promise<void>((resolve) => evil.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void evil.close());
  const { port } = evil.address() as { port: number };
  // Frames and requests that are refused are said on the console: that is the point.
  const page = await silentPage(browser, /./);
  const { owner } = await setUp(page, served);
  const agent = await register(served.world);
  // Not the session's own row, which its first request makes.
  const others = async () =>
    (await served.world.service.credentials.listOf(owner.id)).filter(({ kind }) => kind !== "session");
  const before = (await others()).length;
  // The same site and another origin: the cookie goes with what it asks.
  await page.goto(`http://127.0.0.1:${port}/`);
  for (const path of ["/admin/own/access", "/bind", "/account"]) {
    await page.evaluate((src) => {
      const loaded = new Promise((resolve) => {
        document.body.replaceChildren(
          Object.assign(document.createElement("iframe"), { src, onload: resolve }),
        );
      });
      return Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, 5000))]);
    }, served.url + path);
    const framed = page.frames().filter((frame) => frame !== page.mainFrame());
    const shown = await Promise.all(
      framed.map((frame) => frame.evaluate(() => document.querySelector("h1")?.textContent)),
    );
    expect([path, ...shown.filter((words) => words && /agents|Connect|account/i.test(words))]).toEqual([
      path,
    ]);
    expect(framed.every((frame) => !frame.url().startsWith(served.url))).toBe(true);
  }
  const key = JSON.stringify({ kind: "api_key", name: "theirs", scopes: ["memory:read"] });
  const approval = JSON.stringify({ code: agent.code, scopes: ["memory:read"], discards: true });
  for (const [path, body] of [
    ["createCredential", key],
    ["approveAgent", approval],
  ] as const)
    for (const [type, mode] of [
      ["application/json", "cors"],
      ["text/plain", "no-cors"],
      ["application/x-www-form-urlencoded", "no-cors"],
    ] as const) {
      const told = await page.evaluate(
        async ([url, content, contentType, how]) =>
          fetch(url as string, {
            method: "POST",
            credentials: "include",
            mode: how as RequestMode,
            headers: { "content-type": contentType as string },
            body: content as string,
          }).then(
            (answer) => answer.type,
            () => "refused",
          ),
        [`${served.url}/trpc/${path}`, body, type, mode],
      );
      expect(["refused", "opaque"]).toContain(told);
    }
  await page.evaluate((action) => {
    const form = Object.assign(document.createElement("form"), {
      method: "post",
      action,
      enctype: "text/plain",
    });
    form.append(
      Object.assign(document.createElement("input"), { name: '{"kind":"api_key","name":"', value: '"}' }),
    );
    document.body.append(form);
    form.submit();
  }, `${served.url}/trpc/createCredential`);
  await page.waitForURL(/trpc/);
  expect(await others()).toHaveLength(before);
  expect(await served.world.service.agentClaims.find(agent.code)).toMatchObject({ status: "pending" });
}, 120_000);

test("a person erases everything of theirs by typing their name, and keeps the address of the receipt", async () => {
  // The session ends with the account, and what the page still asks for is refused.
  const page = await silentPage(browser, /401/);
  const { owner } = await setUp(page, served);
  const own = await served.world.client({ owner: owner.name });
  await own.post("/v1/remember", { content: "Deploys go out on Tuesdays", path: "notes" });
  await page.goto(`${served.url}/admin/own/account`);
  await page.getByRole("button", { name: "Count what would be erased" }).click();
  const erase = page.getByRole("button", { name: "Erase 1 memory and the account" });
  await erase.waitFor();
  expect(await faultsOf(page, "account-erase")).toEqual([]);
  expect(await erase.isDisabled()).toBe(true);
  await page.getByLabel("Type the name of your user").fill(owner.name);
  await erase.click();
  await page.getByRole("heading", { name: "The erasure has begun" }).waitFor();
  expect((await own.get("/v1/memories")).status).toBe(401);
  const receipt = await page.getByRole("link", { name: /v1.erasures/ }).getAttribute("href");
  expect((await fetch(served.url + receipt)).status).toBe(200);
}, 120_000);

test("axe finds nothing on the pages and in their dialogs, and nothing is wider than a phone", async () => {
  const page = await silentPage(browser);
  const { owner } = await setUp(page, served);
  const { teams, credentials } = served.world.service;
  const { team } = await teams.create(`Apollo ${owner.name.slice(-6)}`, owner);
  const found: unknown[] = [];
  const look = async (name: string) => {
    await settled(page);
    found.push(...(await faultsOf(page, name)));
  };
  const visit = async (path: string, ready: string) => {
    await page.goto(`${served.url}/admin/${path}`);
    await page.getByText(ready).first().waitFor();
  };
  await visit("own/access", "Create a team");
  await look("access-empty");
  const coder = await bind(
    served.world,
    await register(served.world, { client_name: "Apollo's coder" }),
    owner,
  );
  await coder.get("/v1/memories");
  await coder.post("/v1/skill/tokens", { name: "expenses", buckets: ["ledger"] });
  const narrow = { teamId: team.id, projects: ["apollo"], scopes: ["memory:read"] as const };
  await bind(
    served.world,
    await register(served.world, { client_name: "Reviewer 🤖 with a long name ".repeat(3) }),
    owner,
    narrow,
  );
  const space = { teamId: null, projects: null, pathPrefix: null, buckets: null };
  await credentials.issue({
    kind: "api_key",
    ownerId: team.id,
    name: "ci",
    scopes: ["memory:read"],
    space,
    expiresAt: null,
  });
  await visit("own/access", "Apollo's coder");
  await look("access");
  await page.getByRole("table").getByRole("link", { name: "Apollo's coder" }).click();
  await page.getByText("Verified, own token").waitFor();
  await look("access-agent");
  await visit("own/access", "Apollo's coder");
  const waiting = await register(served.world, {
    client_name: "Helper",
    client_version: "1.4",
    project_id: "apollo",
  });
  await waiting.client.post("/v1/remember", { content: "Deploys go out on Tuesdays", path: "notes" });
  await page.getByRole("button", { name: "Add agent" }).click();
  await page.getByRole("textbox", { name: "Code" }).fill(waiting.code);
  await page.getByRole("button", { name: "Look who it is" }).click();
  await page.getByText("is not taken over", { exact: true }).waitFor();
  await look("access-review");
  await page.getByRole("button", { name: "Approve 1 agent" }).click();
  await page.getByLabel("Confirmation token").waitFor();
  await look("access-token");
  await visit(`${team.id}/access`, "ci");
  await look("access-team");
  await page.getByRole("button", { name: "Create a key" }).click();
  await page.getByText("The team's own: it can access").waitFor();
  await look("access-create");
  await page.getByRole("button", { name: "Cancel" }).click();
  await gone(page);
  await page.getByRole("table").getByRole("link", { name: "ci" }).click();
  await page.getByRole("button", { name: "Revoke…" }).click();
  await page.getByRole("button", { name: "Revoke 1 credential" }).waitFor();
  await look("access-revoke");
  expect(found).toEqual([]);
}, 240_000);
