import { IndexUnavailable } from "../../recall/index/index-unavailable.ts";
import type { RecallIndex } from "../../recall/index/recall-index.ts";
import type { Embedder } from "../embedding/embedder.ts";
import type { Clock } from "../environment.ts";
import { embedTexts } from "./embed-texts.ts";
import { REVISION_STEP } from "./fingerprint.ts";
import type { IndexGeneration, IndexGenerations } from "./index-generations.ts";
import type { IndexSource } from "./index-source.ts";
import type { MadeVectors, OutboxLine, Outcome } from "./outbox.ts";
import { portions } from "./portions.ts";
import type { EngineChange, SearchEngine } from "./search-engine.ts";

export interface ProjectPorts {
  readonly source: IndexSource;
  readonly embedder: Embedder;
  /** The in-memory index that is loaded from the database. */
  readonly index: Pick<RecallIndex, "refresh">;
  /** null: there is no search engine. */
  readonly search: { readonly engine: SearchEngine; readonly generations: IndexGenerations } | null;
  readonly clock: Clock;
}

interface Projected {
  readonly outcomes: ReadonlyMap<OutboxLine, Outcome>;
  /** The error if the engine could not take any change; all lines are then to be retried. null otherwise. */
  readonly failure: unknown;
}

/**
 * Processes outbox lines: embeds memories without a vector, updates every index of the engine to the current state of
 * these memories, and removes erased or moved memories from the in-memory index. All lines of a memory are processed
 * together.
 */
export async function project(ports: ProjectPorts, lines: readonly OutboxLine[]): Promise<Projected> {
  const unembedded = await embedMissing(ports, lines);
  let refusals: Refusals = new Map();
  if (ports.search !== null) {
    try {
      const changed = lines.filter((line) => line.kind !== "embed" || !unembedded.has(line.memory));
      refusals = await writeToEngine({ ...ports, ...ports.search }, changed);
    } catch (failure) {
      return { outcomes: new Map(lines.map((line) => [line, { kind: "again" }])), failure };
    }
  }
  const erased = lines.filter((line) => line.kind === "remove" || line.receipt !== null);
  if (erased.length > 0) await ports.index.refresh([...new Set(erased.map((line) => line.ownerId))]);
  return {
    outcomes: new Map(lines.map((line) => [line, outcomeOf(line, refusals, unembedded)])),
    failure: null,
  };
}

function outcomeOf(
  line: OutboxLine,
  refusals: Refusals,
  unembedded: ReadonlyMap<string, EmbedFailure>,
): Outcome {
  const reason = refusals.get(line.memory);
  if (reason !== undefined) return { kind: "refused", reason };
  const failure = line.kind === "remove" ? undefined : unembedded.get(line.memory);
  return failure === undefined ? { kind: "done" } : { kind: "indexed", refused: failure.refused };
}

interface WritePorts {
  readonly source: IndexSource;
  readonly engine: SearchEngine;
  readonly generations: IndexGenerations;
  readonly clock: Clock;
}

/** For each refused memory, the class of the error, without content. */
type Refusals = ReadonlyMap<string, string>;

/** The size of a portion that is read and sent together, and the number of concurrent portions. */
const WRITTEN_AT_ONCE = { items: 500, bytes: 4 * 1024 * 1024 };
const AT_ONCE = 4;

/**
 * Updates all live indexes to the current state of these memories, and waits until searches show it. Rejects with
 * `IndexUnavailable` if any of them could not be updated.
 */
async function writeToEngine(ports: WritePorts, lines: readonly OutboxLine[]): Promise<Refusals> {
  // Must run after the lines are claimed and before the memories are read; see `IndexGenerations.live`.
  const live = await ports.generations.live();
  requireWritable(ports, live);
  const refusals = new Map<string, string>();
  const waiting = portions(piecesOf(lines), WRITTEN_AT_ONCE);
  for (let at = 0; at < waiting.length; at += AT_ONCE) {
    const group = waiting.slice(at, at + AT_ONCE);
    await Promise.all(group.map((portion) => writePortion(ports, live, portion, refusals)));
  }
  return refusals;
}

function requireWritable({ engine }: WritePorts, live: readonly IndexGeneration[]): void {
  // Erased content may still be in an index that this server has not found yet, so nothing is done without an index.
  if (live.length === 0) throw new IndexUnavailable("building");
  if (live.some(({ mappingVersion }) => mappingVersion > engine.mappingVersion))
    throw new IndexUnavailable("outdated");
}

interface Piece {
  readonly memory: string;
  readonly bytes: number;
  /** The owners at the time of the writes. If the memory has moved, the line of the move names its present owner. */
  readonly owners: Set<string>;
  /** For each former owner, the revision that removed the memory there. */
  readonly removals: Map<string, number>;
}

function piecesOf(lines: readonly OutboxLine[]): Piece[] {
  const pieces = new Map<string, Piece>();
  for (const { memory, ownerId, revision, kind, bytes } of lines) {
    const piece = pieces.get(memory) ?? { memory, bytes, owners: new Set(), removals: new Map() };
    if (kind === "remove") piece.removals.set(ownerId, Math.max(revision, piece.removals.get(ownerId) ?? 0));
    else piece.owners.add(ownerId);
    pieces.set(memory, piece);
  }
  return [...pieces.values()];
}

async function writePortion(
  ports: WritePorts,
  live: readonly IndexGeneration[],
  portion: readonly Piece[],
  refusals: Map<string, string>,
): Promise<void> {
  const puts = portion.flatMap(({ memory, owners }) => [...owners].map((ownerId) => ({ ownerId, memory })));
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
    revision: revision * REVISION_STEP,
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
    // A refusal may mean that the index was replaced from outside by one with another mapping.
    if (refused.length > 0 && (await engine.find(index.name))?.uuid !== index.uuid)
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

/**
 * Why a memory has no vector: the reason for which the embedder refused its text, or null if the embedder is
 * unreachable.
 */
interface EmbedFailure {
  readonly refused: string | null;
}

/** The maximum size of a request to the embedder. */
const EMBEDDED_AT_ONCE = { items: 100, bytes: 1024 * 1024 };

/**
 * Computes and stores the missing vectors of the lines' memories, each once. Returns the failures. If the embedder is
 * unreachable, it is called only once, not for every portion.
 */
async function embedMissing(
  { source, embedder }: { source: IndexSource; embedder: Embedder },
  lines: readonly OutboxLine[],
): Promise<Map<string, EmbedFailure>> {
  const failures = new Map<string, EmbedFailure>();
  const waiting = new Map(lines.filter((line) => line.needsVector).map((line) => [line.memory, line]));
  let isAway = false;
  for (const portion of portions([...waiting.values()], EMBEDDED_AT_ONCE)) {
    if (isAway) {
      for (const { memory } of portion) failures.set(memory, { refused: null });
      continue;
    }
    const texts = await source.unembedded(portion);
    const embedded = await embedTexts(
      embedder,
      texts.map((text) => text.content),
    );
    const made: MadeVectors[] = [];
    for (const [at, { ownerId, memory, revision }] of texts.entries()) {
      const result = embedded[at];
      if (result?.kind === "vectors") made.push({ ownerId, memory, revision, vectors: result.vectors });
      else failures.set(memory, { refused: result?.kind === "refused" ? result.reason : null });
    }
    isAway = embedded.some((result) => result.kind === "away");
    if (made.length > 0) await source.storeVectors(made);
  }
  return failures;
}
