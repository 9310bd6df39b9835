import { type OwnerSpread, routingOf } from "../../core/projection/owner-spread.ts";
import { isShared } from "../../recall/index/callers-vectors.ts";
import { type IndexedPassage, readPassages, withVectors } from "../../recall/index/document-passages.ts";
import { readDocumentWords } from "../../recall/index/document-words.ts";
import type { RankedMemory } from "../../recall/index/in-memory/memory-set.ts";
import { type IndexDocument, sessionKey } from "../../recall/index/index-document.ts";
import { vectorSteps } from "../../recall/index/vector-bytes.ts";
import type { Lexicon } from "../../recall/language/lexicon.ts";
import { MULTILINGUAL_DIMENSION } from "./mapping.ts";

/** The lexicon, and the index's vector dimension and mapping version. */
export interface DocumentContext {
  readonly lexicon: Lexicon;
  readonly dimension: number;
  readonly mappingVersion: number;
  readonly spread: OwnerSpread;
}

/** A document as it is sent to the engine, with its id and routing. */
export interface ElasticDocument {
  readonly id: string;
  /** Routing value, which selects its shard. */
  readonly routing: string;
  readonly revision: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Converts a memory to the document that the engine stores. */
export function toElasticDocument(stored: IndexDocument, context: DocumentContext): ElasticDocument {
  const document = known(stored, context);
  const passages = passagesFor(document, context);
  const session = sessionKey(document);
  const body = {
    owner: document.ownerId,
    team: document.teamId,
    project: document.projectId,
    path: document.path,
    bucket: document.bucket,
    scope: document.scope,
    memory_type: document.memoryType,
    status: document.status,
    ...newerMembers(document, context, passages),
    session: session === null ? null : `${document.ownerId}/${session}`,
    source: document.source,
    seq: document.seq,
    revision: document.revision,
    occurred_at: document.occurredAt,
    created_at: document.createdAt,
    expires_at: document.expiresAt,
    deleted: false,
    content: document.content,
    keywords: document.keywords,
    language: document.language,
    length: passages.reduce((sum, { words }) => sum + words.length, 0),
    pieces: pieceTokens(passages),
    words: wordWeights(passages),
    ...vectorFields(passages, context),
    record: packRecord(document, passages),
  };
  return {
    id: document.id,
    routing: routingOf(context.spread, document.ownerId, document.id),
    revision: document.revision,
    body: Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)),
  };
}

/** From this version of the mapping on, long texts are split into passages. */
const PASSAGES_VERSION = 7;
/** From this version of the mapping on, documents have multilingual vectors and a language. */
const MULTILINGUAL_VERSION = 10;

/** What an index of that mapping version can hold of a memory. */
function known(document: IndexDocument, { mappingVersion }: DocumentContext): IndexDocument {
  return mappingVersion >= MULTILINGUAL_VERSION
    ? document
    : { ...document, multilingual: null, language: null };
}

/**
 * Passages of a memory, as the index's mapping version has them. Servers that read earlier versions only know a memory
 * as a whole.
 */
function passagesFor(
  document: IndexDocument,
  { lexicon, mappingVersion }: DocumentContext,
): IndexedPassage[] {
  if (mappingVersion >= PASSAGES_VERSION) return readPassages(document, lexicon);
  return withVectors([readDocumentWords(document, lexicon)], document);
}

/** Members that indexes of earlier versions lack. Such an index would refuse the whole document because of them. */
function newerMembers(
  document: IndexDocument,
  { mappingVersion }: DocumentContext,
  passages: readonly IndexedPassage[],
): Record<string, unknown> {
  const { supersededUntil, supersededStatus, isItem } = document;
  return {
    ...(mappingVersion < 3 ? {} : { superseded_until: supersededUntil, superseded_status: supersededStatus }),
    ...(mappingVersion < 4 ? {} : { item: isItem }),
    ...(mappingVersion < PASSAGES_VERSION ? {} : { passages: passages.length }),
  };
}

