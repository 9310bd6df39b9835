import type { Wire } from "../scripted-model.ts";
import { events } from "./events.ts";

interface Asked {
  readonly stream?: boolean;
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

/** The Chat Completions API, which OpenCode and Hermes speak to providers of a user's own. */
export const chatCompletions: Wire = {
  asks: (path) => path.startsWith("/v1/chat/completions"),
  toolsOf: (body) => ((body as Asked).tools ?? []).map((tool) => tool.function.name),
  answer: (response, _path, body, turn) => {
    const call = "tool" in turn && {
      index: 0,
      id: "call_scripted",
      type: "function",
      function: { name: turn.tool, arguments: JSON.stringify(turn.input) },
    };
    const said = { role: "assistant", content: "text" in turn ? turn.text : null };
    const message = { ...said, ...(call && { tool_calls: [call] }) };
    const reason = call ? "tool_calls" : "stop";
    const whole = { id: "chat_scripted", created: 1, model: "scripted" };
    if ((body as Asked).stream !== true) {
      const choices = [{ index: 0, message, finish_reason: reason }];
      const answer = { ...whole, object: "chat.completion", choices, usage: USAGE };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
      return;
    }
    const chunk = { ...whole, object: "chat.completion.chunk" };
    events(response, [
      { ...chunk, choices: [{ index: 0, delta: message, finish_reason: null }] },
      { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: reason }], usage: USAGE },
    ]);
  },
};
