import { clientOf } from "../support/http-client.ts";
import { mcpClient } from "../support/mcp-client.ts";
import type { Stage } from "./story.ts";

/** One agent in one session, as its requests say who it is. Of an agent's own token its id is the token's. */
export interface Acting {
  readonly token: string;
  readonly instance: string;
  readonly session: string;
  readonly task: string;
  /** What it calls itself; grants nothing. */
  readonly agentId?: string;
}

/** What an agent is given to read. */
export interface Recalled {
  readonly context_text: string;
  // biome-ignore lint/suspicious/noExplicitAny: items as they come
  readonly items: readonly any[];
}

/** What it can do by a door. Both reject with a `Refused` where they are refused. */
export interface Hands {
  remember(input: Record<string, unknown>): Promise<{ readonly id: string }>;
  recall(input: Record<string, unknown>): Promise<Recalled>;
}

export class Refused extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** A way by which agents hand work over. A new one is added to `handoffDoors`. */
export interface HandoffDoor {
  readonly name: string;
  open(stage: Stage, acting: Acting): Promise<Hands>;
}

function headersOf({ instance, session, task, agentId }: Acting): Record<string, string> {
  return {
    "x-agent-instance": instance,
    "x-session-id": session,
    "x-task-id": task,
    ...(agentId === undefined ? {} : { "x-agent-id": agentId }),
  };
}

const overMcp: HandoffDoor = {
  name: "MCP",
  async open(stage, acting) {
    const client = await mcpClient(stage, { token: acting.token, headers: headersOf(acting) });
    const offered = (await client.listTools()).tools.map(({ name }) => name);
    const call = async (name: string, input: Record<string, unknown>) => {
      // What is not listed is unknown to the protocol; a model would not get as far as calling it.
      if (!offered.includes(name)) throw new Refused("insufficient_scope");
      const { isError, structuredContent, content } = await client.callTool({ name, arguments: input });
      const answer = structuredContent as { code: string };
      if (isError) throw new Refused(answer.code);
      return { answer: answer as never, text: (content as { text: string }[])[0]?.text };
    };
    return {
      remember: async (input) => (await call("remember", input)).answer,
      async recall(input) {
        const { answer, text } = await call("recall_context", input);
        // The model reads the text and nothing else.
        return { ...(answer as Recalled), context_text: text as string };
      },
    };
  },
};

const overRest: HandoffDoor = {
  name: "REST",
  async open({ url, handle }, acting) {
    const client = clientOf(url, acting.token, handle);
    const post = async (path: string, input: Record<string, unknown>) => {
      const { status, body } = await client.post(path, input, headersOf(acting));
      if (status >= 400) throw new Refused(body.code);
      return body;
    };
    return {
      remember: (input) => post("/v1/remember", input),
      recall: (input) => post("/v1/recall/context", input),
    };
  },
};

export const handoffDoors: readonly HandoffDoor[] = [overMcp, overRest];
