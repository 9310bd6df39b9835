/** What is taken away on the page of memories: for good behind a typed word, and many at once by a filter, just as counted. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium } from "../browser/support/chromium.ts";
import { openServed, type Served } from "../browser/support/served.ts";
import { setUp } from "../browser/support/signing-in.ts";
import { stored } from "../support/acting.ts";
import { buildAdminUi, faultsOf, silentPage } from "./support/pages.ts";

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

async function signedIn(expected?: RegExp) {
  const page = await silentPage(browser, expected);
  const { owner } = await setUp(page, served);
  const key = await served.world.client({ owner: owner.name });
  return { page, owner, key };
}

test("a fact is superseded, a memory redacted and then erased, each only once its word is typed", async () => {
  const { page, key } = await signedIn(/404/);
  const fact = await stored(key, { content: "The gate code is 1234", semantic_key: "gate.code" });
  const secret = await stored(key, { content: "Ada lives at 5 Elm Street" });
  await page.goto(`${served.url}/admin/own/memories?id=${fact}`);
  await page.getByRole("button", { name: "Supersede" }).click();
  await page.getByLabel("What is true from now on").fill("The gate code is 9876");
  await page.getByRole("button", { name: "Replace this memory" }).click();
  await page.getByText("A newer memory has superseded it").waitFor();
  expect((await key.get(`/v1/memories/${fact}`)).body.status).toBe("superseded");

  await page.goto(`${served.url}/admin/own/memories?id=${secret}`);
  const dialog = page.getByRole("dialog", { name: "Permanently erase" });
  await page.getByRole("button", { name: "Permanently erase…" }).click();
  const redact = dialog.getByRole("button", { name: "Redact this memory" });
  expect(await redact.isDisabled()).toBe(true);
  expect(await faultsOf(page, "memory-erase")).toEqual([]);
  await dialog.getByLabel("Type redact to continue").fill("redact");
  await redact.click();
  await page.getByText("1 memory was redacted. Receipt").waitFor();
  expect((await key.get(`/v1/memories/${secret}`)).body).toMatchObject({
    status: "redacted",
    content: "[redacted]",
  });
  await dialog.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Permanently erase…" }).click();
  await dialog.getByLabel("Type erase to continue").fill("erase");
  await dialog.getByRole("button", { name: "Erase this memory" }).click();
  await page.getByText("1 memory was erased. Receipt").waitFor();
  expect((await key.get(`/v1/memories/${secret}`)).status).toBe(404);
}, 120_000);

test("many go by a filter, just those that were counted: what changes meanwhile stops it, and all come back", async () => {
  const { page, key } = await signedIn(/404|409/);
  for (let at = 0; at < 7; at++)
    await stored(key, { content: `Draft number ${at} <b>of ${at * 7}</b>`, path: "drafts" });
  const kept = await stored(key, { content: "Kept", path: "notes" });
  await page.goto(`${served.url}/admin/own/memories?path=drafts`);
  await page.getByRole("button", { name: "Remove all 7…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("7 memories match.").waitFor();
  await dialog.getByText("and 2 more").waitFor();
  expect(await faultsOf(page, "memories-bulk")).toEqual([]);
  await stored(key, { content: "One more draft", path: "drafts" });
  await dialog.getByRole("button", { name: "Forget 7 memories" }).click();
  await dialog.getByText("Nothing was done: what matches has changed").waitFor();
  expect((await key.get("/v1/memories?path=drafts")).body.total).toBe(8);
  await dialog.getByRole("button", { name: "Count again" }).click();
  await dialog.getByText("Compared with the count before: 1 memory more.").waitFor();
  await dialog.getByRole("button", { name: "Forget 8 memories" }).click();
  await page.getByText("8 memories left recall").waitFor();
  expect((await key.get("/v1/memories")).body.memories.map(({ id }: { id: string }) => id)).toEqual([kept]);

  await page.goto(`${served.url}/admin/own/memories?path=drafts&status=soft_deleted`);
  await page.getByRole("button", { name: "Restore all 8…" }).click();
  await dialog.getByText("8 memories will be restored.").waitFor();
  // One of them goes for good between the count and the work.
  const [first] = (await key.get("/v1/memories?path=drafts&status=soft_deleted")).body.memories;
  await key.delete(`/v1/memories/${first.id}?mode=hard_delete`);
  await dialog.getByRole("button", { name: "Restore 8 memories" }).click();
  await dialog.getByText("7 restored, 1 not of 8").waitFor();
  await dialog.getByRole("list", { name: "Not restored" }).getByText(first.id).waitFor();
  expect((await key.get("/v1/memories?path=drafts")).body.total).toBe(7);
  await dialog.getByRole("button", { name: "Close" }).last().click();

  await page.goto(`${served.url}/admin/own/memories?path=drafts`);
  await page.getByRole("button", { name: "Remove all 7…" }).click();
  await dialog.getByText("Erase: nothing of them remains").click();
  await dialog.getByLabel("Type 7 to continue").fill("7");
  await dialog.getByRole("button", { name: "Erase 7 memories" }).click();
  await page.getByText("7 memories were erased. Receipt").waitFor();
  expect((await key.get("/v1/memories?path=drafts&status=%25")).body.total).toBe(0);
}, 120_000);

test("a member of a team is not offered what only its admins may do", async () => {
  const { page, owner } = await signedIn();
  const { teams, credentials } = served.world.service;
  const other = await credentials.ensureOwner("user", `admin over ${owner.name}`);
  const { team } = await teams.create(`team over ${owner.name}`, other);
  await teams.add(team.id, owner.id, "member");
  const id = await stored(await served.world.client({ team: team.name }), { path: "drafts" });
  await page.goto(`${served.url}/admin/${team.id}/memories?path=drafts&id=${id}`);
  await page.getByRole("button", { name: "Forget this memory" }).waitFor();
  expect(await page.getByRole("button", { name: "Permanently erase…" }).count()).toBe(0);
  await page.getByRole("button", { name: "Remove all 1…" }).click();
  await page.getByRole("dialog").getByText("1 memory matches.").waitFor();
  expect(
    await page
      .getByRole("dialog")
      .getByText(/^Erase:/)
      .count(),
  ).toBe(0);
});
