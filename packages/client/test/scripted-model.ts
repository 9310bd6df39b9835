import { MockLanguageModelV4, simulateReadableStream } from "ai/test";

type Answer = Awaited<ReturnType<MockLanguageModelV4["doGenerate"]>>;
type Part = Answer["content"][number];
type Stream = Awaited<ReturnType<MockLanguageModelV4["doStream"]>>["stream"];
type StreamPart = Stream extends ReadableStream<infer P> ? P : never;

const usage: Answer["usage"] = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

export function says(text: string): Answer {
  return {
    content: [{ type: "text", text }],
    finishReason: { unified: "stop", raw: "stop" },
    usage,
    warnings: [],
  };
}

export function calls(toolName: string, input: object): Answer {
  return {
    content: [{ type: "tool-call", toolCallId: toolName, toolName, input: JSON.stringify(input) }],
    finishReason: { unified: "tool-calls", raw: "tool_calls" },
    usage,
    warnings: [],
  };
}

/** Gives the answers one after another, the last again and again; whole or, where it is asked to, as a stream of words. */
export function scriptedModel(answers: readonly Answer[]): MockLanguageModelV4 {
  let step = 0;
  const next = () => answers[Math.min(step++, answers.length - 1)] as Answer;
  return new MockLanguageModelV4({
    doGenerate: async () => next(),
    doStream: async () => {
      const { content, finishReason } = next();
      const finish = { type: "finish" as const, finishReason, usage };
      return { stream: simulateReadableStream({ chunks: [...content.flatMap(streamed), finish] }) };
    },
  });
}

function streamed(part: Part): StreamPart[] {
  if (part.type === "tool-call") return [part];
  if (part.type !== "text") return [];
  const words = part.text.split(/(?<= )/).map((delta) => ({ type: "text-delta" as const, id: "1", delta }));
  return [{ type: "text-start" as const, id: "1" }, ...words, { type: "text-end" as const, id: "1" }];
}

/** All that the model was shown at one of its steps. */
export function shown({ doGenerateCalls, doStreamCalls }: MockLanguageModelV4, step: number): string {
  return JSON.stringify([...doGenerateCalls, ...doStreamCalls][step]?.prompt);
}
