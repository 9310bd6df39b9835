import { FREQUENCY_BITS } from "./memory-set.ts";
import type { ScopeView } from "./scope-view.ts";

/** More uses of a name add no information. */
const USES_MAX = 200;
/** How far the session is searched for speakers on each side of a memory. */
const SESSION_SPAN = 32;

/**
 * By speaker, the number of memories in a view that address this speaker by the name that `piece` stands for. If the
 * session around such a memory has two speakers, the addressee is the other one.
 */
export function addressUses(view: ScopeView, piece: number): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  let left = USES_MAX;
  for (const { memories, positionOf } of view.parts) {
    const posting = memories.postings.get(piece);
    for (let at = 0; at < (posting?.count ?? 0) && left > 0; at++) {
      const position = positionOf[(posting?.entries[at] as number) >>> FREQUENCY_BITS] as number;
      if (position < 0) continue;
      left--;
      const other = otherSpeaker(view, position);
      if (other !== null) uses.set(other, (uses.get(other) ?? 0) + 1);
    }
  }
  return uses;
}

/** The other speaker in the session around a memory; null if there is none or more than one. */
function otherSpeaker(view: ScopeView, position: number): string | null {
  const own = speakerAt(view, position);
  if (own === null) return null;
  let other: string | null = null;
  for (const links of [view.previous, view.next]) {
    let at = links[position] as number;
    for (let steps = 0; at >= 0 && steps < SESSION_SPAN; steps++, at = links[at] as number) {
      const speaker = speakerAt(view, at);
      if (speaker === null || speaker === own) continue;
      if (other !== null && other !== speaker) return null;
      other = speaker;
    }
  }
  return other;
}

function speakerAt(view: ScopeView, position: number): string | null {
  const { slots } = view.parts[view.part[position] as number]?.memories ?? {};
  return slots?.speakers.decode(slots.speaker[view.slot[position] as number] as number) ?? null;
}
