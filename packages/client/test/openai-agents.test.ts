import { Agent, type Model, type ModelRequest, run, setTracingDisabled, Usage } from "@openai/agents";
import { memoryTools } from "@recollect/client/openai-agents";
import { expect, test } from "vitest";
import { lostClient, watchedClient } from "./clients.ts";

setTracingDisabled(true);

type Output = Awaited<ReturnType<Model["getResponse"]>>["output"];

/** A model that gives its answers one after another, whole or streamed word by word, and keeps what it was asked. */
function scripted(outputs: Output[]): { model: Model; asked: ModelRequest[] } {
  const asked: ModelRequest[] = [];
  const next = (request: ModelRequest): Output => {
    const { signal: _, ...rest } = request;
    asked.push(structuredClone(rest));
    return outputs[asked.length - 1] ?? [];
  };
  const model: Model = {
    getResponse: async (request) => ({ usage: new Usage(), output: next(request) }),
    async *getStreamedResponse(request) {
      const output = next(request);
      yield { type: "response_started" };
      for (const delta of output.flatMap(wordsOf)) yield { type: "output_text_delta", delta };
      const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
      yield { type: "response_done", response: { id: `r${asked.length}`, usage, output: output as never } };
    },
  };
  return { model, asked };
}

function wordsOf(item: Output[number]): string[] {
  if (item.type !== "message" || !("content" in item) || typeof item.content === "string") return [];
  return item.content.flatMap((part) => (part.type === "output_text" ? part.text.split(/(?<= )/) : []));
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

async function told(stream: AsyncIterable<string>): Promise<string[]> {
  const parts: string[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

test("a streamed run calls the tools as well, and its text comes as the model says it", async () => {
  const { client } = watchedClient();
  const tools = memoryTools(client, { path: "openai/streamed" });
  const writer = scripted([
    calls("remember", { content: "Quince jam is made by Oswin." }),
    says("It is kept."),
  ]);
  const written = await run(new Agent({ name: "Writer", model: writer.model, tools }), "Keep this.", {
    stream: true,
  });
  const items: string[] = [];
  for await (const event of written) if (event.type === "run_item_stream_event") items.push(event.name);
  await written.completed;
  expect(items).toEqual(["tool_called", "tool_output", "message_output_created"]);
  expect(written.finalOutput).toBe("It is kept.");

  const reader = scripted([
    calls("recall_context", { query: "Who makes quince jam?" }),
    calls("update_memory", { memory_id: "nothing-of-ours", content: "Oswin makes it." }),
    says("Oswin makes it."),
  ]);
  const read = await run(new Agent({ name: "Reader", model: reader.model, tools }), "Who makes it?", {
    stream: true,
  });
  expect(await told(read.toTextStream())).toEqual(["Oswin ", "makes ", "it."]);
  await read.completed;
  expect(JSON.stringify(reader.asked[1]?.input)).toContain("made by Oswin");
  expect(JSON.stringify(reader.asked[2]?.input)).toContain("It was not done (not_found)");
});

test("a streamed run that is aborted while a tool waits for the service lets go of the request", async () => {
  const abort = new AbortController();
  let isLetGo = false;
  const { client } = watchedClient({
    fetch: (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => {
          isLetGo = true;
          reject(signal.reason);
        });
        abort.abort(new Error("The user has left."));
      }),
  });
  const { model, asked } = scripted([calls("recall_context", { query: "Anything?" }), says("Never said.")]);
  const agent = new Agent({ name: "Left", model, tools: memoryTools(client) });
  const result = await run(agent, "Tell me.", { stream: true, signal: abort.signal });
  await told(result.toTextStream()).catch(() => []);
  await result.completed.catch(() => {});
  expect(isLetGo).toBe(true);
  expect(asked).toHaveLength(1);
});
