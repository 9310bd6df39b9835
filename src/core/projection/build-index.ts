import type { IndexDocument } from "../../recall/index/index-document.ts";
import type { Clock } from "../environment.ts";
import { awaitedLater } from "../resilience/awaited-later.ts";
import { compareIndex } from "./compare-index.ts";
import type { Incarnations } from "./incarnation.ts";
import type { IndexGeneration, IndexGenerations } from "./index-generations.ts";
import type { IndexSource } from "./index-source.ts";
import { NOT_SPREAD, type OwnerSpread, partsOf } from "./owner-spread.ts";
import type { EngineChange, SearchEngine } from "./search-engine.ts";

export interface BuildPorts {
  readonly source: IndexSource;
  readonly engine: SearchEngine;
  readonly generations: IndexGenerations;
  readonly incarnations: Incarnations;
  readonly clock: Clock;
  readonly newId: () => string;
}

/** The embedding generation and shards of a new index. */
export interface BuildTarget {
  /** The embedding generation whose vectors it has. */
  readonly embeddingGeneration: number;
  readonly dimension: number;
  /** null: as many as the index that serves has, or one. */
  readonly shards: number | null;
  /** An owner of more memories is spread over several shards, as far as there are. */
  readonly memoriesPerShard: number;
}

export interface BuildHow {
  readonly signal?: AbortSignal;
  readonly onProgress?: (scanned: number, of: number) => void;
}

const MEMORIES_AT_ONCE = 500;
/** The engine works on so many portions while the next one is made ready. */
const PORTIONS_SENT = 2;
const COMPARISONS_MAX = 5;

/**
 * Fills a new index from the record beside the one that serves, then puts it in its place. Stopped by its signal or by a
 * failure, it resumes when it is called again. One process at a time (`whileBuilding`). True when done.
 */
export async function buildIndex(
  ports: BuildPorts,
  target: BuildTarget,
  how: BuildHow = {},
): Promise<boolean> {
  const { engine, generations } = ports;
  const index = await begun(ports, target);
  if (!(await fill(ports, index, how))) return false;
  // Before the comparison, which then finds what a crash of the engine has taken.
  await engine.settle(index.name);
  if (!(await isWhole(ports, index, how))) return false;
  await engine.pointAlias(index.name);
  if (!(await generations.activate(index.name))) throw new BuildLost();
  return true;
}

/** Another process has given up the index that was being built. */
class BuildLost extends Error {
  override readonly name = "BuildLost";
  override readonly message = "the index that was being built is gone";
}

/** The one that an earlier call began, if it still fits; otherwise a new one. */
async function begun(ports: BuildPorts, target: BuildTarget): Promise<IndexGeneration> {
  const { source, engine, generations, incarnations } = ports;
  const { id: incarnation } = await incarnations.current();
  const live = await generations.live();
  for (const index of live.filter(({ state }) => state === "building")) {
    const isFit =
      index.alias === engine.alias &&
      index.mappingVersion === engine.mappingVersion &&
      index.embeddingGeneration === target.embeddingGeneration &&
      (target.shards === null || index.shards === target.shards);
    const found = isFit ? await engine.find(index.name) : null;
    if (found?.uuid === index.uuid && found.of?.incarnation === incarnation) return index;
    await generations.forget(index.name);
  }
  await dropLeftovers(ports);
  const name = `${engine.alias}-${ports.newId().replaceAll("-", "").slice(0, 16)}`;
  const total = await source.count();
  const shards = target.shards ?? live.find(({ state }) => state === "active")?.shards ?? 1;
  const uuid = await engine.create(name, {
    dimension: target.dimension,
    shards,
    of: { incarnation, log: await incarnations.log() },
  });
  const { alias, mappingVersion } = engine;
  return generations.begin({
    name,
    alias,
    uuid,
    mappingVersion,
    embeddingGeneration: target.embeddingGeneration,
    total,
    shards,
    spread: await spreadOf(ports, name, { shards, perShard: target.memoriesPerShard }),
  });
}

