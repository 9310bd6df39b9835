import { IndexUnavailable } from "../../recall/index/index-unavailable.ts";
import type { RecallIndex } from "../../recall/index/recall-index.ts";
import type { Embedder } from "../embedding/embedder.ts";
import type { Clock } from "../environment.ts";
import { embedTexts } from "./embed-texts.ts";
import type { IndexGeneration, IndexGenerations } from "./index-generations.ts";
import type { IndexSource } from "./index-source.ts";
import type { MadeVectors, OutboxLine, Outcome } from "./outbox.ts";
import { portions } from "./portions.ts";
import type { EngineChange, SearchEngine } from "./search-engine.ts";

export interface ProjectPorts {
  readonly source: IndexSource;
  readonly embedder: Embedder;
  /** The index that is read from the record. */
  readonly index: Pick<RecallIndex, "refresh">;
  /** null: there is no search engine. */
  readonly search: { readonly engine: SearchEngine; readonly generations: IndexGenerations } | null;
  readonly clock: Clock;
}

interface Projected {
  readonly outcomes: ReadonlyMap<OutboxLine, Outcome>;
  /** Why the engine could not take anything; the lines are due again. */
  readonly failure: unknown;
}

/**
 * Does what outbox lines ask for: embeds what has no vector yet, brings every index of the engine to the record's
 * present state of these memories, and takes what was erased or has moved away out of the index in memory. Lines of one
 * memory are one piece of work.
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

/** By memory, why an index refuses it: a class of error, without content. */
type Refusals = ReadonlyMap<string, string>;

/** How much is read and sent at once, and how many such portions side by side. */
const WRITTEN_AT_ONCE = { items: 500, bytes: 4 * 1024 * 1024 };
const AT_ONCE = 4;

/**
 * Brings all indexes that are written to the record's present state of these memories, and waits until searches show
 * it. Rejects with `IndexUnavailable` where not all of them could be brought there.
 */
async function writeToEngine(ports: WritePorts, lines: readonly OutboxLine[]): Promise<Refusals> {
  // After the lines were taken and before the memories are read: see `IndexGenerations.live`.
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
  // Erased content may still be in an index that this server has not found yet: nothing is done without one.
  if (live.length === 0) throw new IndexUnavailable("building");
  if (live.some(({ mappingVersion }) => mappingVersion > engine.mappingVersion))
    throw new IndexUnavailable("outdated");
}

interface Piece {
  readonly memory: string;
  readonly bytes: number;
  /** Its owners at the time of the writes. A memory that has moved is found with its present owner, who has a line of the move. */
  readonly owners: Set<string>;
  /** By former owner, the revision that removed the memory there. */
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
    // An index that somebody else has put in its place refuses documents that do not fit its mapping.
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

/** Why a memory has no vector: the embedder refuses its text for this reason, or null where it is away. */
interface EmbedFailure {
  readonly refused: string | null;
}

/** How much is asked of an embedder at once. */
const EMBEDDED_AT_ONCE = { items: 100, bytes: 1024 * 1024 };

/**
 * Makes and stores the vectors that the lines' memories lack, each once, and answers those it could not make. While the
 * embedder is away it is asked once, not for every portion.
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
