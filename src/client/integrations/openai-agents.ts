/**
 * Memory for OpenAI Agents: tools for an agent. A `Session` of that SDK is an exact history, not a memory; use it in
 * addition.
 *
 * @example
 * ```ts
 * const agent = new Agent({ name: "Helper", instructions, tools: memoryTools(client) });
 * ```
 * @module
 */
import { type FunctionTool, tool } from "@openai/agents";
import type { Client } from "../client.ts";
import type { AgentMemoryOptions } from "./agent-memory.ts";
import { type AgentTool, createAgentTools } from "./agent-tools.ts";

export type { AgentMemoryOptions } from "./agent-memory.ts";

// biome-ignore lint/suspicious/noExplicitAny: an agent of any context takes them, as it takes the SDK's own tools.
export type MemoryTool = FunctionTool<any, any, string>;

/** The tools of an agent's memory, for `new Agent({ tools })`. */
export function memoryTools(client: Client, options: AgentMemoryOptions = {}): MemoryTool[] {
  const tools = createAgentTools(client, options);
  return [
    asTool("recall_context", tools.recall_context),
    asTool("remember", tools.remember),
    asTool("update_memory", tools.update_memory),
    asTool("forget_memory", tools.forget_memory),
  ];
}

function asTool<I>(name: string, { description, inputSchema, execute }: AgentTool<I>) {
  return tool({
    name,
    description,
    parameters: { ...inputSchema, additionalProperties: true },
    // Strict schemas make every argument required.
    strict: false,
    execute: (input: unknown, _context, details) => execute(input as I, details?.signal),
  });
}
