import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { anthropic } from "./wire/anthropic.ts";
import { chatCompletions } from "./wire/chat-completions.ts";
import { gemini } from "./wire/gemini.ts";
import { openai } from "./wire/openai.ts";

/** What a model says in its turn: a text, or a tool to call. */
export type Turn =
  | { readonly text: string }
  | { readonly tool: string; readonly input: Readonly<Record<string, unknown>> };

/** What one vendor's API looks like on the wire: as much of it as the coding agents ask for. */
export interface Wire {
  /** Whether a request to this path is one for the model's next turn. */
  readonly asks: (path: string) => boolean;
  /** The names of the tools that the request offers. */
  readonly toolsOf: (body: unknown) => readonly string[];
  /** Answers with a turn, as one stream of server-sent events or as one JSON body, as the request wants it. */
  readonly answer: (response: ServerResponse, path: string, body: unknown, turn: Turn) => void;
}

/** A model on loopback that says what it was told to, in turn. */
export interface ScriptedModel {
  readonly url: string;
  /** The bodies of the requests that took a turn of the script, as text. */
  readonly asked: readonly string[];
  /** How many turns nobody has asked for. */
  readonly left: () => number;
  close(): void;
}

const WIRES: readonly Wire[] = [anthropic, openai, chatCompletions, gemini];

/**
 * Starts a model for one conversation. Only a request that offers a tool of which the name ends in `tool` takes a turn: coding
 * agents ask for titles, summaries and routes besides, and are answered "ok". A turn's tool is called by the name that was
 * offered, whatever the agent has put before it.
 */
export async function scriptedModel(turns: readonly Turn[], tool = "recall_context"): Promise<ScriptedModel> {
  const waiting = [...turns];
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const text = await textOf(request);
    const path = request.url ?? "";
    const wire = WIRES.find(({ asks }) => asks(path));
    if (request.method !== "POST" || wire === undefined) {
      // Reports of use, lists of models, accounts: there is none of it here.
      response.writeHead(404, { "content-type": "application/json" }).end("{}");
      return;
    }
    const body: unknown = text === "" ? {} : JSON.parse(text);
    const offered = wire.toolsOf(body);
    const isTurn = offered.some((name) => name.endsWith(tool));
    if (isTurn) asked.push(text);
    const turn = (isTurn && waiting.shift()) || { text: "ok" };
    wire.answer(response, path, body, named(turn, offered));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    left: () => waiting.length,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function named(turn: Turn, offered: readonly string[]): Turn {
  if (!("tool" in turn)) return turn;
  return { ...turn, tool: offered.find((name) => name.endsWith(turn.tool)) ?? turn.tool };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
