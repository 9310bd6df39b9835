/** Peers' stores as files that people save, edit and break; and every rule of the mapping, over random stores. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { readLine } from "../../src/core/transfer/lines.ts";
import { instantOf, type Peer } from "../../src/core/transfer/peers/peer-record.ts";
import { runs } from "../support/random.ts";
import { linesOf, openMovingWorld, recordsIn } from "./moving.ts";

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "recollect-peers-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

function saved(content: unknown, name = "store"): string {
  const file = join(folder(), name);
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

const read = async (peer: Peer, content: unknown) => recordsIn(peer, saved(content));
const contents = async (peer: Peer, content: unknown) =>
  linesOf(await read(peer, content)).map((line) => line.content);

test.each<[Peer, unknown, string]>([
  ["mem0", "nope", "not JSON"],
  ["mem0", {}, "no mem0 memories"],
  ["langgraph", { things: [] }, "no LangGraph items"],
  ["letta", "[1,", "not JSON, or is cut short"],
  ["letta", {}, "no agent of Letta"],
  ["zep", [], "no graph of Zep"],
  ["zep", { edges: [{ attributes: { n: "1" } }], nodes: "12345678901234567890" }, ""],
  [
    "zep",
    '{"edges":[{"attributes":{"n":12345678901234567890}}]}',
    "edges.0.attributes.n is an integer that a JSON number cannot hold exactly",
  ],
])("%s: what is no store at all is refused as a whole: %j", async (peer, content, reason) => {
  if (reason === "") await expect(read(peer, content)).resolves.toBeDefined();
  else await expect(read(peer, content)).rejects.toThrow(reason);
});

test("what is wrong in a record is said of that record, and the others move in", async () => {
  const world = await openMovingWorld();
  const file = saved(
    [
      '{"type":"entity","name":"Ann","entityType":"person","observations":["Likes tea",5,"","\\u0000"]}',
      "{",
      '{"type":"entity","entityType":"person","observations":[]}',
      '{"type":"edge"}',
      '{"type":"relation","from":"Ann","to":"Bob","relationType":"knows"}',
      '{"type":"entity","name":"Bob","entityType":"person","observations":"none"}',
    ].join("\n"),
  );
  const report = await world.moved("memory-server", file);
  expect(report).toMatchObject({ read: 9, created: 3, invalid: 6 });
  expect(report.complaints.map(({ line, reason }) => `${line}: ${reason}`)).toEqual([
    "1: its text must be a string",
    "1: content: must not contain U+0000 or an unpaired surrogate",
    "2: is not JSON, or is cut short",
    "3: name: must be a text",
    "4: type: must be entity or relation",
    "6: observations: must be an array of texts",
  ]);
  expect(report.left_out).toEqual([{ kind: "observation", reason: "it has no text", count: 1 }]);
  expect(report.mapped).toContainEqual({
    ...{ kind: "relation", memory_type: "semantic", bucket: "public" },
    ...{ path: "memory-server/Ann", memories: 1 },
  });
});

test("a store without times dates from its first import, also when it is read again later with more in it", async () => {
  const world = await openMovingWorld();
  const graph = { entities: [{ name: "Ann", entityType: "", observations: ["Likes tea"] }], relations: [] };
  const file = saved(graph);
  expect(await world.moved("memory-server", file)).toMatchObject({ created: 1 });
  const [before] = await world.service.sql`select created_at, updated_at from memories`;
  graph.entities[0]?.observations.push("Likes rain", "Likes tea");
  writeFileSync(file, JSON.stringify(graph));
  expect(await world.moved("memory-server", file)).toMatchObject({ created: 1, unchanged: 2, conflicts: 0 });
  const rows = await world.service.sql`select created_at, updated_at from memories order by created_at`;
  expect(rows[0]).toEqual(before);
});

test("a memory that was changed here is not overwritten by a second import, and that is reported", async () => {
  const world = await openMovingWorld();
  const file = saved({ results: [{ id: "m1", memory: "Likes tea" }] });
  await world.moved("mem0", file);
  const client = await world.client({ owner: "alice" });
  await client.patch("/v1/memories/m1", { content: "Likes coffee" });
  const report = await world.moved("mem0", file);
  expect(report).toMatchObject({ created: 0, conflicts: 1 });
  expect(report.complaints[0]?.reason).toContain("another content");
});

test("a secret is masked as in any write", async () => {
  const world = await openMovingWorld();
  const file = saved({ results: [{ id: "m1", memory: `The key is AKIA${"QYLPMN5HHHFPZAM2"}` }] });
  expect(await world.moved("mem0", file)).toMatchObject({ created: 1, masked: 1 });
});

test("a text that is too long for one memory becomes several, of which none is lost", async () => {
  const text = Array.from({ length: 9000 }, (_, n) => `Line ${n} of a long note 🎈.`).join("\n");
  const parts = linesOf(await read("letta", [{ id: "p1", text }]));
  expect(parts.length).toBeGreaterThan(3);
  expect(parts.map(({ content }) => content).join("")).toBe(text);
  expect(parts.map(({ metadata }) => [metadata.part, metadata.parts])).toEqual(
    parts.map((_, index) => [index + 1, parts.length]),
  );
  expect(new Set(parts.map(({ memory_id }) => memory_id)).size).toBe(parts.length);
  const single = linesOf(await read("letta", [{ id: "p1", text: "x".repeat(130_000) }]));
  expect(single.map(({ content }) => content.length)).toEqual([60_000, 60_000, 10_000]);
});

test("mem0: what it gives no meaning to is kept as metadata, an app is a project where it can be one", async () => {
  const memory = {
    id: "3c90c3cc-0d44-4b50-8888-8dd25736052a",
    memory: "Dev works at TechCorp",
    user_id: "dev",
    agent_id: "scout",
    app_id: "apollo",
    run_id: null,
    metadata: { type: "professional", authority: "verified" },
    categories: ["work"],
    expiration_date: "2031-05-01",
    created_at: "2023-11-07T05:31:56Z",
    updated_at: "2023-11-07T05:31:56.275141-07:00",
  };
  const [line] = linesOf(await read("mem0", { count: 1, results: [memory] }));
  expect(line).toEqual({
    memory_id: memory.id,
    content: memory.memory,
    path: "mem0",
    memory_type: "semantic",
    owner: { kind: "user", name: "dev" },
    project_id: "apollo",
    agent_id: "scout",
    metadata: { type: "professional", peer_metadata: { authority: "verified" }, categories: ["work"] },
    provenance: { agent_id: "scout", app_id: "apollo", project_id: "apollo" },
    created_at: "2023-11-07T05:31:56.000Z",
    updated_at: "2023-11-07T12:31:56.275Z",
    expires_at: "2031-05-01T23:59:59.999Z",
  });
  const bad = [
    5,
    { memory: "no id" },
    { id: "x" },
    { id: "y", memory: 5 },
    { id: "z", memory: "a", created_at: "soon" },
  ];
  expect((await read("mem0", bad)).map((record) => "problem" in record && record.problem)).toEqual([
    "is not a memory: it must be an object",
    "id: is required",
    "memory: is required",
    "its text must be a string",
    "created_at: it is no time that can be read, such as 2026-01-31T09:00:00Z",
  ]);
});

test("langgraph: items as search answers them, in Python's names and in JavaScript's", async () => {
  const python = {
    namespace: ["a", "b"],
    key: "k",
    value: { text: "T" },
    created_at: "2026-01-01 10:00:00+00",
  };
  const script = {
    namespace: ["a", "b"],
    key: "k",
    value: { text: "T" },
    createdAt: "2026-01-01T10:00:00.000Z",
  };
  const [line] = linesOf(await read("langgraph", [python]));
  expect(linesOf(await read("langgraph", { items: [script] }))).toEqual([line]);
  expect(linesOf(await read("langgraph", `${JSON.stringify(python)}\n`))).toEqual([line]);
  expect(line).toMatchObject({ path: "langgraph/a/b", content: "T", created_at: "2026-01-01T10:00:00.000Z" });
});

/** https://docs.letta.com/guides/agents/agent-file: no package was at hand that writes one without a language model. */
test("letta: blocks, messages and passages of an agent file, of both schemas", async () => {
  const at = "2026-03-01T10:00:00+00:00";
  const messages = [
    { id: "message-0", role: "system", content: [{ type: "text", text: "You are…" }], created_at: at },
    {
      role: "user",
      content: JSON.stringify({ type: "user_message", message: "I moved to Hanoi", time: "" }),
      created_at: at,
    },
    { role: "user", content: JSON.stringify({ type: "heartbeat", reason: "…" }), created_at: at },
    {
      role: "assistant",
      content: [{ type: "text", text: "How do you like it?" }],
      tool_calls: [{}],
      created_at: at,
    },
    { role: "assistant", content: null, tool_calls: [{}], created_at: at },
    { role: "tool", content: "{}", created_at: at },
  ];
  const blocks = [
    { id: "block-0", label: "human", value: "Name: Alice", description: "About the user", limit: 5000 },
    { id: "block-1", label: "persona", value: "I am patient.", limit: 5000 },
    { id: "block-2", label: "empty", value: "" },
  ];
  const file = {
    agents: [{ id: "agent-0", name: "guide", block_ids: ["block-0", "block-1", "block-2"], messages }],
    blocks,
  };
  const records = await read("letta", file);
  expect(linesOf(records).map(({ path, memory_type, content }) => [path, memory_type, content])).toEqual([
    ["letta/guide/human", "semantic", "Name: Alice"],
    ["letta/guide/persona", "procedural", "I am patient."],
    ["letta/guide/messages", "episodic", "I moved to Hanoi"],
    ["letta/guide/messages", "episodic", "How do you like it?"],
  ]);
  expect(linesOf(records)[2]).toMatchObject({
    session_id: "agent-0",
    source: "user",
    created_at: "2026-03-01T10:00:00.000Z",
  });
  expect(records.flatMap((record) => ("leftOut" in record ? [record.leftOut] : []))).toEqual([
    "it has no text",
    "it is of the role system, not of a speaker",
    "it keeps the agent running and says nothing",
    "it has no text",
    "it is of the role tool, not of a speaker",
  ]);
  const first = {
    agent_type: "memgpt_agent",
    name: "guide",
    core_memory: blocks.slice(0, 1),
    messages: messages.slice(0, 2),
  };
  expect(await contents("letta", first)).toEqual(["Name: Alice", "I moved to Hanoi"]);
  const passages = [{ id: "passage-1", text: "Hanoi is warm.", created_at: at, tags: ["city"] }];
  expect(linesOf(await read("letta", passages))[0]).toMatchObject({
    path: "letta/archival",
    metadata: { tags: ["city"] },
  });
});

