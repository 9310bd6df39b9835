import type { Turn, Wire } from "../scripted-model.ts";
import { events, json } from "./events.ts";

interface Asked {
  readonly tools?: readonly { readonly functionDeclarations?: readonly { readonly name: string }[] }[];
}

/** The Gemini API, which Gemini CLI speaks. */
export const gemini: Wire = {
  asks: (path) => /:(streamGenerateContent|generateContent|countTokens)/.test(path),
  toolsOf: (body) =>
    ((body as Asked).tools ?? []).flatMap(({ functionDeclarations = [] }) =>
      functionDeclarations.map(({ name }) => name),
    ),
  answer: (response, path, _body, turn) => {
    if (path.includes(":countTokens")) return json(response, { totalTokens: 1 });
    const answer = {
      candidates: [{ index: 0, content: { role: "model", parts: [part(turn)] }, finishReason: "STOP" }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    };
    return path.includes(":stream") ? events(response, [answer]) : json(response, answer);
  },
};

function part(turn: Turn): object {
  return "tool" in turn ? { functionCall: { name: turn.tool, args: turn.input } } : { text: turn.text };
}