/** Returns the tombstone of a removed memory, so that a late change cannot restore it. `deletedAt` in milliseconds. */
export function toElasticTombstone(
  removed: { id: string; ownerId: string; revision: number },
  spread: OwnerSpread,
  deletedAt: number,
): ElasticDocument {
  const { id, ownerId, revision } = removed;
  return {
    id,
    routing: routingOf(spread, ownerId, id),
    revision,
    body: { deleted: true, deleted_at: deletedAt, revision },
  };
}

/** Token of a piece in the field `pieces`. A piece that occurs only in the leading speaker's name has another token. */
export function pieceToken(piece: number, isSaid: boolean): string {
  return isSaid ? String(piece) : `${piece}:name`;
}

function pieceTokens(passages: readonly IndexedPassage[]): string[] {
  const isSaid = new Map<number, boolean>();
  for (const { words } of passages)
    for (const [piece, count] of words.frequencies)
      isSaid.set(piece, isSaid.get(piece) === true || count > 0);
  return Array.from(isSaid, ([piece, said]) => pieceToken(piece, said));
}

/** Word pieces of a typical passage. Only the order of a search's proposals depends on it. */
const USUAL_LENGTH = 32;

/**
 * Returns the weight of each piece in a match. As in the ranker, it saturates with the piece's count and falls with the
 * text's length. It needs no statistics, so it never changes with other memories. The ranker's own counts decide later.
 */
function wordWeights(passages: readonly IndexedPassage[]): Record<string, number> {
  const weights: Record<string, number> = {};
  for (const { words } of passages) {
    const norm = 0.6 * (0.8 + (0.2 * words.length) / USUAL_LENGTH);
    for (const [piece, count] of words.frequencies)
      if (count > 0) weights[piece] = Math.max(weights[piece] ?? 0, rounded(count / (count + norm)));
  }
  return weights;
}

/**
 * Rounds to four decimals. The engine keeps eight bits of a weight, so more digits would only cost transfer and
 * parsing.
 */
function rounded(weight: number): number {
  return Math.round(weight * 10_000) / 10_000;
}

/** Fields for the vectors. A vector of another dimension, or of zeros only, is kept but not searched. */
function vectorFields(
  [first, ...others]: readonly IndexedPassage[],
  { dimension }: DocumentContext,
): Record<string, unknown> {
  const ofPassage = ({ steps, multilingual }: IndexedPassage) => ({
    ...(isSearched(steps, dimension) ? { vector: hex(steps) } : {}),
    ...(isSearched(multilingual, MULTILINGUAL_DIMENSION) ? { multilingual: hex(multilingual) } : {}),
  });
  const more = others.map(ofPassage).filter((vectors) => Object.keys(vectors).length > 0);
  const steps = first?.steps ?? null;
  return {
    ...(steps === null ? {} : { vector_dimension: steps.length }),
    ...(first === undefined ? {} : ofPassage(first)),
    ...(more.length > 0 ? { more } : {}),
  };
}

function isSearched(steps: Int8Array | null, dimension: number): steps is Int8Array {
  return steps !== null && steps.length === dimension && steps.some((step) => step !== 0);
}

function hex(steps: Int8Array): string {
  return bytesOf(steps).toString("hex");
}

function bytesOf(steps: Int8Array): Buffer {
  return Buffer.from(steps.buffer, steps.byteOffset, steps.byteLength);
}

/**
 * Everything that the ranker needs to know about a memory, packed into one value, since a search fetches a thousand of
 * them. The fields are in the order of `packRecord`. A text is its length in bytes, then its UTF-8.
 *
 * Whole numbers are varints: seven bits per byte, lowest first. Pieces are in ascending order, each as the difference
 * from the previous piece and its count. If there is one passage, its pieces run to the end of the record. If there are
 * several, each begins with its flags and the number of its pieces.
 */
