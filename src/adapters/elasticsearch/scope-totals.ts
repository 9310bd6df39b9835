import { BoundedCache } from "../../core/cache.ts";
import type { PieceCounts, ScopeTotals, TermPieces } from "./scope-counts.ts";

const TOTALS_BYTES_MAX = 16 * 1024 * 1024;
const TERMS_BYTES_MAX = 8 * 1024 * 1024;

/**
 * Totals over a whole scope, for as long as it holds the same memories: counting them again would be most of the cost of
 * searching a very large scope. How many there are and the sum of their fingerprints, which the engine tells
 * with each search, say whether they are the same at the same revisions. So what is remembered is never out of date, and
 * says nothing of a memory that another caller's scope has and this one has not.
 */
export class KnownScopes {
  readonly #totals = new BoundedCache<string, ScopeTotals>({
    name: "totals of large scopes",
    bytesMax: TOTALS_BYTES_MAX,
    bytesOf: ({ longSessions, speakers, newest, owners }) =>
      500 + 8 * newest.length + textBytes(longSessions) + textBytes(speakers) + textBytes(owners.keys()),
  });
  readonly #terms = new BoundedCache<string, number>({
    name: "sessions by term of large scopes",
    bytesMax: TERMS_BYTES_MAX,
    bytesOf: () => 8,
  });

  /** `place`: names the index and its shards that are asked. null where nothing tells one set of memories from another. */
  of(place: string, { memoryCount, checksum }: PieceCounts): KnownScope | null {
    if (checksum === 0) return null;
    const key = `${place} ${memoryCount} ${checksum}`;
    const termKey = (pieces: TermPieces) => `${key} ${pieces.join(",")}`;
    return {
      totals: () => this.#totals.get(key),
      keepTotals: (totals) => this.#totals.set(key, totals),
      termSessions: (pieces) => this.#terms.get(termKey(pieces)),
      keepTermSessions: (pieces, sessions) => this.#terms.set(termKey(pieces), sessions),
    };
  }

  /** Nothing of what was erased is to be kept. */
  forget(): void {
    this.#totals.clear();
    this.#terms.clear();
  }
}

/** Cached totals of the memories that are in a scope now. */
export interface KnownScope {
  totals(): ScopeTotals | undefined;
  keepTotals(totals: ScopeTotals): void;
  /** How many sessions have one of these pieces. */
  termSessions(pieces: TermPieces): number | undefined;
  keepTermSessions(pieces: TermPieces, sessions: number): void;
}

function textBytes(texts: Iterable<string>): number {
  let bytes = 0;
  for (const text of texts) bytes += 60 + 2 * text.length;
  return bytes;
}
