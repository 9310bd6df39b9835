import { piecesOf, whatIsKnown } from "../recall/statements/shown-pieces.ts";
import type { ContextItem } from "./contract.ts";
import { createRecent } from "./recent.ts";

/** Destination of a text. */
export interface Destination {
  readonly scope: "private" | "team";
  readonly teamId: string | null;
  readonly projectId: string | null;
}

/** Text that recall showed within half an hour, as lines and sentences, by the service's own rules. */
export interface ShownText {
  note(items: readonly ContextItem[], contextText: string): void;
  /**
   * The ids of the memories that say what the text says, where all of it was just shown and each of them lies where the text
   * would be written, and lasts; empty where it is the context's own words. null where it says anything else.
   */
  echoOf(text: string, destination: Destination): readonly string[] | null;
}

/** Dozens of contexts. */
const PIECES_MAX = 8192;

export function createShownText(): ShownText {
  /** By piece; of the context's own words there is no item. */
  const pieces = createRecent<readonly ContextItem[]>(PIECES_MAX);
  const noteText = (text: string, items: readonly ContextItem[]) => {
    for (const piece of piecesOf(text)) pieces.set(piece, items);
  };
  return {
    note(items, contextText) {
      const isOwn = (line: string) => !line.startsWith(">");
      noteText(contextText.split("\n").filter(isOwn).join("\n"), []);
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
