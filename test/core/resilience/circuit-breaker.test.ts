import fc from "fast-check";
import { expect, test } from "vitest";
import { createCircuitBreaker } from "../../../src/core/resilience/circuit-breaker.ts";

function breakerAt(random = 1) {
  const clock = { now: 0 };
  const breaker = createCircuitBreaker({ now: () => clock.now, random: () => random });
  const fail = (times: number) => {
    for (let at = 0; at < times; at++) breaker.admit()?.failed();
  };
  return { breaker, clock, fail };
}

test("three failures in a row open it, two do not", () => {
  const { breaker, fail } = breakerAt();
  fail(2);
  expect(breaker.isOpen()).toBe(false);
  fail(1);
  expect(breaker.isOpen()).toBe(true);
  expect(breaker.admit()).toBeNull();
});

test("three failures in a row open it whatever went before", () => {
  const { breaker, fail } = breakerAt();
  for (let at = 0; at < 100; at++) breaker.admit()?.succeeded();
  fail(3);
  expect(breaker.isOpen()).toBe(true);
});

test("failures that are fewer than half of the last twenty leave it closed", () => {
  const { breaker } = breakerAt();
  for (let at = 0; at < 60; at++) {
    if (at % 3 === 2) breaker.admit()?.failed();
    else breaker.admit()?.succeeded();
  }
  expect(breaker.isOpen()).toBe(false);
});

test("after the pause one request finds out, and its success closes it", () => {
  const { breaker, clock, fail } = breakerAt();
  fail(3);
  clock.now = 499;
  expect(breaker.admit()).toBeNull();
  clock.now = 500;
  const probe = breaker.admit();
  expect(probe?.isProbe).toBe(true);
  expect(breaker.admit()).toBeNull();
  probe?.succeeded();
  expect(breaker.admit()?.isProbe).toBe(false);
});

test("each probe that fails doubles the pause, up to five seconds", () => {
  const { breaker, clock, fail } = breakerAt();
  fail(3);
  for (const pause of [500, 1000, 2000, 4000, 5000, 5000]) {
    clock.now += pause - 1;
    expect(breaker.admit()).toBeNull();
    clock.now += 1;
    breaker.admit()?.failed();
  }
});

test("the pause is shorter by up to half, by chance", () => {
  const { breaker, clock, fail } = breakerAt(0);
  fail(3);
  clock.now = 250;
  expect(breaker.admit()?.isProbe).toBe(true);
});

test("a probe that is answered late leaves it open, and is made again after the first pause", () => {
  const { breaker, clock, fail } = breakerAt();
  fail(3);
  clock.now += 500;
  breaker.admit()?.failed();
  clock.now += 1000;
  breaker.admit()?.late();
  expect(breaker.isOpen()).toBe(true);
  clock.now += 499;
  expect(breaker.admit()).toBeNull();
  clock.now += 1;
  breaker.admit()?.succeeded();
  expect(breaker.isOpen()).toBe(false);
});

test("late answers to others than probes are answers", () => {
  const { breaker } = breakerAt();
  for (let at = 0; at < 20; at++) breaker.admit()?.late();
  expect(breaker.isOpen()).toBe(false);
});

test("a probe that was called off leaves the next request to find out", () => {
  const { breaker, clock, fail } = breakerAt();
  fail(3);
  clock.now = 500;
  breaker.admit()?.calledOff();
  expect(breaker.admit()?.isProbe).toBe(true);
});

test("whatever happens, it is asked again in the end, and one success closes it", () => {
  const outcomes = fc.array(
    fc.constantFrom("succeeded", "failed", "late", "calledOff", "late failure", "wait"),
  );
  fc.assert(
    fc.property(outcomes, (steps) => {
      const { breaker, clock } = breakerAt();
      const late: (() => void)[] = [];
      for (const step of steps) {
        if (step === "wait") clock.now += 400;
        else if (step === "late failure") {
          const admitted = breaker.admit();
          if (admitted?.isProbe) admitted.failed();
          else if (admitted) late.push(admitted.failed);
        } else breaker.admit()?.[step]();
      }
      for (const fail of late) fail();
      clock.now += 30_000;
      const admitted = breaker.admit();
      expect(admitted).not.toBeNull();
      admitted?.succeeded();
      expect(breaker.admit()?.isProbe).toBe(false);
    }),
  );
});
