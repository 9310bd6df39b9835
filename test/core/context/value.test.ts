import { describe, expect, it } from "vitest";
import {
  confidenceFactor,
  freshness,
  importanceFactor,
  memoryValue,
} from "../../../src/recall/pack/value.ts";

const DAY_MS = 86_400_000;

describe("memoryValue", () => {
  const memory = { relevance: 0.8, importance: 0.5, confidence: 1, memoryType: "semantic", occurredAtMs: 0 };

  it("is the relevance for a new memory with the defaults", () => {
    expect(memoryValue(memory, 0)).toBeCloseTo(0.8);
  });

  it.each([
    [0, "semantic", 1],
    [-5 * DAY_MS, "semantic", 1],
    [365 * DAY_MS, "semantic", 0.8],
    [7 * DAY_MS, "working", 0.8],
    [1e15, "working", 0.6],
    [Number.NaN, "semantic", 0.6],
    [365 * DAY_MS, "constructor", 0.8],
  ])("freshness at an age of %d ms of a %s memory is %d", (ageMs, memoryType, expected) => {
    expect(freshness(ageMs, memoryType)).toBeCloseTo(expected);
  });

  it("lets importance move a quarter and confidence 0 annihilate", () => {
    expect([0, 0.5, 1, Number.NaN].map(importanceFactor)).toEqual([0.75, 1, 1.25, 1]);
    expect([0, 0.25, 1, Number.NaN, 9].map(confidenceFactor)).toEqual([0, 0.5, 1, 1, 1]);
    expect(memoryValue({ ...memory, relevance: Number.NaN }, 0)).toBe(0);
  });
});
