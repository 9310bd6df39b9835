import type { McpServer } from "@modelcontextprotocol/server";
import type { answerStatuses } from "../../contract/recall.ts";
import { SERVICE_NAME } from "../../contract/service.ts";

const URI = "ui://recollect/memory-card";
const TITLE = "Memory card";

/** Names the view to hosts that show one beside a tool's answer (MCP Apps). */
export const CARD_META = { ui: { resourceUri: URI } };

/** Registers the view of `recall_context`: what was recalled and why, with buttons to correct and forget it. */
export function registerMemoryCard(server: McpServer): void {
  const mimeType = "text/html;profile=mcp-app";
  const shown = { title: TITLE, description: "Shows what recall_context returned", mimeType };
  server.registerResource("memory-card", URI, shown, () => ({
    contents: [{ uri: URI, mimeType, text: PAGE }],
  }));
}

const STATUS_WORDS: Readonly<Record<(typeof answerStatuses)[number], string>> = {
  confirmed_answer: "They answer the question.",
  conflicting_answers: "They disagree.",
  partial_answer: "They answer a part of the question.",
  no_confirmed_answer: "None settles the question.",
  no_memories: "",
};

/**
 * Speaks the host's protocol itself, since the SDK for views has 669 kB. Stored text is set as text, never as HTML. The
 * buttons call tools, which the host lets its user confirm.
 */
const SCRIPT = `
let last = 0;
const waiting = new Map();
const post = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
const notify = (method, params = {}) => post({ method, params });
const request = (method, params) => new Promise((resolve, reject) => {
  waiting.set(++last, { resolve, reject });
  post({ id: last, method, params });
});
addEventListener("message", ({ source, data }) => {
  if (source !== parent || data?.jsonrpc !== "2.0") return;
  if (data.method === "ui/notifications/tool-result") return show(data.params?.structuredContent ?? {});
  if (data.method === "ping" || data.method === "ui/resource-teardown") return post({ id: data.id, result: {} });
  const asked = waiting.get(data.id);
  if (data.method || !asked) return;
  waiting.delete(data.id);
  data.error ? asked.reject(new Error(data.error.message)) : asked.resolve(data.result);
});
const element = (name, text, more = {}) => Object.assign(document.createElement(name), { textContent: text, ...more });
const STATUS = ${JSON.stringify(STATUS_WORDS)};
function show({ items = [], answer_status, query }) {
  const about = items.length === 1 ? "1 memory recalled" : items.length + " memories recalled";
  const head = element("p", [query ? about + " for “" + query + "”." : about + ".", STATUS[answer_status]].filter(Boolean).join(" "));
  document.body.replaceChildren(head, ...items.map(card));
  notify("ui/notifications/size-changed", { height: document.documentElement.scrollHeight });
}
function card({ id, content, memory_type, created_at, source, path, boundary, score }) {
  const box = element("section", "");
  const text = element("p", content ?? id, { className: "text" });
  const why = [memory_type, created_at?.slice(0, 10), source && "from " + source, path,
    boundary?.relation?.replaceAll("_", " "), score !== undefined && "relevance " + Math.round(score * 100) + " %"];
  const done = element("p", "", { role: "status" });
  const act = async (words, name, input) => {
    for (const button of box.querySelectorAll("button")) button.disabled = true;
    try {
      const result = await request("tools/call", { name, arguments: { memory_id: id, ...input } });
      if (result.isError) throw new Error(result.content?.[0]?.text ?? "refused");
      done.textContent = words;
      return true;
    } catch (error) {
      done.textContent = "Not done: " + error.message;
      for (const button of box.querySelectorAll("button")) button.disabled = false;
    }
  };
  const forget = element("button", "Forget", { onclick: () => act("Forgotten. restore_memory brings it back.", "forget_memory", { reason: "The user chose Forget." }) });
  const correct = element("button", "Correct", { onclick: async () => {
    const field = element("textarea", "", { value: text.textContent, rows: 3, ariaLabel: "Corrected text" });
    const save = element("button", "Save", { onclick: async () => {
      if (!(await act("Corrected.", "update_memory", { content: field.value }))) return;
      text.textContent = field.value;
      field.remove();
      save.remove();
    } });
    correct.replaceWith(field, save);
    field.focus();
  } });
  // An excerpt must not replace the whole text.
  const isWhole = content !== undefined && !content.includes("…");
  box.append(text, element("p", why.filter(Boolean).join(" · "), { className: "why" }), ...(isWhole ? [correct] : []), forget, done);
  return box;
}
request("ui/initialize", { protocolVersion: "2026-01-26", appInfo: { name: "recollect", version: "1" }, appCapabilities: {} })
  .then(() => notify("ui/notifications/initialized"));
`;

const STYLE =
  ":root{color-scheme:light dark;font:14px/1.4 system-ui}body{margin:8px}section{border:1px solid #8886;border-radius:8px;padding:8px 12px;margin:8px 0}p{margin:0 0 6px}.text{white-space:pre-wrap}.why{opacity:.75;font-size:12px}button{margin-right:6px}textarea{display:block;width:100%;box-sizing:border-box;margin-bottom:6px}";

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${SERVICE_NAME}</title><style>${STYLE}</style><body><script>${SCRIPT}</script></body></html>`;
