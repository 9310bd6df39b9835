import { BoundedCache } from "../../core/cache.ts";
import type { PieceCounts, ScopeTotals, TermPieces } from "./scope-counts.ts";

const TOTALS_BYTES_MAX = 16 * 1024 * 1024;
const TERMS_BYTES_MAX = 8 * 1024 * 1024;

/**
 * Caches the totals of a scope for as long as it holds the same memories. Counting them again would be most of the cost
 * of searching a very large scope. The engine returns the number of memories and the sum of their fingerprints with
 * each search. Together these identify the memories and their revisions. So cached totals are never stale, and reveal
 * nothing about a memory that is in another caller's scope but not in this one.
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

  /** `place`: the index and the shards to search. Returns null if there is no checksum to identify the memories by. */
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

  /** Clears the cache, so that nothing erased is kept. */
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
