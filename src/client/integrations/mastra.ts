/**
 * Memory for Mastra: tools for an agent, and a processor that recalls once before each run and optionally captures what
 * was said. Mastra's own `Memory` still holds the transcript.
 *
 * @example
 * ```ts
 * const memory = memoryProcessor(client, { capture: "user" });
 * new Agent({ id, name, instructions, model, tools: memoryTools(client), inputProcessors: [memory], outputProcessors:
 * [memory] });
 * ```
 * @module
 */
import type {
  ProcessInputArgs,
  ProcessInputResultWithSystemMessages,
  ProcessOutputResultArgs,
} from "@mastra/core/processors";
import { createTool, type Tool } from "@mastra/core/tools";
import type { Client } from "../client.ts";
import { type AgentMemoryOptions, createTurnMemory, type TurnMemoryOptions } from "./agent-memory.ts";
import { type AgentTool, type AgentToolInputs, type AgentTools, createAgentTools } from "./agent-tools.ts";

export type { AgentMemoryOptions, Turn, TurnMemoryOptions } from "./agent-memory.ts";
export type { AgentToolInputs } from "./agent-tools.ts";

/** The tools of an agent's memory, by their names. */
export function memoryTools(
  client: Client,
  options: AgentMemoryOptions = {},
): { [N in keyof AgentTools]: Tool<AgentToolInputs[N], unknown> } {
  const tools = createAgentTools(client, options);
  return {
    recall_context: asTool("recall_context", tools.recall_context),
    remember: asTool("remember", tools.remember),
    update_memory: asTool("update_memory", tools.update_memory),
    forget_memory: asTool("forget_memory", tools.forget_memory),
  };
}

function asTool<I>(id: string, { description, inputSchema, execute }: AgentTool<I>): Tool<I, unknown> {
  return createTool({
    id,
    description,
    inputSchema,
    execute: (input: unknown, context?: { abortSignal?: AbortSignal }) =>
      execute(input as I, context?.abortSignal),
  }) as unknown as Tool<I, unknown>;
}

/** Both an input and an output processor. */
export interface MemoryProcessor {
  readonly id: "recollect";
  readonly name: string;
  processInput(args: ProcessInputArgs): Promise<ProcessInputResultWithSystemMessages>;
  processOutputResult(args: ProcessOutputResultArgs): Promise<ProcessOutputResultArgs["messages"]>;
}

type Message = ProcessInputArgs["messages"][number];

/** Creates a processor for an agent's `inputProcessors` and, to capture, also its `outputProcessors`. */
export function memoryProcessor(client: Client, options: TurnMemoryOptions = {}): MemoryProcessor {
  const memory = createTurnMemory(client, options);
  return {
    id: "recollect",
    name: "Recollect",
    async processInput({ messages, systemMessages, abortSignal }) {
      const content = await memory.recall(saidIn(messages), abortSignal);
      if (content === null) return { messages, systemMessages };
      return { messages, systemMessages: [...systemMessages, { role: "system", content }] };
    },
    async processOutputResult({ messages, messageList, result, abortSignal }) {
      const user = saidIn(messageList.get.all.db());
      if (result.finishReason === "stop") await memory.capture({ user, answer: result.text }, abortSignal);
      return messages;
    },
  };
}

/** Returns the text of the user's last message. */
function saidIn(messages: readonly Message[]): string {
  const message = messages.findLast(({ role }) => role === "user");
  const parts = message?.content.parts ?? [];
  return parts
    .map((part) => (part.type === "text" ? part.text : ""))
    .filter((text) => text !== "")
    .join("\n");
}
