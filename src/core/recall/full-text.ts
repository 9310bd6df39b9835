import { isShared } from "../../recall/index/callers-vectors.ts";
import { readPassageWords, withVectors } from "../../recall/index/document-passages.ts";
import { MemorySet } from "../../recall/index/in-memory/memory-set.ts";
import { figuresOf, Retrieval, type ScopeFigures } from "../../recall/index/in-memory/retrieval.ts";
import { bySeq } from "../../recall/index/in-memory/scope-filter.ts";
import {
  createScopeView,
  documentFrequency,
  type ScopeView,
} from "../../recall/index/in-memory/scope-view.ts";
import { sessionKey } from "../../recall/index/index-document.ts";
import { createInt8Dots } from "../../recall/index/int8-dots.ts";
import type { Candidate, CandidateRequest, ScopeStatistics } from "../../recall/index/recall-index.ts";
import { foldedText, plainText } from "../../recall/language/characters.ts";
import { exactWords } from "../../recall/language/exact-words.ts";
import type { Lexicon } from "../../recall/language/lexicon.ts";
import type { Passage } from "../../recall/language/passages.ts";
import { lettersAndDigits } from "../../recall/language/words.ts";
import type { Rankable } from "../../recall/ranking/rank.ts";
import type { Caller } from "../caller.ts";
import { isAdopted } from "../memory/adopted.ts";
import type { MemoryFilter } from "../memory/memory-filter.ts";
import type { MemoryRecord } from "../memory/memory-record.ts";
import type { TextFinding } from "../memory/memory-store.ts";
import type { Ports } from "../ports.ts";
import { readMemories } from "./read-memories.ts";

/** Input of the full-text search. */
export interface TextRequest extends Pick<CandidateRequest, "query" | "retrievers" | "reach"> {
  readonly filter: MemoryFilter;
  /** Owners that no index holds. */
  readonly owners: readonly string[];
  /** Maximum number of memories read. */
  readonly limit: number;
}

/** More than any real question has. Bounds the cost of a pasted document. */
const WORDS_MAX = 64;
/**
 * How much text one request splits into words, in UTF-16 units, and the minimum for each memory. The same amount again
 * is allowed for later passages that may have what the query names.
 */
const READ_MAX = 1_000_000;
const READ_OF_EACH_MIN = 4096;

/** The full-text proposals. `degraded`: the parts that could not contribute, in words. */
interface TextCandidates {
  readonly set: Rankable;
  readonly degraded: readonly string[];
}

const PARTIAL = "full-text search: part of it took too long and was left out";

/**
 * Candidates of owners that no index holds, proposed by the record's own full-text search. They are counted from their
 * texts by the index's own code, so that the ranker's figures and scores have the same meaning. Their vectors are not
 * used.
 */
export async function fullTextCandidates(
  ports: Pick<Ports, "store" | "lexicon" | "pace">,
  caller: Caller,
  request: TextRequest,
): Promise<TextCandidates> {
  const { lexicon, pace } = ports;
  const { query, filter, owners, limit, retrievers } = request;
  const words = [...new Set(lettersAndDigits(query.text))].slice(0, WORDS_MAX);
  const names = query.exact.flatMap(({ text, isStrict }) => (isStrict ? [text] : []));
  const found = await ports.store.searchText(caller, { words, names, owners, filter, limit });
  const { memories } = await readMemories(ports, caller, filter, found.ids);
  const view = await viewOf([...memories.values()], passagesWith(names), ports);
  const figures = textFigures(view, found, frequencies(words, found, lexicon));
  const retrieval = new Retrieval(lexicon, createInt8Dots());
  const set = await retrieval.candidates(view, figures, {
    query,
    filter,
    reach: request.reach,
    retrievers,
    embedding: null,
    candidateCount: limit,
    pace,
  });
  return { set, degraded: found.isPartial ? [PARTIAL] : [] };
}

async function viewOf(
  memories: readonly MemoryRecord[],
  mayHaveName: (text: string) => boolean,
  { lexicon, pace }: Pick<Ports, "lexicon" | "pace">,
): Promise<ScopeView> {
  const lengthMax = Math.max(READ_OF_EACH_MIN, Math.floor(READ_MAX / Math.max(1, memories.length)));
  let named = READ_MAX;
  const isRead = (text: string, { start, end }: Passage) => {
    if (start < lengthMax) return true;
    if (named < 0 || !mayHaveName(text.slice(start, end))) return false;
    named -= end - start;
    return true;
  };
  const sets = new Map<string, MemorySet>();
  for (const memory of memories) {
    const set = sets.get(memory.ownerId) ?? new MemorySet();
    sets.set(memory.ownerId, set);
    addMemory(set, memory, (passage) => isRead(memory.content, passage), lexicon);
    await pace.pause();
  }
  return createScopeView(
    Array.from(sets, ([ownerId, set]) => {
      const slots = Int32Array.from({ length: set.slots.count }, (_, slot) => slot);
      return { ownerId, memories: set, slots: bySeq(slots, set.slots.seq) };
    }),
  );
}

