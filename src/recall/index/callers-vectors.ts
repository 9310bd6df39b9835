import type { IndexDocument } from "./index-document.ts";

/** What a memory's vector may be judged by: who chose it, and who else is shown the memory. */
export interface VectorStanding {
  /** A caller chose it; false where the service made it, or there is none. */
  readonly hasCallersVector: boolean;
  /** See `isShared`. */
  readonly isShared: boolean;
}

/** Whether others than its author recall a memory as well: it is a team's, or was adopted. */
export function isShared({ scope, isAdopted }: Pick<IndexDocument, "scope" | "isAdopted">): boolean {
  return scope === "team" || isAdopted;
}

/**
 * What a memory's vector decides beside that it is found. One that a caller sent finds its memory, as it was sent for; but
 * whoever copies another memory's would have the two taken for one, so it says nothing about what is the same. Where others
 * recall the memory as well it does not say how relevant it is either: there its words alone do, so that nobody's vector
 * steers what others are shown.
 */
export function vectorDecides({ hasCallersVector, isShared }: VectorStanding): {
  readonly relevance: boolean;
  readonly sameness: boolean;
} {
  return { relevance: !(hasCallersVector && isShared), sameness: !hasCallersVector };
}