test("letta: a block that none of several agents names is reported as left out, and none is lost between them", async () => {
  const block = (id: string) => ({ id, label: id, value: `Text of ${id}.` });
  const file = {
    agents: [
      { id: "a1", name: "guide", block_ids: ["shared", "own"] },
      { id: "a2", name: "clerk", block_ids: ["shared"] },
    ],
    blocks: [block("shared"), block("own"), block("stray"), { label: "no id", value: "Text." }, 5],
  };
  const records = await read("letta", file);
  expect(linesOf(records).map(({ path }) => path)).toEqual([
    "letta/guide/shared",
    "letta/guide/own",
    "letta/clerk/shared",
  ]);
  expect(records.filter((record) => !("value" in record))).toEqual([
    expect.objectContaining({ kind: "block", leftOut: "no agent of the file names it" }),
    expect.objectContaining({ kind: "block", leftOut: "no agent of the file names it" }),
    expect.objectContaining({ kind: "block", problem: "is not a block: it must be an object" }),
  ]);

  const blocks = [
    { label: "one", value: "One." },
    { label: "two", value: "Two." },
  ];
  expect(await contents("letta", { agents: [{ name: "guide" }], blocks })).toEqual(["One.", "Two."]);
});

/** https://help.getzep.com: its service has accounts only. What it is built on, Graphiti, wrote test/peers/stores/graphiti.json. */
test("zep: threads, and edges without a fact of their own", async () => {
  const document = {
    nodes: [
      { uuid: "n1", name: "Ann", labels: ["Entity"], summary: "" },
      { uuid_: "n2", name: "Bob", labels: ["Entity", "SoftwareEngineer"], summary: "Writes Rust." },
    ],
    edges: [
      {
        uuid: "e1",
        name: "WORKS_WITH",
        source_node_uuid: "n1",
        target_node_uuid: "n2",
        created_at: "2026-01-01T00:00:00Z",
      },
    ],
    threads: [
      {
        thread_id: "t1",
        messages: [
          { uuid: "m1", role: "user", name: "Ann", content: "Hello Bob", created_at: "2026-01-01T00:00:00Z" },
        ],
      },
      {
        session_id: "t2",
        messages: [{ uuid: "m2", role: "Ann", role_type: "user", content: "Hello again" }],
      },
    ],
  };
  const records = await read("zep", document);
  expect(
    linesOf(records).map(({ memory_id, content, session_id, source }) => [
      memory_id,
      content,
      session_id,
      source,
    ]),
  ).toEqual([
    ["n2", "Bob: Writes Rust.", undefined, undefined],
    ["e1", "Ann works with Bob.", undefined, undefined],
    ["m1", "Hello Bob", "t1", "Ann"],
    ["m2", "Hello again", "t2", "Ann"],
  ]);
  expect(records[0]).toMatchObject({ leftOut: "it has neither a summary nor a label, only its name" });
});

