/** Records of another system's store for an import: one for each memory that it becomes, or that is left out. */
import { instant, publicId } from "../../../contract/primitives.ts";
import type { OwnerRef } from "../../../contract/transfer.ts";
import type { Hash } from "../../environment.ts";

/** The systems whose stores can be imported. */
export const PEERS = [
  "memory-server",
  "mem0",
  "basic-memory",
  "langgraph",
  "letta",
  "zep",
  "chatgpt",
  "claude",
  "claude-code",
  "codex",
] as const;
export type Peer = (typeof PEERS)[number];

/** `line`: the record's number in the store, from 1. `offset`: how much of the store is read up to its end. */
export interface Place {
  readonly line: number;
  readonly offset: number;
}

/** A record of a store. `kind` is the peer's own term: an entity, a note, a message. */
export type PeerRecord = Place & { readonly kind: string } & (
    | { readonly value: Readonly<Record<string, unknown>> }
    | { readonly problem: string }
    /** Why it becomes no memory although it is valid. */
    | { readonly leftOut: string }
  );

/**
 * A memory in a peer's store. Times are in the peer's format. If `createdAt` is missing, the time of the import is
 * used.
 */
export interface PeerMemory {
  readonly kind: string;
  /**
   * Identifies it among all records of the same kind in the store, and is the same on every read. The memory's id is
   * derived from it.
   */
  readonly key: readonly unknown[];
  /** The peer's own id, if the memory keeps it. */
  readonly id?: unknown;
  readonly content: unknown;
  /** The path segments below the peer's name. */
  readonly path?: readonly string[];
  readonly owner?: OwnerRef | undefined;
  readonly type?: string;
  readonly createdAt?: unknown;
  readonly updatedAt?: unknown;
  /** When the fact became true, if that is not when it was recorded. */
  readonly occurredAt?: unknown;
  /** When the fact ceased to be true, or was found to be wrong. */
  readonly expiresAt?: unknown;
  readonly importance?: number;
  readonly projectId?: string | undefined;
  readonly sessionId?: unknown;
  readonly agentId?: unknown;
  readonly source?: unknown;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly provenance?: Readonly<Record<string, unknown>>;
}

/**
 * Makes the records of a memory: several if its text is too long for one memory. A memory without text yields a record
 * that is left out.
 */
export type Make = (place: Place, memory: PeerMemory) => PeerRecord[];

/**
 * Returns the function that makes a peer's records. The same store always yields the same memories with the same ids.
 */
export function makerFor(peer: Peer, hash: Hash): Make {
  const idOf = (kind: string, key: readonly unknown[]) =>
    `${peer}:${hash(JSON.stringify([kind, ...key])).slice(0, 32)}`;
  return (place, memory) => {
    const at = { line: place.line, offset: place.offset, kind: memory.kind };
    const { content } = memory;
    if (content === undefined || content === null || content === "")
      return [{ ...at, leftOut: "it has no text" }];
    if (typeof content !== "string") return [{ ...at, problem: "its text must be a string" }];
    if (content.trim() === "") return [{ ...at, leftOut: "it has no text" }];
    const times = timesOf(memory);
    if (typeof times === "string") return [{ ...at, problem: times }];
    const own = publicId.safeParse(memory.id);
    const id = own.success ? own.data : idOf(memory.kind, memory.key);
    // A memory that is imported under its own id needs no record of its origin.
    const isItself = own.success && memory.kind === "memory";
    const origin = isItself ? undefined : given({ system: peer, kind: memory.kind, id: memory.id });
    const parts = partsOfText(content);
    return parts.map((part, index) => ({
      ...at,
      value: lineOf(peer, memory, {
        ...times,
        memory_id: index === 0 ? id : idOf(memory.kind, [...memory.key, "part", index + 1]),
        content: part,
        metadata: metadataOf(memory, times, index, parts.length),
        origin,
      }),
    }));
  };
}

type Times = Readonly<Record<"created_at" | "updated_at" | "occurred_at" | "expires_at", string | undefined>>;

