import type { Caller } from "../caller.ts";
import type { MemoryStore } from "../memory/memory-store.ts";
import type { Candidate, CandidateSet } from "./recall-index.ts";

/**
 * The candidates with as much of their vectors as each may be judged by. A vector that a caller sent finds its memory, as
 * it was sent for; but whoever copies another memory's would have the two taken for one, so it says nothing about what is
 * the same. Where others recall the memory as well, in a team or after an adoption, it does not say how relevant it is
 * either: there its words alone do, so that nobody's vector steers what others are shown.
 */
export async function withOwnVectorsOnly(
  store: Pick<MemoryStore, "vectorsOfCallers">,
  caller: Caller,
  set: CandidateSet,
): Promise<CandidateSet> {
  const withVector = set.candidates.filter(({ vector, cosine }) => vector !== null || cosine !== null);
  const isShared = await store.vectorsOfCallers(
    caller,
    withVector.map(({ id }) => id),
  );
  if (isShared.size === 0) return set;
  return { ...set, candidates: set.candidates.map((one) => limited(one, isShared.get(one.id))) };
}

function limited(candidate: Candidate, isShared: boolean | undefined): Candidate {
  if (isShared === undefined) return candidate;
  if (!isShared) return { ...candidate, vector: null };
  return { ...candidate, vector: null, cosine: null, sentenceCosine: null };
}