test("basic-memory: notes that people wrote, as they are", async () => {
  const place = folder();
  mkdirSync(join(place, ".obsidian"));
  writeFileSync(join(place, ".obsidian", "hidden.md"), "Hidden");
  writeFileSync(join(place, "a.md"), "\ufeff---\r\ntitle: A: B\r\n---\r\nText");
  writeFileSync(join(place, "b.md"), Buffer.from([0xff, 0xfe, 0x41]));
  writeFileSync(
    join(place, "c.md"),
    '---\ntitle: 5\ncreated: 2024-02-03\ntags: x, y\n---\n- [00:01:02] Spoken #now\n- [/] Half done\n- see [[A]] for more\n- "is about" [[A]]',
  );
  writeFileSync(join(place, "d.md"), "No front matter\n---\nat all");
  writeFileSync(join(place, "e.txt"), "Not a note");
  const records = await recordsIn("basic-memory", place);
  expect(
    records.map((record) =>
      "problem" in record ? record.problem : "value" in record && record.value.content,
    ),
  ).toEqual([
    "a.md: its front matter is not YAML",
    "b.md: is not UTF-8 text",
    "# 5\n\n- [/] Half done\n- see [[A]] for more",
    "5: [00:01:02] Spoken #now",
    "5 is about A.",
    "# d\n\nNo front matter\n---\nat all",
  ]);
  expect(linesOf(records)[1]).toMatchObject({
    created_at: "2024-02-03T00:00:00.000Z",
    metadata: { tags: ["x", "y", "now"] },
  });
});

