// The plugin for OpenClaw's memory slot. OpenClaw ends a handler only after 15 seconds, so recall has its own deadline.
import { createMemory, tools } from "./agent-memory.mjs";

// biome-ignore lint/style/noDefaultExport: OpenClaw loads a plugin by its default export.
export default {
  id: "recollect",
  name: "Recollect",
  description: "Long-term memory: recall before each turn, capture after it.",
  kind: "memory",
  register(api) {
    const memory = createMemory("openclaw", {
      log: (message) => api.logger?.warn?.(`recollect: ${message}`),
    });

    api.on("before_prompt_build", async (event, context) => {
      const text = await memory.recall(
        String(event.currentUserMessage ?? event.prompt ?? ""),
        context?.sessionId,
      );
      return text === null ? undefined : { prependContext: text };
    });

    api.on("agent_end", async (event, context) => {
      const all = event.messages ?? [];
      const begin = all.findLastIndex(({ role }) => role === "user");
      // Without a session, messages of different conversations could not be told apart.
      if (event.success === false || begin === -1 || !context?.sessionId) return;
      await memory.capture(context.sessionId, all.slice(begin).map(plain));
    });

    for (const { name, description, parameters } of tools) {
      api.registerTool({
        name,
        label: name,
        description,
        parameters,
        async execute(_callId, input) {
          return { content: [{ type: "text", text: await memory.call(name, input) }] };
        },
      });
    }
  },
};

/** A message with what the service reads of it, and no more. */
function plain({ role, content, timestamp, id }) {
  return { role, content, ...(timestamp && { timestamp }), ...(id && { id }) };
}