/** The memory's times in RFC 3339, or a sentence about the first one that cannot be read. */
function timesOf(memory: PeerMemory): Times | string {
  const asked = {
    created_at: memory.createdAt,
    updated_at: memory.updatedAt,
    occurred_at: memory.occurredAt,
    expires_at: memory.expiresAt,
  };
  const read: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(asked)) {
    if (value === undefined || value === null || value === "") continue;
    const time = instantOf(value);
    if (time === null) return `${name}: it is no time that can be read, such as 2026-01-31T09:00:00Z`;
    read[name] = time;
  }
  // A memory without a creation time dates from the import, so an earlier update time is meaningless.
  if (read.created_at === undefined) read.updated_at = undefined;
  return read as Times;
}

/** A time as RFC 3339 in UTC; null if it cannot be read. A time without an offset is UTC, as these stores mean it. */
export function instantOf(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const match =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?))?\s?(Z|[+-]\d{2}(?::?\d{2})?)?$/i.exec(
      value.trim(),
    );
  if (!match) return null;
  const [, day, time = "00:00", offset = "Z"] = match;
  const hours = /^[+-]\d{2}$/.test(offset) ? `${offset}:00` : offset.replace(/^([+-]\d{2})(\d{2})$/, "$1:$2");
  const read = Date.parse(`${day}T${time.length === 5 ? `${time}:00` : time}${hours.toUpperCase()}`);
  if (Number.isNaN(read)) return null;
  const text = new Date(read).toISOString();
  return instant.safeParse(text).success ? text : null;
}

function lineOf(
  peer: Peer,
  memory: PeerMemory,
  made: Readonly<Record<string, unknown>> & Times,
): Readonly<Record<string, unknown>> {
  const { occurred_at: _, origin, ...line } = made;
  const { projectId, sessionId, agentId } = memory;
  return given({
    ...line,
    path: [peer, ...(memory.path ?? [])].map(segment).join("/").slice(0, 512),
    memory_type: memory.type ?? "semantic",
    owner: memory.owner,
    importance: memory.importance,
    project_id: projectId,
    session_id: sessionId,
    agent_id: agentId,
    source: memory.source,
    provenance: given({
      ...memory.provenance,
      project_id: projectId,
      session_id: sessionId,
      agent_id: agentId,
      origin,
    }),
  });
}

function metadataOf(memory: PeerMemory, times: Times, index: number, of: number): Record<string, unknown> {
  return given({
    ...memory.metadata,
    occurred_at: times.occurred_at ?? memory.metadata?.occurred_at,
    ...(of > 1 ? { part: index + 1, parts: of } : {}),
  });
}

/** A name as one segment of a path: without slashes, control characters, and not only dots. */
function segment(name: string): string {
  const clean = name
    .replaceAll(/[/\\\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, 100)
    .trim();
  // Drops half of a surrogate pair, which cannot be stored.
  const whole = clean.isWellFormed() ? clean : clean.slice(0, -1).toWellFormed();
  return whole === "" || whole === "." || whole === ".." ? "_" : whole;
}

/** The object without members that are null or undefined. */
export function given(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== null && value !== undefined),
  );
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Below the maximum length of a content, so that masking a secret cannot exceed it. */
const PART_MAX = 60_000;

/**
 * Splits the text into parts that fit into a memory. Each part is cut after the last paragraph, line or word in its
 * second half, or within a word if there is none. Joining the parts yields the text.
 */
function partsOfText(text: string): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > PART_MAX) {
    const at = cutOf(rest.slice(0, PART_MAX));
    parts.push(rest.slice(0, at));
    rest = rest.slice(at);
  }
  return [...parts, rest];
}

function cutOf(head: string): number {
  for (const mark of ["\n\n", "\n", " "]) {
    const at = head.lastIndexOf(mark);
    if (at >= head.length / 2) return at + mark.length;
  }
  const last = head.charCodeAt(head.length - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return isHalf ? head.length - 1 : head.length;
}

/** The value if it is a list, otherwise an empty one. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
