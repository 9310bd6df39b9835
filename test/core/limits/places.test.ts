import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DomainError } from "../../../src/core/error.ts";
import { partyOf, placeBoundsFor } from "../../../src/core/limits/fair-share.ts";
import { createPlaces, type Leave, type PlaceBounds } from "../../../src/core/limits/places.ts";
import { runs } from "../../support/random.ts";

const BOUNDS: PlaceBounds = {
  perCredential: 2,
  perMember: 2,
  perParty: 3,
  total: 5,
  waitingPerParty: 4,
  waitingTotal: 6,
  waitMs: 1000,
};

/** Tasks that wait for their time. */
class FakeTimers {
  time = 0;
  tasks = new Map<() => void, number>();
  readonly after = (ms: number, task: () => void) => {
    this.tasks.set(task, this.time + ms);
    return () => void this.tasks.delete(task);
  };

  pass(ms: number): void {
    this.time += ms;
    for (const [task, at] of [...this.tasks]) {
      if (at > this.time || !this.tasks.delete(task)) continue;
      task();
    }
  }
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Requests named by their credential, such as `a1` of party `a`, that run until they are told to leave. */
function world(bounds: Partial<PlaceBounds> = {}) {
  const timers = new FakeTimers();
  const places = createPlaces({ ...BOUNDS, ...bounds }, timers.after);
  const entered: string[] = [];
  const ask = (credential: string, signal?: AbortSignal) => {
    const request = { leave: null as Leave | null, error: null as unknown };
    places.take({ credential, party: credential.slice(0, 1) }, signal).then(
      (leave) => {
        entered.push(credential);
        request.leave = leave;
      },
      (error) => {
        request.error = error;
      },
    );
    return request;
  };
  return { timers, places, entered, ask };
}

describe("places", () => {
  test("a credential, a party and all together have so many", async () => {
    const { ask, entered, places } = world();
    for (const name of ["a1", "a1", "a1", "a2", "a2", "b1", "b2", "c1"]) ask(name);
    await settled();
    expect(entered).toEqual(["a1", "a1", "a2", "b1", "b2"]);
    expect(places.figures()).toEqual({ running: 5, waiting: 3, refused: 0 });
  });

  test("a place that is given back goes to the party that has the fewest, and only once", async () => {
    const { ask, entered, places } = world();
    const running = ["a1", "a1", "a2", "b1", "b1"].map((name) => ask(name));
    await settled();
    for (const name of ["a1", "a2", "b2", "c1"]) ask(name);
    running[0]?.leave?.();
    running[0]?.leave?.();
    await settled();
    expect(entered.slice(5)).toEqual(["c1"]);
    running[3]?.leave?.();
    await settled();
    expect(entered.slice(5)).toEqual(["c1", "b2"]);
    expect(places.figures()).toEqual({ running: 5, waiting: 2, refused: 0 });
  });

  test("a request does not wait for those of another credential that has all it may have", async () => {
    const { ask, entered } = world();
    for (const name of ["a1", "a1", "a1"]) ask(name);
    await settled();
    ask("a2");
    await settled();
    expect(entered).toEqual(["a1", "a1", "a2"]);
  });

  test("what finds too many waiting is refused at once, and told when to come back", async () => {
    const { ask, places } = world();
    for (let at = 0; at < 6; at += 1) ask("a1");
    const refused = ask("a1");
    await settled();
    expect(refused.error).toBeInstanceOf(DomainError);
    expect(refused.error).toMatchObject({ code: "overloaded", retryAfterSeconds: 5 });
    const other = ask("b1");
    await settled();
    expect(other.leave).not.toBeNull();
    expect(places.figures().refused).toBe(1);
  });

  test("where too many wait in all, the last of whoever has the most waiting makes way for one that has few", async () => {
    const { ask, places } = world({ perParty: 1, total: 2, waitingPerParty: 4, waitingTotal: 6 });
    const named = ["a1", "b1", "a1", "a1", "a1", "a1", "b1", "b1"].map((name) => ask(name));
    const few = [ask("c1"), ask("c1")];
    await settled();
    expect(few.map(({ error }) => error)).toEqual([null, null]);
    const refused = [named[4], named[5]];
    for (const one of refused) expect(one?.error).toMatchObject({ code: "overloaded", retryAfterSeconds: 5 });
    expect(named.filter(({ error }) => error !== null).length).toBe(2);
    // Whoever would then have more waiting than the other is refused itself.
    const third = ask("c1");
    await settled();
    expect(third.error).toMatchObject({ code: "overloaded" });
    expect(places.figures()).toEqual({ running: 2, waiting: 6, refused: 3 });
    for (const one of named.slice(0, 3)) {
      one.leave?.();
      await settled();
    }
    expect(few[0]?.leave).not.toBeNull();
  });

  test("what has waited for too long is refused, and its place in the queue is free again", async () => {
    const { ask, places, timers } = world();
    const [first] = ["a1", "a1"].map((name) => ask(name));
    const late = ask("a1");
    await settled();
    timers.pass(999);
    await settled();
    expect(late.error).toBeNull();
    timers.pass(1);
    await settled();
    expect(late.error).toMatchObject({ code: "overloaded" });
    first?.leave?.();
    await settled();
    expect(late.leave).toBeNull();
    expect(places.figures()).toEqual({ running: 1, waiting: 0, refused: 1 });
  });

  test("a sender that goes away leaves the queue, and is not let in", async () => {
    const { ask, entered, places } = world();
    const [first] = ["a1", "a1"].map((name) => ask(name));
    const sender = new AbortController();
    const gone = ask("a1", sender.signal);
    ask("a1");
    await settled();
    sender.abort();
    first?.leave?.();
    await settled();
    expect(gone.error).toMatchObject({ issues: [{ type: "request_called_off" }] });
    expect(entered).toEqual(["a1", "a1", "a1"]);
    expect(places.figures()).toEqual({ running: 2, waiting: 0, refused: 0 });
  });

  test("whatever comes and goes, the bounds hold, whoever can run does, and every place is given back", async () => {
    const credential = fc.constantFrom("a1", "a2", "a3", "b1", "b2", "c1", "d1");
    const step = fc.oneof(
      fc.record({ kind: fc.constant("ask" as const), credential }),
      fc.record({ kind: fc.constant("leave" as const), which: fc.nat() }),
      fc.record({ kind: fc.constant("abort" as const), which: fc.nat() }),
      fc.record({ kind: fc.constant("pass" as const), ms: fc.integer({ min: 1, max: 600 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 80 }), async (steps) => {
        const { ask, places, timers } = world();
        const requests: (ReturnType<typeof ask> & {
          name: string;
          sender: AbortController;
          isGone: boolean;
        })[] = [];
        const some = <T>(values: readonly T[], which: number) => values[which % Math.max(1, values.length)];
        const running = () => requests.filter(({ leave, isGone }) => leave && !isGone);
        const waiting = () => requests.filter(({ leave, error }) => !leave && !error);
        for (const each of steps) {
          if (each.kind === "ask") {
            const sender = new AbortController();
            const request = ask(each.credential, sender.signal);
            requests.push(Object.assign(request, { name: each.credential, sender, isGone: false }));
          } else if (each.kind === "leave") {
            const one = some(running(), each.which);
            one?.leave?.();
            if (one) one.isGone = true;
          } else if (each.kind === "abort") some(waiting(), each.which)?.sender.abort();
          else timers.pass(each.ms);
          await settled();
          const of = (start: string, among: { name: string }[]) =>
            among.filter(({ name }) => name.startsWith(start)).length;
          expect(running().length).toBeLessThanOrEqual(BOUNDS.total);
          expect(waiting().length).toBeLessThanOrEqual(BOUNDS.waitingTotal);
          for (const { name } of requests) {
            expect(of(name, running())).toBeLessThanOrEqual(BOUNDS.perCredential);
            expect(of(name.slice(0, 1), running())).toBeLessThanOrEqual(BOUNDS.perParty);
            expect(of(name.slice(0, 1), waiting())).toBeLessThanOrEqual(BOUNDS.waitingPerParty);
          }
          for (const { name } of waiting()) {
            const isFree =
              running().length < BOUNDS.total &&
              of(name, running()) < BOUNDS.perCredential &&
              of(name.slice(0, 1), running()) < BOUNDS.perParty;
            expect(isFree).toBe(false);
          }
          const { refused: _, ...figures } = places.figures();
          expect(figures).toEqual({ running: running().length, waiting: waiting().length });
        }
        for (const one of requests) one.sender.abort();
        for (const one of running()) one.leave?.();
        await settled();
        expect(places.figures()).toMatchObject({ running: 0, waiting: 0 });
        expect(timers.tasks.size).toBe(0);
      }),
      { numRuns: runs(100) },
    );
  });
});

test("one party never has all connections to the database, nor one credential all places of its party", () => {
  for (const connections of [4, 8, 16, 200]) {
    const { perCredential, perParty, total } = placeBoundsFor(connections);
    expect(perParty).toBeLessThan(connections);
    expect(perCredential).toBeLessThan(perParty);
    expect(total).toBeGreaterThan(perParty);
  }
});

test("a user has one share with all its credentials, and strangers have one for their network", () => {
  const owner = (kind: "user" | "agent") => ({ id: "o", kind, name: "n" });
  expect(partyOf(owner("user"), "192.0.2.1")).toBe(partyOf(owner("user"), "198.51.100.1"));
  expect(partyOf(owner("agent"), "192.0.2.1")).toBe(partyOf(null, "192.0.2.1"));
  expect(partyOf(owner("agent"), "192.0.2.1")).not.toBe(partyOf({ ...owner("agent") }, "198.51.100.1"));
});

describe("the end users of a party", () => {
  const bounds = { ...BOUNDS, perCredential: 9, perParty: 3, perMember: 2, waitingPerParty: 4 };
  function party() {
    const places = createPlaces(bounds, new FakeTimers().after);
    const entered: string[] = [];
    const refused: string[] = [];
    const ask = (member: string) => {
      const request = { leave: null as Leave | null };
      places.take({ credential: "key", party: "app", member }).then(
        (leave) => {
          entered.push(member);
          request.leave = leave;
        },
        () => refused.push(member),
      );
      return request;
    };
    return { ask, entered, refused };
  }

  test("have so many each, and the next place goes to the one with the fewest", async () => {
    const { ask, entered } = party();
    const running = ["ada", "ada", "ada", "bob"].map(ask);
    await settled();
    expect(entered).toEqual(["ada", "ada", "bob"]);
    for (const one of ["ada", "bob", "cleo"]) ask(one);
    running[0]?.leave?.();
    await settled();
    expect(entered.slice(3)).toEqual(["cleo"]);
  });

  test("do not refuse each other: the one with the most waiting makes way", async () => {
    const { ask, refused } = party();
    for (let n = 0; n < 6; n += 1) ask("ada");
    await settled();
    expect(refused).toEqual([]);
    for (const one of ["bob", "bob", "cleo"]) ask(one);
    await settled();
    expect(refused.every((one) => one === "ada")).toBe(true);
  });
});
