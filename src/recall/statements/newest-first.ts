import type { ConflictingPair } from "./conflicts.ts";

/** A memory that contradicts others, with what tells which of them holds now. */
export interface Side {
  /** When it happened, or was stored where that is not known. Milliseconds since the epoch. */
  readonly occurredAtMs: number;
  /** The same as far as it counts here; `occurredAtMs` unless given. */
  readonly heldSinceMs?: number;
  /** Its place in the order of storing, which decides where that is the same instant. */
  readonly order?: number;
  readonly confidence: number;
  readonly authority: string;
  /** An agent wrote it before anybody had bound that agent. */
  readonly isAdopted?: boolean;
  /** Another member of a team answers for it: what that member says of its weight holds nothing of the reader's back. */
  readonly isOthers?: boolean;
  /** Whether it is a working memory of the request's own session. */
  readonly isOwnSession: boolean;
}

/** Memories that contradict each other, the newest first. */
export interface Conflict<S extends Side> {
  readonly sides: readonly S[];
  readonly reason: ConflictingPair<S>["reason"];
}

/** What is much less sure than what was there does not take its place. Chosen, not fitted. */
const CONFIDENCE_SHARE_MIN = 0.8;
/** From the least to the most. */
export const AUTHORITIES: readonly string[] = ["inference", "observation", "directive", "verified"];

/** Pairs with a side in common are one conflict. That with the newest side comes first, and so do the newest of each. */
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

/** The newest first. What was adopted comes last: a stranger chose when to write it. */
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

/** Something of a value that stands for a memory. */
interface Valued<S extends Side> {
  readonly value: number;
  readonly candidate: S;
}

/**
 * The same, best first as they are given, with the newest first of those that contradict each other: they change places and
 * values among themselves, so that nothing else is worth more or less than before. It is the one rule of which state of a
 * fact comes first, in a search and in a pack: the newest is likelier to hold, however well an older one is worded.
 *
 * It never comes before what is vouched for more, is much surer (1.25 times), or is of the request's own session where it is
 * not itself; and what was adopted before nothing that was not.
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

/** The sides of a conflict, given by age and in the order of their value, so that none stands before a newer one that holds instead. */
function holdingFirst<S extends Side>(newest: readonly S[], byValue: readonly S[]): S[] {
  const order = [...byValue];
  for (let at = 0; at < order.length; at += 1) {
    for (;;) {
      const here = order[at] as S;
      const newer = newest.slice(0, newest.indexOf(here));
      const instead = newer.find((side) => order.indexOf(side) > at && mayReplace(side, here));
      // What replaces it is newer, so that this ends.
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
