// The memory card in a host that a page plays: a sandboxed frame, and the messages of MCP Apps.
import { afterAll, beforeAll, expect, test } from "vitest";
import { contextAnswer } from "../surfaces/mcp/answers.ts";
import { world } from "../surfaces/mcp/world.ts";
import { launchChromium, profile } from "./support/chromium.ts";

let browser: Awaited<ReturnType<typeof launchChromium>>;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

/** A host: it answers the view's requests, keeps the tool calls, and passes the tool's result on. */
const HOST = `
window.calls = [];
addEventListener("message", ({ source, data }) => {
  const frame = document.querySelector("iframe").contentWindow;
  if (source !== frame) return;
  const post = (message) => frame.postMessage({ jsonrpc: "2.0", ...message }, "*");
  if (data.method === "ui/initialize") post({ id: data.id, result: { protocolVersion: "2026-01-26", hostInfo: {}, hostCapabilities: {} } });
  if (data.method === "ui/notifications/initialized") post({ method: "ui/notifications/tool-result", params: window.result });
  if (data.method === "tools/call") {
    window.calls.push(data.params);
    post({ id: data.id, result: window.refuses ? { isError: true, content: [{ type: "text", text: "forbidden" }] } : { content: [] } });
  }
});`;

/** The card of an answer, as the server serves it, in a frame of a new page. */
async function cardOf(answer: ReturnType<typeof contextAnswer>, refuses = false) {
  const client = await world(() => answer).connect("key-ada");
  const { tools } = await client.listTools();
  const { _meta } = tools.find(({ name }) => name === "recall_context") ?? {};
  const resourceUri = String((_meta?.ui as { resourceUri?: string } | undefined)?.resourceUri);
  const [view] = (await client.readResource({ uri: resourceUri })).contents as {
    mimeType: string;
    text: string;
  }[];
  expect(view?.mimeType).toBe("text/html;profile=mcp-app");
  expect(view?.text.length).toBeLessThan(6_000);
  const result = await client.callTool({
    name: "recall_context",
    arguments: { query: "where do we deploy" },
  });
  const page = await (await profile(browser)).newPage();
  await page.setContent('<iframe sandbox="allow-scripts" width="600" height="400"></iframe>');
  await page.evaluate(
    ({ host, ...shown }) => {
      Object.assign(globalThis, shown);
      // biome-ignore lint/security/noGlobalEval: the host's script is the test's own.
      globalThis.eval(host);
    },
    { host: HOST, result, refuses },
  );
  await page.evaluate(
    (html) => document.querySelector("iframe")?.setAttribute("srcdoc", html),
    view?.text ?? "",
  );
  return { page, card: page.frameLocator("iframe") };
}

const calls = (page: Awaited<ReturnType<typeof cardOf>>["page"]) =>
  page.evaluate(() => (globalThis as unknown as { calls: unknown[] }).calls);

test("it shows what was recalled and why, and forgets and corrects it by tools", async () => {
  const { page, card } = await cardOf(contextAnswer("ada"));
  await card.getByText("1 memory recalled for “where do we deploy”. None settles the question.").waitFor();
  await card.getByText("A secret of ada.").waitFor();
  await card.getByText(/semantic · 2026-01-31 .* other agent/).waitFor();
  await card.getByRole("button", { name: "Correct" }).click();
  await card.getByRole("textbox", { name: "Corrected text" }).fill("Ada deploys on Thursdays.");
  await card.getByRole("button", { name: "Save" }).click();
  await card.getByText("Corrected.", { exact: true }).waitFor();
  await card.getByText("Ada deploys on Thursdays.").waitFor();
  expect(await calls(page)).toEqual([
    { name: "update_memory", arguments: { memory_id: "m-ada", content: "Ada deploys on Thursdays." } },
  ]);
  const { page: second, card: other } = await cardOf(contextAnswer("ada"));
  await other.getByRole("button", { name: "Forget" }).click();
  await other.getByText("Forgotten. restore_memory brings it back.").waitFor();
  expect(await calls(second)).toEqual([
    { name: "forget_memory", arguments: { memory_id: "m-ada", reason: "The user chose Forget." } },
  ]);
});

test("stored text is text, and a refused call can be tried again", async () => {
  const answer = contextAnswer("ada");
  const hostile = '<img src=x onerror="parent.hit=1"><script>parent.hit=1</script>';
  const items = answer.items.map((item) => ({ ...item, content: hostile }));
  const { page, card } = await cardOf({ ...answer, items } as typeof answer, true);
  await card.getByText(hostile).waitFor();
  expect(await card.locator("img").count()).toBe(0);
  await card.getByRole("button", { name: "Forget" }).click();
  await card.getByText("Not done: forbidden").waitFor();
  expect(await card.getByRole("button", { name: "Forget" }).isEnabled()).toBe(true);
  expect(await calls(page)).toHaveLength(1);
});
