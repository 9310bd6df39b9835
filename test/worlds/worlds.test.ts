import { expect, test } from "vitest";
import { INDEX } from "../support/index-under-test.ts";
import { createRandom, runs, SEED, tell } from "../support/random.ts";
import type { World } from "../support/world.ts";
import { createGenerator } from "./generate.ts";
import { openWorldOnIndex } from "./index-under-test.ts";
import { play } from "./play.ts";
import { type Disagreement, openModel, shrink } from "./shrink.ts";
import { openStage } from "./stage.ts";
import type { Step } from "./step.ts";

/** Changes of the world, each followed by a read. */
const STEPS = runs(2000);
/** A world ends after so many, so that one that fails can be played again and made small. */
const STEPS_OF_A_WORLD = 250;
const STEPS_BETWEEN_LOOKS = 125;
const TELL_EVERY = 1000;
const SHRINKING_MS = 60_000;

test(
  `what every credential is shown, and refused, is what the model says (${INDEX} index, seed ${SEED})`,
  async () => {
    const world = await openWorldOnIndex();
    try {
      for (let n = 0; n * STEPS_OF_A_WORLD < STEPS; n++) {
        const seed = SEED + n;
        const left = STEPS - n * STEPS_OF_A_WORLD;
        const steps = Math.min(STEPS_OF_A_WORLD, left);
        if (left % TELL_EVERY === 0) tell(`${left} steps left`);
        const found = await playWorld(world, seed, steps);
        if (found) expect.fail(report(seed, found, await shrink(world, found, SHRINKING_MS)));
      }
      const { all, degraded, said } = world.searches;
      tell(`${STEPS} steps, ${all} searches, ${degraded} of them degraded ${JSON.stringify(said)}`);
      // What the fallback answers says nothing of the index that is played on.
      expect(degraded).toBeLessThan(Math.max(1, all / 10));
    } finally {
      await world.close();
    }
  },
  60_000 + SHRINKING_MS + STEPS * 250,
);

async function playWorld(world: World, seed: number, count: number): Promise<Disagreement | null> {
  const [stage, model, generator] = [
    await openStage(world),
    openModel(),
    createGenerator(createRandom(seed)),
  ];
  const steps: Step[] = [];
  const next = async (step: Step) => {
    steps.push(step);
    return play(stage, model, step);
  };
  for (const step of generator.opening()) await next(step);
  for (let n = 1; n <= count; n++) {
    const isTimeToLook = n % STEPS_BETWEEN_LOOKS === 0 || n === count;
    const fault =
      (await next(generator.step(model))) ??
      (await next(generator.read(model))) ??
      (isTimeToLook ? await next({ kind: "look" }) : null);
    if (fault) return { steps, fault };
  }
  return null;
}

function report(seed: number, found: Disagreement, smallest: Disagreement): string {
  const lines = smallest.steps.map((step) => `  ${JSON.stringify(step)}`);
  return [
    `${found.fault}`,
    `after ${found.steps.length} steps of the world of seed ${seed} (RECOLLECT_SEED=${seed} repeats it first)`,
    `shrunk to ${lines.length} steps, where it is: ${smallest.fault}`,
    ...lines,
  ].join("\n");
}
