/**
 * Memory for the Vercel AI SDK: tools for the model, and a middleware that recalls before each turn of the user and
 * optionally captures what was said.
 *
 * @example
 * ```ts
 * const model = wrapLanguageModel({ model: yourModel, middleware: memoryMiddleware(client, { capture: "user" }) });
 * const { text } = await generateText({ model, tools: memoryTools(client), prompt, stopWhen: stepCountIs(5) });
 * ```
 * @module
 */
import { jsonSchema, type LanguageModelMiddleware, type Tool, tool } from "ai";
import type { Client } from "../client.ts";
import { type AgentMemoryOptions, createTurnMemory, type TurnMemoryOptions } from "./agent-memory.ts";
import { type AgentTool, type AgentToolInputs, type AgentTools, createAgentTools } from "./agent-tools.ts";
import { createTurns } from "./turns.ts";

export type { AgentMemoryOptions, Turn, TurnMemoryOptions } from "./agent-memory.ts";
export type { AgentToolInputs } from "./agent-tools.ts";

/** The tools of an agent's memory, by their names. */
export function memoryTools(
  client: Client,
  options: AgentMemoryOptions = {},
): { [N in keyof AgentTools]: Tool<AgentToolInputs[N], string> } {
  const tools = createAgentTools(client, options);
  return {
    recall_context: asTool(tools.recall_context),
    remember: asTool(tools.remember),
    update_memory: asTool(tools.update_memory),
    forget_memory: asTool(tools.forget_memory),
  };
}

function asTool<I>({ description, inputSchema, execute }: AgentTool<I>): Tool<I, string> {
  return tool({
    description,
    inputSchema: jsonSchema<I>(inputSchema),
    execute: (input: I, { abortSignal }) => execute(input, abortSignal),
  }) as Tool<I, string>;
}

type TransformParams = NonNullable<LanguageModelMiddleware["transformParams"]>;
type Prompt = Parameters<TransformParams>[0]["params"]["prompt"];
type Stream = Awaited<ReturnType<NonNullable<LanguageModelMiddleware["wrapStream"]>>>["stream"];
type StreamPart = Stream extends ReadableStream<infer P> ? P : never;

/**
 * A middleware for `wrapLanguageModel`. It recalls once per turn of the user, however many steps the turn takes, and
 * inserts the result after the first system messages. One middleware may serve many conversations of one user.
 */
export function memoryMiddleware(client: Client, options: TurnMemoryOptions = {}): LanguageModelMiddleware {
  const memory = createTurnMemory(client, options);
  const turns = createTurns();
  // Keyed by the parameters passed to the model, since their prompt already contains the recalled text.
  const turnOf = new WeakMap<object, { key: string; user: string }>();
  const end = async (params: object, answer: string, signal: AbortSignal | undefined) => {
    const turn = turnOf.get(params);
    if (!turn) return;
    turns.end(turn.key);
    await memory.capture({ user: turn.user, answer }, signal);
  };
  return {
    specificationVersion: "v4",
    async transformParams({ params }) {
      const turn = turnIn(params.prompt);
      if (!turn) return params;
      const signal = params.abortSignal;
      const content = await turns.once(turn.key, () => memory.recall(turn.user, signal));
      const remembered =
        content === null ? { ...params } : { ...params, prompt: withContext(params.prompt, content) };
      turnOf.set(remembered, turn);
      return remembered;
    },
    async wrapGenerate({ doGenerate, params }) {
      const result = await doGenerate();
      const text = result.content.map((part) => (part.type === "text" ? part.text : "")).join("");
      if (result.finishReason.unified === "stop") await end(params, text, params.abortSignal);
      return result;
    },
    async wrapStream({ doStream, params }) {
      const { stream, ...rest } = await doStream();
      const captured = withEnd(stream, (text) => end(params, text, params.abortSignal));
      return { ...rest, stream: captured };
    },
  };
}

/**
 * Returns the user's last message, and a key that identifies the conversation up to it; null without a user message.
 */
function turnIn(prompt: Prompt): { key: string; user: string } | null {
  const last = prompt.findLastIndex(({ role }) => role === "user");
  const message = prompt[last];
  if (message?.role !== "user") return null;
  const texts = message.content.map((part) => (part.type === "text" ? part.text : ""));
  const user = texts.filter((text) => text !== "").join("\n");
  const said = prompt.slice(0, last + 1).map(({ role, content }) => [role, textsOf(content)]);
  return user === "" ? null : { key: JSON.stringify(said), user };
}

/** Drops files, which can be large and are not needed to distinguish conversations. */
function textsOf(content: Prompt[number]["content"]): unknown {
  return typeof content === "string"
    ? content
    : content.map((part) => ("text" in part ? part.text : part.type));
}

/** Inserts the context after the instructions, so that providers can still cache that prefix. */
function withContext(prompt: Prompt, content: string): Prompt {
  const instructions = prompt.findIndex(({ role }) => role !== "system");
  return prompt.toSpliced(instructions, 0, { role: "system", content });
}

/** Passes the stream through. If the model finishes, `end` is called with its text before the stream closes. */
function withEnd(stream: Stream, end: (text: string) => Promise<void>): Stream {
  let text = "";
  let hasStopped = false;
  return stream.pipeThrough(
    new TransformStream<StreamPart, StreamPart>({
      transform(part, controller) {
        if (part.type === "text-delta") text += part.delta;
        if (part.type === "finish") hasStopped = part.finishReason.unified === "stop";
        controller.enqueue(part);
      },
      flush: async () => {
        if (hasStopped) await end(text);
      },
    }),
  );
}
