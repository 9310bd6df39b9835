import type { Server } from "../protocol/server.ts";
import type { AgentRan, Check } from "./coding-agent.ts";
import type { Turn } from "./scripted-model.ts";

/** A conversation in which a fact is remembered and recalled, told apart from others by its subject. */
export interface Conversation {
  readonly prompt: string;
  readonly turns: readonly Turn[];
  readonly fact: string;
  readonly answer: string;
}

/** The model remembers where a database is, asks for it, and says it. */
export function conversationAbout(subject: string): Conversation {
  const fact = `The staging database of ${subject} runs on db7.${subject.toLowerCase()}.internal.`;
  const answer = `It runs on db7, as Recollect has it, and was written down for whoever works on ${subject} next.`;
  return {
    prompt: `Note where the staging database of ${subject} runs, and tell me what you know about it by now.`,
    fact,
    answer,
    turns: [
      { tool: "remember", input: { content: fact, path: `heron/${subject.toLowerCase()}` } },
      { tool: "recall_context", input: { query: `Where does the staging database of ${subject} run?` } },
      { text: answer },
    ],
  };
}

/** A memory as far as the suites look at it. */
interface Stored {
  readonly id: string;
  readonly content: string;
  readonly path: string;
  readonly memory_type: string;
  readonly provenance: {
    readonly agent_id?: string;
    readonly project_id?: string;
    readonly session_id?: string;
  };
}

/** All memories under a path, from the server itself. */
export async function storedUnder(server: Server, path: string): Promise<readonly Stored[]> {
  const response = await fetch(`${server.url}/v1/memories?path=${encodeURIComponent(path)}`, {
    headers: { "x-api-key": server.key },
  });
  return ((await response.json()) as { memories: Stored[] }).memories;
}

/** The fact is stored in the agent's name, and what recall answered reached the model. */
export async function rememberedBy(
  agent: string,
  server: Server,
  { fact }: Conversation,
  ran: AgentRan,
): Promise<Check[]> {
  const stored = (await storedUnder(server, "heron/%")).filter(({ content }) => content === fact);
  const last = ran.asked.at(-1) ?? "";
  return [
    [
      "the fact is stored once, by this agent",
      stored.length === 1 && stored[0]?.provenance.agent_id === agent,
    ],
    ["what was recalled reached the model", last.includes("### Recollect Context") && last.includes(fact)],
  ];
}
