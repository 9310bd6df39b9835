import fc from "fast-check";
import {
  everyLiveMemory,
  type MemoryFilter,
  type RecordMember,
} from "../../src/core/memory/memory-filter.ts";
import type { IndexedMembers, Reach } from "../../src/recall/index/scope.ts";
import type { ScopeMembers } from "./recall-scope.ts";

/**
 * For each member that the indexes evaluate, values that some of `someDocument` match and some do not. A member without
 * values does not compile, here and below.
 */
const indexed = {
  path: fc.constantFrom(
    ...["a", "a%", "a%b", "%b", "x_y", "x%", "%%", "%/%", "%b%a%", `${"%".repeat(20)}a%`],
    // Parts that are nearly everywhere in the long path.
    ...[`%${"a".repeat(480)}%`, `%${"a".repeat(200)}%_b`, `${"a".repeat(99)}%a_%b`, `%${"a%".repeat(200)}_%`],
    ...[`%${"a".repeat(250)}b%`, `a%b${"a".repeat(100)}%`],
  ),
  bucket: fc.constantFrom("default", "o%", "%e%e%"),
  memoryTypes: fc.constantFrom(["todo"], ["obs%", "knowledge"], ["todo", "%"], []),
  scope: fc.constantFrom("private", "team"),
  teamId: fc.constant("team-1"),
  projectId: fc.constant("project-1"),
  createdBefore: fc.integer({ min: 0, max: 20 }),
  createdFrom: fc.integer({ min: 0, max: 20 }),
  pathUnder: fc.constantFrom("a", "x_y"),
  includeKnowledge: fc.constant(false),
  session: fc.constantFrom("s1", "s2", "1"),
  withoutItems: fc.constant(true),
} satisfies { [Member in Exclude<keyof IndexedMembers, "status">]: fc.Arbitrary<MemoryFilter[Member]> };

/** The same for each member that the indexes leave to the record, except `recalled`, which needs a log of recalls. */
const leftToTheRecord = {
  metadata: fc.constantFrom<NonNullable<MemoryFilter["metadata"]>[]>(
    ...[{ kind: "x" }, { kind: "x", n: "5" }, { n: 5 }, { n: "5.0" }, { n: true }, { n: "true" }],
    ...[{ kind: null }, { kind: "null" }, { kind: "" }, { "who.name": "Kim" }, { "who.name": 5 }],
    ...[
      { "who.name.x": "Kim" },
      { who: '{"name":"Kim"}' },
      { kind: '["x",5]' },
      { "": "x" },
      { "who..": "x" },
    ],
  ),
  asOf: fc.integer({ min: 0, max: 20 }),
  agentId: fc.constantFrom("agent-1", "agent-2"),
  source: fc.constantFrom("Alice", "user"),
  memoryIds: fc.constantFrom(
    Array.from({ length: 15 }, (_, at) => `m-${at + 1}`),
    ["m-1", "none"],
  ),
  oneOf: fc.constantFrom<NonNullable<MemoryFilter["oneOf"]>[]>(
    ...[{ type: ["todo", "semantic"] }, { project: ["", "project-1"] }, { agent: [""], bucket: ["default"] }],
    ...[
      { expires: [""] },
      { expires: ["past", "later"] },
      { changed: ["day"] },
      { authority: ["", "verified"] },
    ],
  ),
} satisfies { [Member in Exclude<RecordMember, "recalled">]: fc.Arbitrary<MemoryFilter[Member]> };

/** Members of every filter here. */
const judged = {
  status: fc.constantFrom(
    "active",
    "active",
    "%",
    "%",
    "expired",
    "started",
    "superseded",
    "archived",
    "%ed",
  ),
  now: fc.integer({ min: 0, max: 20 }),
};

/** The same for each member of a credential's reach, but for its owners and ids. */
const reachMembers = {
  projects: fc.constantFrom(["project-1"], []),
  pathPrefix: fc.constantFrom("a", "x_y"),
  buckets: fc.constantFrom(["default"], ["default", "knowledge"]),
} satisfies { [Member in Exclude<keyof Reach, "owners" | "ids">]: fc.Arbitrary<Reach[Member]> };

/** Beside status and time: with more demands hardly anything of `someDocument` is left in scope. */
const DEMANDS_MAX = 2;

/** Some of the members of `T`, each with a value. */
function someOf<T>(
  arbitraries: { readonly [Member in keyof T]?: fc.Arbitrary<T[Member]> },
  membersMax = DEMANDS_MAX,
): fc.Arbitrary<Partial<T>> {
  return fc
    .subarray(Object.entries<fc.Arbitrary<unknown> | undefined>(arbitraries), { maxLength: membersMax })
    .chain((chosen) => fc.record(Object.fromEntries(chosen) as Record<string, fc.Arbitrary<unknown>>))
    .map((made) => made as Partial<T>);
}

/** Filters with any of the members. */
export const someFilter: fc.Arbitrary<MemoryFilter> = fc
  .record({ demands: someOf<MemoryFilter>({ ...indexed, ...leftToTheRecord }), ...judged })
  .map(({ demands, ...made }) => ({ ...everyLiveMemory(made.now), ...demands, ...made }));

/** Scopes that an index alone can tell. `ids`: some that exist. */
export function someScope(ids: readonly string[]): fc.Arbitrary<ScopeMembers> {
  const demands = { ...indexed, ...reachMembers, ids: fc.constant(new Set([...ids, "none"])) };
  return fc
    .record({ demands: someOf<MemoryFilter & Reach>(demands), ...judged })
    .map(({ demands, ...made }) => ({ ...demands, ...made }));
}

/** What credentials are limited to, mostly to nothing. */
export const someReach: fc.Arbitrary<Partial<Reach>> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: someOf<Reach>(reachMembers, 1) },
);
