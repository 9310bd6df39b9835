import { piecesOf, whatIsKnown } from "../recall/statements/shown-pieces.ts";
import type { ContextItem } from "./contract.ts";
import { createRecent } from "./recent.ts";

/** Where a text would be written. */
export interface Destination {
  readonly scope: "private" | "team";
  readonly teamId: string | null;
  readonly projectId: string | null;
}

/** What recall has just shown, by the rules that the service itself goes by: lines and sentences, for half an hour. */
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

/** What lies elsewhere, or is only noted for now, does not answer for what is to be kept here. */
function answersFor(item: ContextItem, { scope, teamId, projectId }: Destination): boolean {
  if (item.memory_type === "working" || item.expires_at !== null) return false;
  const itsProject = item.provenance.project_id ?? null;
  return item.scope === scope && item.team_id === teamId && itsProject === projectId;
}
