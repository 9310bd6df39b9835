/** Binding an agent, with a real browser, a real agent in its own process, and a real service between them. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { confirm, register } from "../agents/agents.ts";
import { listed, stored } from "../support/acting.ts";
import { startAgent } from "./support/agent-process.ts";
import { launchChromium, profile } from "./support/chromium.ts";
import { scripting } from "./support/scripting.ts";
import { openServed, type Served } from "./support/served.ts";
import { setUp, signIn } from "./support/signing-in.ts";

let served: Served;
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  served = await openServed();
});

afterAll(async () => {
  await browser?.close();
  await served?.close();
});

const approve = (page: Page) => page.getByRole("button", { name: "Approve" }).click();
const tokenOn = (page: Page) => page.getByLabel("Confirmation token").inputValue();

describe.each(scripting)("with %o", { timeout: 120_000 }, (options) => {
  test("a person follows the link of its agent, signs in, approves, and hands over the token; the agent then writes as the person's", async () => {
    const page = await (await profile(browser, options)).newPage();
    const person = await setUp(page, served);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL("**/sign-in**");
    const agent = await startAgent(served.url, "Apollo's coder");
    expect(await agent.tell("remember Before I was anybody's")).toEqual({
      written: 201,
      memories: ["Before I was anybody's"],
    });

    await page.goto(agent.bindUrl);
    expect(page.url()).toBe(`${served.url}/sign-in?next=%2Fbind`);
    await signIn(page, person);
    await page.waitForURL(`${served.url}/bind`);
    const shown = await page.getByRole("main").textContent();
    for (const words of ["Apollo's coder", "1.4.0", "terminal", "apollo", "127.0.0.1", " ago (", "just now"])
      expect(shown).toContain(words);
    expect(await agent.tell("status")).toEqual({ status: "pending" });

    await approve(page);
    const token = await tokenOn(page);
    expect(await agent.tell("status")).toEqual({ status: "awaiting_confirmation" });
    expect(await agent.tell(token)).toEqual({ confirmed: 200, status: "bound" });
    expect(await agent.tell("remember The bell is red")).toEqual({
      written: 201,
      memories: ["The bell is red", "Before I was anybody's"],
    });
    const own = await served.world.client({ owner: person.owner.name });
    expect((await own.get("/v1/memories")).body.total).toBe(2);

    await page.goto(`${served.url}/account`);
    expect(await page.getByRole("listitem").filter({ hasText: "Apollo's coder" }).textContent()).toContain(
      "Connected",
    );
    await page.getByText("Revoke", { exact: false }).first().click();
    await page.getByRole("button", { name: "Revoke Apollo's coder" }).click();
    expect(await page.getByRole("status").textContent()).toContain("The agent was revoked.");
    expect(await agent.tell("remember After the end")).toEqual({ written: 401, memories: [] });
  });

  test("a person that is led to a stranger's agent and even approves it gives nothing away: without the token the stranger gets no further", async () => {
    const page = await (await profile(browser, options)).newPage();
    const person = await setUp(page, served);
    const own = await served.world.client({ owner: person.owner.name });
    await own.post("/v1/remember", { content: "The code of the safe is 1234", path: "notes" });
    const stranger = await startAgent(served.url, "Your company's assistant");

    await page.goto(stranger.bindUrl);
    await approve(page);
    const token = await tokenOn(page);
    expect(await page.getByRole("main").textContent()).toContain(
      "Give it only to the agent that you started yourself.",
    );
    expect(await stranger.tell("status")).toEqual({ status: "awaiting_confirmation" });
    expect(await stranger.tell("remember The door is green")).toEqual({
      written: 201,
      memories: ["The door is green"],
    });
    for (const guess of [
      "x",
      person.owner.id,
      stranger.agentId,
      token.slice(0, -1),
      `${token}x`,
      token.toUpperCase(),
    ]) {
      const answer = await stranger.tell(guess);
      expect(answer.confirmed).toBeGreaterThanOrEqual(400);
      expect(answer.status).not.toBe("bound");
    }
    // Guessing has used up the tries: even the token itself, got out of the person afterwards, is of no more use.
    expect((await stranger.tell(token)).status).not.toBe("bound");
    expect((await stranger.tell("remember Still here?")).memories).not.toContain(
      "The code of the safe is 1234",
    );
    expect((await own.get("/v1/memories")).body.total).toBe(1);
  });

  test("a person sees what the agent has written and what its choice takes over, and gets that and no more", async () => {
    const page = await (await profile(browser, options)).newPage();
    const person = await setUp(page, served);
    const agent = await register(served.world, { client_name: "Scribe" });
    await stored(agent.client, {
      content: "<script>alert(1)</script> In apollo.",
      project_id: "apollo",
      importance: 1,
    });
    await stored(agent.client, { content: "In none." });
    await agent.client.post("/v1/projects/zeus/todos", { content: "Send the keys.", priority: "urgent" });

    await page.goto(agent.bindUrl);
    const cells = async () => {
      const rows = await page.locator("tbody tr").allTextContents();
      return rows.map((row) => row.trim().split(/\s*\n\s*/));
    };
    expect(await cells()).toEqual([
      ["apollo", "1 memory", "is taken over by you"],
      ["zeus", "1 todo", "is taken over by you"],
      ["none", "1 memory", "is taken over by you"],
    ]);
    expect(await page.getByText("Send the keys.").isVisible()).toBe(false);
    await page.locator("summary", { hasText: "Read it" }).click();
    for (const words of ["<script>alert(1)</script> In apollo.", "In none.", "Send the keys."])
      expect(await page.getByText(words).isVisible()).toBe(true);

    await page.getByLabel("Only these").check();
    await page.getByLabel("Projects, with commas between them").fill("apollo");
    await approve(page);
    expect(await page.getByRole("alert").textContent()).toContain("Look again at what it has written");
    expect(await cells()).toEqual([
      ["apollo", "1 memory", "is taken over by you"],
      ["zeus", "1 todo", "is not taken over"],
      // What names no project comes to lie in the only one that there is.
      ["none", "1 memory", "is taken over by you"],
    ]);
    await stored(agent.client, { content: "Written meanwhile.", project_id: "apollo" });
    await approve(page);
    expect(await page.getByRole("alert").textContent()).toContain("Look again at what it has written");
    expect((await cells())[0]).toEqual(["apollo", "2 memories", "is taken over by you"]);
    await approve(page);
    expect(await confirm(agent, await tokenOn(page))).toMatchObject({ status: 200 });
    const own = await served.world.client({ owner: person.owner.name });
    expect((await listed(own, { status: "%" })).sort()).toEqual([
      "<script>alert(1)</script> In apollo.",
      "In none.",
      "Written meanwhile.",
    ]);
    expect((await own.get("/v1/projects/zeus/todos")).body).toEqual([]);
  });

  test("a person discards what the agent has written, and the agent is connected all the same", async () => {
    const page = await (await profile(browser, options)).newPage();
    const person = await setUp(page, served);
    const agent = await register(served.world, { client_name: "Chatterer" });
    await stored(agent.client, { content: "Unwanted." });
    await page.goto(agent.bindUrl);
    await page.getByLabel("Discard all of it").check();
    await page.getByRole("button", { name: "Update the table" }).click();
    expect(await page.getByLabel("Discard all of it").isChecked()).toBe(true);
    await stored(agent.client, { content: "Unwanted, too." });
    await approve(page);
    const confirmed = await confirm(agent, await tokenOn(page));
    expect(confirmed).toMatchObject({ status: 200, body: { status: "bound" } });
    const own = await served.world.client({ owner: person.owner.name });
    expect(await listed(own, { status: "%" })).toEqual([]);
  });

  test("a denied agent is told so and has no way in", async () => {
    const page = await (await profile(browser, options)).newPage();
    await setUp(page, served);
    const agent = await startAgent(served.url, "Nobody's");
    await page.goto(agent.bindUrl);
    await page.getByRole("button", { name: "Deny" }).click();
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Denied");
    expect(["denied", "refused"]).toContain((await agent.tell("status")).status);
    expect((await agent.tell("remember Hello")).written).toBe(401);
    await page.goto(agent.bindUrl);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(
      "No agent is waiting under this code",
    );
  });
});

