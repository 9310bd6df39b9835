import type { ContextConflict } from "../../contract/recall.ts";
import type { Conflict } from "../../recall/statements/newest-first.ts";
import type { FoundSide } from "./contradicting-hits.ts";

/** Conflicts as a context names them: first what one author wrote alone, then as they come. */
export function namedConflicts(conflicts: readonly Conflict<FoundSide>[]): ContextConflict[] {
  const named = conflicts.map(({ sides, reason }) => ({
    ids: sides.map(({ id }) => id),
    reason,
    same_author: new Set(sides.map(authorOf)).size === 1,
  }));
  return named.sort((a, b) => Number(b.same_author) - Number(a.same_author));
}

/** Whom a memory is from: a user or team, by an agent or not. */
function authorOf({ memory }: FoundSide): string {
  return `${memory.authorId} ${memory.agentId ?? ""}`;
}
