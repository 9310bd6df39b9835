import type { Clock } from "../ports.ts";
import { IndexUnavailable } from "../recall/index-unavailable.ts";
import type { IndexGeneration, IndexGenerations } from "./index-generations.ts";
import type { IndexSource } from "./index-source.ts";
import type { OutboxLine } from "./outbox.ts";
import { portions } from "./portions.ts";
import type { EngineChange, SearchEngine } from "./search-engine.ts";

export interface WritePorts {
  readonly source: IndexSource;
  readonly engine: SearchEngine;
  readonly generations: IndexGenerations;
  readonly clock: Clock;
}

/** By memory, why an index refuses it: a class of error, without content. */
export type Refusals = ReadonlyMap<string, string>;

/** So much is read and sent at once, and so many of it side by side. */
const PORTION = { items: 500, bytes: 4 * 1024 * 1024 };
const AT_ONCE = 4;

/**
 * Brings all indexes that are written to the record's present state of these memories, and waits until searches show
 * it. Rejects with `IndexUnavailable` where not all of them could be brought there.
 */
export async function writeToEngine(ports: WritePorts, lines: readonly OutboxLine[]): Promise<Refusals> {
  // After the lines were taken and before the memories are read: see `IndexGenerations.live`.
  const live = await ports.generations.live();
  requireWritable(ports, live);
  const refusals = new Map<string, string>();
  const waiting = portions(piecesOf(lines), PORTION);
  for (let at = 0; at < waiting.length; at += AT_ONCE) {
    const group = waiting.slice(at, at + AT_ONCE);
    await Promise.all(group.map((portion) => writePortion(ports, live, portion, refusals)));
  }
  return refusals;
}

function requireWritable({ engine }: WritePorts, live: readonly IndexGeneration[]): void {
  // What was erased may be in an index that nobody has looked at yet: nothing is done before there is one.
  if (live.length === 0) throw new IndexUnavailable("building");
  if (live.some(({ mappingVersion }) => mappingVersion > engine.mappingVersion))
    throw new IndexUnavailable("outdated");
}

interface Piece {
  readonly memory: string;
  readonly bytes: number;
  readonly isPut: boolean;
  /** By former owner, the revision that removed the memory there. */
  readonly removals: Map<string, number>;
}

function piecesOf(lines: readonly OutboxLine[]): Piece[] {
  const pieces = new Map<string, Piece>();
  for (const { memory, ownerId, revision, kind, bytes } of lines) {
    const piece = pieces.get(memory) ?? { memory, bytes, isPut: false, removals: new Map() };
    if (kind === "remove") {
      piece.removals.set(ownerId, Math.max(revision, piece.removals.get(ownerId) ?? 0));
      pieces.set(memory, piece);
    } else pieces.set(memory, { ...piece, isPut: true });
  }
  return [...pieces.values()];
}

async function writePortion(
  ports: WritePorts,
  live: readonly IndexGeneration[],
  portion: readonly Piece[],
  refusals: Map<string, string>,
): Promise<void> {
  const puts = portion.filter((piece) => piece.isPut).map((piece) => piece.memory);
  const removals = portion.flatMap(removalsOf);
  for (const embeddingGeneration of new Set(live.map((index) => index.embeddingGeneration))) {
    const readAt = ports.clock();
    const documents = puts.length === 0 ? [] : await ports.source.documents(puts, embeddingGeneration);
    const changes = [...removals, ...documents.map((document) => ({ kind: "put", document }) as const)];
    const indexes = live.filter((index) => index.embeddingGeneration === embeddingGeneration);
    if (changes.length > 0)
      await Promise.all(indexes.map((index) => writeTo(ports, index, changes, readAt, refusals)));
  }
}

function removalsOf({ memory, removals }: Piece): EngineChange[] {
  return [...removals].map(([ownerId, revision]) => ({
    kind: "remove",
    id: memory,
    ownerId,
    revision: revision * 2,
  }));
}

async function writeTo(
  { engine }: WritePorts,
  index: IndexGeneration,
  changes: readonly EngineChange[],
  readAt: number,
  refusals: Map<string, string>,
): Promise<void> {
  try {
    const written = await engine.write(index, changes, { readAt, isShown: true });
    const refused = [...written.entries()].filter(([, { refused }]) => refused !== null);
    // An index that somebody else has put in its place refuses what it was not made for.
    if (refused.length > 0 && (await engine.find(index.name)) !== index.uuid)
      throw new IndexUnavailable("building");
    for (const [at, { refused: reason }] of refused)
      refusals.set(idOf(changes[at] as EngineChange), reason as string);
  } catch (error) {
    const isGone = error instanceof IndexUnavailable && error.reason === "building";
    if (!(isGone && index.state === "retired")) throw error;
  }
}

function idOf(change: EngineChange): string {
  return change.kind === "put" ? change.document.id : change.id;
}
