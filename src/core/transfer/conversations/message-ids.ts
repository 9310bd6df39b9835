import type { Turn } from "./message.ts";

/**
 * Identifies the turns of a session: by their own ids, otherwise by what was said, by whom and when. What was said
 * before in the same way is counted.
 */
export function messageIds<Id>(idOf: (key: readonly unknown[]) => Id): (turn: Turn) => Id {
  const said = new Map<string, number>();
  return ({ id, speaker, text, at }) => {
    if (id !== null) return idOf(["id", id]);
    const key = JSON.stringify([speaker, text, at]);
    const before = said.get(key) ?? 0;
    said.set(key, before + 1);
    return idOf(["said", speaker, text, at, before]);
  };
}
