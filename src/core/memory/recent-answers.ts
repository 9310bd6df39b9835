import { piecesOf, whatIsKnown } from "../../recall/statements/shown-pieces.ts";
import { BoundedCache } from "../cache.ts";
import type { Clock, Hash } from "../environment.ts";

export interface Source {
  /** Internal. */
  readonly id: string;
  readonly version: number;
}

/** Text of a memory that an answer contained. `source` is null for the service's own lines around it. */
export interface Shown {
  readonly source: Source | null;
  readonly text: string;
}

/** A text that is returned again within this time is not read again. */
const RENEWED_MS = 5 * 60_000;
/**
 * Half an hour after it was last returned, a text is unlikely to be stored because of that. Chosen by judgement, not
 * fitted. Kept longer by the time in which it is not read again.
 */
const KEPT_MS = 30 * 60_000 + RENEWED_MS;
/**
 * How much of one answer is processed, in UTF-16 units: all of the largest context, but only a part of a hundred long
 * memories.
 */
const READ_LENGTH_MAX = 2 ** 18;
/**
 * Maximum number of pieces recorded from one answer. The largest context of prose has some 2,000 lines and sentences.
 */
const PIECES_OF_ANSWER_MAX = 4096;
/** Maximum number of pieces kept for one reader: dozens of answers. */
const PIECES_MAX = 8192;
/**
 * Number of pieces left when there are more. Dropping one at a time would search through the dropped ones each time,
 * since a `Map` keeps their places.
 */
const PIECES_LEFT = 7168;
/** Maximum size of the pieces of all readers together. */
const BYTES_MAX = 16 * 1024 * 1024;
/** Size of one map entry, with its share of the source object. Measured on V8. */
const PIECE_BYTES = 96;

interface HandedOutOptions {
  readonly hash: Hash;
  readonly clock: Clock;
  readonly key: string;
  readonly later?: (work: () => void) => void;
  readonly siblings?: NoteExchange | null;
}

/** Carries notes between the processes of one server. */
export interface NoteExchange {
  send(note: unknown): void;
  onNote(receive: (note: unknown) => void): void;
}

/** A message to the other processes: digests of texts that were just returned, or ids of erased memories. */
type Note =
  | { readonly reader: string; readonly at: number; readonly kept: readonly KeptText[] }
  | { readonly erased: readonly string[] };

interface KeptText {
  readonly source: Source | null;
  readonly digests: readonly number[];
}

/** The texts of an answer, when it was sent, and to whom: a credential, with the end user for whom it was used. */
interface Answer {
  readonly reader: string;
  readonly shown: readonly Shown[];
  readonly at: number;
}

interface Noted {
  readonly source: Source | null;
  readonly at: number;
}

/**
 * Digests of the lines and sentences that recall recently returned, per reader. They identify a text that consists
 * only of recently returned pieces. No text is kept after the answer has been sent, and a digest (52 bits of a keyed
 * hash) reveals nothing. Bounded per reader and in total: the oldest pieces are dropped first. None is used after 35
 * minutes.
 *
 * The cache is local to this server, whose processes tell each other: texts that another server returned are unknown
 * here.
 */
