/** What brings nothing new stays out of recall, is named in the answer, and nothing new is taken for it. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { junkKinds } from "../../src/contract/memory.ts";
import { expectRefusal, freshOwner, listed, memory, stored, unguessable } from "../support/acting.ts";
import { callTool } from "../support/mcp.ts";
import { type Client, openWorld, type World } from "../support/world.ts";

const worlds = {} as Record<"keep_out" | "note" | "refuse" | "allow", World>;
beforeAll(async () => {
  // Keeping it out is what happens where nothing is set.
  worlds.keep_out = await openWorld();
  worlds.note = await openWorld({ JUNK_POLICY: "note" });
  worlds.refuse = await openWorld({ JUNK_POLICY: "refuse" });
  worlds.allow = await openWorld({ JUNK_POLICY: "allow" });
});
afterAll(() => Promise.all(Object.values(worlds).map((world) => world.close())));

type Policy = keyof typeof worlds;
const someone = (policy: Policy = "keep_out") => worlds[policy].client({ owner: freshOwner() });
const remember = async (client: Client, given: Record<string, unknown>) =>
  (await client.post("/v1/remember", memory(given))).body;
const QUOTED =
  "I recall: The key of the boat house lies under the blue bench. Ask Lars where the spare one is.";
const FACT = "The key of the boat house lies under the blue bench. Ask Lars where the spare one is.";

/** Somebody who was just shown a memory that says the fact, with its id and the context's text. */
async function shown(policy: Policy = "keep_out", content = FACT) {
  const client = await someone(policy);
  const id = await stored(client, { content });
  await stored(client, { content: "The boat house key has a red tag with the number 7." });
  const asked = { query: "where does the key of the boat house lie" };
  const { body } = await client.post("/v1/recall/context", asked);
  const compact = await client.post("/v1/recall/context", { ...asked, format: "compact" });
  return { client, id, text: body.context_text as string, compactText: compact.body.context_text as string };
}

