import { describe, expect, it } from "vitest";
import { RepetitionSearch } from "../../../src/recall/statements/repetitions.ts";

const memory = (content: string, id = content.slice(0, 40)) => ({ id, content });
const long = (of: string, times = 6000) => `${of} and so on. `.repeat(times);

describe("RepetitionSearch", () => {
  it("names what says it, be it long or short", () => {
    const search = new RepetitionSearch();
    const first = memory("The lock is held.");
    expect(search.find(first)).toBeNull();
    expect(search.find(memory(" the lock  is held!"))).toMatchObject({ saidBy: first, isEqual: true });
    expect(search.find(memory("The LOCK is held."))).toBeNull();
    expect(search.find(memory(long("one", 3000)))).toBeNull();
    expect(search.find(memory(long("One", 3000)))).not.toBeNull();
  });

  it("names a memory that says more, and none that says less", () => {
    const search = new RepetitionSearch();
    const more = memory("It rains. The lock is held. Nobody knows why.");
    expect(search.find(more)).toBeNull();
    expect(search.find(memory("The lock is held."))).toMatchObject({ saidBy: more, isEqual: false });
    expect(search.find(memory("The lock is held. It snows."))).toBeNull();
  });

  it("keeps long texts that begin alike and differ further on", () => {
    const search = new RepetitionSearch();
    expect(search.find(memory(long("one", 1000) + long("two", 1000)))).toBeNull();
    expect(search.find(memory(long("one", 1000) + long("three", 1000)))).toBeNull();
  });

  it("compares short texts however much has been read of long ones", () => {
    const search = new RepetitionSearch();
    for (let at = 0; at < 40; at++) search.find(memory(long(`text ${at}`)));
    expect(search.find(memory("The lock is held."))).toBeNull();
    expect(search.find(memory("The lock is held"))).not.toBeNull();
  });

  it("is done with texts that have nearly all sentences in common", () => {
    const search = new RepetitionSearch();
    const common = "It rains. ".repeat(20);
    for (let at = 0; at < 1000; at++)
      expect(search.find(memory(`${common}${at} is odd. ${common}`))).toBeNull();
    expect(search.find(memory(`${common}7 is odd. ${common}`))).not.toBeNull();
  });
});
