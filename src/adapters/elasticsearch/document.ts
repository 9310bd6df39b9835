import { vectorSteps } from "../../core/embedding/vector-bytes.ts";
import { readDocumentWords } from "../../core/recall/document-words.ts";
import type { IndexDocument } from "../../core/recall/index-document.ts";
import type { Lexicon } from "../../core/recall/lexicon.ts";
import { sessionKey } from "../../core/recall/session-key.ts";
import { packRecord } from "./packed-record.ts";

/** What splits texts; and of the index the dimension of its vectors and the version of its mapping. */
export interface DocumentContext {
  readonly lexicon: Lexicon;
  readonly dimension: number;
  readonly mappingVersion: number;
}

/** A document as it is sent to the engine, with its address. */
export interface ElasticDocument {
  readonly id: string;
  /** All of an owner's memories are on one shard. */
  readonly routing: string;
  readonly revision: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A memory as the engine keeps it. */
export function toElasticDocument(document: IndexDocument, context: DocumentContext): ElasticDocument {
  const words = readDocumentWords(document, context.lexicon);
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
    ...newerMembers(document, context),
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
    length: words.length,
    pieces: pieceTokens(words.frequencies),
    words: wordWeights(words.frequencies, words.length),
    ...vectorFields(document.vector, context.dimension),
    record: base64(packRecord(document, words)),
  };
  return {
    id: document.id,
    routing: document.ownerId,
    revision: document.revision,
    body: Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)),
  };
}

/** What indexes of earlier versions do not have: one of those would refuse the whole document. */
function newerMembers(document: IndexDocument, { mappingVersion }: DocumentContext): Record<string, unknown> {
  const { supersededUntil, supersededStatus, isItem } = document;
  return {
    ...(mappingVersion < 3 ? {} : { superseded_until: supersededUntil, superseded_status: supersededStatus }),
    ...(mappingVersion < 4 ? {} : { item: isItem }),
  };
}

/** What is left of a removed memory, so that a late change cannot raise it. `deletedAt` in milliseconds. */
export function toElasticTombstone(
  removed: { id: string; ownerId: string; revision: number },
  deletedAt: number,
): ElasticDocument {
  const { id, ownerId, revision } = removed;
  return { id, routing: ownerId, revision, body: { deleted: true, deleted_at: deletedAt, revision } };
}

/** What stands for a piece in the field `pieces`: as a word of the memory, or only in its speaker's name in front. */
export function pieceToken(piece: number, isSaid: boolean): string {
  return isSaid ? String(piece) : `${piece}:name`;
}

function pieceTokens(frequencies: ReadonlyMap<number, number>): string[] {
  return Array.from(frequencies, ([piece, count]) => pieceToken(piece, count > 0));
}

/** Word pieces of a usual memory; only the order of a search's proposals depends on it. */
const USUAL_LENGTH = 32;

/**
 * What a piece adds to a match: a count that saturates and loses with the text's length, as in the ranker. The
 * ranker's own counts decide later; this needs no statistics, so that it never changes with other memories.
 */
function wordWeights(frequencies: ReadonlyMap<number, number>, length: number): Record<string, number> {
  const norm = 0.6 * (0.8 + (0.2 * length) / USUAL_LENGTH);
  const weights: Record<string, number> = {};
  for (const [piece, count] of frequencies) if (count > 0) weights[piece] = count / (count + norm);
  return weights;
}

/** A vector of another dimension, or one without a direction, is kept but not searched. */
function vectorFields(vector: Uint8Array | null, dimension: number): Record<string, unknown> {
  if (vector === null) return {};
  const steps = vectorSteps(vector);
  const isSearched = steps.length === dimension && steps.some((step) => step !== 0);
  return {
    vector_dimension: steps.length,
    ...(isSearched ? { vector: hex(steps) } : {}),
  };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

function hex(steps: Int8Array): string {
  return Buffer.from(steps.buffer, steps.byteOffset, steps.byteLength).toString("hex");
}
