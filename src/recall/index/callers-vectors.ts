import type { IndexDocument } from "./index-document.ts";

/** Facts that decide what a memory's vector may be used for: who chose it, and who else is shown the memory. */
export interface VectorStanding {
  /** A caller chose it. False if the service computed it or there is none. */
  readonly hasCallersVector: boolean;
  /** See `isShared`. */
  readonly isShared: boolean;
}

/** Whether users other than its author recall a memory too: it belongs to a team or was adopted. */
export function isShared({ scope, isAdopted }: Pick<IndexDocument, "scope" | "isAdopted">): boolean {
  return scope === "team" || isAdopted;
}

/**
 * Returns what a memory's vector may decide, apart from finding the memory. A vector that a caller sent finds its
 * memory, as intended. It does not decide sameness, since a caller could copy another memory's vector to make both
 * count as one. If other users recall the memory too, it does not decide relevance either: the words alone do, so that
 * no caller's vector controls what others are shown.
 */
export function vectorDecides({ hasCallersVector, isShared }: VectorStanding): {
  readonly relevance: boolean;
  readonly sameness: boolean;
} {
  return { relevance: !(hasCallersVector && isShared), sameness: !hasCallersVector };
}
