import { Agent, type Model, type ModelRequest, run, setTracingDisabled, Usage } from "@openai/agents";
import { memoryTools } from "@recollect/client/openai-agents";
import { expect, test } from "vitest";
import { lostClient, watchedClient } from "./clients.ts";

setTracingDisabled(true);

type Output = Awaited<ReturnType<Model["getResponse"]>>["output"];

/** A model that gives its answers one after another, and keeps what it was asked. */
function scripted(outputs: Output[]): { model: Model; asked: ModelRequest[] } {
  const asked: ModelRequest[] = [];
  const model: Model = {
    async getResponse(request) {
      const { signal: _, ...rest } = request;
      asked.push(structuredClone(rest));
      return { usage: new Usage(), output: outputs[asked.length - 1] ?? [] };
    },
    getStreamedResponse: () => expect.unreachable("nothing is streamed here"),
  };
  return { model, asked };
}

const says = (text: string): Output => [
  { type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text }] },
];
const calls = (name: string, input: object): Output => [
  { type: "function_call", callId: name, name, status: "completed", arguments: JSON.stringify(input) },
];

test("an agent remembers, and another recalls", async () => {
  const { client } = watchedClient();
  const writer = scripted([
    calls("remember", { content: "Sorrel's mail is sorted by Ingeborg." }),
    says("Kept."),
  ]);
  const tools = memoryTools(client, { path: "openai/tools", agent: { id: "sorter" } });
  const written = await run(new Agent({ name: "Writer", model: writer.model, tools }), "Keep this.");
  expect(written.finalOutput).toBe("Kept.");
  expect(writer.asked[0]?.tools.map((tool) => "name" in tool && tool.name)).toEqual([
    "recall_context",
    "remember",
    "update_memory",
    "forget_memory",
  ]);
  expect(JSON.stringify(writer.asked[1]?.input)).toMatch(/Remembered, as \S+\./);

  const reader = scripted([
    calls("recall_context", { query: "Who sorts Sorrel's mail?" }),
    says("Ingeborg."),
  ]);
  await run(new Agent({ name: "Reader", model: reader.model, tools: memoryTools(client) }), "Who sorts it?");
  expect(JSON.stringify(reader.asked[1]?.input)).toContain("sorted by Ingeborg");
  const { memories } = await client.listMemories({ path: "openai/tools" });
  expect(memories).toMatchObject([{ metadata: { kind: "note" }, provenance: { agent_id: "sorter" } }]);
});

test("a run goes on where its memory fails, or its model calls a tool wrongly", async () => {
  const { model, asked } = scripted([
    calls("recall_context", { query: "Anything?" }),
    calls("remember", { content: 7 }),
    says("Never mind."),
  ]);
  const [recall] = memoryTools(lostClient());
  const [, remember] = memoryTools(watchedClient().client);
  if (!recall || !remember) return expect.unreachable("the tools are four");
  const { finalOutput } = await run(new Agent({ name: "Lost", model, tools: [recall, remember] }), "Try.");
  expect(finalOutput).toBe("Never mind.");
  expect(JSON.stringify(asked[1]?.input)).toContain("It was not done (connection_failed)");
  expect(JSON.stringify(asked[2]?.input)).toContain("It was not done: content must be a string.");
});