test("times as the stores write them", () => {
  expect(
    [
      "2026-11-23 14:58:06",
      "2026-11-23 15:58:06.486501+00:00",
      "2026-11-23T14:58:06-0830",
      "2026-11-23",
      "2026-11-23T14:58+00",
    ].map(instantOf),
  ).toEqual([
    "2026-11-23T14:58:06.000Z",
    "2026-11-23T15:58:06.486Z",
    "2026-11-23T23:28:06.000Z",
    "2026-11-23T00:00:00.000Z",
    "2026-11-23T14:58:00.000Z",
  ]);
  for (const none of ["soon", "2026-13-01", "0000-01-01", "23.11.2026", 5, "2026-11-23T25:00:00Z"])
    expect(instantOf(none)).toBeNull();
});

const CHATGPT = {
  conversation_id: "c-1",
  title: "Moving",
  current_node: "n5",
  mapping: {
    root: { id: "root", message: null, parent: null },
    n0: {
      id: "n0",
      parent: "root",
      message: {
        id: "m0",
        author: { role: "system" },
        content: { content_type: "text", parts: ["Be kind."] },
      },
    },
    n1: {
      id: "n1",
      parent: "n0",
      message: {
        ...{ id: "m1", author: { role: "user" }, create_time: 1767225600.25 },
        content: { content_type: "multimodal_text", parts: [{ asset_pointer: "x" }, "I moved to Porto."] },
      },
    },
    // A draft that was edited away.
    n2: { id: "n2", parent: "n1", message: chatgptAnswer("m2", "Dropped.") },
    n3: { id: "n3", parent: "n1", message: { ...chatgptAnswer("m3", "search()"), recipient: "web" } },
    n4: {
      id: "n4",
      parent: "n3",
      message: {
        ...chatgptAnswer("m4", "Hidden."),
        metadata: { is_visually_hidden_from_conversation: true },
      },
    },
    n5: { id: "n5", parent: "n4", message: { ...chatgptAnswer("m5", "Porto is lovely."), recipient: "all" } },
  },
};

