import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createTurns, type EventLoop } from "../../../src/core/limits/turns.ts";
import type { Pace } from "../../../src/recall/work.ts";
import { runs } from "../../support/random.ts";

const SLICE = 5;

/** A loop whose clock moves only as work takes time, and whose tasks run when they are told to. */
class FakeLoop implements EventLoop {
  time = 0;
  tasks: (() => void)[] = [];
  readonly now = () => this.time;
  readonly soon = (task: () => void) => void this.tasks.push(task);

  /** Runs tasks, and what is resolved by each of them, until there are none. */
  async run(roundsMax = Number.POSITIVE_INFINITY): Promise<void> {
    for (let round = 0; this.tasks.length > 0 && round < roundsMax; round += 1) {
      const tasks = this.tasks;
      this.tasks = [];
      for (const task of tasks) {
        task();
        await settled();
      }
    }
  }
}

/** Everything that was resolved has been carried on with. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

function world() {
  const loop = new FakeLoop();
  const turns = createTurns(loop, SLICE);
  const order: string[] = [];
  /** So many stretches of so long, each noted as it begins. */
  const work = async (pace: Pace, name: string, stretches: number, ms: number) => {
    for (let at = 0; at < stretches; at += 1) {
      await pace.pause();
      order.push(name);
      loop.time += ms;
    }
    order.push(`${name} done`);
  };
  return { loop, turns, order, work };
}

