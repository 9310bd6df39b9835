import type { Turn, Wire } from "../scripted-model.ts";
import { events } from "./events.ts";

interface OfferedTool {
  readonly type: string;
  readonly name?: string;
  /** Tools of one MCP server stand together in a namespace. */
  readonly tools?: readonly OfferedTool[];
}

const namesOf = (tool: OfferedTool): string[] =>
  tool.tools
    ? tool.tools.flatMap(namesOf).map((name) => `${tool.name}/${name}`)
    : tool.name
      ? [tool.name]
      : [];

/** The Responses API, which Codex speaks. */
export const openai: Wire = {
  asks: (path) => path.startsWith("/v1/responses"),
  toolsOf: (body) => ((body as { tools?: OfferedTool[] }).tools ?? []).flatMap(namesOf),
  answer: (response, _path, _body, turn) => {
    const id = "resp_scripted";
    const item = itemOf(turn);
    events(response, [
      { type: "response.created", response: { id } },
      { type: "response.output_item.done", output_index: 0, item },
      {
        type: "response.completed",
        response: { id, output: [item], usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } },
      },
    ]);
  },
};

function itemOf(turn: Turn): object {
  if (!("tool" in turn))
    return {
      type: "message",
      role: "assistant",
      id: "msg_scripted",
      content: [{ type: "output_text", text: turn.text }],
    };
  const [name = "", namespace] = turn.tool.split("/").reverse();
  return {
    type: "function_call",
    call_id: `call_${Math.random().toString(36).slice(2)}`,
    name,
    ...(namespace !== undefined && { namespace }),
    arguments: JSON.stringify(turn.input),
  };
}
