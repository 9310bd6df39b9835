/**
 * One reading of messages, for requests and imports alike: those of OpenAI's and Anthropic's APIs, of the AI SDK, and
 * plain ones.
 *
 * | format | told by | text |
 * |---|---|---|
 * | plain | `speaker` | `text` |
 * | chat completions, Anthropic messages, AI SDK model messages | `role` | `content`: a text, or its parts of type text |
 * | responses (OpenAI) | `role` | parts of type input_text and output_text |
 * | AI SDK UI messages | `role`, `parts` | the parts of type text |
 *
 * Instructions, tool calls and their output, thinking, and context that a program has put into a user's message are left
 * out.
 */
import type { conversationOmissions } from "../../../contract/conversation.ts";
import { SERVICE_NAME } from "../../../contract/service.ts";
import { emptinessOf } from "../../../recall/statements/trivial.ts";
import { instantOf, isObject } from "../peers/peer-record.ts";

/** Something that was said. */
export interface Turn {
  /** The message's own id. */
  readonly id: string | null;
  readonly speaker: string;
  readonly text: string;
  /** RFC 3339 in UTC. */
  readonly at: string | null;
}

export type Omission = (typeof conversationOmissions)[number];

/** A message as read: what was said, or why nothing of it is kept. */
export type MessageReading = { readonly turn: Turn } | { readonly leftOut: Omission };

type Members = Readonly<Record<string, unknown>>;

const INSTRUCTING: readonly unknown[] = ["system", "developer"];
const THINKING = /thinking|reasoning|thought/;
const TOOLS = /tool|function|computer|shell|mcp|search|code_interpreter|execution/;
const TEXTS: readonly unknown[] = ["text", "input_text", "output_text"];

/** Reads one message. Never throws: what is no message at all is left out as `invalid`. */
export function readMessage(message: unknown): MessageReading {
  if (!isObject(message)) return { leftOut: "invalid" };
  const { role, type, name } = message;
  if (INSTRUCTING.includes(role)) return { leftOut: "instructions" };
  if (isTool(role) || (type !== "message" && isTool(type))) return { leftOut: "tool" };
  if (typeof type === "string" && THINKING.test(type)) return { leftOut: "thinking" };
  const speaker = [message.speaker, name, role].find((one) => typeof one === "string" && one.trim() !== "");
  if (typeof speaker !== "string") return { leftOut: "invalid" };
  const said = saidIn(message);
  if (typeof said === "object") return said;
  const emptiness = emptinessOf(said);
  if (emptiness !== null) return { leftOut: emptiness };
  const id = typeof message.id === "string" && message.id !== "" ? message.id : null;
  return { turn: { id, speaker, text: said, at: timeOf(message) } };
}

function isTool(word: unknown): boolean {
  return typeof word === "string" && TOOLS.test(word);
}

/** The text of a message, or why it has none. */
function saidIn(message: Members): string | { leftOut: Omission } {
  const given = message.text ?? message.parts ?? message.content;
  const parts = Array.isArray(given) ? given : [given];
  const texts = parts.flatMap((part) => textOf(part) ?? []);
  const said = texts.map(withoutInjected).filter((text) => text !== "");
  if (said.length > 0) return said.join("\n");
  if (texts.some((text) => text.trim() !== "")) return { leftOut: "injected" };
  const types = parts.map((part) => (isObject(part) ? String(part.type) : ""));
  if (types.some((type) => TOOLS.test(type)) || Array.isArray(message.tool_calls)) return { leftOut: "tool" };
  if (types.some((type) => THINKING.test(type))) return { leftOut: "thinking" };
  return { leftOut: "empty" };
}

function textOf(part: unknown): string | null {
  if (typeof part === "string") return part;
  if (!isObject(part) || !TEXTS.includes(part.type) || typeof part.text !== "string") return null;
  return part.text;
}

/** When it was said. Numbers are seconds or milliseconds since the epoch. */
function timeOf({ at, created_at, createdAt, timestamp, create_time, metadata }: Members): string | null {
  const within = isObject(metadata) ? metadata.createdAt : undefined;
  for (const given of [at, created_at, createdAt, timestamp, create_time, within]) {
    const time = typeof given === "number" ? instantOfNumber(given) : instantOf(given);
    if (time !== null) return time;
  }
  return null;
}

/** The first instant in milliseconds that would be in the year 5138 if it were in seconds. */
const MILLISECONDS_MIN = 1e11;

function instantOfNumber(given: number): string | null {
  const date = new Date(given < MILLISECONDS_MIN ? given * 1000 : given);
  return Number.isNaN(date.getTime()) ? null : instantOf(date.toISOString());
}

/**
 * The text without what programs put into it: elements such as `<system-reminder>` and `<environment_context>`, whose
 * names no HTML element has, and this service's own context.
 */
export function withoutInjected(text: string): string {
  return withoutContext(withoutElements(text).replace(AGENTS_FILE, "")).trim();
}

/** The line above the instructions of a project, which are an element. */
const AGENTS_FILE = /^# AGENTS\.md instructions for .*$/m;
const OPENING = /<([a-z]+(?:[-_][a-z]+)+|[A-Z][A-Z_]{2,})(?:\s[^<>]*)?>/g;

function withoutElements(text: string): string {
  const unclosed = new Set<string>();
  let kept = "";
  let from = 0;
  for (const { 0: opening, 1: name = "", index } of text.matchAll(OPENING)) {
    if (index < from || unclosed.has(name)) continue;
    const closing = `</${name}>`;
    const end = text.indexOf(closing, index + opening.length);
    if (end === -1) unclosed.add(name);
    else {
      kept += text.slice(from, index);
      from = end + closing.length;
    }
  }
  return kept + text.slice(from);
}

const HEADING = `### ${SERVICE_NAME} Context`;
/** The lines of a context after its heading: its own and quoted ones, in both forms. */
const OF_CONTEXT = /^(?:>|####|Recalled |YYMMDD |No stored memory |Project |[\da-z, -]+ [a-z]\d{0,2}> |$)/;

function withoutContext(text: string): string {
  if (!text.includes(HEADING)) return text;
  let isInside = false;
  const kept = text.split("\n").filter((line) => {
    isInside = line === HEADING || (isInside && OF_CONTEXT.test(line));
    return !isInside;
  });
  return kept.join("\n");
}

export const OMISSION_WORDS: Readonly<Record<Omission, string>> = {
  instructions: "it instructs the model",
  tool: "it is a tool's call or output",
  thinking: "it is thinking",
  injected: "a program put it in",
  empty: "it has no text",
  trivial: "it says nothing by itself",
  echo: "recall has just shown it",
  invalid: "it is no message",
};

/**
 * Identifies the turns of a session: by their own ids, otherwise by what was said, by whom and when. What was said
 * before in the same way is counted.
 */
export function messageIds<Id>(idOf: (key: readonly unknown[]) => Id): (turn: Turn) => Id {
  const said = new Map<string, number>();
  return ({ id, speaker, text, at }) => {
    if (id !== null) return idOf(["id", id]);
    const key = JSON.stringify([speaker, text, at]);
    const before = said.get(key) ?? 0;
    said.set(key, before + 1);
    return idOf(["said", speaker, text, at, before]);
  };
}