export interface PackedRecord extends RankedMemory {
  readonly ownerId: string;
  /** The vectors' steps are views of the unpacked bytes, valid until those are overwritten. */
  readonly passages: readonly IndexedPassage[];
}

const IS_QUESTION = 1;
const ASKS = 2;
const MENTIONS_TIME = 4;
/** Set if a vector follows. Not set if the memory has none, or if the first version packed it. */
const HAS_VECTOR = 8;
/**
 * Set if the service made the vectors. Records from before version 5 lack it. Their vectors' origin is unknown, so they
 * are not used to decide whether two memories are the same.
 */
const SERVICES_VECTOR = 16;
const SHARED = 32;
const ADOPTED = 64;
/** Set if the number of passages and each passage follow. Otherwise the memory is one passage. */
const SEVERAL_PASSAGES = 128;
/** Set if a multilingual vector follows the other. */
const HAS_MULTILINGUAL = 256;
/** Set if the language follows. */
const HAS_LANGUAGE = 512;

/** Packs a memory, as base64. */
function packRecord(document: IndexDocument, passages: readonly IndexedPassage[]): string {
  writer.begin();
  writer.text(document.id);
  writer.text(document.ownerId);
  writer.number(document.seq);
  writer.text(sessionKey(document));
  writer.text(document.source);
  writer.float(document.occurredAt);
  const ofMemory =
    (document.hasCallersVector ? 0 : SERVICES_VECTOR) |
    (isShared(document) ? SHARED : 0) |
    (document.isAdopted ? ADOPTED : 0) |
    (document.language === null ? 0 : HAS_LANGUAGE);
  const [only] = passages;
  if (only !== undefined && passages.length === 1) {
    writer.number(ofMemory | passageFlags(only));
    if (document.language !== null) writer.text(document.language);
    packPassage(only);
    return writer.written();
  }
  writer.number(ofMemory | SEVERAL_PASSAGES | (document.vectors === null ? 0 : HAS_VECTOR));
  if (document.language !== null) writer.text(document.language);
  writer.number(passages.length);
  for (const passage of passages) {
    writer.number(passageFlags(passage));
    writer.number(passage.words.frequencies.size);
    packPassage(passage);
  }
  return writer.written();
}

function passageFlags({ words, steps, multilingual }: IndexedPassage): number {
  return (
    (words.isQuestion ? IS_QUESTION : 0) |
    (words.asks ? ASKS : 0) |
    (words.mentionsTime ? MENTIONS_TIME : 0) |
    (steps === null ? 0 : HAS_VECTOR) |
    (multilingual === null ? 0 : HAS_MULTILINGUAL)
  );
}

function packPassage({ words, steps, multilingual }: IndexedPassage): void {
  writer.number(words.length);
  if (steps !== null) writer.steps(steps);
  if (multilingual !== null) writer.steps(multilingual);
  let last = 0;
  for (const [piece, count] of [...words.frequencies].sort(([a], [b]) => a - b)) {
    writer.number(piece - last);
    writer.number(count);
    last = piece;
  }
}

/** Unpacks the memory in the first `size` bytes, keeping only the `wanted` pieces. */
export function unpackRecord(bytes: Buffer, size: number, wanted: ReadonlySet<number>): PackedRecord {
  const reader = new Reader(bytes, size);
  const [id, ownerId] = [reader.text() ?? "", reader.text() ?? ""];
  const seq = reader.number();
  const [session, source] = [reader.text(), reader.text()];
  const occurredAt = reader.float();
  const flags = reader.number();
  const language = (flags & HAS_LANGUAGE) === 0 ? null : reader.text();
  const passages: IndexedPassage[] = [];
  if ((flags & SEVERAL_PASSAGES) === 0) passages.push(unpackPassage(reader, flags, Infinity, wanted));
  else
    for (let left = reader.number(); left > 0; left--)
      passages.push(unpackPassage(reader, reader.number(), reader.number(), wanted));
  return {
    id,
    ownerId,
    seq,
    session,
    source,
    occurredAt,
    hasCallersVector: (flags & HAS_VECTOR) !== 0 && (flags & SERVICES_VECTOR) === 0,
    isShared: (flags & SHARED) !== 0,
    isAdopted: (flags & ADOPTED) !== 0,
    language,
    passages,
  };
}

