import { Agent, type AgentConfig } from "@mastra/core/agent";
import type { CaptureResult } from "@recollect/client";
import { memoryProcessor, memoryTools } from "@recollect/client/mastra";
import { expect, test } from "vitest";
import { lostClient, watchedClient } from "./clients.ts";
import { calls, says, scriptedModel, shown } from "./scripted-model.ts";

const agentOf = (model: ReturnType<typeof scriptedModel>, rest: Partial<AgentConfig>) =>
  // Mastra describes its models more narrowly than it takes them.
  new Agent({ id: "helper", name: "Helper", instructions: "Be brief.", model: model as never, ...rest });

test("an agent remembers with its tools, and another recalls by its processor, once a run", async () => {
  const { client, requests } = watchedClient();
  const writer = scriptedModel([
    calls("remember", { content: "Gannet Row has a blue door." }),
    says("Kept."),
  ]);
  const written = await agentOf(writer, { tools: memoryTools(client, { path: "mastra/tools" }) }).generate(
    "Keep it.",
  );
  expect(written.text).toBe("Kept.");
  expect(shown(writer, 1)).toMatch(/Remembered, as \S+\./);
  expect((await client.listMemories({ path: "mastra/tools" })).memories).toHaveLength(1);

  const reader = scriptedModel([calls("recall_context", { query: "Gannet Row" }), says("Blue.")]);
  const processor = memoryProcessor(client);
  const tools = memoryTools(watchedClient().client);
  requests.length = 0;
  await agentOf(reader, { tools, inputProcessors: [processor] }).generate("Which door has Gannet Row?");
  expect(requests).toEqual(["POST /v1/recall/context"]);
  for (const step of [0, 1]) expect(shown(reader, step)).toContain("Gannet Row has a blue door.");
  expect(shown(reader, 0)).toContain("Be brief.");
});

test("what was said is captured once a run is over, as the client judges it", async () => {
  const { client } = watchedClient();
  const captures: CaptureResult[] = [];
  const memory = memoryProcessor(client, {
    path: "mastra/turns",
    capture: "user",
    onCapture: (result) => captures.push(result),
  });
  const agent = agentOf(scriptedModel([says("I see.")]), {
    inputProcessors: [memory],
    outputProcessors: [memory],
  });
  await agent.generate("My neighbour Hesper plays the viola.");
  await agent.generate("thank you");
  const { textStream } = await agent.stream("My neighbour Hesper has a dog called Pim.");
  for await (const _ of textStream);
  expect(captures.map(({ reason }) => reason)).toEqual(["captured", "trivial", "captured"]);
  const { memories } = await client.listMemories({ path: "mastra/turns" });
  expect(memories.map(({ content }) => content)).toContain("My neighbour Hesper plays the viola.");
});

test("an agent answers though its memory does not", async () => {
  const errors: unknown[] = [];
  const memory = memoryProcessor(lostClient(), { capture: "answer", onError: (error) => errors.push(error) });
  const model = scriptedModel([
    calls("recall_context", { query: "Anything?" }),
    says("I am here all the same."),
  ]);
  const tools = memoryTools(lostClient());
  const agent = agentOf(model, { tools, inputProcessors: [memory], outputProcessors: [memory] });
  expect((await agent.generate("Is anybody there at all?")).text).toBe("I am here all the same.");
  expect(shown(model, 1)).toContain("It was not done (connection_failed)");
  expect(errors).toMatchObject([{ code: "connection_failed" }, { code: "connection_failed" }]);
});
