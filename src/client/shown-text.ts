import { ownLines, piecesOf, whatIsKnown } from "../recall/statements/shown-pieces.ts";
import type { ContextItem } from "./contract.ts";
import { createRecent } from "./recent.ts";

/** Destination of a text. */
export interface Destination {
  readonly scope: "private" | "team";
  readonly teamId: string | null;
  readonly projectId: string | null;
}

/** Lines and sentences that recall showed within half an hour, by the service's own rules. */
export interface ShownText {
  note(items: readonly ContextItem[], contextText: string): void;
  /**
   * If all of the text was just shown, returns the ids of the memories that contain it, provided that each is durable
   * and in the text's destination; empty if it is the context's own wording. Otherwise null.
   */
  echoOf(text: string, destination: Destination): readonly string[] | null;
}

/** Dozens of contexts. */
const PIECES_MAX = 8192;

export function createShownText(): ShownText {
  /** Items by piece. The context's own words have none. */
  const pieces = createRecent<readonly ContextItem[]>(PIECES_MAX);
  const noteText = (text: string, items: readonly ContextItem[]) => {
    for (const piece of piecesOf(text)) pieces.set(piece, items);
  };
  return {
    note(items, contextText) {
      noteText(ownLines(contextText), []);
      for (const item of items) noteText(item.content, [item]);
    },
    echoOf(text, destination) {
      const items = whatIsKnown(text, pieces.get)?.flat();
      if (!items?.every((item) => answersFor(item, destination))) return null;
      return [...new Set(items.map(({ id }) => id))];
    },
  };
}

/** True if the item makes a write to this destination redundant: it is durable and in the same place. */
function answersFor(item: ContextItem, { scope, teamId, projectId }: Destination): boolean {
  if (item.memory_type === "working" || item.expires_at !== null) return false;
  const itsProject = item.provenance.project_id ?? null;
  return item.scope === scope && item.team_id === teamId && itsProject === projectId;
}