describe("turns", () => {
  test("where nobody waits, work begins at once and goes on for a slice", async () => {
    const { loop, turns } = world();
    const pace = turns.paceOf("a");
    expect(pace.pause()).toBeUndefined();
    loop.time += SLICE - 1;
    expect(pace.pause()).toBeUndefined();
    loop.time += 1;
    const turn = pace.pause();
    expect(turn).toBeInstanceOf(Promise);
    await loop.run();
    await turn;
    expect(pace.pause()).toBeUndefined();
  });

  test("work that takes little shares a turn, up to a slice and a few", async () => {
    const { loop, turns } = world();
    for (const ms of [1, 1, 1, 1]) {
      expect(turns.paceOf("a").pause()).toBeUndefined();
      loop.time += ms;
    }
    expect(turns.paceOf("b").pause()).toBeInstanceOf(Promise);
    await loop.run();
    expect(turns.paceOf("a").pause()).toBeUndefined();
    loop.time += SLICE;
    expect(turns.paceOf("b").pause()).toBeInstanceOf(Promise);
    await loop.run();
    expect(turns.waiting).toBe(0);
  });

  test("what comes in between two stretches is let through, whatever waits", async () => {
    const { loop, turns, order, work } = world();
    const busy = [work(turns.paceOf("a"), "a", 4, SLICE)];
    await settled();
    busy.push(...["a", "b"].map((party) => work(turns.paceOf(party), party, 4, SLICE)));
    await settled();
    // As the runtime does with what it has read: before the tasks that are asked for from now on.
    loop.soon(() => order.push("probe"));
    await loop.run();
    await Promise.all(busy);
    expect(order.indexOf("probe")).toBeLessThanOrEqual(2);
  });

  test("a small request waits for one stretch of a party with much to do, not for all that it has", async () => {
    const { loop, turns, order, work } = world();
    const busy = Array.from({ length: 16 }, () => work(turns.paceOf("busy"), "busy", 20, SLICE));
    await loop.run(20);
    const before = order.length;
    const small = work(turns.paceOf("small"), "small", 2, 1);
    await loop.run();
    await Promise.all([small, ...busy]);
    const after = order.slice(before);
    expect(after.indexOf("small")).toBeLessThanOrEqual(1);
    expect(after.indexOf("small done")).toBeLessThanOrEqual(4);
  });

  test("of one party, who waits longest goes first", async () => {
    const { loop, turns, order, work } = world();
    const works = [work(turns.paceOf("a"), "one", 1, SLICE)];
    await settled();
    works.push(...["two", "three"].map((name) => work(turns.paceOf("a"), name, 1, SLICE)));
    await loop.run();
    await Promise.all(works);
    expect(order.filter((name) => !name.endsWith("done"))).toEqual(["one", "two", "three"]);
  });

  test("a party that takes long stretches gets fewer of them", async () => {
    const { loop, turns, order, work } = world();
    const long = work(turns.paceOf("long"), "long", 10, 50);
    const short = [1, 2].map(() => work(turns.paceOf("short"), "short", 50, 5));
    await loop.run();
    await Promise.all([long, ...short]);
    const firstDone = order.indexOf("long done");
    // 500 ms each in all: when the one is through, the other has only what was its last stretch to go.
    expect(order.slice(0, firstDone).filter((name) => name === "short").length).toBeGreaterThanOrEqual(80);
  });

  test("work that is called off ends at its turn, and the next one has it", async () => {
    const { loop, turns, order, work } = world();
    const sender = new AbortController();
    const first = work(turns.paceOf("a"), "first", 1, SLICE);
    await settled();
    const gone = work(turns.paceOf("a", sender.signal), "gone", 1, SLICE).catch((error) => error);
    const last = work(turns.paceOf("a"), "last", 1, SLICE);
    sender.abort();
    await loop.run();
    await Promise.all([first, last]);
    expect(await gone).toMatchObject({ issues: [{ type: "request_called_off" }] });
    expect(order).toEqual(["first", "first done", "last", "last done"]);
    expect(turns.waiting).toBe(0);
  });

  test("whatever parties do, all get done, and those that always wait get the same time up to a stretch", async () => {
    const party = fc.record({
      works: fc.integer({ min: 1, max: 4 }),
      ms: fc.integer({ min: 1, max: 40 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(party, { minLength: 2, maxLength: 5 }), async (parties) => {
        const loop = new FakeLoop();
        const turns = createTurns(loop, SLICE);
        const had = parties.map(() => 0);
        const left = parties.map(() => 2000);
        let running = 0;
        let unfair = 0;
        const works = parties.flatMap(({ works: count, ms }, at) =>
          Array.from({ length: count }, async () => {
            const pace = turns.paceOf(`party ${at}`);
            while ((left[at] as number) > 0) {
              await pace.pause();
              running += 1;
              expect(running).toBe(1);
              loop.time += ms;
              had[at] = (had[at] as number) + ms;
              left[at] = (left[at] as number) - ms;
              running -= 1;
              if (left.every((ms) => ms > 0)) unfair = Math.max(unfair, Math.max(...had) - Math.min(...had));
            }
          }),
        );
        await loop.run();
        await Promise.all(works);
        // Each may be ahead by its own last stretch, which goes on until a slice is over, and by turns in which all its works
        // begin: however long it goes on, by no more.
        expect(unfair).toBeLessThanOrEqual(2 * (SLICE + 40) + 2 * 4 * 40);
        expect(turns.waiting).toBe(0);
      }),
      { numRuns: runs(60) },
    );
  });
});

test("the end users of a party share its turns, and another party has as many as all of them", async () => {
  const { loop, turns, order, work } = world();
  const busy = [
    work(turns.paceOf("app", undefined, "ada"), "ada", 12, SLICE),
    work(turns.paceOf("app", undefined, "ada"), "ada", 12, SLICE),
    work(turns.paceOf("app", undefined, "bob"), "bob", 12, SLICE),
    work(turns.paceOf("other"), "other", 12, SLICE),
  ];
  await loop.run();
  await Promise.all(busy);
  const first = order.slice(0, 20);
  const turnsOf = (name: string) => first.filter((one) => one === name).length;
  expect(Math.abs(turnsOf("other") - 10)).toBeLessThanOrEqual(2);
  expect(Math.abs(turnsOf("ada") - turnsOf("bob"))).toBeLessThanOrEqual(2);
});
