/** What a tool answers stays within what was asked for, text and structured content each, whatever is stored. */
import type { Client as McpClient } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { operationList } from "../../../src/contract/operations.ts";
import { countTokens } from "../../../src/recall/pack/count-tokens.ts";
import { toolsOf } from "../../../src/surfaces/mcp/tools.ts";
import { freshOwner, unguessable } from "../../support/acting.ts";
import { mcpClient } from "../../support/mcp-client.ts";
import { type Client, openWorld, type World } from "../../support/world.ts";

const CONTENT_LENGTH = 65_536;
const JSON_LENGTH = 60_000;
const DEFAULT_TOKENS = 8000;
const QUESTION = "Which buoy did the harbour survey find adrift?";
const FACT = "The harbour survey found the red buoy adrift.";

/** Texts of the greatest length, of which a token has from sixteen characters to less than one. */
const WRITINGS = [
  "The tide table of the northern pier is printed anew each spring. ",
  "港の測量では、赤いブイが漂流しているのが見つかりました。",
  "🦑🚢⚓️🌊🧭",
  '"\\\n\t{}[]\u0001\u0002',
  "ѮѯҨҩꙮ𐍈𝔄",
  "a",
] as const;

const filled = (unit: string, length: number) =>
  unit
    .repeat(Math.ceil(length / unit.length))
    .slice(0, length - 1)
    .toWellFormed();
const contentOf = (n: number) => {
  const text = filled(
    WRITINGS[n % WRITINGS.length] as string,
    CONTENT_LENGTH - FACT.length - 2,
  ).toWellFormed();
  const middle = Math.floor(text.length / 2);
  return `${text.slice(0, middle)}\n${FACT}${text.slice(middle)}`.toWellFormed();
};

/** 64 KiB of JSON: one text, many members, lists in lists, or one long name. */
function jsonOf(n: number): Record<string, unknown> {
  const deep = (depth: number): unknown => (depth === 0 ? "x" : { of: [deep(depth - 1)] });
  const text = filled(WRITINGS[(n + 1) % WRITINGS.length] as string, JSON_LENGTH / 6).toWellFormed();
  return [
    { transcript: text },
    Object.fromEntries(Array.from({ length: 2500 }, (_, at) => [`member_${at}`, at])),
    { deep: deep(30), list: Array.from({ length: 5000 }, (_, at) => at) },
    { ["k".repeat(JSON_LENGTH / 2)]: 1 },
  ][n % 4] as Record<string, unknown>;
}

const idOf = (n: number) => `${"m".repeat(120)}-${n}`;
const PATH = `${filled("港/🦑", 497)}x`;
const PROJECT = "harbour";
const MANY = WRITINGS.length;
const ITEMS = 5;

let world: World;
let client: Client;
beforeAll(async () => {
  world = await openWorld();
  client = await world.client({ owner: freshOwner() });
  for (let n = 0; n < MANY; n++)
    await made(
      client.post("/v1/memories", {
        memory_id: idOf(n),
        content: contentOf(n),
        path: `${PATH}/${n}`,
        metadata: jsonOf(n),
        provenance: { ...jsonOf(n + 1), project_id: PROJECT, agent_id: `agent-${n}` },
        semantic_key: `key ${n}`,
      }),
    );
  for (let n = 0; n < ITEMS; n++) await fillWorkspace(n);
  await fillLists();
}, 240_000);
afterAll(() => world.close());

async function made(answer: ReturnType<Client["post"]>) {
  const { status, body } = await answer;
  expect(status < 300 ? "made" : JSON.stringify(body).slice(0, 500)).toBe("made");
  return body;
}

