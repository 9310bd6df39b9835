import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { operationList } from "../../../src/contract/operations.ts";
import { html } from "../../../src/surfaces/http/html.ts";
import { world } from "./world.ts";

async function page(): Promise<{ text: string; headers: Headers }> {
  const response = await world().send("GET", "/docs", { key: null });
  return { text: await response.text(), headers: response.headers };
}

test("what is put into HTML is escaped", () => {
  expect(html`<p title="${'"<&'}">${["<b>", html`<i>`]}${null}${false}</p>`.text).toBe(
    '<p title="&quot;&lt;&amp;">&lt;b&gt;<i></p>',
  );
});

test("the page loads nothing and runs nothing", async () => {
  const { text, headers } = await page();
  expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(text).not.toMatch(/<script|<link|<img|src=|url\(|@import|\son\w+=|style=/);
  const style = /<style>([\s\S]*?)<\/style>/.exec(text)?.[1] ?? "";
  const hash = createHash("sha256").update(style).digest("base64");
  expect(headers.get("content-security-policy")).toContain(`default-src 'none'; style-src 'sha256-${hash}';`);
});

test("every link within the page has its target, and every id is there once", async () => {
  const { text } = await page();
  const ids = [...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const targets = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  expect(targets.filter((id) => !ids.includes(id))).toEqual([]);
  const labels = [...text.matchAll(/aria-labelledby="([^"]+)"/g)].map(([, id]) => id);
  expect(labels.filter((id) => !ids.includes(id))).toEqual([]);
});

test("every operation is explained, with a call to copy", async () => {
  const { text } = await page();
  for (const { name, summary, http } of operationList) {
    expect(text).toContain(`<article class="operation" id="${name}"`);
    expect(text).toContain(html`${summary}`.text);
    expect(text).toContain(`<code>${http.path}</code>`);
  }
  expect(text).toContain("curl -X POST &quot;$RECOLLECT_URL/v1/remember&quot;");
});

test("headings go down one level at a time, after one first heading", async () => {
  const { text } = await page();
  const main = text.slice(text.indexOf("<main"));
  const levels = [...main.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level));
  expect(levels.filter((level) => level === 1)).toEqual([1]);
  expect(levels.every((level, at) => at === 0 || level <= (levels[at - 1] ?? 0) + 1)).toBe(true);
});

test("an enumeration shows its words", async () => {
  const page = await (await world().send("GET", "/docs", { key: null })).text();
  const shown = page.slice(page.indexOf('id="schema-ForgetMode"')).split("</article>", 1)[0];
  expect(shown).toContain("<code>soft_delete</code>, <code>hard_delete</code>, <code>redact</code>");
});
