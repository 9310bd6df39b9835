import type { Turn, Wire } from "../scripted-model.ts";
import { events, json } from "./events.ts";

const USAGE = { input_tokens: 1, output_tokens: 1 };

/** The Messages API, which Claude Code speaks. */
export const anthropic: Wire = {
  asks: (path) => path.startsWith("/v1/messages"),
  toolsOf: (body) => ((body as { tools?: { name: string }[] }).tools ?? []).map(({ name }) => name),
  answer: (response, path, body, turn) => {
    if (path.includes("count_tokens")) return json(response, { input_tokens: 1 });
    const { stream = false, model = "scripted" } = body as { stream?: boolean; model?: string };
    const message = {
      id: "msg_scripted",
      type: "message",
      role: "assistant",
      model,
      content: [] as object[],
      stop_reason: null,
      stop_sequence: null,
      usage: USAGE,
    };
    const stop_reason = "tool" in turn ? "tool_use" : "end_turn";
    if (!stream) return json(response, { ...message, content: [whole(turn)], stop_reason });
    events(response, [
      { type: "message_start", message },
      { type: "content_block_start", index: 0, content_block: begun(turn) },
      { type: "content_block_delta", index: 0, delta: delta(turn) },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } },
      { type: "message_stop" },
    ]);
  },
};

const callId = () => `toolu_${Math.random().toString(36).slice(2)}`;

function whole(turn: Turn): object {
  return "tool" in turn
    ? { type: "tool_use", id: callId(), name: turn.tool, input: turn.input }
    : { type: "text", text: turn.text };
}

function begun(turn: Turn): object {
  return "tool" in turn ? { ...whole(turn), input: {} } : { type: "text", text: "" };
}

function delta(turn: Turn): object {
  return "tool" in turn
    ? { type: "input_json_delta", partial_json: JSON.stringify(turn.input) }
    : { type: "text_delta", text: turn.text };
}