/** Owners that are large now; one that becomes so is spread in the next index. */
async function spreadOf(
  { source, engine }: BuildPorts,
  index: string,
  how: { readonly shards: number; readonly perShard: number },
): Promise<OwnerSpread> {
  if (how.shards === 1) return NOT_SPREAD;
  const spread = new Map<string, readonly string[]>();
  for (const [ownerId, memories] of await source.largeOwners(how.perShard))
    spread.set(ownerId, await engine.routes(index, ownerId, partsOf(memories, how)));
  return spread;
}

/** Indexes of ours that nothing refers to: of a build that died in between, or of a time without an engine. */
async function dropLeftovers({ engine, generations }: BuildPorts): Promise<void> {
  const live = new Set((await generations.live()).map(({ name }) => name));
  for (const name of await engine.owned()) if (!live.has(name)) await engine.drop(name);
}

/**
 * Sends every memory, in the order of their ids, a few portions at a time. Workers send concurrent writes. A portion counts as
 * scanned when it and all before it were taken.
 */
async function fill(ports: BuildPorts, index: IndexGeneration, how: BuildHow): Promise<boolean> {
  const { generations } = ports;
  let { scannedTo, scanned } = index;
  let reading: Promise<Portion> | null = readAfter(ports, index, scannedTo);
  const sending: Promise<Portion>[] = [];
  try {
    while (reading !== null || sending.length > 0) {
      if (how.signal?.aborted) return false;
      if (reading !== null && sending.length < PORTIONS_SENT) {
        const portion: Portion = await reading;
        const last = portion.documents.at(-1);
        // The next ones are read while these are sent: reading waits for the record, sending for the engine.
        reading = last === undefined ? null : readAfter(ports, index, last.id);
        if (last !== undefined) sending.push(awaitedLater(send(ports, index, portion)));
        continue;
      }
      const { documents } = (await sending.shift()) as Portion;
      scannedTo = documents.at(-1)?.id as string;
      scanned += documents.length;
      if (!(await generations.progress(index.name, scannedTo, scanned))) throw new BuildLost();
      how.onProgress?.(scanned, Math.max(index.total, scanned));
    }
    return true;
  } finally {
    await Promise.allSettled(sending);
  }
}

interface Portion {
  readonly documents: readonly IndexDocument[];
  readonly readAt: number;
}

function readAfter(
  { source, clock }: BuildPorts,
  index: IndexGeneration,
  after: string | null,
): Promise<Portion> {
  const readAt = clock();
  const documents = source.documentsAfter(after, MEMORIES_AT_ONCE, index.embeddingGeneration);
  return awaitedLater(documents.then((documents) => ({ documents, readAt })));
}

/** Leaves to the outbox what the engine does not take. */
async function send(
  { engine, source }: BuildPorts,
  index: IndexGeneration,
  portion: Portion,
): Promise<Portion> {
  const { documents, readAt } = portion;
  const changes = documents.map((document): EngineChange => ({ kind: "put", document }));
  const written = await engine.write(index, changes, { readAt, isShown: false });
  const refused = documents
    .filter((_, at) => written[at]?.refused !== null)
    .map(({ id, ownerId }) => ({ ownerId, memory: id }));
  if (refused.length > 0) await source.queue(refused);
  return portion;
}

/** Compares with the record until nothing differs. Memories that the engine has accepted must not be missing again. */
async function isWhole(ports: BuildPorts, index: IndexGeneration, how: BuildHow): Promise<boolean> {
  let before = new Set<string>();
  for (let comparisons = 1; comparisons <= COMPARISONS_MAX; comparisons += 1) {
    const found = await compareIndex(ports, index, how.signal ? { signal: how.signal } : {});
    if (how.signal?.aborted) return false;
    if (found.sent.some((key) => before.has(key))) throw new NeverWhole();
    if (found.missing + found.outdated + found.foreign === 0) return true;
    before = new Set(found.sent);
  }
  // Each time only what had been written between the two reads differed; it was sent, and the engine has accepted it.
  return true;
}

class NeverWhole extends Error {
  override readonly name = "NeverWhole";
  override readonly message = "the index does not keep what it has taken";
}