function chatgptAnswer(id: string, said: string) {
  return {
    id,
    author: { role: "assistant" },
    content: { content_type: "text", parts: [said] },
    create_time: null,
  };
}

test("chatgpt: the branch that is shown, without tools, instructions and hidden messages", async () => {
  const records = await read("chatgpt", [CHATGPT]);
  const lines = linesOf(records);
  expect(lines.map(({ source, content, created_at }) => [source, content, created_at])).toEqual([
    ["user", "I moved to Porto.", "2026-01-01T00:00:00.250Z"],
    ["assistant", "Porto is lovely.", undefined],
  ]);
  expect(lines.map(({ session_id }) => session_id)).toEqual(["c-1", "c-1"]);
  const leftOut = records.flatMap((record) => ("leftOut" in record ? [record.leftOut] : []));
  expect(leftOut).toEqual(["it instructs the model", "it is a tool's call or output", "a program put it in"]);
});

test("claude: text blocks, and the text of messages without any", async () => {
  const messages = [
    {
      ...{
        uuid: "u1",
        sender: "human",
        created_at: "2026-01-01T10:00:00.000000Z",
        text: "I moved to Porto.",
      },
      content: [{ type: "text", text: "I moved to Porto." }],
    },
    {
      ...{ uuid: "u2", sender: "assistant", created_at: "2026-01-01T10:00:05Z", text: "Not this." },
      content: [
        { type: "thinking", thinking: "A move." },
        { type: "tool_use", name: "web_search", input: {} },
        { type: "text", text: "Porto is lovely." },
      ],
    },
    {
      uuid: "u3",
      sender: "human",
      created_at: "2026-01-01T10:01:00Z",
      text: "It rains a lot here.",
      content: [],
    },
    { uuid: "u4", sender: "human", created_at: "2026-01-01T10:02:00Z", text: "Thanks!", content: [] },
  ];
  const records = await read("claude", [{ uuid: "c-1", name: "Moving", chat_messages: messages }]);
  expect(linesOf(records).map(({ source, content }) => [source, content])).toEqual([
    ["user", "I moved to Porto."],
    ["assistant", "Porto is lovely."],
    ["user", "It rains a lot here."],
  ]);
  expect(records[3]).toMatchObject({ leftOut: "it says nothing by itself" });
});

test.each<[Peer, unknown]>([
  ["chatgpt", [CHATGPT]],
  ["claude", [{ uuid: "c-1", chat_messages: [{ uuid: "u1", sender: "human", text: "I moved to Porto." }] }]],
])("%s: an export that is imported twice, and has grown meanwhile, is there once", async (peer, document) => {
  const world = await openMovingWorld();
  const file = saved(document);
  const { created } = await world.moved(peer, file);
  expect(await world.moved(peer, file)).toMatchObject({ created: 0, unchanged: created, conflicts: 0 });
  const grown = [
    ...(document as object[]),
    peer === "claude"
      ? { uuid: "c-2", chat_messages: [{ uuid: "u9", sender: "human", text: "I sold the boat." }] }
      : { ...CHATGPT, conversation_id: "c-2" },
  ];
  writeFileSync(file, JSON.stringify(grown));
  expect(await world.moved(peer, file)).toMatchObject({ unchanged: created, conflicts: 0 });
});

