import { BoundedCache } from "../cache.ts";
import type { Clock, Hash } from "../environment.ts";
import { wordsKey } from "./same-words.ts";
import { sentencesOf } from "./sentences.ts";

/** A memory as it was handed out. */
export interface Source {
  /** Internal. */
  readonly id: string;
  readonly version: number;
}

/** Text that an answer showed of a memory; null for the service's own lines around it. */
export interface Shown {
  readonly source: Source | null;
  readonly text: string;
}

/** After this it is no longer likely that a text comes back because it was handed out. Chosen, not fitted. */
const KEPT_MS = 30 * 60_000;
/** What is read of one answer, in UTF-16 units: all of the largest context, and a part of a hundred long memories. */
const READ_LENGTH_MAX = 2 ** 18;
/** Pieces noted of one answer: the largest context of prose has some 2,000 lines and sentences. */
const PIECES_OF_ANSWER_MAX = 4096;
/** Pieces kept for one credential: dozens of answers. */
const PIECES_MAX = 8192;
/** What all credentials' pieces take together. */
const BYTES_MAX = 16 * 1024 * 1024;
/** A digest in a map, with its share of what it stands for. Measured on V8. */
const PIECE_BYTES = 96;
/** A text with less than this that is known could come from anywhere, in UTF-16 units. */
const ECHO_LENGTH_MIN = 12;
/** A text of up to this length is also known as a whole, however its lines are broken. */
const WHOLE_LENGTH_MAX = 8192;

interface Noted {
  readonly source: Source | null;
  readonly at: number;
}

/**
 * What recall has just shown, by the credential that it was shown to: digests of lines and sentences, so that a text that
 * is made of them alone is known when it comes back. It holds no text, and of each digest (52 bits of a keyed hash) nothing
 * can be read. Bounded for each credential and in all; the oldest goes first, and everything after half an hour.
 *
 * It is of this process: what another server showed is not known here.
 */
export class HandedOut {
  readonly #digest: (key: string) => number;
  readonly #clock: Clock;
  readonly #credentials = new BoundedCache<string, Map<number, Noted>>({
    name: "handed-out text",
    bytesMax: BYTES_MAX,
    bytesOf: (pieces) => pieces.size * PIECE_BYTES,
  });

  /** `key`: a secret of this process. */
  constructor({ hash, clock, key }: { hash: Hash; clock: Clock; key: string }) {
    this.#clock = clock;
    this.#digest = (piece) => Number.parseInt(hash(`${key}\n${piece}`).slice(0, 13), 16);
  }

  /** Notes what an answer shows. Of very long answers the beginning. */
  note(tokenId: string, shown: readonly Shown[]): void {
    const pieces = this.#credentials.get(tokenId) ?? new Map<number, Noted>();
    // Taken out while it grows, so that its bytes are counted right.
    this.#credentials.delete(tokenId);
    const at = this.#clock();
    for (const { piece, source } of beginningOf(shown)) {
      const digest = this.#digest(piece);
      pieces.delete(digest);
      pieces.set(digest, { source, at });
    }
    for (const [digest, noted] of pieces) {
      if (pieces.size <= PIECES_MAX && noted.at > at - KEPT_MS) break;
      pieces.delete(digest);
    }
    this.#credentials.set(tokenId, pieces);
  }

  /**
   * The memories whose words the text is made of, each once, as they were shown; empty where it is of the service's own
   * lines alone. null where it says anything that was not shown to this credential, or is too short to tell. The first
   * unknown sentence ends the look.
   */
  sourcesOf(tokenId: string, text: string): Source[] | null {
    const pieces = this.#credentials.get(tokenId);
    if (pieces === undefined) return null;
    const since = this.#clock() - KEPT_MS;
    const find = (piece: string) => {
      const noted = pieces.get(this.#digest(piece));
      return noted !== undefined && noted.at > since ? noted : null;
    };
    const whole = wholeOf(text);
    const known = whole === null ? null : find(whole);
    if (whole !== null && known !== null) return whole.length < ECHO_LENGTH_MIN ? null : sourcesIn([known]);
    const found = knownPieces(text, find);
    return found === null ? null : sourcesIn(found);
  }

  /** Lets go of what was shown of these memories, by their internal ids. */
  forget(ids: readonly string[]): void {
    const gone = new Set(ids);
    const isGone = ({ source }: Noted) => source !== null && gone.has(source.id);
    for (const [tokenId, pieces] of this.#credentials.entries()) {
      // Mostly nothing is, and copying all that is remembered for each erasure would cost more than the erasure.
      if (!hasAny(pieces.values(), isGone)) continue;
      this.#credentials.set(tokenId, new Map([...pieces].filter(([, noted]) => !isGone(noted))));
    }
  }
}

