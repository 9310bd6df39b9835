import { expect, test } from "vitest";
import { INDEX } from "../support/index-under-test.ts";
import { SEED } from "../support/random.ts";
import { openWorldOnIndex } from "../worlds/index-under-test.ts";
import { OPERATIONS, RACE_TIMEOUT_MS, race } from "./run.ts";

test(`what is written while others search is shown to nobody else, and to its writer at once (${INDEX} index, seed ${SEED})`, {
  timeout: RACE_TIMEOUT_MS,
}, async () => {
  const world = await openWorldOnIndex();
  try {
    expect(await race(world, SEED, OPERATIONS)).toEqual([]);
  } finally {
    await world.close();
  }
});