test.each<[Peer, unknown, string]>([
  ["chatgpt", {}, "no conversations with mapping"],
  ["chatgpt", [{ chat_messages: [] }], "no conversations with mapping"],
  ["claude", [{ mapping: {} }], "no conversations with chat_messages"],
  ["claude", "[", "not JSON, or is cut short"],
])("%s: %j is no export", async (peer, content, reason) => {
  await expect(read(peer, content)).rejects.toThrow(reason);
});

test.each<Peer>(["claude-code", "codex"])("%s: a folder without sessions is refused", async (peer) => {
  await expect(recordsIn(peer, folder())).rejects.toThrow("no file in it ends with .jsonl");
});

/** Texts as people write them, and as nobody should. */
const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.lorem({ maxCount: 3 }),
  fc.constantFrom("", " ", "..", "a/b"),
);
const time = fc.option(fc.constantFrom("2026-01-01T00:00:00Z", "2025-05-05 05:05:05", "soon", 5), {
  nil: undefined,
});
const list = <T>(items: fc.Arbitrary<T>) => fc.array(items, { maxLength: 6 });

const anyContent = fc.oneof(
  anyText,
  list(fc.record({ type: fc.constantFrom("text", "thinking", "tool_use", "tool_result"), text: anyText })),
  fc.jsonValue(),
);
const anyRole = fc.constantFrom("user", "assistant", "system", "tool", "human", 3, null);

