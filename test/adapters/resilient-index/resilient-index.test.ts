import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createResilientIndex } from "../../../src/adapters/resilient-index/resilient-index.ts";
import { IndexUnavailable } from "../../../src/recall/index/index-unavailable.ts";
import { analyseQuery } from "../../../src/recall/index/query.ts";
import type { CandidateSet, Engine, RecallIndex } from "../../../src/recall/index/recall-index.ts";
import { eventually } from "../../support/processes.ts";
import { lexicon } from "../../support/recall-fixtures.ts";
import { recallScope } from "../../support/recall-scope.ts";

const TIMEOUT_MS = 50;

const request = {
  query: analyseQuery("tea", lexicon),
  ...recallScope(),
  embedding: null,
  retrievers: ["lexical"],
} as const;

/** An index that answers with its name, or does what it is told. */
function indexNamed(engine: Engine, behave: (signal?: AbortSignal) => Promise<void> = async () => {}) {
  const seen = { requests: 0, refreshed: [] as string[][] };
  const index: RecallIndex = {
    async candidates(_, signal) {
      seen.requests++;
      await behave(signal);
      return { engine, degraded: [] } as unknown as CandidateSet;
    },
    async refresh(owners) {
      seen.refreshed.push([...owners]);
    },
  };
  return { index, seen };
}

function resilient(
  behave: (signal?: AbortSignal) => Promise<void>,
  notReady: () => string | null = () => null,
) {
  const engine = indexNamed("elasticsearch", behave);
  const memory = indexNamed("embedded");
  const told: (string | null)[] = [];
  const faults: unknown[] = [];
  const index = createResilientIndex({
    engine: engine.index,
    fallback: memory.index,
    notReady,
    timeoutMs: TIMEOUT_MS,
    unavailabilityOf: (error) => (error instanceof IndexUnavailable ? error.reason : null),
    onChange: (why) => told.push(why),
    onFault: (error) => faults.push(error),
  });
  return { index, engine, memory, told, faults };
}

test("the engine answers while it can, and nobody else is asked", async () => {
  const { index, memory, told } = resilient(async () => {});
  expect(await index.candidates(request)).toEqual({ engine: "elasticsearch", degraded: [] });
  expect(memory.seen.requests).toBe(0);
  expect(told).toEqual([]);
});

test("an engine that hangs is not waited for beyond its time, though it does not heed the signal", async () => {
  const { index } = resilient(() => new Promise(() => {}));
  expect(await index.candidates(request)).toEqual({
    engine: "embedded",
    degraded: ["search engine: it did not answer in time"],
  });
});

test("the signal of an engine that is given up is aborted", async () => {
  let wasAborted = false;
  const { index } = resilient(
    (signal) =>
      new Promise((_, reject) => {
        signal?.addEventListener("abort", () => {
          wasAborted = true;
          reject(new IndexUnavailable("slow"));
        });
      }),
  );
  await index.candidates(request);
  expect(wasAborted).toBe(true);
});

test("an engine that keeps failing is left alone, said so once, and found again without a request that waits", async () => {
  let isBack = false;
  const { index, engine, told } = resilient(async () => {
    if (!isBack) throw new IndexUnavailable("away");
  });
  for (let at = 0; at < 20; at++) expect((await index.candidates(request)).engine).toBe("embedded");
  expect(engine.seen.requests).toBe(3);
  expect(index.outage()).toBe("it cannot be reached");
  expect(told).toEqual(["it cannot be reached"]);
  isBack = true;
  await eventually("the engine to answer again", async () =>
    (await index.candidates(request)).engine === "elasticsearch" ? true : undefined,
  );
  expect(index.outage()).toBeNull();
  expect(told).toEqual(["it cannot be reached", null]);
});

test("an engine that is back but too slow for requests is not used before it is fast enough", async () => {
  let answersAfterMs = 2 * TIMEOUT_MS;
  const { index, engine, told } = resilient(() => sleep(answersAfterMs));
  await eventually("two probes", async () => {
    expect((await index.candidates(request)).engine).toBe("embedded");
    return engine.seen.requests >= 5 || undefined;
  });
  expect(told).toEqual(["it did not answer in time"]);
  answersAfterMs = 0;
  await eventually("the engine to answer", async () =>
    (await index.candidates(request)).engine === "elasticsearch" ? true : undefined,
  );
  expect(told).toEqual(["it did not answer in time", null]);
});

test("an engine that is not ready is not asked, and answers as soon as it is", async () => {
  let why: string | null = "the index is being built";
  const { index, engine, told } = resilient(
    async () => {},
    () => why,
  );
  expect(await index.candidates(request)).toEqual({
    engine: "embedded",
    degraded: ["search engine: the index is being built"],
  });
  expect(engine.seen.requests).toBe(0);
  why = null;
  expect((await index.candidates(request)).engine).toBe("elasticsearch");
  expect(told).toEqual(["the index is being built", null]);
});

test("a fault of ours is answered by the other index and reported, and does not shut the engine out", async () => {
  const { index, engine, faults } = resilient(async () => {
    throw new TypeError("x is not a function");
  });
  for (let at = 0; at < 10; at++) {
    expect((await index.candidates(request)).degraded).toEqual(["search engine: it failed"]);
  }
  expect(engine.seen.requests).toBe(10);
  expect(faults).toHaveLength(10);
});

test("where neither answers the request fails as the other index does", async () => {
  const engine = indexNamed("elasticsearch", () => Promise.reject(new IndexUnavailable("away")));
  const memory = indexNamed("embedded", () => Promise.reject(new Error("the record is away")));
  const index = createResilientIndex({
    engine: engine.index,
    fallback: memory.index,
    notReady: () => null,
    timeoutMs: TIMEOUT_MS,
    unavailabilityOf: () => "away",
    onChange: () => {},
    onFault: () => {},
  });
  await expect(index.candidates(request)).rejects.toThrow("the record is away");
});

test("a refresh reaches both", async () => {
  const { index, engine, memory } = resilient(async () => {});
  await index.refresh(["a", "b"]);
  expect(engine.seen.refreshed).toEqual([["a", "b"]]);
  expect(memory.seen.refreshed).toEqual([["a", "b"]]);
});
