import { MockLanguageModelV4 } from "ai/test";

/** A model without a mind: it answers with what it was shown. */
export function echoing(): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const shown = prompt.flatMap(({ role, content }) => (role === "system" ? [String(content)] : []));
      return {
        content: [{ type: "text", text: `I was shown:\n${shown.join("\n") || "nothing"}` }],
        finishReason: { unified: "stop", raw: "stop" },
        usage: {
          inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 1, text: 1, reasoning: 0 },
        },
        warnings: [],
      };
    },
  });
}
