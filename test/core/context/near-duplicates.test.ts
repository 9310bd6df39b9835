import { describe, expect, it } from "vitest";
import { duplicateFilter } from "../../../src/core/context/near-duplicates.ts";

const memory = (content: string, vector: Float32Array | null = null) => ({ content, vector });
const long = (of: string, times = 6000) => `${of} and so on. `.repeat(times);

describe("duplicateFilter", () => {
  it("tells a repetition, be it long or short", () => {
    const isDuplicate = duplicateFilter();
    expect(isDuplicate(memory("The lock is held."))).toBe(false);
    expect(isDuplicate(memory(" the LOCK  is held."))).toBe(true);
    expect(isDuplicate(memory(long("one", 3000)))).toBe(false);
    expect(isDuplicate(memory(long("ONE", 3000)))).toBe(true);
  });

  it("keeps long texts that begin alike and differ further on", () => {
    const isDuplicate = duplicateFilter();
    expect(isDuplicate(memory(long("one", 1000) + long("two", 1000)))).toBe(false);
    expect(isDuplicate(memory(long("one", 1000) + long("three", 1000)))).toBe(false);
  });

  it("compares short texts however much has been read of long ones", () => {
    const isDuplicate = duplicateFilter();
    for (let at = 0; at < 40; at++) isDuplicate(memory(long(`text ${at}`)));
    expect(isDuplicate(memory("The lock is held."))).toBe(false);
    expect(isDuplicate(memory("The lock is held"))).toBe(true);
  });
});