describe("an echo of what recall has just shown", () => {
  test.each<[string, (text: string) => string]>([
    ["the whole text", (text) => text],
    ["the text without its heading", (text) => text.split("\n").slice(2).join("\n")],
    ["an item with its header line", (text) => text.split("\n").slice(2, 4).join("\n")],
    ["an item quoted", () => `> ${FACT}`],
    ["an item in a list", () => `- ${FACT}`],
    ["an item introduced", () => `I recall: ${FACT}`],
    ["a sentence of an item", () => "Ask Lars where the spare one is!"],
  ])("is answered by the memory that says it: %s", async (_, echoOf) => {
    const { client, id, text } = await shown();
    const answer = await remember(client, { content: echoOf(text), path: "turns" });
    expect(answer).toMatchObject({ status: "remembered", deduplicated: true, junk: "echo" });
    expect(answer.reason).toMatch(/^echo: /);
    expect(text.includes("#### 1.") && echoOf(text).includes("#### ") ? [answer.id] : [id]).toContain(
      answer.id,
    );
    expect(await listed(client, { status: "%" })).toHaveLength(2);
  });

  test("is answered by the memory that says it, in the compact form too", async () => {
    const { client, id, compactText } = await shown();
    const line = compactText.split("\n").find((one) => one.endsWith(FACT)) ?? "";
    expect(line).toMatch(/^\d{6} [ab]> /);
    expect(await remember(client, { content: line, path: "turns" })).toMatchObject({ id, junk: "echo" });
    expect(await remember(client, { content: compactText, path: "turns" })).toMatchObject({ junk: "echo" });
    expect(await listed(client, { status: "%" })).toHaveLength(2);
  });

  test.each<[string, (text: string) => string]>([
    ["with a sentence more", (text) => `${text}\nThe bench was painted green on Monday.`],
    ["with a word changed", () => FACT.replace("blue", "green")],
    ["with a denial", () => FACT.replace("lies", "does not lie")],
    ["denied by what introduces it", () => `It is not true: ${FACT}`],
    ["with a number's sign", () => `-${FACT}`],
  ])("is not what says anything else: %s", async (_, said) => {
    const { client, text } = await shown();
    const answer = await remember(client, { content: said(text), path: "turns" });
    expect(answer).toMatchObject({ deduplicated: false });
    expect(answer.junk).toBeUndefined();
    expect(await listed(client)).toHaveLength(3);
  });

  test.each<[string, Record<string, unknown>]>([
    ["another path", { path: "handbook/keys" }],
    ["another bucket", { bucket: "work" }],
    ["another type", { memory_type: "episodic" }],
    ["a key", { semantic_key: "boat-house.key" }],
  ])("is stored, and named, where the whole of a memory is filed elsewhere as well: %s", async (_, place) => {
    const { client, id } = await shown();
    const filed = await remember(client, { content: `  ${FACT}\n`, ...place });
    expect(filed).toMatchObject({ status: "remembered", deduplicated: false });
    expect(filed.id).not.toBe(id);
    const named = place.semantic_key
      ? {}
      : { junk: "echo", reason: expect.stringMatching(/^echo: .*stored/) };
    expect(filed).toMatchObject(named);
    const there = (await client.get(`/v1/memories/${filed.id}`)).body;
    expect(there).toMatchObject({ status: "active", ...place });
    // Once a place: what is recalled often is not stored often, and a pack has it once.
    await client.get("/v1/memories/search?query=boat+house");
    expect(await remember(client, { content: FACT, ...place })).toMatchObject({
      id: filed.id,
      deduplicated: true,
    });
    expect(await listed(client, { status: "%" })).toHaveLength(3);
    const asked = { query: "where does the key of the boat house lie" };
    const { context_text: text } = (await client.post("/v1/recall/context", asked)).body;
    expect(text.split("blue bench")).toHaveLength(2);
  });

  test("in the place where the memory is, is a repeat of it, shown or not", async () => {
    const { client, id } = await shown();
    const again = await remember(client, { content: FACT, metadata: { seen: "again" } });
    expect(again).toMatchObject({ id, deduplicated: true });
    expect((await client.get(`/v1/memories/${id}`)).body.metadata).toMatchObject({ seen: "again" });
  });

  test("changes nothing of the memory, so that recalling a thing does not make it matter more", async () => {
    const { client, id } = await shown();
    const before = await client.get(`/v1/memories/${id}`);
    await remember(client, { content: QUOTED, path: "turns" });
    expect((await client.get(`/v1/memories/${id}`)).body).toEqual(before.body);
  });

  test("by a search is known as well", async () => {
    const client = await someone();
    const id = await stored(client, { content: FACT });
    await client.get("/v1/memories/search?query=boat+house");
    expect(await remember(client, { content: QUOTED, path: "turns" })).toMatchObject({ id, junk: "echo" });
  });

  test("is none where only the reason of a place was asked: nothing was shown", async () => {
    const client = await someone();
    const id = await stored(client, { content: FACT });
    for (const limits of [{}, { max_items: 8 }]) {
      const why = await client.post("/v1/recall/why", { query: "boat house key", memory_id: id, ...limits });
      expect(why.body).toMatchObject({ found: true });
    }
    const answer = await remember(client, { content: FACT, path: "turns" });
    expect(answer).toMatchObject({ deduplicated: false });
    expect(answer).not.toHaveProperty("junk");
  });

  test("by a project's context is known as well", async () => {
    const client = await someone();
    const id = await stored(client, { content: FACT, project_id: "boats" });
    const { body } = await client.post("/v1/projects/boats/context", {});
    expect(body.context_text).toContain("boat house");
    const again = { content: QUOTED, path: "turns", project_id: "boats" };
    expect(await remember(client, again)).toMatchObject({ id, junk: "echo" });
  });

  test("is none of what did not fit into a project's context", async () => {
    const client = await someone();
    const filler = Array.from({ length: 40 }, (_, at) => `Plank ${at} of the pier is sound.`).join(" ");
    await stored(client, { content: FACT, project_id: "boats", importance: 0 });
    await stored(client, { content: filler, project_id: "boats", importance: 1 });
    const { body } = await client.post("/v1/projects/boats/context", { max_items: 1 });
    expect(body.context_text).not.toContain("boat house");
    const again = { content: FACT, path: "turns", project_id: "boats" };
    expect(await remember(client, again)).toMatchObject({ deduplicated: false });
  });

  test("is nobody else's: what one credential was shown is new from another", async () => {
    const owner = freshOwner();
    const [one, other] = [await worlds.keep_out.client({ owner }), await worlds.keep_out.client({ owner })];
    await stored(one, { content: FACT });
    await one.get("/v1/memories/search?query=boat+house");
    expect(await remember(other, { content: FACT, path: "turns" })).toMatchObject({ deduplicated: false });
  });

  test.each<[string, Record<string, unknown>]>([
    ["an id of its own", { memory_id: "mine" }],
    ["a semantic key", { semantic_key: "boat-house.key" }],
    ["a type that makes something of it", { memory_type: "decision" }],
    ["a status", { status: "started" }],
    ["a project that the memory is not of", { project_id: "boats" }],
    ["dedupe false", { dedupe: false }],
    ["who vouches for it", { metadata: { authority: "inference" } }],
    ["a bucket that fewer may read", { bucket: "knowledge" }],
  ])("is stored where the request says more: %s", async (_, more) => {
    const { client } = await shown();
    expect(await remember(client, { content: QUOTED, path: "turns", ...more })).toMatchObject({
      deduplicated: false,
    });
    expect(await listed(client)).toHaveLength(3);
  });

  test.each<[string, (client: Client, id: string) => Promise<unknown>]>([
    ["deleted", (client, id) => client.delete(`/v1/memories/${id}`)],
    ["erased", (client, id) => client.delete(`/v1/memories/${id}?mode=hard_delete`)],
    ["redacted", (client, id) => client.delete(`/v1/memories/${id}?mode=redact`)],
    ["changed", (client, id) => client.patch(`/v1/memories/${id}`, { content: "It was moved." })],
  ])("is new once the memory is %s", async (_, change) => {
    const { client, id } = await shown();
    await change(client, id);
    const answer = await remember(client, { content: FACT, path: "turns" });
    expect(answer).toMatchObject({ deduplicated: false });
    expect(answer.junk).toBeUndefined();
  });

  test.each<[string, Record<string, unknown>]>([
    ["that expires", { expires_at: "2999-01-01T00:00:00Z" }],
    ["that is a working note", { memory_type: "working" }],
  ])("of a memory %s is stored where it is to last", async (_, more) => {
    const client = await someone();
    await stored(client, { content: FACT, ...more });
    await client.get("/v1/memories/search?query=boat+house");
    const echo = await remember(client, { content: QUOTED, path: "turns", ...more });
    expect(echo).toMatchObject({ junk: "echo", deduplicated: true });
    expect(await remember(client, { content: QUOTED, path: "turns" })).toMatchObject({ deduplicated: false });
    expect(await listed(client)).toHaveLength(2);
  });

  test("of a context with nothing in it is set aside", async () => {
    const client = await someone();
    const { body } = await client.post("/v1/recall/context", { query: "boat house" });
    const answer = await remember(client, { content: body.context_text });
    expect(answer).toMatchObject({ deduplicated: false, junk: "echo" });
    expect(await listed(client)).toEqual([]);
  });
});

