import fc from "fast-check";
import type { RecallFilter } from "../../src/core/recall/recall-index.ts";

/** Two demands at most, beside the status: with more hardly anything of `someDocument` is left in scope. */
const DEMANDS_MAX = 2;

/** Filters that some of `someDocument` pass and some do not. `ids`: some that exist. */
export function someFilter(ids: readonly string[]): fc.Arbitrary<Partial<RecallFilter>> {
  const demands = {
    path: fc.constantFrom("a", "a%", "a%b", "%b", "x_y", "x%", "%%", "%/%", "%b%a%", `${"%".repeat(20)}a%`),
    bucket: fc.constantFrom("default", "o%", "%e%e%"),
    memoryTypes: fc.constantFrom(["todo"], ["obs%", "knowledge"], ["todo", "%"], []),
    excludedTypes: fc.constantFrom(["todo"], ["todo", "knowledge"], []),
    scope: fc.constant("user"),
    teamId: fc.constant("team-1"),
    projectId: fc.constant("project-1"),
    allowedProjects: fc.constantFrom(["project-1"], []),
    pathPrefix: fc.constantFrom("a", "x_y"),
    allowedBuckets: fc.constantFrom(["default"], ["default", "knowledge"]),
    includeKnowledge: fc.constant(false),
    session: fc.constantFrom("s1", "s2", "1"),
    ids: fc.constant(new Set([...ids, "none"])),
    asOf: fc.integer({ min: 0, max: 20 }),
  };
  const names = Object.keys(demands) as (keyof typeof demands)[];
  return fc
    .record({
      made: fc.record(demands),
      chosen: fc.subarray(names, { maxLength: DEMANDS_MAX }),
      status: fc.constantFrom("active", "active", "%", "%", "expired", "started", "archived", "%ed"),
      now: fc.integer({ min: 0, max: 20 }),
    })
    .map(({ made, chosen, status, now }) => ({
      ...Object.fromEntries(chosen.map((name) => [name, made[name]])),
      status,
      now,
    }));
}
