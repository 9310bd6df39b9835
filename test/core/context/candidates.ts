import fc from "fast-check";
import type { ContextCandidate } from "../../../src/core/context/pack.ts";
import { hostileText } from "./texts.ts";

/** A candidate that is neutral in all that a test does not name. */
export function candidate(given: Partial<ContextCandidate> & { id: string }): ContextCandidate {
  return {
    content: `Memory ${given.id} says something of its own.`,
    passage: null,
    memoryType: "semantic",
    path: "projects/x",
    bucket: "work",
    occurredAtMs: Date.UTC(2025, 0, 1),
    relevance: 0.5,
    importance: 0.5,
    confidence: 1,
    authority: "observation",
    source: null,
    agentName: null,
    relation: "unattributed",
    otherSession: null,
    isOwnSession: false,
    semanticKey: null,
    status: "active",
    supersededBy: null,
    ...given,
  };
}

const unit = fc.oneof(
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.constantFrom(0, 1, 0.5, Number.NaN, -1, 7),
);

/** Any candidates: hostile text in every stored field, numbers out of range, superseded ones. */
export function anyCandidates(countMax: number): fc.Arbitrary<ContextCandidate[]> {
  const one = fc.record({
    content: fc.oneof(
      { weight: 6, arbitrary: hostileText(60) },
      fc.constant("word ".repeat(900)),
      fc.constant("a".repeat(3000)),
    ),
    passage: fc.option(fc.nat(5)),
    memoryType: fc.oneof(fc.constantFrom("semantic", "working", "constructor"), hostileText(4)),
    path: hostileText(12),
    bucket: hostileText(3),
    occurredAtMs: fc.oneof(fc.integer(), fc.constantFrom(Number.NaN, 1e18, -5, Date.UTC(2024, 1, 1))),
    relevance: unit,
    importance: unit,
    confidence: unit,
    authority: fc.oneof(fc.constantFrom("observation", "inference", "verified", "directive"), hostileText(3)),
    source: fc.option(hostileText(5)),
    agentName: fc.option(hostileText(5)),
    relation: fc.constantFrom("self", "same_agent_other_instance", "other_agent", "unattributed"),
    otherSession: fc.option(hostileText(5)),
    isOwnSession: fc.boolean(),
    semanticKey: fc.option(hostileText(2)),
    status: fc.constantFrom("active", "started", "superseded"),
    supersededBy: fc.option(fc.constant("other"), { freq: 8 }),
  });
  return fc
    .array(one as fc.Arbitrary<Omit<ContextCandidate, "id">>, { maxLength: countMax })
    .map((list) => list.map((fields, at) => ({ ...fields, id: `m${at}` })));
}
