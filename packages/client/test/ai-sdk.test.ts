import type { CaptureResult, MemoryList } from "@recollect/client";
import { memoryMiddleware, memoryTools, type TurnMemoryOptions } from "@recollect/client/ai-sdk";
import {
  APICallError,
  generateText,
  type LanguageModelMiddleware,
  stepCountIs,
  streamText,
  wrapLanguageModel,
} from "ai";
import type { MockLanguageModelV4 } from "ai/test";
import { describe, expect, test } from "vitest";
import { lostClient, watchedClient } from "./clients.ts";
import { calls, says, scriptedModel, shown } from "./scripted-model.ts";

const wrapped = (model: MockLanguageModelV4, middleware: LanguageModelMiddleware) =>
  wrapLanguageModel({ model, middleware });

describe("tools", () => {
  test("what one model remembers, another recalls, corrects and forgets", async () => {
    const { client } = watchedClient();
    const tools = memoryTools(client, { agent: { id: "sdk" }, path: "sdk/tools" });
    const writer = scriptedModel([
      calls("remember", { content: "Quillon keeps its backups in Reykjavik." }),
      says("Noted."),
    ]);
    const written = await generateText({
      model: writer,
      tools,
      prompt: "Remember it",
      stopWhen: stepCountIs(3),
    });
    expect(written.text).toBe("Noted.");
    const [, id] = /as (\S+)\.$/.exec(String(written.steps[0]?.toolResults[0]?.output)) ?? [];
    const memory = await client.getMemory({ memory_id: String(id) });
    expect(memory).toMatchObject({
      path: "sdk/tools",
      provenance: { agent_id: "sdk" },
      metadata: { kind: "note" },
    });

    const reader = scriptedModel([
      calls("recall_context", { query: "Where does Quillon keep its backups?" }),
      calls("update_memory", { memory_id: id, content: "Quillon keeps its backups in Oslo." }),
      calls("forget_memory", { memory_id: id, reason: "asked to" }),
      says("Done."),
    ]);
    await generateText({ model: reader, tools, prompt: "Where are they?", stopWhen: stepCountIs(5) });
    expect(shown(reader, 1)).toContain("Reykjavik");
    expect(shown(reader, 2)).toContain(`Changed ${id}.`);
    expect(shown(reader, 3)).toContain(`Forgotten: ${id}.`);
    await expect(client.getMemory({ memory_id: String(id) })).rejects.toMatchObject({ code: "not_found" });
    await expect(client.restoreMemory({ memory_id: String(id) })).resolves.toMatchObject({ id });
  });

  test("a secret and a courtesy are not stored, and a failure is told in words", async () => {
    const { client, requests } = watchedClient();
    const errors: unknown[] = [];
    const { remember } = memoryTools(client);
    const { recall_context, update_memory } = memoryTools(lostClient(), {
      onError: (error) => errors.push(error),
    });
    const model = scriptedModel([
      calls("remember", { content: `The token is ghp_${"Ab3dE6gH9j".repeat(4).slice(0, 36)}` }),
      calls("remember", { content: "ok, thanks" }),
      calls("recall_context", { query: "Anything?" }),
      calls("update_memory", { memory_id: "..", content: "x" }),
      says("So be it."),
    ]);
    const tools = { remember, recall_context, update_memory };
    const { text } = await generateText({ model, tools, prompt: "Try", stopWhen: stepCountIs(6) });
    expect(text).toBe("So be it.");
    expect(requests).toEqual([]);
    expect(shown(model, 1)).toContain("it holds a secret");
    expect(shown(model, 2)).toContain("it says nothing by itself");
    expect(shown(model, 3)).toContain("It was not done (connection_failed)");
    expect(shown(model, 4)).toContain("It was not done (validation_failed)");
    expect(errors).toMatchObject([{ code: "connection_failed" }, { code: "validation_failed" }]);
  });
});