describe("a content that says nothing by itself", () => {
  test.each(["ok", "Thanks!", "👍🏽", "…", "Guten Morgen", "谢谢！", "yes, of course"])(
    "is set aside and can be brought back: %s",
    async (content) => {
      const client = await someone();
      const answer = await remember(client, { content });
      expect(answer).toMatchObject({ status: "remembered", deduplicated: false });
      expect(answer.junk).toBe(content === "…" ? "empty" : "trivial");
      expect(answer.reason).toMatch(/archived/);
      expect(await listed(client)).toEqual([]);
      expect(await listed(client, { status: "archived" })).toEqual([content]);
      await client.patch(`/v1/memories/${answer.id}`, { status: "active" });
      expect(await listed(client)).toEqual([content]);
    },
  );

  test.each(["42", "C++", "Yes: Lars, 5 times.", "no meat", "→", "⌘K", "§", "hello world", "x"])(
    "is not one that says something: %s",
    async (content) => {
      const client = await someone();
      expect(await remember(client, { content })).not.toHaveProperty("junk");
      expect(await listed(client)).toEqual([content]);
    },
  );

  test.each<[string, Record<string, unknown>]>([
    ["a key", { semantic_key: "likes.tea" }],
    ["an id", { memory_id: "likes-tea" }],
    ["metadata", { metadata: { question: "Do you like tea?" } }],
    ["a status", { status: "completed" }],
  ])("says something beside %s", async (_, more) => {
    const client = await someone();
    expect(await remember(client, { content: "yes", ...more })).not.toHaveProperty("junk");
    expect(await listed(client)).toEqual(["yes"]);
  });

  test("is part of its session, where it answers what was said before it", async () => {
    const client = await someone();
    const answer = await remember(client, { content: "yes", provenance: { session_id: "s" } });
    expect(answer).toMatchObject({ junk: "trivial" });
    expect(await listed(client)).toEqual(["yes"]);
  });
});