test("a link that is opened in another tab does not change whom the page at hand approves", async () => {
  const context = await profile(browser);
  const page = await context.newPage();
  await setUp(page, served);
  const [mine, stranger] = await Promise.all([
    startAgent(served.url, "Mine"),
    startAgent(served.url, "Not mine"),
  ]);
  await page.goto(mine.bindUrl);
  await (await context.newPage()).goto(stranger.bindUrl);
  await approve(page);
  expect(await page.getByRole("main").textContent()).toContain("You approved Mine.");
  expect(await mine.tell(await tokenOn(page))).toEqual({ confirmed: 200, status: "bound" });
  expect(await stranger.tell("status")).toEqual({ status: "pending" });
});

test("what is to be mended is said, and what was chosen is kept", async () => {
  const page = await (await profile(browser)).newPage();
  await setUp(page, served);
  const agent = await startAgent(served.url, "Picky");
  await page.goto(agent.bindUrl);
  await page.getByLabel("Recall, search, list and read memories").uncheck();
  await page.getByLabel("Write, change, delete and restore memories").uncheck();
  await page.getByLabel("Only these").check();
  await approve(page);
  expect(await page.getByRole("alert").textContent()).toContain("Choose at least one thing");
  expect(await page.getByLabel("Only these").isChecked()).toBe(true);
  await page.getByLabel("Recall, search, list and read memories").check();
  await page.getByLabel("Projects, with commas between them").fill("apollo, not a project!");
  await approve(page);
  expect(await page.getByRole("alert").textContent()).toContain("Name at most 100 projects");
  await page.getByLabel("Projects, with commas between them").fill("apollo, zeus");
  await approve(page);
  expect(await agent.tell(await tokenOn(page))).toEqual({ confirmed: 200, status: "bound" });
  await page.goto(`${served.url}/account`);
  const card = await page.getByRole("listitem").filter({ hasText: "Picky" }).textContent();
  expect(card).toContain("Only in the projects apollo, zeus.");
  expect(card).not.toContain("Write, change");
});