export class RecentAnswers {
  readonly #digest: (key: string) => number;
  readonly #clock: Clock;
  readonly #later: (work: () => void) => void;
  readonly #siblings: NoteExchange | null;
  /** Recorded answers that have not been processed yet. */
  #unread: Answer[] = [];
  readonly #readers = new BoundedCache<string, Map<number, Noted>>({
    name: "handed-out text",
    bytesMax: BYTES_MAX,
    bytesOf: (pieces) => pieces.size * PIECE_BYTES,
  });

  /**
   * `key`: a secret of this process, or of all that exchange notes. `later`: runs the work after the answer is sent,
   * within this turn or the next. Default: immediately.
   */
  constructor({ hash, clock, key, later = (work) => work(), siblings = null }: HandedOutOptions) {
    this.#clock = clock;
    this.#later = later;
    this.#siblings = siblings;
    siblings?.onNote((note) => this.#receive(note as Note));
    this.#digest = (piece) => Number.parseInt(hash(`${key}\n${piece}`).slice(0, 13), 16);
  }

  /**
   * Records the texts of an answer; of very long answers, the beginning. Processing is deferred, so the caller does not
   * wait for it.
   */
  note(reader: string, shown: readonly Shown[]): void {
    this.#unread.push({ reader, shown, at: this.#clock() });
    if (this.#unread.length === 1) this.#later(() => this.#read());
  }

  /** Processes all recorded answers. Must run before every lookup. */
  #read(): void {
    const unread = this.#unread;
    this.#unread = [];
    for (const answer of unread) this.#keep(answer);
  }

  #keep({ reader, shown, at }: Answer): void {
    const kept: KeptText[] = [];
    this.#change(reader, at, (pieces) => {
      let lengthLeft = READ_LENGTH_MAX;
      let piecesLeft = PIECES_OF_ANSWER_MAX;
      for (const { source, text } of shown) {
        if (piecesLeft === 0) break;
        const digests = this.#keepText(pieces, text.slice(0, lengthLeft), { source, at }, piecesLeft);
        if (digests.length > 0) kept.push({ source, digests });
        piecesLeft -= digests.length;
        lengthLeft = Math.max(0, lengthLeft - text.length);
      }
    });
    if (kept.length > 0) this.#send({ reader, at, kept });
  }

  #change(reader: string, at: number, change: (pieces: Map<number, Noted>) => void): void {
    const pieces = this.#readers.get(reader) ?? new Map<number, Noted>();
    // Removed while it grows, so that the cache counts its bytes correctly.
    this.#readers.delete(reader);
    change(pieces);
    if (pieces.size > PIECES_MAX) dropOldest(pieces, PIECES_LEFT, at - KEPT_MS);
    this.#readers.set(reader, pieces);
  }

  #send(note: Note): void {
    this.#siblings?.send(note);
  }

  #receive(note: Note): void {
    if ("erased" in note) {
      this.#drop(note.erased);
      return;
    }
    const { reader, at, kept } = note;
    this.#change(reader, at, (pieces) => {
      for (const { source, digests } of kept)
        for (const digest of digests) keep(pieces, digest, { source, at });
    });
  }

  /**
   * Keeps at most `max` pieces of a text. Returns their digests.
   *
   * Answers repeat their memories from turn to turn. The digest of the text as it stands tells that its pieces are all
   * there: it is the oldest of them, and so dropped first.
   */
  #keepText(pieces: Map<number, Noted>, text: string, noted: Noted, max: number): number[] {
    const whole = this.#digest(text);
    if (isRenewed(pieces.get(whole), noted)) return [];
    const kept = [whole];
    keep(pieces, whole, noted);
    for (const piece of piecesOf(text)) {
      if (piece === text) continue;
      if (kept.length >= max) {
        pieces.delete(whole);
        return kept.slice(1);
      }
      const digest = this.#digest(piece);
      keep(pieces, digest, noted);
      kept.push(digest);
    }
    return kept;
  }

  /**
   * The memories that the text consists of, each once, with the returned version; empty if it consists only of the
   * service's own lines. null if it contains anything that was not returned to this reader, or is too short to
   * decide. Stops at the first unknown sentence.
   */
  sourcesOf(reader: string, text: string): Source[] | null {
    this.#read();
    const pieces = this.#readers.get(reader);
    if (pieces === undefined) return null;
    const since = this.#clock() - KEPT_MS;
    const find = (piece: string) => {
      const noted = pieces.get(this.#digest(piece));
      return noted !== undefined && noted.at > since ? noted : null;
    };
    const found = whatIsKnown(text, find);
    return found === null ? null : sourcesIn(found);
  }

  /** Drops the pieces of these memories, given by internal id. */
  forget(ids: readonly string[]): void {
    this.#drop(ids);
    this.#send({ erased: ids });
  }

  #drop(ids: readonly string[]): void {
    this.#read();
    const gone = new Set(ids);
    const isGone = ({ source }: Noted) => source !== null && gone.has(source.id);
    for (const [reader, pieces] of this.#readers.entries()) {
      // Usually nothing matches, and copying all entries for each erasure would cost more than the erasure itself.
      if (!hasAny(pieces.values(), isGone)) continue;
      this.#readers.set(reader, new Map([...pieces].filter(([, noted]) => !isGone(noted))));
    }
  }
}

/** The newest piece is the last of the map. */
function keep(pieces: Map<number, Noted>, digest: number, noted: Noted): void {
  pieces.delete(digest);
  pieces.set(digest, noted);
}

/** Drops the pieces noted up to `until`, and the oldest others until so many are left. */
function dropOldest(pieces: Map<number, Noted>, left: number, until: number): void {
  for (const [digest, { at }] of pieces) {
    if (pieces.size <= left && at > until) return;
    pieces.delete(digest);
  }
}

function hasAny<T>(some: Iterable<T>, is: (one: T) => boolean): boolean {
  for (const one of some) if (is(one)) return true;
  return false;
}

/** Whether a text that was noted a short time ago is returned again, from the same memory. */
function isRenewed(before: Noted | undefined, { source, at }: Noted): boolean {
  if (before === undefined || at - before.at >= RENEWED_MS) return false;
  return before.source?.id === source?.id && before.source?.version === source?.version;
}

function sourcesIn(found: readonly Noted[]): Source[] {
  const sources = found.flatMap(({ source }) => source ?? []);
  return [...new Map(sources.map((source) => [source.id, source])).values()];
}