describe("a repetition", () => {
  test.each([
    "The staging database is db-2",
    "By the way, The staging database is db-2",
    "Please note that The staging database is db-2.",
    " The  staging database is db-2...",
    "The staging\ndatabase is db‐2",
    "The stag\u00ading database is db-2",
    "Ｔｈｅ staging database is db-2",
  ])("is a repeat of the memory that is there: %s", async (content) => {
    const client = await someone();
    const { id } = await remember(client, {});
    const answer = await remember(client, { content, metadata: { seen: 1 } });
    expect(answer).toMatchObject({ id, deduplicated: true, junk: "repetition" });
    expect((await client.get(`/v1/memories/${id}`)).body.metadata).toMatchObject({ seen: 1 });
    expect(await listed(client)).toHaveLength(1);
  });

  test.each([
    ["The staging database is db-2.", "The staging database is db-3."],
    ["It is -18 degrees.", "It is 18 degrees."],
    ["a < b holds here", "a > b holds here"],
    ["Use C here.", "Use C++ here."],
    ["Build ✅", "Build ❌"],
    ["Is the door locked?", "Is the door locked."],
    ["He said 5 items", "He said > 5 items"],
    ["Talk to the US team.", "Talk to the us team."],
    ["The line has 5 Mb.", "The line has 5 mb."],
    ["The result is 5!", "The result is 5."],
    ["Don't. Stop the pump.", "Don't stop the pump."],
    ["Ann lent Bob 200 crowns.", "Bob lent Ann 200 crowns."],
  ])("is not what says something else: %s | %s", async (one, other) => {
    const client = await someone();
    await remember(client, { content: one });
    expect(await remember(client, { content: other })).not.toHaveProperty("junk");
    expect(await listed(client)).toHaveLength(2);
  });

  test("in other case is kept, since a memory in other case is another one, and named", async () => {
    const client = await someone();
    await remember(client, { content: "Deploys go out on Friday." });
    const answer = await remember(client, { content: "deploys go out on friday" });
    expect(answer).toMatchObject({ deduplicated: false, junk: "repetition" });
    expect(await listed(client)).toHaveLength(2);
  });

  test("that is stored is named to nobody who may not read", async () => {
    const owner = freshOwner();
    const reader = await worlds.keep_out.client({ owner });
    await remember(reader, { content: "Deploys go out on Friday." });
    const writer = await worlds.keep_out.client({ owner, scopes: ["memory:write"] });
    const answer = await remember(writer, { content: "deploys go out on friday" });
    expect(answer).toMatchObject({ deduplicated: false });
    expect(answer).not.toHaveProperty("junk");
  });

  test("is one of the same place alone", async () => {
    const client = await someone();
    await remember(client, {});
    for (const other of [{ path: "elsewhere" }, { bucket: "work" }, { memory_type: "episodic" }]) {
      const answer = await remember(client, { content: "The staging database is db-2", ...other });
      expect(answer).toMatchObject({ deduplicated: false });
    }
  });

  test("that comes many times at once is one memory", async () => {
    const client = await someone();
    const ends = [".", "!", "…", "..", "!!", "!"];
    const answers = await Promise.all(ends.map((end) => remember(client, { content: `It is done${end}` })));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(await listed(client)).toHaveLength(1);
  });
});