/** Todos and decisions of the greatest length, with long trails. */
const items: { todos: string[]; decisions: string[] } = { todos: [], decisions: [] };
async function fillWorkspace(n: number) {
  const at = `/v1/projects/${PROJECT}`;
  const metadata = jsonOf(n);
  const depends_on = items.todos.slice(0, 20);
  // Each step embeds the text anew, so that the one with a long trail has a short text.
  const content = n === 4 ? FACT : contentOf(n);
  const todo = await made(client.post(`${at}/todos`, { content, metadata, depends_on, path: PATH }));
  items.todos.push(todo.todo_id);
  for (let turn = 0; turn < (n === 4 ? 24 : 0); turn++) {
    await made(client.post(`${at}/todos/${todo.todo_id}/block`, { reason: long(turn % 3) }));
    await made(client.post(`${at}/todos/${todo.todo_id}/unblock`));
  }
  const options = Array.from({ length: 32 }, (_, at) =>
    `${at} ${filled(WRITINGS[n % 3] as string, 1000)}`.toWellFormed(),
  );
  const decision = await made(client.post(`${at}/decisions`, { context: contentOf(n), options, metadata }));
  items.decisions.push(decision.decision_id);
}

/** A session of the protocol whose client checks what it is answered against the listed output schema. */
async function connected() {
  const mcp = await mcpClient(world, client);
  await mcp.listTools();
  return mcp;
}