/**
 * Returns a test of whether a text has all words of one of these names. A name in a script without spaces has no words,
 * so every text passes.
 */
function passagesWith(names: readonly string[]): (text: string) => boolean {
  const asked = names.map((name) => [...exactWords(foldedText(name))].map(({ text }) => text));
  return (text) => {
    if (asked.length === 0) return false;
    const folded = foldedText(plainText(text));
    return asked.some((words) => words.every((word) => folded.includes(word)));
  };
}

function addMemory(
  set: MemorySet,
  memory: MemoryRecord,
  isRead: (passage: Passage) => boolean,
  lexicon: Lexicon,
): void {
  const { source, semanticKey, logicPath } = memory;
  const keywords = [semanticKey, logicPath].filter((text) => text !== null).join(" ");
  const adopted = isAdopted(memory);
  const ranked = {
    id: memory.id,
    seq: memory.seq,
    session: sessionKey(memory),
    source,
    occurredAt: memory.occurredAt ?? memory.createdAt,
    hasCallersVector: false,
    isShared: isShared({ scope: memory.scope, isAdopted: adopted }),
    isAdopted: adopted,
    language: null,
  };
  const passages = readPassageWords({ ...memory, keywords }, lexicon, { isRead });
  set.add(ranked, withVectors(passages, { vectors: null, multilingual: null }));
}

/** Number of memories by piece. Full text counts words, so the pieces of a word get the word's count. */
function frequencies(
  words: readonly string[],
  found: TextFinding,
  lexicon: Lexicon,
): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const [at, word] of words.entries()) {
    const count = found.frequencies[at] ?? 0;
    for (const { piece } of lexicon.terms(word).terms)
      counts.set(piece, Math.max(count, counts.get(piece) ?? 0));
  }
  return counts;
}

/** The figures of the scope, as far as full text knows them. Anything it did not count is counted over its results. */
function textFigures(view: ScopeView, found: TextFinding, counts: ReadonlyMap<number, number>): ScopeFigures {
  const memoryCount = Math.max(view.memoryCount, found.memoryCount);
  const frequency = (piece: number) => Math.max(counts.get(piece) ?? 0, documentFrequency(view, piece));
  const ofView = figuresOf(view);
  return {
    memoryCount,
    meanLength: view.meanLength,
    languages: view.languages,
    documentFrequency: frequency,
    // Assumes that the results are spread evenly.
    newerCount: (position) => Math.round((ofView.newerCount(position) * memoryCount) / view.memoryCount),
    statistics: (query, terms) => ({
      ...ofView.statistics(query, terms),
      memoryCount,
      documentFrequency: query.terms.map(({ piece }) => frequency(piece)),
    }),
  };
}

/** Combines the candidates of two searches, and the figures of both scopes. */
export function together(one: Rankable, other: Rankable): Rankable {
  const [a, b] = [one.statistics, other.statistics];
  return {
    retrievers: one.retrievers,
    statistics: pooled(a, b),
    queryLanguage: one.queryLanguage,
    candidates: [...one.candidates, ...other.candidates].sort((x: Candidate, y: Candidate) => x.seq - y.seq),
  };
}

function pooled(a: ScopeStatistics, b: ScopeStatistics): ScopeStatistics {
  const mean = (
    of: (statistics: ScopeStatistics) => number,
    count: (statistics: ScopeStatistics) => number,
  ) => (of(a) * count(a) + of(b) * count(b)) / Math.max(1, count(a) + count(b));
  const sums = (one: readonly number[], other: readonly number[]) =>
    one.map((count, at) => count + (other[at] ?? 0));
  return {
    memoryCount: a.memoryCount + b.memoryCount,
    documentFrequency: sums(a.documentFrequency, b.documentFrequency),
    meanLength: mean(
      (of) => of.meanLength,
      (of) => of.memoryCount,
    ),
    meanContextLength: mean(
      (of) => of.meanContextLength,
      (of) => of.memoryCount,
    ),
    sessionCount: a.sessionCount + b.sessionCount,
    sessionDocumentFrequency: sums(a.sessionDocumentFrequency, b.sessionDocumentFrequency),
    meanSessionLength: mean(
      (of) => of.meanSessionLength,
      (of) => of.sessionCount,
    ),
    speakers: [...new Set([...a.speakers, ...b.speakers])].sort(),
    aliases: new Map([...a.aliases, ...b.aliases]),
  };
}
