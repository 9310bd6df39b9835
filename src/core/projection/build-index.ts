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
  readonly embeddingGeneration: number;
  readonly dimension: number;
  /** null: as many as the active index has, or one. */
  readonly shards: number | null;
  /** An owner with more memories than this is spread over several shards, if the index has several. */
  readonly memoriesPerShard: number;
}

export interface BuildHow {
  readonly signal?: AbortSignal;
  readonly onProgress?: (scanned: number, of: number) => void;
}

const MEMORIES_AT_ONCE = 500;
/** The number of portions that the engine processes while the next one is prepared. */
const PORTIONS_SENT = 2;
const COMPARISONS_MAX = 5;

/**
 * Fills a new index from the database while the active one keeps serving, then activates it. After a stop by the signal
 * or a failure, the next call resumes it. Only one process may build at a time (`whileBuilding`). True when done.
 */
export async function buildIndex(
  ports: BuildPorts,
  target: BuildTarget,
  how: BuildHow = {},
): Promise<boolean> {
  const { engine, generations } = ports;
  const index = await begun(ports, target);
  if (!(await fill(ports, index, how))) return false;
  // Must run before the comparison, which then finds writes that a crash of the engine has lost.
  await engine.settle(index.name);
  if (!(await isWhole(ports, index, how))) return false;
  await engine.pointAlias(index.name);
  if (!(await generations.activate(index.name))) throw new BuildLost();
  return true;
}

/** Another process has dropped the index that was being built. */
class BuildLost extends Error {
  override readonly name = "BuildLost";
  override readonly message = "the index that was being built no longer exists";
}

/** The index that an earlier call began, if it is still suitable; otherwise a new one. */
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

/** The spread of owners that are large now. Owners that become large later are spread in the next index. */
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

/** Drops this database's unreferenced indexes, left by an aborted build or by a time without an engine. */
async function dropLeftovers({ engine, generations }: BuildPorts): Promise<void> {
  const live = new Set((await generations.live()).map(({ name }) => name));
  for (const name of await engine.owned()) if (!live.has(name)) await engine.drop(name);
}

/**
 * Sends all memories in the order of their ids, a few portions at a time. Workers send concurrent writes. A portion
 * counts as scanned once it and all earlier portions are accepted.
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
        // The next portion is read while this one is sent: reading waits for the database, sending for the engine.
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

/** Sends a portion. Documents that the engine refuses are queued in the outbox. */
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

/**
 * Compares the index with the database until nothing differs. Throws `NeverWhole` if memories that the engine has
 * accepted are missing again.
 */
async function isWhole(ports: BuildPorts, index: IndexGeneration, how: BuildHow): Promise<boolean> {
  let before = new Set<string>();
  for (let comparisons = 1; comparisons <= COMPARISONS_MAX; comparisons += 1) {
    const found = await compareIndex(ports, index, how.signal ? { signal: how.signal } : {});
    if (how.signal?.aborted) return false;
    if (found.sent.some((key) => before.has(key))) throw new NeverWhole();
    if (found.missing + found.outdated + found.foreign === 0) return true;
    before = new Set(found.sent);
  }
  // Each comparison found only memories that were written between the two reads. They were sent and accepted.
  return true;
}

class NeverWhole extends Error {
  override readonly name = "NeverWhole";
  override readonly message = "the index loses documents that it has accepted";
}
