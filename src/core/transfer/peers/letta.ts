/**
 * An agent of Letta: the agent file (`.af`) that it exports, in the present schema (`agents`, `blocks`) or the first
 * one (`core_memory`). Or passages of archival memory as its server lists them, saved as a JSON array, since an agent
 * file does not contain them.
 *
 * | Letta | here |
 * |---|---|
 * | memory block | `semantic`, path `letta/AGENT/LABEL`, `metadata.label`, `description`; `procedural` if the label is `persona` |
 * | message of the user or the agent | `episodic`, path `letta/AGENT/messages`, `session_id` the agent, `source` the role |
 * | archival passage | `semantic`, path `letta/archival`, `metadata.tags` |
 *
 * Left out, and counted: messages of the system, tools and tool calls, messages that keep the agent running
 * (heartbeats), and blocks that none of several agents names.
 */
import { DomainError } from "../../error.ts";
import { requireDocument } from "./json-input.ts";
import { given, isObject, listOf, type Make, type PeerRecord } from "./peer-record.ts";

const HINT = "Name the .af file that Letta exports, or a JSON array of archival passages.";

export function* readLetta(text: string, make: Make): Generator<PeerRecord> {
  const document = requireDocument(text, HINT);
  const parts = [...partsOf(document)];
  for (const [index, part] of parts.entries()) {
    const place = { line: index + 1, offset: Math.round((text.length * (index + 1)) / parts.length) };
    yield* part(place);
  }
  function* partsOf(whole: unknown) {
    if (Array.isArray(whole))
      return yield* whole.map((passage) => (at: At) => passageRecords(at, passage, make));
    const { agents, unnamed } = isObject(whole) ? readAgents(whole) : { agents: [], unnamed: [] };
    const passages = isObject(whole) ? listOf(whole.passages ?? whole.archival_passages) : [];
    if (agents.length === 0 && passages.length === 0)
      throw new DomainError("validation_failed", `The file has no agent of Letta. ${HINT}`);
    for (const agent of agents) {
      for (const block of agent.blocks) yield (at: At) => blockRecords(at, agent.name, block, make);
      for (const message of agent.messages) yield (at: At) => messageRecords(at, agent, message, make);
    }
    for (const block of unnamed) yield (at: At) => [unnamedBlock(at, block)];
    for (const passage of passages) yield (at: At) => passageRecords(at, passage, make);
  }
}

interface At {
  readonly line: number;
  readonly offset: number;
}

interface Agent {
  readonly name: string;
  readonly id: string;
  readonly blocks: readonly unknown[];
  readonly messages: readonly unknown[];
}

/** Returns the agents of a file, each with its blocks, and the blocks that belong to none of them. */
function readAgents(file: Record<string, unknown>): { agents: Agent[]; unnamed: unknown[] } {
  const isFirstSchema = Array.isArray(file.core_memory);
  const agents = isFirstSchema ? [file] : listOf(file.agents);
  const blocks = listOf(file.blocks);
  const idOf = (block: unknown) => (isObject(block) ? textIn(block.id) : null);
  const namedIds = new Set(agents.flatMap((agent) => (isObject(agent) ? listOf(agent.block_ids) : [])));
  const unnamed = blocks.filter((block) => !namedIds.has(idOf(block)));
  const isAlone = agents.length === 1;
  const read = agents.filter(isObject).map((agent, index) => {
    const name = textIn(agent.name) ?? `agent ${index + 1}`;
    const ids = new Set(listOf(agent.block_ids));
    // A block that no agent names still belongs to the file's only agent.
    const own = isAlone ? blocks : blocks.filter((block) => ids.has(idOf(block)));
    return {
      name,
      id: textIn(agent.id) ?? name,
      blocks: isFirstSchema ? listOf(agent.core_memory) : own,
      messages: listOf(agent.messages),
    };
  });
  return { agents: read, unnamed: isAlone && !isFirstSchema ? [] : unnamed };
}

function unnamedBlock(at: At, block: unknown): PeerRecord {
  if (!isObject(block)) return { ...at, kind: "block", problem: "is not a block: it must be an object" };
  return { ...at, kind: "block", leftOut: "no agent of the file names it" };
}

function blockRecords(at: At, agent: string, block: unknown, make: Make): PeerRecord[] {
  if (!isObject(block)) return [{ ...at, kind: "block", problem: "is not a block: it must be an object" }];
  const label = textIn(block.label);
  if (label === null) return [{ ...at, kind: "block", problem: "label: must be a text" }];
  return make(at, {
    kind: "block",
    key: [agent, label, block.id ?? null],
    content: block.value,
    path: [agent, label],
    type: label === "persona" ? "procedural" : "semantic",
    createdAt: block.created_at,
    updatedAt: block.updated_at,
    metadata: given({ agent, label, description: textIn(block.description) }),
  });
}

function messageRecords(at: At, agent: Agent, message: unknown, make: Make): PeerRecord[] {
  const record = { ...at, kind: "message" } as const;
  if (!isObject(message)) return [{ ...record, problem: "is not a message: it must be an object" }];
  const { role } = message;
  if (role !== "user" && role !== "assistant")
    return [
      { ...record, leftOut: `it is of the role ${textIn(role)?.slice(0, 32) ?? "none"}, not of a speaker` },
    ];
  const said = saidIn(message.content ?? message.text);
  if (said === null) return [{ ...record, problem: "content: must be a text, or a list of parts" }];
  const text = role === "user" ? withoutEnvelope(said) : said;
  if (text === null) return [{ ...record, leftOut: "it keeps the agent running and says nothing" }];
  return make(at, {
    kind: "message",
    key: [agent.id, message.id ?? null, role, message.created_at ?? null, text],
    content: text,
    path: [agent.name, "messages"],
    type: "episodic",
    sessionId: agent.id,
    source: textIn(message.name) ?? (role === "assistant" ? agent.name : "user"),
    createdAt: message.created_at,
    metadata: given({ agent: agent.name, role }),
  });
}

/** The text parts of a message, without tool calls and pictures; null if the content is invalid. */
function saidIn(content: unknown): string | null {
  if (content === null || content === undefined) return "";
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return null;
  return content.flatMap((part: unknown) => (isObject(part) && textIn(part.text)) || []).join("\n");
}

/**
 * Unwraps a message. Letta wraps messages of the user, and its own messages to the agent, into JSON with a type. null:
 * a message of Letta itself.
 */
function withoutEnvelope(text: string): string | null {
  if (!text.startsWith("{")) return text;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return text;
  }
  if (!isObject(parsed) || typeof parsed.type !== "string") return text;
  if (parsed.type === "user_message") return textIn(parsed.message) ?? text;
  return ["heartbeat", "login", "system_alert"].includes(parsed.type) ? null : text;
}

function passageRecords(at: At, passage: unknown, make: Make): PeerRecord[] {
  if (!isObject(passage))
    return [{ ...at, kind: "passage", problem: "is not a passage: it must be an object" }];
  const { tags } = passage;
  return make(at, {
    kind: "passage",
    key: [passage.id ?? null, passage.text],
    content: passage.text,
    path: ["archival"],
    createdAt: passage.created_at,
    updatedAt: passage.updated_at,
    metadata: {
      ...(Array.isArray(tags) && tags.length > 0 ? { tags } : {}),
      ...(isObject(passage.metadata) && Object.keys(passage.metadata).length > 0
        ? { passage: passage.metadata }
        : {}),
    },
  });
}

function textIn(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
