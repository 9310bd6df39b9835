import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type LoopOptions, type Next, startLoop } from "../../src/worker/loop.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A loop whose rounds end as the test says, with what was reported. */
function loopOf(options: Partial<LoopOptions> = {}) {
  const reported: unknown[] = [];
  const open: { end: (next?: Next) => void; fail: (error: Error) => void; signal: AbortSignal }[] = [];
  let rounds = 0;
  const loop = startLoop(
    (signal) => {
      rounds += 1;
      return new Promise<Next | undefined>((end, fail) => open.push({ end, fail, signal }));
    },
    { pauseMs: 1000, report: (error) => reported.push(error), ...options },
  );
  const current = () => {
    const [round] = open.splice(0);
    if (!round) throw new Error("No round is running.");
    return round;
  };
  return { loop, reported, rounds: () => rounds, current };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test("rounds follow one another with the pause, or with the one that the round asks for", async () => {
  const { loop, rounds, current } = loopOf();
  expect(rounds()).toBe(1);
  await pass(60_000);
  expect(rounds()).toBe(1);
  current().end();
  await pass(999);
  expect(rounds()).toBe(1);
  await pass(1);
  expect(rounds()).toBe(2);
  current().end(5000);
  await pass(4999);
  expect(rounds()).toBe(2);
  await pass(1);
  expect(rounds()).toBe(3);
  current().end("at once");
  await pass(0);
  expect(rounds()).toBe(4);
  current().end("never");
  await pass(3_600_000);
  expect(rounds()).toBe(4);
  await loop.stop();
});

test("the first round waits if it is told to", async () => {
  const { rounds } = loopOf({ startsAtOnce: false });
  await pass(999);
  expect(rounds()).toBe(0);
  await pass(1);
  expect(rounds()).toBe(1);
});

test("waking ends the pause; during a round it brings another right after it", async () => {
  const { loop, rounds, current } = loopOf();
  current().end();
  await pass(10);
  loop.wake();
  await pass(0);
  expect(rounds()).toBe(2);
  loop.wake();
  await pass(0);
  expect(rounds()).toBe(2);
  current().end();
  await pass(0);
  expect(rounds()).toBe(3);
  current().end();
  await pass(999);
  expect(rounds()).toBe(3);
});

test("a failure that repeats is reported once a minute, and anew after a success", async () => {
  const { reported, current } = loopOf();
  const away = new Error("away");
  for (let second = 0; second < 61; second += 1) {
    current().fail(away);
    await pass(1000);
  }
  expect(reported).toEqual([away, away]);
  current().end();
  await pass(1000);
  current().fail(away);
  await pass(0);
  expect(reported).toHaveLength(3);
});

test("pauses after failures grow up to the bound, and begin again after a success", async () => {
  const { rounds, current } = loopOf({ retryMsMax: 8000 });
  const waits: number[] = [];
  for (let failure = 0; failure < 6; failure += 1) {
    const before = rounds();
    const from = performance.now();
    current().fail(new Error("away"));
    while (rounds() === before) await pass(100);
    waits.push(performance.now() - from);
  }
  for (const [at, wait] of waits.entries()) {
    const expected = Math.min(8000, 1000 * 2 ** (at + 1));
    expect(wait).toBeGreaterThanOrEqual(expected / 2);
    expect(wait).toBeLessThanOrEqual(expected * 1.5 + 100);
  }
  current().end();
  await pass(1000);
  expect(rounds()).toBe(8);
});

test("stopping aborts the signal, waits for the round and reports nothing of its end", async () => {
  const { loop, reported, rounds, current } = loopOf();
  const round = current();
  let isStopped = false;
  const stopping = loop.stop().then(() => {
    isStopped = true;
  });
  expect(round.signal.aborted).toBe(true);
  await pass(10_000);
  expect(isStopped).toBe(false);
  round.fail(new Error("aborted"));
  await stopping;
  await pass(10_000);
  expect(reported).toEqual([]);
  expect(rounds()).toBe(1);
});