function hasAny<T>(some: Iterable<T>, is: (one: T) => boolean): boolean {
  for (const one of some) if (is(one)) return true;
  return false;
}

/** The pieces of what an answer shows, as many as are noted. */
function* beginningOf(shown: readonly Shown[]): Iterable<{ piece: string; source: Source | null }> {
  let lengthLeft = READ_LENGTH_MAX;
  let piecesLeft = PIECES_OF_ANSWER_MAX;
  for (const { source, text } of shown) {
    for (const piece of piecesOf(text.slice(0, lengthLeft))) {
      if (piecesLeft === 0) return;
      piecesLeft -= 1;
      yield { piece, source };
    }
    lengthLeft = Math.max(0, lengthLeft - text.length);
  }
}

function sourcesIn(found: readonly Noted[]): Source[] {
  const sources = found.flatMap(({ source }) => source ?? []);
  return [...new Map(sources.map((source) => [source.id, source])).values()];
}

/** What each line of the text was found as, or each sentence of it; null where one of them is unknown. */
function knownPieces(text: string, find: (piece: string) => Noted | null): Noted[] | null {
  const found: Noted[] = [];
  let length = 0;
  for (const line of linesOf(text)) {
    const whole = wordsKey(line);
    for (const piece of find(whole) ? [whole] : keysOf(line)) {
      const noted = find(piece);
      if (noted === null) return null;
      found.push(noted);
      length += piece.length;
    }
  }
  return length < ECHO_LENGTH_MIN ? null : found;
}

/** What a text is known by when it comes back: as a whole, by its lines, and by their sentences. */
function* piecesOf(text: string): Iterable<string> {
  const whole = wholeOf(text);
  if (whole !== null) yield whole;
  for (const line of text.split(LINE_BREAK)) {
    const key = line === "" ? "" : wordsKey(line);
    if (key === "") continue;
    yield key;
    for (const sentence of keysOf(line)) if (sentence !== key) yield sentence;
  }
}

/** null for a text that is too long to be compared as a whole, or of nothing. */
function wholeOf(text: string): string | null {
  return text.length > WHOLE_LENGTH_MAX ? null : wordsKey(text) || null;
}

const LINE_BREAK = /[\n\r\u2028\u2029]/u;
const QUOTED = /^\s*(?:> ?)+/u;
/** Alone, what begins with a sign or a number may be meant so: "> 5" is no quotation of "5", nor "- 18" one of a list. */
const QUOTED_WORDS = /^\s*(?:>|[*•-] ) ?(?=["'“‘(]?\p{L})/u;

/** The lines of a text that may quote what was shown, without what marks them as a quotation. */
function* linesOf(text: string): Iterable<string> {
  const lines = text.trim().split(LINE_BREAK);
  for (const line of lines) {
    const plain = line.replace(lines.length > 1 ? QUOTED : QUOTED_WORDS, "").replace(QUOTED_WORDS, "");
    if (plain.trim() !== "") yield plain;
  }
}

/** The sentences of a line as they are compared, one at a time: most lines are told by the first. */
function* keysOf(line: string): Iterable<string> {
  for (const sentence of sentencesOf(line)) {
    const key = wordsKey(sentence);
    if (key !== "") yield key;
  }
}