function unpackPassage(
  reader: Reader,
  flags: number,
  pieceCount: number,
  wanted: ReadonlySet<number>,
): IndexedPassage {
  const length = reader.number();
  const steps = (flags & HAS_VECTOR) === 0 ? null : reader.steps();
  const multilingual = (flags & HAS_MULTILINGUAL) === 0 ? null : reader.steps();
  const frequencies = new Map<number, number>();
  let piece = 0;
  for (let left = pieceCount; left > 0 && !reader.isAtEnd; left--) {
    piece += reader.number();
    const count = reader.number();
    if (wanted.has(piece)) frequencies.set(piece, count);
  }
  const words = {
    length,
    frequencies,
    isQuestion: (flags & IS_QUESTION) !== 0,
    asks: (flags & ASKS) !== 0,
    mentionsTime: (flags & MENTIONS_TIME) !== 0,
  };
  return { words, steps, multilingual };
}

/** A scale of 1, in place of a packed vector's own scale, which cosines do not need. */
const SCALE = [0, 0, 128, 63];

/** Writes one record after the other into the same buffer. */
class Writer {
  #bytes = Buffer.allocUnsafe(4096);
  #size = 0;

  begin(): void {
    this.#size = 0;
  }

  number(value: number): void {
    this.#reserve(NUMBER_BYTES_MAX);
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.#bytes[this.#size++] = (rest % 128) | 128;
    this.#bytes[this.#size++] = rest;
  }

  float(value: number): void {
    this.#reserve(8);
    this.#size = this.#bytes.writeDoubleBE(value, this.#size);
  }

  /** Writes the length plus one, then the text. A missing text is 0, and so differs from an empty one. */
  text(value: string | null): void {
    const length = value === null ? 0 : Buffer.byteLength(value);
    this.number(value === null ? 0 : length + 1);
    this.#reserve(length);
    if (value !== null) this.#size += this.#bytes.write(value, this.#size);
  }

  /** Writes a packed vector with a dummy scale, which is never read. */
  steps(steps: Int8Array): void {
    this.number(SCALE.length + steps.length + 1);
    this.#reserve(SCALE.length + steps.length);
    this.#bytes.set(SCALE, this.#size);
    this.#bytes.set(bytesOf(steps), this.#size + SCALE.length);
    this.#size += SCALE.length + steps.length;
  }

  /** Everything written so far, as base64. */
  written(): string {
    return this.#bytes.toString("base64", 0, this.#size);
  }

  #reserve(more: number): void {
    if (this.#size + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.#size + more));
    larger.set(this.#bytes.subarray(0, this.#size));
    this.#bytes = larger;
  }
}

/** Length of the longest varint of an integer. */
const NUMBER_BYTES_MAX = 8;

const writer = new Writer();

class Reader {
  #bytes: Buffer;
  #size: number;
  #at = 0;

  constructor(bytes: Buffer, size: number) {
    this.#bytes = bytes;
    this.#size = size;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#size;
  }

  number(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.#bytes[this.#at++] ?? 0;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  float(): number {
    const value = this.#bytes.readDoubleBE(this.#at);
    this.#at += 8;
    return value;
  }

  text(): string | null {
    const length = this.number() - 1;
    if (length < 0) return null;
    this.#at += length;
    return this.#bytes.toString("utf8", this.#at - length, this.#at);
  }

  steps(): Int8Array | null {
    const length = this.number() - 1;
    if (length < 0) return null;
    this.#at += length;
    return vectorSteps(this.#bytes, this.#at - length, this.#at);
  }
}
