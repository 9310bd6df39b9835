import type { ConflictingPair } from "./conflicts.ts";

/** A memory that contradicts others, with the fields that decide which of them holds now. */
export interface Side {
  /** When it happened, or was stored if that is unknown. Milliseconds since the epoch. */
  readonly occurredAtMs: number;
  /** The time that counts in this comparison. Default: `occurredAtMs`. */
  readonly heldSinceMs?: number;
  /** Its place in the order of storing: the tie-break for equal times. */
  readonly order?: number;
  readonly confidence: number;
  readonly authority: string;
  /** An agent wrote it before any user had bound that agent. */
  readonly isAdopted?: boolean;
  /**
   * Another member of a team is responsible for it. Its confidence cannot keep the reader's own memory from replacing it.
   */
  readonly isOthers?: boolean;
  /** Whether it is a working memory of the request's own session. */
  readonly isOwnSession: boolean;
}

/** Memories that contradict each other, newest first. */
export interface Conflict<S extends Side> {
  readonly sides: readonly S[];
  readonly reason: ConflictingPair<S>["reason"];
}

/** A memory with less than this share of the other's confidence does not replace it. Chosen, not fitted. */
const CONFIDENCE_SHARE_MIN = 0.8;
/** From lowest to highest. */
export const AUTHORITIES: readonly string[] = ["inference", "observation", "directive", "verified"];

/**
 * Groups pairs with a side in common into one conflict. The conflict with the newest side comes first, and so does the
 * newest side of each.
 */
export function conflictsOf<S extends Side>(pairs: readonly ConflictingPair<S>[]): Conflict<S>[] {
  let groups: { sides: ReadonlySet<S>; reasons: ReadonlySet<Conflict<S>["reason"]> }[] = [];
  for (const { sides, reason } of pairs) {
    const isJoint = (group: (typeof groups)[number]) => sides.some((side) => group.sides.has(side));
    const joint = groups.filter(isJoint);
    const group = {
      sides: new Set([...joint.flatMap((one) => [...one.sides]), ...sides]),
      reasons: new Set([...joint.flatMap((one) => [...one.reasons]), reason]),
    };
    groups = [...groups.filter((one) => !isJoint(one)), group];
  }
  const conflicts = groups.map(
    ({ sides, reasons }): Conflict<S> => ({
      sides: [...sides].sort(byAge),
      reason: reasons.has("other_values") ? "other_values" : "same_semantic_key",
    }),
  );
  return conflicts.sort((a, b) => byAge(a.sides[0] as S, b.sides[0] as S));
}

/** Sorts newest first. Adopted memories come last: an agent not yet bound to any user chose when to write them. */
function byAge(a: Side, b: Side): number {
  return (
    Number(a.isAdopted === true) - Number(b.isAdopted === true) ||
    heldSince(b) - heldSince(a) ||
    (b.order ?? 0) - (a.order ?? 0)
  );
}

function heldSince({ occurredAtMs, heldSinceMs = occurredAtMs }: Side): number {
  return heldSinceMs;
}

/** A value with the memory it belongs to. */
interface Valued<S extends Side> {
  readonly value: number;
  readonly candidate: S;
}

/**
 * Reorders the memories, given best first, so that among contradicting ones the newest comes first. They exchange
 * places and values only among themselves, so nothing else gains or loses. This is the only rule for which state of a
 * fact comes first, both in a search and in a pack: the newest is likelier to hold, however well an older one is
 * worded.
 *
 * The newest does not pass an older one of higher authority or much higher confidence (1.25 times), or one of the
 * request's own session if it is not itself of that session. An adopted memory never passes one that was not adopted.
 */
export function newestFirst<S extends Side, V extends Valued<S>>(
  valued: readonly V[],
  conflicts: readonly { readonly sides: readonly S[] }[],
): V[] {
  const places = new Map(valued.map(({ candidate }, place) => [candidate, place]));
  const arranged = [...valued];
  for (const { sides } of conflicts) {
    const there = sides.filter((side) => places.has(side));
    const taken = there.map((side) => places.get(side) as number).sort((a, b) => a - b);
    const inOrder = holdingFirst(
      there,
      taken.map((place) => (valued[place] as V).candidate),
    );
    for (const [at, place] of taken.entries()) {
      const one = valued[places.get(inOrder[at] as S) as number] as V;
      arranged[place] = { ...one, value: (valued[place] as V).value };
    }
  }
  return arranged;
}

/** Orders the sides of a conflict, given by age and by value, so that none precedes a newer one that may replace it. */
function holdingFirst<S extends Side>(newest: readonly S[], byValue: readonly S[]): S[] {
  const order = [...byValue];
  for (let at = 0; at < order.length; at += 1) {
    for (;;) {
      const here = order[at] as S;
      const newer = newest.slice(0, newest.indexOf(here));
      const instead = newer.find((side) => order.indexOf(side) > at && mayReplace(side, here));
      // The replacement is always newer, so this loop ends.
      if (instead === undefined) break;
      order[order.indexOf(instead)] = here;
      order[at] = instead;
    }
  }
  return order;
}

function mayReplace(newer: Side, older: Side): boolean {
  return (
    AUTHORITIES.indexOf(newer.authority) >= AUTHORITIES.indexOf(older.authority) &&
    (isOwnAgainstOthers(newer, older) || newer.confidence >= CONFIDENCE_SHARE_MIN * older.confidence) &&
    (newer.isOwnSession || !older.isOwnSession)
  );
}

function isOwnAgainstOthers(a: Side, b: Side): boolean {
  return a.isOthers !== true && b.isOthers === true;
}
