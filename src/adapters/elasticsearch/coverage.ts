import type { CandidateRequest } from "../../core/recall/recall-index.ts";
import type { Found } from "./found.ts";
import type { Pending } from "./tail-reader.ts";

/** By owner, the share of its memories that could be considered; those of a tail that is too long could not. */
export function coverageOf(
  { owners }: Found,
  { missing }: Pending,
  { reach, retrievers, embedding }: CandidateRequest,
): ReadonlyMap<string, number> {
  return new Map(
    reach.owners.map((ownerId) => {
      const { count, embedded } = owners.get(ownerId) ?? { count: 0, embedded: 0 };
      const all = count + (missing.get(ownerId) ?? 0);
      const compared = embedding === null ? 0 : embedded;
      return [ownerId, all === 0 ? 1 : (retrievers.includes("dense") ? compared : count) / all];
    }),
  );
}

/** What did not take part that should have, in words. */
export function degradationsOf({ missing }: Pending): string[] {
  return missing.size === 0 ? [] : ["index: far behind, so not all of the latest changes were searched"];
}
