import type { Caller } from "../caller.ts";
import type { RankedHit } from "./rank.ts";
import type { RetrievePorts, RetrieveRequest } from "./retrieve-request.ts";

/** A question has far fewer; a pasted document costs no more than this. */
const CHARACTERS_MAX = 8_000;
const WORDS_MAX = 64;
const HITS_MIN = 50;

/** Hits that the record's own full-text search finds for owners that the index cannot hold. */
export async function textCandidates(
  ports: Pick<RetrievePorts, "store">,
  caller: Caller,
  ask: RetrieveRequest,
  unavailable: readonly string[],
): Promise<RankedHit[]> {
  if (unavailable.length === 0) return [];
  const found = await ports.store.searchText(caller, {
    words: (ask.query.slice(0, CHARACTERS_MAX).match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, WORDS_MAX).join(" "),
    owners: unavailable,
    filter: ask.filter,
    limit: Math.max(ask.hitsMax, HITS_MIN),
  });
  return found.map(
    ({ id, rank }, place): RankedHit => ({
      id,
      ownerId: "",
      seq: place,
      score: rank,
      lexicalShare: rank,
      signals: { full_text: rank },
    }),
  );
}