interface Answered {
  readonly isError?: boolean;
  readonly content: readonly { readonly text?: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: an answer as it comes
  readonly structuredContent?: any;
}

/** Calls a tool, and checks the size of all that a model may be given of the answer. */
async function called(
  mcp: McpClient,
  name: string,
  input: object,
  tokensMax = DEFAULT_TOKENS,
): Promise<Answered> {
  const result = (await mcp.callTool({ name, arguments: input as Record<string, unknown> })) as Answered;
  const text = result.content.map((block) => block.text ?? "").join("\n");
  const [ofText, ofContent] = [text, JSON.stringify(result.structuredContent)].map(tokensIn);
  expect({ name, isError: result.isError ?? false, said: result.isError ? text : "" }).toEqual({
    name,
    isError: false,
    said: "",
  });
  expect([name, tokensMax, ofText]).toEqual([
    name,
    tokensMax,
    expect.toSatisfy((count) => count <= tokensMax),
  ]);
  expect([name, tokensMax, ofContent]).toEqual([
    name,
    tokensMax,
    expect.toSatisfy((count) => count <= tokensMax),
  ]);
  return result;
}

/** No use counting what is longer than any answer may be. */
const tokensIn = (text: string) => (text.length > 1_000_000 ? text.length : countTokens(text));

const todo = (n: number) => ({ project_id: PROJECT, todo_id: items.todos[n] });
const decision = (n: number) => ({ project_id: PROJECT, decision_id: items.decisions[n] });
const long = (n: number) => filled(WRITINGS[n] as string, 1000).toWellFormed();

/** One request for every tool, in this order; those that change something change what the others do not need. */
const requests: Readonly<Record<string, () => readonly object[]>> = {
  recall_context: () => [
    { query: QUESTION },
    { query: QUESTION, max_items: 1000, max_tokens: 8000, full: true },
  ],
  search_memories: () => [
    { query: QUESTION },
    { query: QUESTION, limit: 100, explain: true },
    { query: contentOf(0) },
  ],
  list_memories: () => [{}, { limit: 1000 }, { limit: 2 }],
  get_memory: () => WRITINGS.map((_, n) => ({ memory_id: idOf(n) })),
  remember: () => [
    { content: contentOf(3), path: PATH, metadata: jsonOf(1), semantic_key: "key 3", project_id: PROJECT },
    { content: contentOf(4), path: PATH, logic_path: "x", embedding: Array(64).fill(0.5) },
  ],
  update_memory: () =>
    [0, 1, 2, 3].map((n) => ({
      memory_id: idOf(n),
      content: `!${contentOf(n + 1)}`.slice(0, -1).toWellFormed(),
      metadata: { more: long(n) },
    })),
  complete_reminder: () => [],
  forget_memory: () => [{ memory_id: idOf(5), reason: long(0), metadata: { why: long(1) } }],
  restore_memory: () => [{ memory_id: idOf(5) }],
  get_profile: () => [{}, { project_id: PROJECT, max_items: 1000 }],
  project_context: () => [
    { project_id: PROJECT },
    { project_id: PROJECT, durable_query: QUESTION, max_items: 1000 },
  ],
  todo_create: () => [
    { project_id: PROJECT, content: contentOf(1), metadata: jsonOf(0), depends_on: items.todos },
  ],
  todo_list: () => [{ project_id: PROJECT }, { project_id: PROJECT, status: "open" }],
  todo_update: () => [{ ...todo(0), content: contentOf(2), metadata: jsonOf(3) }],
  todo_assign: () => [{ ...todo(0), assignee_agent_id: "agent" }],
  todo_accept: () => [todo(1)],
  todo_block: () => [{ ...todo(4), reason: long(2) }],
  todo_unblock: () => [todo(4)],
  todo_complete: () => [{ ...todo(0), note: long(4) }],
  todo_cancel: () => [{ ...todo(3), reason: long(3) }],
  decision_create: () => [
    {
      project_id: PROJECT,
      context: contentOf(5),
      options: [long(0), long(1)],
      supersedes: items.decisions[4],
    },
  ],
  decision_list: () => [{ project_id: PROJECT }],
  decision_update: () => [{ ...decision(0), context: contentOf(4), metadata: jsonOf(2) }],
  decision_resolve: () => [{ ...decision(1), resolution: filled(WRITINGS[1], 16_000) }],
  decision_supersede: () => [{ ...decision(2), context: contentOf(0), options: [long(1)] }],
  decision_reopen: () => [decision(1)],
  maintenance_report: () => [{ project_id: PROJECT }],
  maintenance_execute: () => [
    { project_id: PROJECT, actions: ["archive_stale", "merge_duplicates"], confirm_all_matching: true },
    {
      project_id: PROJECT,
      actions: ["archive_stale"],
      target_ids: Array.from({ length: 500 }, (_, n) => `${"x".repeat(120)}-${n}`),
    },
  ],
};

test("every tool has a request here", () => {
  expect(Object.keys(requests).sort()).toEqual(
    toolsOf(operationList)
      .map(({ name }) => name)
      .sort(),
  );
});

test("every tool's text and structured content stay within 8,000 tokens, or what was asked for", async () => {
  const mcp = await connected();
  for (const [name, inputs] of Object.entries(requests))
    for (const input of inputs()) await called(mcp, name, input, tokensAsked(name, input));
}, 240_000);

function tokensAsked(name: string, input: object): number {
  const { max_tokens } = input as { max_tokens?: number };
  return max_tokens ?? (name === "recall_context" ? 1500 : DEFAULT_TOKENS);
}

test.each([24, 100, 300, 1500, 12_000])(
  "packs of %i tokens have the best memories as far as they go, in both",
  async (max_tokens) => {
    const mcp = await connected();
    const recalled = await called(
      mcp,
      "recall_context",
      { query: QUESTION, max_tokens, path: "%" },
      max_tokens,
    );
    await called(mcp, "project_context", { project_id: PROJECT, max_tokens }, max_tokens);
    if (max_tokens < 150) return;
    const { items, budget } = recalled.structuredContent;
    expect(budget.used_tokens).toBeLessThanOrEqual(max_tokens);
    const [{ id, content, truncated }] = items;
    expect(recalled.content[0]?.text).toContain(id);
    if (max_tokens < 12_000) expect(truncated).toBe(true);
    expect(content).toContain("harbour survey found");
  },
  60_000,
);

test.each([50, 75, 100, 200, 300, 400])(
  "a pack of nothing says so within %i tokens, in both, whatever was asked",
  async (max_tokens) => {
    const nobody = await world.client({ owner: freshOwner() });
    const mcp = await mcpClient(world, nobody);
    for (const query of [QUESTION, filled(WRITINGS[0], 8000), filled(WRITINGS[1], 8000)]) {
      const { content, structuredContent } = await called(
        mcp,
        "recall_context",
        { query, max_tokens },
        max_tokens,
      );
      expect(content[0]?.text).toContain("No stored memory matches.");
      expect(structuredContent.context_text).toContain("No stored memory matches.");
      expect(structuredContent.answer_status).toBe("no_memories");
    }
    if (max_tokens < 75) return;
    const empty = await called(mcp, "project_context", { project_id: PROJECT, max_tokens }, max_tokens);
    expect(empty.content[0]?.text).toContain("nothing is stored");
    expect(empty.structuredContent.context_text).toContain("nothing is stored");
  },
);

/** So many entries that no answer has room for all, with ids of the greatest length. */
const PAGED = "paged";
const ENTRIES = 100;
const PAGED_ITEMS = 40;
const paged = {} as { client: Client; memories: string[]; todos: string[]; decisions: string[] };
async function fillLists() {
  const client = await world.client({ owner: freshOwner() });
  Object.assign(paged, { client, memories: [], todos: [], decisions: [] });
  const add = async (at: string, body: object) => made(client.post(at, body));
  for (let n = 0; n < ENTRIES; n++) {
    const { id } = await add("/v1/memories", {
      memory_id: longest(`${n}-`),
      content: n % 50 === 7 ? contentOf(n) : `${FACT} ${n} ${long(n % 3)}`,
      path: `${PATH}/${n}`,
      provenance: { agent_id: longest("agent-") },
    });
    paged.memories.push(id);
  }
  for (let n = 0; n < PAGED_ITEMS; n++) {
    const text = n % 20 === 7 ? contentOf(n) : `${n} ${long(n % 3)}`;
    const options = Array.from({ length: 8 }, (_, at) =>
      `${at} ${long(n % 3)}`.slice(0, 1000).toWellFormed(),
    );
    const metadata = n % 10 === 3 ? jsonOf(n) : {};
    const [todo, decision] = [
      await add(`/v1/projects/${PAGED}/todos`, { content: text, metadata, path: longest("items-") }),
      await add(`/v1/projects/${PAGED}/decisions`, { context: text, options, metadata }),
    ];
    paged.todos.push(todo.todo_id);
    paged.decisions.push(decision.decision_id);
  }
}
const longest = (start: string) => start.padEnd(128, unguessable().repeat(8));

interface Entry {
  readonly id: string;
  readonly todo_id: string;
  readonly decision_id: string;
}
const lists = [
  ["list_memories", "memories", "memories", {}],
  ["search_memories", "results", "memories", { query: QUESTION, limit: ENTRIES, path_under: PATH }],
  ["todo_list", "todos", "todos", { project_id: PAGED }],
  ["decision_list", "decisions", "decisions", { project_id: PAGED }],
] as const;

test.each(lists)(
  "the pages of %s have every entry once",
  async (name, list, kind, asked) => {
    const mcp = await mcpClient(world, paged.client);
    const pages: string[][] = [];
    let said = "";
    for (let cursor: string | undefined; ; ) {
      const { structuredContent: page } = await called(mcp, name, { ...asked, ...(cursor && { cursor }) });
      const entries: readonly Entry[] = page[list];
      expect(entries).not.toEqual([]);
      pages.push(entries.map(({ id, todo_id, decision_id }) => id ?? todo_id ?? decision_id));
      cursor = page.next_cursor ?? undefined;
      if (cursor === undefined) break;
      said += page.left_out;
    }
    expect(pages.flat().toSorted()).toEqual(paged[kind].toSorted());
    expect(pages.length).toBeGreaterThan(1);
    // This one's page ends where the answer is full.
    if (name !== "list_memories") expect(said).toContain("Pass next_cursor as cursor");
  },
  60_000,
);