describe("what the policy says", () => {
  const offers = (text: string) => ({
    echo: { content: text, path: "turns" },
    trivial: { content: "ok" },
    empty: { content: "…" },
  });

  test("note stores everything and names it", async () => {
    const { client, text } = await shown("note");
    for (const [kind, offer] of Object.entries(offers(text)))
      expect(await remember(client, offer)).toMatchObject({ deduplicated: false, junk: kind });
    const twice = await remember(client, { content: FACT.replace(/\.$/, "!") });
    expect(twice).toMatchObject({ deduplicated: false, junk: expect.stringMatching(/echo|repetition/) });
    expect(await listed(client)).toHaveLength(6);
  });

  test("refuse answers 422 that names it, and a repetition by the memory that is there", async () => {
    const { client, text } = await shown("refuse");
    for (const [kind, offer] of Object.entries(offers(text))) {
      const answer = await client.post("/v1/remember", memory(offer));
      expectRefusal(answer, 422, "validation_failed");
      expect(answer.body.detail).toMatchObject([{ loc: ["body", "content"], type: kind }]);
    }
    const { id } = await remember(client, {});
    expect(await remember(client, { content: "The staging database is db-2" })).toMatchObject({ id });
  });

  test("allow stores everything without a word", async () => {
    const { client, text } = await shown("allow");
    for (const offer of Object.values(offers(text))) {
      const answer = await remember(client, offer);
      expect(answer).toMatchObject({ deduplicated: false });
      expect(answer).not.toHaveProperty("junk");
      expect(answer).not.toHaveProperty("reason");
    }
  });
});

test("a store is stored as given and says what it looks like", async () => {
  const { client } = await shown();
  const echo = await client.post("/v1/memories", memory({ content: FACT, path: "turns" }));
  expect(echo).toMatchObject({ status: 201, body: { status: "stored", junk: "echo" } });
  const trivial = await client.post("/v1/memories", memory({ content: "ok" }));
  expect(trivial).toMatchObject({ status: 201, body: { junk: "trivial" } });
  const named = await client.post("/v1/memories", memory({ content: "ok", memory_id: "ok" }));
  expect(named.body).not.toHaveProperty("junk");
  expect(await listed(client)).toHaveLength(5);
});

test("a batch judges each of its items", async () => {
  const { client, text } = await shown();
  const items = [
    memory({ content: text, dedupe: true }),
    memory({ content: "ok", dedupe: true }),
    memory({ content: "The gate code is changed.", dedupe: true }),
    memory({ content: "The gate code is changed!", dedupe: true }),
    memory({ content: "ok" }),
  ];
  const { body } = await client.post("/v1/memories/batch", { items });
  const kinds = body.results.map(({ junk }: { junk?: string }) => junk);
  expect(kinds).toEqual(["echo", "trivial", undefined, "repetition", "trivial"]);
  expect(body).toMatchObject({ stored: 5, failed: 0 });
});

test("an MCP tool's answer names it", async () => {
  const { client } = await shown();
  const result = await callTool(worlds.keep_out, client.token, "remember", memory({ content: "thanks" }));
  expect(result.structuredContent).toMatchObject({ junk: "trivial" });
  expect(junkKinds).toContain(result.structuredContent.junk);
});

test("at another server, that handed nothing out, an echo in another place is new", async () => {
  const { client } = await shown();
  const replica = await worlds.keep_out.replica();
  const body = JSON.stringify(memory({ content: FACT, path: unguessable("turns/") }));
  const headers = { "x-api-key": client.token, "content-type": "application/json" };
  const request = new Request("http://localhost/v1/remember", { method: "POST", headers, body });
  expect(await (await replica(request)).json()).toMatchObject({ deduplicated: false });
});
