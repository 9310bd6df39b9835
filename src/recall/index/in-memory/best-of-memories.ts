import type { ScopeView } from "./scope-view.ts";

/**
 * The scores, keeping only that of each memory's best passage, so that the number of proposed memories does not depend
 * on their length.
 */
export function bestOfMemories(
  { size, memoryCount, memory }: Pick<ScopeView, "size" | "memoryCount" | "memory">,
  scores: Float32Array,
): Float32Array {
  if (memoryCount === size) return scores;
  const best = scores.slice(0, size);
  for (let position = 1, top = 0; position < size; position++) {
    if (memory[position] !== memory[top]) top = position;
    else if ((best[position] as number) > (best[top] as number)) {
      best[top] = -Infinity;
      top = position;
    } else best[position] = -Infinity;
  }
  return best;
}
