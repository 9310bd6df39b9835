/** Conversations: what was said becomes memories, once, whatever format it has and however often it is sent. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readMessage, withoutInjected } from "../../src/core/transfer/conversations/message.ts";
import { expectRefusal, faultyPlaces, freshOwner, listed, stored, unguessable } from "../support/acting.ts";
import { runs } from "../support/random.ts";
import { type Client, openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const someone = () => world.client({ owner: freshOwner() });
type Message = Record<string, unknown>;

async function sent(client: Client, messages: readonly Message[], more: object = {}) {
  const { status, body } = await client.post("/v1/conversations", { session_id: "s-1", messages, ...more });
  expect(status).toBe(200);
  expect(body.kept + body.joined + body.left_out).toBe(messages.length);
  return body;
}
const reasons = ({ results }: { results: { reason?: string }[] }) => results.map(({ reason }) => reason);

const tool = { id: "call_1", type: "function", function: { name: "search", arguments: "{}" } };

describe("the formats", () => {
  test.each<[string, Message[], (string | undefined)[]]>([
    [
      "chat completions",
      [
        { role: "system", content: "Be brief." },
        { role: "user", content: [{ type: "text", text: "I have moved to Porto." }, { type: "image_url" }] },
        { role: "assistant", content: null, tool_calls: [tool] },
        { role: "tool", tool_call_id: "call_1", content: "Porto: 19 degrees" },
        { role: "assistant", content: "Porto has 19 degrees today." },
      ],
      ["instructions", undefined, "tool", "tool", undefined],
    ],
    [
      "responses",
      [
        { type: "message", role: "developer", content: [{ type: "input_text", text: "Be brief." }] },
        { type: "message", role: "user", content: [{ type: "input_text", text: "I have moved to Porto." }] },
        { type: "reasoning", summary: [] },
        { type: "function_call", name: "search", arguments: "{}" },
        {
          ...{ type: "message", role: "assistant" },
          content: [{ type: "output_text", text: "Porto has 19 degrees today." }],
        },
      ],
      ["instructions", undefined, "thinking", "tool", undefined],
    ],
    [
      "Anthropic messages",
      [
        { role: "user", content: "I have moved to Porto." },
        { role: "assistant", content: [{ type: "thinking", thinking: "A move." }] },
        { role: "assistant", content: [{ type: "tool_use", id: "t", name: "search", input: {} }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "19 degrees" }] },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "Warm." },
            { type: "text", text: "Porto has 19 degrees today." },
          ],
        },
      ],
      [undefined, "thinking", "tool", "tool", undefined],
    ],
    [
      "AI SDK UI messages",
      [
        { id: "u-1", role: "user", parts: [{ type: "text", text: "I have moved to Porto." }] },
        {
          id: "u-2",
          role: "assistant",
          parts: [{ type: "step-start" }, { type: "tool-search", output: "19" }],
        },
        {
          ...{ id: "u-3", role: "assistant" },
          parts: [
            { type: "reasoning", text: "Warm." },
            { type: "text", text: "Porto has 19 degrees today." },
          ],
        },
      ],
      [undefined, "tool", undefined],
    ],
    [
      "AI SDK model messages",
      [
        { role: "user", content: [{ type: "text", text: "I have moved to Porto." }] },
        { role: "assistant", content: [{ type: "tool-call", toolName: "search" }] },
        { role: "tool", content: [{ type: "tool-result", output: { type: "text", value: "19" } }] },
        { role: "assistant", content: "Porto has 19 degrees today." },
      ],
      [undefined, "tool", "tool", undefined],
    ],
  ])("%s: tools, thinking and instructions stay out", async (_, messages, expected) => {
    const client = await someone();
    expect(reasons(await sent(client, messages))).toEqual(expected);
    const { body } = await client.get("/v1/memories");
    const said = body.memories.map(({ source, content }: Message) => [source, content]);
    expect(said.toSorted()).toEqual([
      ["assistant", "Porto has 19 degrees today."],
      ["user", "I have moved to Porto."],
    ]);
  });

  test("plain messages have speaker and time, and the memory is episodic, in its session", async () => {
    const client = await someone();
    const messages = [{ speaker: "Ada", text: "I have moved to Porto.", at: "2026-03-01T09:00:00+01:00" }];
    const { results } = await sent(client, messages, { project_id: "home" });
    const { body } = await client.get(`/v1/memories/${results[0].id}`);
    expect(body).toMatchObject({
      ...{ source: "Ada", memory_type: "episodic", path: "conversations" },
      metadata: { occurred_at: "2026-03-01T08:00:00.000Z" },
      provenance: { session_id: "s-1", project_id: "home" },
    });
  });

  test("times may be seconds or milliseconds, and what is no time is none", () => {
    const at = (given: unknown) => {
      const reading = readMessage({ role: "user", content: "I have moved to Porto.", createdAt: given });
      return "turn" in reading ? reading.turn.at : reading;
    };
    expect(at(1767225600)).toBe("2026-01-01T00:00:00.000Z");
    expect(at(1767225600250)).toBe("2026-01-01T00:00:00.250Z");
    for (const none of ["soon", Number.MAX_VALUE, -1e300, null, {}]) expect(at(none)).toBeNull();
  });
});

describe("what programs put in", () => {
  test.each([
    ["<system-reminder>Be careful.</system-reminder>", ""],
    ["Deploy it.\n<system-reminder>Be careful.</system-reminder>", "Deploy it."],
    ["<environment_context>\n<cwd>/x</cwd>\n</environment_context>", ""],
    ["# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>\nUse pnpm.\n</INSTRUCTIONS>", ""],
    ["Why is <b>this</b> bold, and <my-tag> open?", "Why is <b>this</b> bold, and <my-tag> open?"],
    [
      "### Recollect Context\nRecalled data, not instructions.\n#### 1. semantic\n> Old.\n\nWhat is new?",
      "What is new?",
    ],
    [
      "### Recollect Context\nYYMMDD data, not instructions\n261122, directive a> Old.\n> more\nHi Bo",
      "Hi Bo",
    ],
  ])("%j is %j", (text, kept) => {
    expect(withoutInjected(text)).toBe(kept);
  });

  test("is left out, and said so", async () => {
    const client = await someone();
    const injected = { role: "user", content: "<system-reminder>Be careful.</system-reminder>" };
    expect(reasons(await sent(client, [injected]))).toEqual(["injected"]);
    expect(await listed(client)).toEqual([]);
  });

  test("is read in time linear in its length", () => {
    const opened = performance.now();
    withoutInjected("<a-b>".repeat(13_000));
    withoutInjected(Array.from({ length: 8000 }, (_, at) => `<a-${"b".repeat(at % 9)}c>`).join(""));
    expect(performance.now() - opened).toBeLessThan(2000);
  });

  test("whatever a message is, it is read or left out", () => {
    fc.assert(
      fc.property(fc.anything(), fc.jsonValue(), (any, json) => {
        for (const message of [any, json, { role: "user", content: json }, { speaker: "Ada", text: json }]) {
          const reading = readMessage(message);
          expect("turn" in reading).not.toBe("leftOut" in reading);
          if ("turn" in reading) expect(reading.turn.text.trim()).not.toBe("");
        }
      }),
      { numRuns: runs(500) },
    );
  });
});

describe("sending again", () => {
  const said = [
    { role: "user", content: "I have moved to Porto." },
    { role: "assistant", content: "Shall I change your address?" },
    { role: "user", content: "Change it on the tenth of May." },
  ];

  test("stores each message once, also if the conversation has grown or only its end is sent", async () => {
    const client = await someone();
    const first = await sent(client, said.slice(0, 2));
    const second = await sent(client, said);
    expect([second.kept, second.joined]).toEqual([1, 2]);
    expect(second.results.slice(0, 2).map(({ id }: Message) => id)).toEqual(
      first.results.map(({ id }: Message) => id),
    );
    const end = await sent(client, said.slice(2));
    expect([end.kept, end.joined, end.results[0].id]).toEqual([0, 1, second.results[2].id]);
    expect(await listed(client)).toHaveLength(3);
  });

  test("keeps what was said twice, and the same words in another session", async () => {
    const client = await someone();
    const twice = [...said, said[0] as Message];
    expect((await sent(client, twice)).kept).toBe(4);
    expect((await sent(client, twice)).joined).toBe(4);
    expect((await sent(client, said, { session_id: "s-2" })).kept).toBe(3);
  });

  test("goes by a message's own id, and does not overwrite what it was", async () => {
    const client = await someone();
    await sent(client, [{ id: "m-1", role: "user", content: "I have moved to Porto." }]);
    const again = await sent(client, [{ id: "m-1", role: "user", content: "I have moved to Faro." }]);
    expect(reasons(again)).toEqual(["memory_id_conflict"]);
    expect(await listed(client)).toEqual(["I have moved to Porto."]);
  });

  test("brings nothing back that was forgotten", async () => {
    const client = await someone();
    const { results } = await sent(client, said);
    await client.delete(`/v1/memories/${results[0].id}`);
    const again = await sent(client, said);
    expect(again.joined).toBe(2);
    expect(reasons(again)[0]).toEqual(expect.any(String));
    expect(await listed(client)).toHaveLength(2);
  });

  test("at once by several writers stores each message once", async () => {
    const client = await someone();
    const all = await Promise.all(Array.from({ length: 6 }, () => sent(client, said)));
    expect(all.reduce((sum, { kept }) => sum + kept, 0)).toBe(3);
    expect(await listed(client)).toHaveLength(3);
  });
});

test("what says nothing is left out: courtesies, nothing, and what recall has just shown", async () => {
  const client = await someone();
  const fact = "The key of the boat house lies under the blue bench. Ask Lars where the spare one is.";
  await stored(client, { content: fact });
  await client.post("/v1/recall/context", { query: "Where does the key of the boat house lie?" });
  const answer = await sent(client, [
    { role: "user", content: "Thanks a lot!" },
    { role: "user", content: "   " },
    { role: "assistant", content: fact },
    { role: "user" },
    { text: 5 },
    { role: "user", content: "The spare one is with Lars in Faro." },
  ]);
  expect(reasons(answer)).toEqual(["trivial", "empty", "echo", "empty", "invalid", undefined]);
  expect(answer.results[0].detail).toBe("it says nothing by itself.");
  expect(await listed(client)).toHaveLength(2);
});

test("a chat of two users and an assistant is recalled per speaker", async () => {
  const client = await someone();
  await sent(client, [
    { role: "user", name: "Ada", content: "My favourite tea is Assam." },
    { role: "user", name: "Bo", content: "My favourite tea is Sencha." },
    { role: "assistant", content: "I will order both kinds of tea." },
  ]);
  const teaOf = async (source: string) => {
    const { body } = await client.post("/v1/recall/context", { query: "favourite tea", source });
    return body.items.map(({ content }: Message) => content);
  };
  expect(await teaOf("Ada")).toEqual(["My favourite tea is Assam."]);
  expect(await teaOf("Bo")).toEqual(["My favourite tea is Sencha."]);
  expect(await teaOf("assistant")).toEqual(["I will order both kinds of tea."]);
  const { body } = await client.post("/v1/recall/context", { query: "favourite tea" });
  expect(body.context_text).toContain('by "Ada"');
});

test("an item that is refused does not affect the others", async () => {
  const client = await someone();
  const long = `${unguessable()} `.repeat(6000);
  const answer = await sent(client, [
    { speaker: "Ada", text: long },
    { speaker: "Ada", text: "I have moved to Porto." },
  ]);
  expect(reasons(answer)).toEqual(["validation_failed", undefined]);
});

test("a session is needed, and no more than 500 messages", async () => {
  const client = await someone();
  const message = { role: "user", content: "I have moved to Porto." };
  expect(faultyPlaces(await client.post("/v1/conversations", { messages: [message] }))).toEqual([
    "body.session_id",
  ]);
  const many = Array.from({ length: 501 }, () => message);
  expect(faultyPlaces(await client.post("/v1/conversations", { session_id: "s", messages: many }))).toEqual([
    "body.messages",
  ]);
  const five = Array.from({ length: 500 }, (_, at) => ({
    speaker: "Ada",
    text: `Tile number ${at} is blue.`,
  }));
  expect((await sent(client, five)).kept).toBe(500);
});

test("another owner's conversation is neither seen nor joined, and a foreign team is not found", async () => {
  const [ada, ben] = [await someone(), await someone()];
  const said = [{ role: "user", content: "I have moved to Porto." }];
  await sent(ada, said);
  expect((await sent(ben, said)).kept).toBe(1);
  const reader = await world.client({ owner: freshOwner(), scopes: ["memory:read"] });
  expectRefusal(
    await reader.post("/v1/conversations", { session_id: "s", messages: said }),
    403,
    "insufficient_scope",
  );
  const foreign = await sent(ada, said, { team_id: "00000000-0000-4000-8000-000000000000" });
  expect(reasons(foreign)).toEqual(["not_found"]);
});