const STORES: Readonly<Record<Exclude<Peer, "basic-memory">, fc.Arbitrary<unknown>>> = {
  "memory-server": fc.record({
    entities: list(
      fc.record({ name: anyText, entityType: anyText, observations: list(fc.oneof(anyText, fc.integer())) }),
    ),
    relations: list(fc.record({ from: anyText, to: anyText, relationType: anyText })),
  }),
  mem0: list(
    fc.record(
      {
        id: fc.uuid(),
        memory: anyText,
        user_id: anyText,
        app_id: anyText,
        metadata: fc.dictionary(fc.constantFrom("due_at", "authority", "x"), fc.jsonValue()),
        created_at: time,
      },
      { requiredKeys: [] },
    ),
  ),
  langgraph: list(
    fc.record(
      {
        namespace: list(anyText),
        key: anyText,
        value: fc.oneof(fc.dictionary(anyText, fc.jsonValue()), fc.jsonValue()),
        created_at: time,
        expires_at: time,
      },
      { requiredKeys: ["namespace"] },
    ),
  ),
  letta: fc.record({
    agents: list(
      fc.record({
        id: anyText,
        name: anyText,
        block_ids: list(anyText),
        messages: list(
          fc.record({
            role: fc.constantFrom("user", "assistant", "tool", 3),
            content: fc.oneof(anyText, fc.jsonValue()),
            created_at: time,
          }),
        ),
      }),
    ),
    blocks: list(fc.record({ id: anyText, label: anyText, value: fc.oneof(anyText, fc.integer()) })),
    passages: fc.array(fc.record({ id: anyText, text: anyText, created_at: time }), {
      minLength: 1,
      maxLength: 3,
    }),
  }),
  zep: fc.record({
    nodes: list(fc.record({ uuid: fc.uuid(), name: anyText, labels: list(anyText), summary: anyText })),
    edges: list(
      fc.record({
        uuid: fc.uuid(),
        name: anyText,
        fact: anyText,
        valid_at: time,
        invalid_at: time,
        attributes: fc.jsonValue(),
      }),
    ),
    episodes: list(
      fc.oneof(
        fc.record({ uuid: fc.uuid(), content: anyText, role: anyText, created_at: time }),
        fc.jsonValue(),
      ),
    ),
  }),
  chatgpt: fc.array(
    fc.record({
      conversation_id: anyText,
      current_node: fc.constantFrom("a", "b", "c"),
      mapping: fc.dictionary(
        fc.constantFrom("a", "b", "c"),
        fc.record({
          parent: fc.constantFrom("a", "b", "c", null),
          message: fc.oneof(
            fc.record({
              id: anyText,
              author: fc.record({ role: anyRole }),
              content: fc.record({ content_type: anyText, parts: anyContent }),
              create_time: fc.oneof(
                fc.double({ noNaN: true, noDefaultInfinity: true, max: 1e10, min: 0 }),
                time,
              ),
            }),
            fc.jsonValue(),
          ),
        }),
      ),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  claude: fc.array(
    fc.record({
      uuid: anyText,
      chat_messages: list(
        fc.oneof(
          fc.record({ uuid: anyText, sender: anyRole, created_at: time, text: anyText, content: anyContent }),
          fc.jsonValue(),
        ),
      ),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  "claude-code": fc.record({
    type: fc.constantFrom("user", "assistant", "summary"),
    uuid: anyText,
    sessionId: fc.oneof(anyText, fc.constant(7)),
    timestamp: time,
    isMeta: fc.boolean(),
    message: fc.record({ role: anyRole, content: anyContent }),
  }),
  codex: fc.record({
    type: fc.constantFrom("session_meta", "response_item", "event_msg"),
    timestamp: time,
    payload: fc.oneof(
      fc.record({ id: anyText, type: anyText, role: anyRole, content: anyContent }),
      fc.jsonValue(),
    ),
  }),
};

test.each(Object.entries(STORES))(
  "%s: whatever a store holds is a memory, left out or refused, always the same way",
  async (peer, stores) => {
    const file = saved("");
    await fc.assert(
      fc.asyncProperty(stores, async (store) => {
        const text = JSON.stringify(store);
        // A number that JSON cannot hold is refused as a whole, which is tested above.
        fc.pre(!/\d{16}/.test(text));
        writeFileSync(file, text);
        const records = await recordsIn(peer as Peer, file);
        expect(await recordsIn(peer as Peer, file)).toEqual(records);
        for (const record of records) {
          expect(Number("problem" in record) + Number("value" in record) + Number("leftOut" in record)).toBe(
            1,
          );
          expect([record.line >= 1, record.offset <= text.length, record.kind.length > 0]).toEqual([
            true,
            true,
            true,
          ]);
        }
        for (const line of linesOf(records)) {
          const read = readLine({ created_at: "2026-01-01T00:00:00Z", ...line }, true);
          // Only texts that cannot be stored, or what is named by one, are refused later.
          if ("issues" in read)
            for (const { loc, msg } of read.issues)
              expect(`${loc}: ${msg}`).toMatch(
                /U\+0000|unpaired|64 KiB|at most|characters|deeper|>=1|out of range/,
              );
        }
      }),
      { numRuns: runs(1000) },
    );
  },
  120_000,
);

test("random stores: twice is once, and a dry run says what the first will do", async () => {
  const world = await openMovingWorld();
  const file = saved("");
  const peers = Object.keys(STORES) as (keyof typeof STORES)[];
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(...peers.map((peer) => fc.tuple(fc.constant(peer), STORES[peer]))),
      async ([peer, store]) => {
        const text = JSON.stringify(store);
        fc.pre(!/\d{16}/.test(text));
        writeFileSync(file, text);
        const { kinds: _, ...rehearsed } = await world.moved(peer, file, { dryRun: true });
        const { kinds: __, ...first } = await world.moved(peer, file);
        expect(first).toEqual(rehearsed);
        const rows = () =>
          world.service.sql`select id, memory_id, revision, content from memories order by id`;
        const before = await rows();
        const second = await world.moved(peer, file);
        expect(second).toMatchObject({
          created: 0,
          unchanged: first.created + first.unchanged,
          invalid: first.invalid,
        });
        expect(await rows()).toEqual(before);
      },
    ),
    { numRuns: runs(200) },
  );
}, 120_000);
