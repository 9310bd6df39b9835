import type { World } from "../support/world.ts";
import { emptyModel, type Model } from "./model.ts";
import { play } from "./play.ts";
import { openStage, TEAMS } from "./stage.ts";
import type { Step } from "./step.ts";

/** Where a world and its model parted. */
export interface Disagreement {
  readonly steps: readonly Step[];
  readonly fault: string;
}

export function openModel(): Model {
  const model = emptyModel();
  for (const team of TEAMS) model.roles.set(team, new Map());
  return model;
}

/** Plays the steps in a world of their own, and answers the first disagreement. */
async function replay(world: World, steps: readonly Step[]): Promise<Disagreement | null> {
  const [stage, model] = [await openStage(world), openModel()];
  const played: Step[] = [];
  for (const step of steps) {
    const possible = withKnownCredentials(step, model);
    if (!possible) continue;
    played.push(possible);
    const fault = await play(stage, model, possible);
    if (fault) return { steps: played, fault };
  }
  return null;
}

/** The step without what asks for a credential that was never issued; null where nothing is left. */
function withKnownCredentials(step: Step, model: Model): Step | null {
  const isKnown = (credential: string) => model.credentials.has(credential);
  if (step.kind === "together") {
    const writes = step.writes.filter(({ by }) => isKnown(by));
    return writes.length > 0 ? { ...step, writes } : null;
  }
  if (step.kind === "rescope")
    return { ...step, grants: step.grants.filter(({ credential }) => isKnown(credential)) };
  if (step.kind === "revoke") return isKnown(step.credential) ? step : null;
  return "by" in step && !isKnown(step.by) ? null : step;
}

/** What is the same in two disagreements of one cause, mostly: the words before the first name or value. */
function kindOf({ fault }: Disagreement): string {
  return fault.split(/["[{0-9]/)[0] ?? "";
}

/** The fewest steps that still disagree, as far as the time goes: larger parts are left out first, then smaller. */
export async function shrink(world: World, found: Disagreement, withinMs: number): Promise<Disagreement> {
  const deadline = performance.now() + withinMs;
  let smallest = found;
  for (let size = Math.ceil(smallest.steps.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let end = smallest.steps.length - 1; end > 0; end -= size) {
      if (performance.now() > deadline) return smallest;
      const { steps } = smallest;
      const rest = [...steps.slice(0, Math.max(0, end - size)), ...steps.slice(end)];
      const again = await replay(world, rest);
      if (again && kindOf(again) === kindOf(found)) {
        smallest = again;
        end = Math.min(end, smallest.steps.length);
      }
    }
  }
  return smallest;
}
