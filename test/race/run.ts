import { createRandom, type Random, runs, tell } from "../support/random.ts";
import type { World } from "../support/world.ts";
import { type Field, openField } from "./field.ts";
import { search, searchFor } from "./searches.ts";
import { WRITES } from "./writes.ts";

/** Writes and searches together, a test. */
export const OPERATIONS = runs(1500);
/** Enough for a slow machine. */
export const RACE_TIMEOUT_MS = 120_000 + OPERATIONS * 200;

const TELL_EVERY = 1000;
const WRITERS = 4;
const SEARCHERS = 4;

/**
 * Writes of every kind against searches at the same time, at two replicas of a service. Answers what was wrong: a
 * search that showed what its credential could not see at any moment of it, or missed what it could see all the time.
 */
export async function race(world: World, seed: number, operations: number): Promise<string[]> {
  const field = await openField(world, [world.handle, await world.replica()]);
  const faults: string[] = [];
  let left = operations;
  const actor = async (own: number, act: (random: Random) => Promise<string | null>) => {
    const random = createRandom(own);
    while (left-- > 0 && faults.length === 0) {
      if (left % TELL_EVERY === 0) tell(`${left} operations left, ${field.model.memories.length} memories`);
      const fault = await act(random).catch(String);
      if (fault) faults.push(fault);
    }
  };
  await Promise.all([
    ...Array.from({ length: WRITERS }, (_, n) => actor(seed + n, (random) => writeAndLook(field, random))),
    ...Array.from({ length: SEARCHERS }, (_, n) => actor(seed - n - 1, (random) => search(field, random))),
  ]);
  const { all, degraded } = field.searches;
  tell(`${operations} operations, ${all} searches, ${degraded} of them degraded`);
  // What a fallback answers says nothing of the index that is raced on.
  if (degraded > all / 5) faults.push(`${degraded} of ${all} searches were degraded`);
  return faults;
}

/** A write, and mostly its writer's next search, at any replica. */
async function writeAndLook(field: Field, random: Random): Promise<string | null> {
  const written = await pickedWrite(random)(field, random);
  if (written === null || random.below(4) === 0) return null;
  return searchFor(field, random, written.by, written.word);
}

function pickedWrite(random: Random) {
  let at = random.below(WRITES.reduce((sum, [share]) => sum + share, 0));
  for (const [share, write] of WRITES) {
    at -= share;
    if (at < 0) return write;
  }
  throw new Error("the shares do not add up");
}
