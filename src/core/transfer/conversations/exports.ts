/**
 * Conversations as chat services export them and as coding agents keep them.
 *
 * | source | its messages |
 * |---|---|
 * | ChatGPT: `conversations.json` | `mapping`, from `current_node` to the root: dropped branches stay out; `create_time` |
 * | Claude: `conversations.json` | `chat_messages`: the text blocks of `content`, otherwise `text`; `sender`, `created_at` |
 * | Claude Code: `~/.claude/projects`, lines | type `user` and `assistant`; not `isMeta`, `isSidechain`, summaries; `timestamp` |
 * | Codex: `~/.codex/sessions`, lines | `response_item` of type message; the session is in `session_meta`; `timestamp` |
 *
 * Each message becomes an `episodic` memory at `SYSTEM/SESSION`, with `source` its speaker, `session_id`, and the time as
 * `created_at` and `metadata.occurred_at`.
 */
import { DomainError } from "../../error.ts";
import { itemsOf, jsonLines, requireDocument } from "../peers/json-input.ts";
import { isObject, type Make, type PeerRecord, type Place } from "../peers/peer-record.ts";
import { messageIds, OMISSION_WORDS, type Omission, readMessage } from "./message.ts";

type Members = Readonly<Record<string, unknown>>;

const KIND = "message";
const HINT = "Give the conversations.json of the export, as it is.";

/** The conversations of a ChatGPT export. `validation_failed` if the text is none. */
export function* readChatgpt(text: string, make: Make): Generator<PeerRecord> {
  for (const { value, ...place } of conversationsIn(text, "mapping")) {
    const session = textIn(value, "conversation_id", "id");
    if (session === null) yield { ...place, kind: "conversation", problem: "id: is required" };
    else yield* recordsOf(place, session, shownBranch(value).map(chatgptMessage), make);
  }
}

/** The conversations of a Claude export. `validation_failed` if the text is none. */
export function* readClaude(text: string, make: Make): Generator<PeerRecord> {
  for (const { value, ...place } of conversationsIn(text, "chat_messages")) {
    const session = textIn(value, "uuid");
    const messages = Array.isArray(value.chat_messages) ? value.chat_messages : [];
    if (session === null) yield { ...place, kind: "conversation", problem: "uuid: is required" };
    else yield* recordsOf(place, session, messages.map(claudeMessage), make);
  }
}

export function* readClaudeCode(text: string, make: Make): Generator<PeerRecord> {
  for (const { line, offset, ...read } of jsonLines(text)) {
    const place = { line, offset };
    if ("problem" in read) yield { ...place, kind: "line", problem: read.problem };
    else if (isObject(read.value)) yield* ofClaudeCode(place, read.value, make);
  }
}

export function* readCodex(text: string, make: Make): Generator<PeerRecord> {
  let session: string | null = null;
  for (const { line, offset, ...read } of jsonLines(text)) {
    const place = { line, offset };
    if ("problem" in read) yield { ...place, kind: "line", problem: read.problem };
    else if (isObject(read.value) && isObject(read.value.payload)) {
      const { type, timestamp, payload } = read.value as Members & { payload: Members };
      if (type === "session_meta") session ??= textIn(payload, "id");
      // A message's id is the model provider's. Lines are only ever added, so their numbers identify them.
      const message = { ...payload, id: `line-${line}`, timestamp };
      if (type === "response_item" && session !== null) yield* recordsOf(place, session, [message], make);
    }
  }
}

/** The conversations of an export: an array of objects, of which one at least has the member that holds messages. */
function* conversationsIn(text: string, messages: string): Generator<Place & { value: Members }> {
  const document = requireDocument(text, HINT);
  const isExport = Array.isArray(document) && document.some((one) => isObject(one) && messages in one);
  if (!isExport && !(Array.isArray(document) && document.length === 0))
    throw new DomainError("validation_failed", `The file has no conversations with ${messages}. ${HINT}`);
  for (const { value, ...place } of itemsOf(document as unknown[], text.length))
    yield { ...place, value: isObject(value) ? value : {} };
}

function textIn(members: Members, ...names: readonly string[]): string | null {
  const found = names.map((name) => members[name]).find((one) => typeof one === "string" && one !== "");
  return typeof found === "string" ? found : null;
}

/** The messages from the first to the current one. A conversation may branch wherever a message was edited. */
function shownBranch({ mapping, current_node }: Members): Members[] {
  if (!isObject(mapping)) return [];
  const branch: Members[] = [];
  const passed = new Set<unknown>();
  for (let at: unknown = current_node; typeof at === "string" && !passed.has(at); ) {
    passed.add(at);
    const node = mapping[at];
    if (!isObject(node)) break;
    if (isObject(node.message)) branch.push(node.message);
    at = node.parent;
  }
  return branch.reverse();
}

const CHATGPT_TYPES: Readonly<Record<string, string>> = {
  code: "tool_call",
  execution_output: "tool_result",
  tether_browsing_display: "tool_result",
  tether_quote: "tool_result",
  thoughts: "thinking",
  reasoning_recap: "thinking",
};

function chatgptMessage(message: Members): Members {
  const author = isObject(message.author) ? message.author : {};
  const content = isObject(message.content) ? message.content : {};
  const metadata = isObject(message.metadata) ? message.metadata : {};
  const isHidden =
    metadata.is_visually_hidden_from_conversation === true ||
    content.content_type === "user_editable_context";
  const type = CHATGPT_TYPES[String(content.content_type)];
  const isToTool = typeof message.recipient === "string" && message.recipient !== "all";
  return {
    id: message.id,
    role: author.role,
    at: message.create_time,
    type: isToTool ? "tool_call" : (type ?? "message"),
    content: content.parts,
    isInjected: isHidden,
  };
}

function claudeMessage(message: unknown): Members {
  if (!isObject(message)) return {};
  const { uuid, sender, created_at, content, text } = message;
  const blocks = Array.isArray(content) && content.length > 0 ? content : text;
  return { id: uuid, role: sender === "human" ? "user" : sender, at: created_at, content: blocks };
}

function ofClaudeCode(place: Place, line: Members, make: Make): PeerRecord[] {
  const { type, uuid, timestamp, message } = line;
  if ((type !== "user" && type !== "assistant") || !isObject(message)) return [];
  if (line.isSidechain === true) return [];
  const isInjected =
    line.isMeta === true || line.isCompactSummary === true || line.isVisibleInTranscriptOnly === true;
  const session = textIn(line, "sessionId");
  if (session === null) return [{ ...place, kind: KIND, problem: "sessionId: is required" }];
  const { role, content } = message;
  return recordsOf(place, session, [{ id: uuid, role, content, timestamp, isInjected }], make);
}

/** The records of a session's messages. `isInjected`: a program put the message in. */
function recordsOf(place: Place, session: string, messages: readonly Members[], make: Make): PeerRecord[] {
  const keyOf = messageIds((key) => key);
  return messages.flatMap((message) => {
    const reading = message.isInjected === true ? { leftOut: "injected" as Omission } : readMessage(message);
    if ("leftOut" in reading) return [{ ...place, kind: KIND, leftOut: OMISSION_WORDS[reading.leftOut] }];
    const { turn } = reading;
    return make(place, {
      kind: KIND,
      key: [session, ...keyOf(turn)],
      content: turn.text,
      path: [session],
      type: "episodic",
      createdAt: turn.at,
      occurredAt: turn.at,
      sessionId: session,
      source: turn.speaker,
    });
  });
}
