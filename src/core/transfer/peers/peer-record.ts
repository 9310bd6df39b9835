/** Contents of a peer's store, as an import takes them: one record for each memory that it becomes, or that it does not. */
import { instant, publicId } from "../../../contract/primitives.ts";
import type { OwnerRef } from "../../../contract/transfer.ts";
import type { Hash } from "../../environment.ts";

/** The systems whose stores can be moved in. */
export const PEERS = ["memory-server", "mem0", "basic-memory", "langgraph", "letta", "zep"] as const;
export type Peer = (typeof PEERS)[number];

/** `line`: which record of the store it is, from 1. `offset`: how much of the store is read with it. */
export interface Place {
  readonly line: number;
  readonly offset: number;
}

/** `kind` is what the peer calls it: an entity, a note, a message. */
export type PeerRecord = Place & { readonly kind: string } & (
    | { readonly value: Readonly<Record<string, unknown>> }
    | { readonly problem: string }
    /** Why it becomes no memory, though nothing is wrong with it. */
    | { readonly leftOut: string }
  );

/** A memory as a peer has it. Times are as the peer writes them; without `createdAt` the time of the import stands in. */
export interface PeerMemory {
  readonly kind: string;
  /**
   * Distinguishes it from every other of the same kind, in this store and whenever it is read: the memory's id is made of it.
   */
  readonly key: readonly unknown[];
  /** The peer's own id, where the memory keeps it. */
  readonly id?: unknown;
  readonly content: unknown;
  /** The names below the peer's own, from which the path is made. */
  readonly path?: readonly string[];
  readonly owner?: OwnerRef | undefined;
  readonly type?: string;
  readonly createdAt?: unknown;
  readonly updatedAt?: unknown;
  /** When it came to be so, where that is not when it was written down. */
  readonly occurredAt?: unknown;
  /** When it ceased to be so, or was found out not to be so. */
  readonly expiresAt?: unknown;
  readonly importance?: number;
  readonly projectId?: string | undefined;
  readonly sessionId?: unknown;
  readonly agentId?: unknown;
  readonly source?: unknown;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly provenance?: Readonly<Record<string, unknown>>;
}

/** Makes the records of one memory: several where its text is longer than a memory may be, none where it has no text. */
export type Make = (place: Place, memory: PeerMemory) => PeerRecord[];

/** The same store always makes the same memories, with the same ids. */
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
    // A memory that stays a memory, under its own id, came from nothing else.
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

/** Returns a sentence about the first time that cannot be read. */
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
  // Without a time of its own the memory dates from the import; a change before that says nothing.
  if (read.created_at === undefined) read.updated_at = undefined;
  return read as Times;
}

/** RFC 3339 in UTC. A time without an offset is taken for UTC, which is what these stores mean by it. */
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
  // Half of a character that was cut through cannot be stored.
  const whole = clean.isWellFormed() ? clean : clean.slice(0, -1).toWellFormed();
  return whole === "" || whole === "." || whole === ".." ? "_" : whole;
}

/** Without the members that are null or not there. */
export function given(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== null && value !== undefined),
  );
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Less than the bound of a content, so that a masked secret still fits. */
const PART_MAX = 60_000;

/**
 * The text in parts that a memory can hold, one where it fits: cut after the last paragraph, line or word of the second half,
 * and within a word only where there is none. Joined they are the text.
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
