import { piecesOf, whatIsKnown } from "../../recall/statements/shown-pieces.ts";
import { BoundedCache } from "../cache.ts";
import type { Clock, Hash } from "../environment.ts";

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

interface HandedOutOptions {
  readonly hash: Hash;
  readonly clock: Clock;
  readonly key: string;
  readonly later?: (work: () => void) => void;
}

/** What an answer showed, when, and to which credential. */
interface Answer {
  readonly tokenId: string;
  readonly shown: readonly Shown[];
  readonly at: number;
}

interface Noted {
  readonly source: Source | null;
  readonly at: number;
}

/**
 * What recall has just shown, by the credential that it was shown to: digests of lines and sentences, so that a text that
 * is made of them alone is known when it comes back. It holds no text once an answer is on its way, and of each digest
 * (52 bits of a keyed hash) nothing can be read. Bounded for each credential and in all; the oldest goes first, and everything after half an hour.
 *
 * It is of this process: what another server showed is not known here.
 */
export class HandedOut {
  readonly #digest: (key: string) => number;
  readonly #clock: Clock;
  readonly #later: (work: () => void) => void;
  /** What was shown and has not been read yet. */
  #unread: Answer[] = [];
  readonly #credentials = new BoundedCache<string, Map<number, Noted>>({
    name: "handed-out text",
    bytesMax: BYTES_MAX,
    bytesOf: (pieces) => pieces.size * PIECE_BYTES,
  });

  /**
   * `key`: a secret of this process. `later`: runs the work when the answer is on its way, within this turn or the next; at
   * once unless given.
   */
  constructor({ hash, clock, key, later = (work) => work() }: HandedOutOptions) {
    this.#clock = clock;
    this.#later = later;
    this.#digest = (piece) => Number.parseInt(hash(`${key}\n${piece}`).slice(0, 13), 16);
  }

  /** Notes what an answer shows. Of very long answers the beginning. Nobody waits until that is read. */
  note(tokenId: string, shown: readonly Shown[]): void {
    this.#unread.push({ tokenId, shown, at: this.#clock() });
    if (this.#unread.length === 1) this.#later(() => this.#read());
  }

  /** Before anything is asked of what was shown, all of it is read. */
  #read(): void {
    const unread = this.#unread;
    this.#unread = [];
    for (const answer of unread) this.#keep(answer);
  }

  #keep({ tokenId, shown, at }: Answer): void {
    const pieces = this.#credentials.get(tokenId) ?? new Map<number, Noted>();
    // Taken out while it grows, so that its bytes are counted right.
    this.#credentials.delete(tokenId);
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
    this.#read();
    const pieces = this.#credentials.get(tokenId);
    if (pieces === undefined) return null;
    const since = this.#clock() - KEPT_MS;
    const find = (piece: string) => {
      const noted = pieces.get(this.#digest(piece));
      return noted !== undefined && noted.at > since ? noted : null;
    };
    const found = whatIsKnown(text, find);
    return found === null ? null : sourcesIn(found);
  }

  /** Lets go of what was shown of these memories, by their internal ids. */
  forget(ids: readonly string[]): void {
    this.#read();
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