describe("middleware", () => {
  const setup = async (options: TurnMemoryOptions = {}) => {
    const { client, requests } = watchedClient();
    const captures: CaptureResult[] = [];
    const middleware = memoryMiddleware(client, {
      path: "sdk/turns",
      onCapture: (result) => captures.push(result),
      onError: (error) => expect.unreachable(String(error)),
      ...options,
    });
    const recalls = () => requests.filter((request) => request === "POST /v1/recall/context").length;
    return { client, middleware, captures, recalls };
  };

  test("recalls once for a turn of many steps, behind the instructions, and again for the next turn", async () => {
    const { client, middleware, recalls } = await setup();
    await client.remember({ content: "Veldra's office is on Harbour Lane.", path: "sdk/facts" });
    const model = scriptedModel([
      calls("recall_context", { query: "Harbour Lane" }),
      says("On Harbour Lane."),
      says("Still there."),
      says("Still there."),
    ]);
    const other = memoryTools(watchedClient().client);
    const ask = (messages: Parameters<typeof generateText>[0]["messages"]) =>
      generateText({
        model: wrapped(model, middleware),
        instructions: "Be brief.",
        messages: messages ?? [],
        tools: other,
        stopWhen: stepCountIs(3),
      });
    const first = { role: "user" as const, content: "Where is Veldra's office?" };
    const { response } = await ask([first]);
    expect(recalls()).toBe(1);
    for (const step of [0, 1]) {
      const [instructions, context, user] = model.doGenerateCalls[step]?.prompt ?? [];
      expect(instructions).toMatchObject({ role: "system", content: "Be brief." });
      expect(context).toMatchObject({ role: "system", content: expect.stringContaining("Harbour Lane") });
      expect(user).toMatchObject({ role: "user" });
    }
    await ask([first, ...response.messages, { role: "user", content: "And Veldra's office now?" }]);
    expect(recalls()).toBe(2);
    // The same question in a new conversation is a new turn.
    await ask([first]);
    expect(recalls()).toBe(3);
  });

  test("an attempt that the SDK repeats is shown the same, without another recall", async () => {
    const { client, middleware, recalls } = await setup();
    await client.remember({ content: "Corvane's ferry leaves at nine.", path: "sdk/facts" });
    const model = scriptedModel([says("At nine.")]);
    const answer = model.doGenerate;
    let failures = 0;
    model.doGenerate = async (asked) => {
      if (failures++ > 0) return answer(asked);
      const [url, statusCode] = ["http://model", 503];
      throw new APICallError({ message: "busy", url, statusCode, requestBodyValues: {}, isRetryable: true });
    };
    const { text } = await generateText({
      model: wrapped(model, middleware),
      prompt: "When leaves Corvane's ferry?",
    });
    expect([text, failures, recalls()]).toEqual(["At nine.", 2, 1]);
    expect(shown(model, 0)).toContain("leaves at nine");
  });

  test("writes down what is new, and neither an echo, a courtesy, a secret nor the same twice", async () => {
    const { client, middleware, captures } = await setup({ capture: "user" });
    const model = scriptedModel([says("I see.")]);
    const say = (prompt: string) => generateText({ model: wrapped(model, middleware), prompt });
    await say("My sister Ottilie has moved to Trondheim.");
    await say("My sister Ottilie has moved to Trondheim.");
    await say("thanks");
    await say("password: hunter2-Xy9!qLm3");
    expect(captures.map(({ reason }) => reason)).toEqual([
      "captured",
      expect.any(String),
      "trivial",
      "secret_detected",
    ]);
    expect(["duplicate", "echo"]).toContain(captures[1]?.reason);
    const { memories }: MemoryList = await client.listMemories({
      path: "sdk/turns",
      metadata: { kind: "turn" },
    });
    expect(memories).toMatchObject([
      { content: "My sister Ottilie has moved to Trondheim.", memory_type: "episodic" },
    ]);
  });

  test("a streamed turn is passed on part by part, and captured at its end", async () => {
    const { middleware, captures } = await setup({ capture: ({ user, answer }) => `${user} ${answer}` });
    const model = scriptedModel([says("It ships in May.")]);
    const result = streamText({ model: wrapped(model, middleware), prompt: "When does Brontide ship?" });
    const parts: string[] = [];
    for await (const part of result.textStream) parts.push(part);
    expect(parts).toEqual(["It ", "ships ", "in ", "May."]);
    expect(captures).toMatchObject([{ reason: "captured" }]);
  });

  test("the model answers though its memory does not", async () => {
    const errors: unknown[] = [];
    const middleware = memoryMiddleware(lostClient(), {
      capture: "answer",
      onError: (error) => errors.push(error),
    });
    const model = scriptedModel([says("I am here all the same.")]);
    const { text } = await generateText({
      model: wrapped(model, middleware),
      prompt: "Are you there at all?",
    });
    expect(text).toBe("I am here all the same.");
    expect(errors).toMatchObject([{ code: "connection_failed" }, { code: "connection_failed" }]);
  });

  test("a memory that is slow is not waited for longer than it may be", async () => {
    const errors: unknown[] = [];
    const { client } = watchedClient({
      fetch: (_, { signal }) =>
        new Promise((_, reject) =>
          signal?.addEventListener("abort", () => reject(signal.reason), { once: true }),
        ),
    });
    const middleware = memoryMiddleware(client, { timeoutMs: 20, onError: (error) => errors.push(error) });
    const model = scriptedModel([says("Without it, then.")]);
    const { text } = await generateText({
      model: wrapped(model, middleware),
      prompt: "Is anybody listening?",
    });
    expect(text).toBe("Without it, then.");
    expect(errors).toMatchObject([{ name: "TimeoutError" }]);
  });

  test("after a recall without an answer no turn waits for another one, until the service answers again", async () => {
    let isAway = true;
    const { client: answered, requests } = watchedClient();
    const { client } = watchedClient({
      retries: 0,
      fetch: (address, init) => {
        requests.push(`${init.method} ${new URL(address).pathname}`);
        return isAway ? Promise.reject(new Error("away")) : fetch(address, init);
      },
    });
    await answered.remember({ content: "Ferrule Yard has nine cranes.", path: "sdk/away" });
    requests.length = 0;
    const middleware = memoryMiddleware(client, { capture: "user", path: "sdk/away" });
    const ask = async (prompt: string) => {
      const model = scriptedModel([says("So be it.")]);
      await generateText({ model: wrapped(model, middleware), prompt });
      return shown(model, 0);
    };
    await ask("How many cranes has Ferrule Yard?");
    isAway = false;
    requests.length = 0;
    expect(await ask("How many cranes has Ferrule Yard this year?")).not.toContain("nine");
    expect(requests).toEqual(["POST /v1/remember"]);
    expect(await ask("How many cranes has Ferrule Yard now?")).toContain("nine");
  });
});
