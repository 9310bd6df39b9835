/** The promises of the port, kept by both that count: in the process and in the database. */
import { describe, expect, onTestFinished, test } from "vitest";
import { createRateWindows } from "../../src/adapters/postgres/access/rate-windows.ts";
import { connect } from "../../src/adapters/postgres/database/client.ts";
import { createMemoryCounter } from "../../src/adapters/rate-limit/memory-counter.ts";
import type { CountedHits, RateCounter } from "../../src/core/limits/rate-limiter.ts";
import { ownDatabase } from "../support/own-database.ts";
import { inOneWindow } from "./one-window.ts";

/** As many that count together as are asked for. */
type Open = (servers: number) => Promise<RateCounter[]>;

async function inDatabase(servers: number): Promise<RateCounter[]> {
  const address = await ownDatabase();
  return Array.from({ length: servers }, () => {
    const sql = connect(address, 4);
    onTestFinished(() => sql.end({ timeout: 1 }));
    return createRateWindows(sql, (error) => {
      throw error;
    });
  });
}

const counters: readonly (readonly [string, number, Open])[] = [
  ["in the process", 1, async () => [createMemoryCounter()]],
  ["in the database", 1, inDatabase],
  ["in the database, by three servers", 3, inDatabase],
];

const upTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1);

describe.each(counters)("counting %s", (_, servers, open) => {
  test("gives each of many hits at once its own place, without a gap", async () => {
    const places = await inOneWindow(async () => {
      const all = await open(servers);
      const hits = await Promise.all(
        Array.from({ length: 300 }, (_, at) => (all[at % servers] as RateCounter).hit(["data a", "read a"])),
      );
      return { resets: hits.map(resetOf), value: hits };
    });
    for (const key of [0, 1]) {
      expect(places.map(({ counts }) => counts[key] as number).sort((a, b) => a - b)).toEqual(upTo(300));
    }
  });

  test("counts keys apart, whatever is asked together and in whatever order", async () => {
    const [reads, writes, data] = await inOneWindow(async () => {
      const all = await open(servers);
      const hits = await Promise.all(
        Array.from({ length: 120 }, (_, at) => {
          const own = at % 2 ? "read" : "write";
          const keys = at % 3 ? ["data", own] : [own, "data"];
          return (all[at % servers] as RateCounter).hit(keys).then((hit) => ({
            hit,
            own: hit.counts[keys.indexOf(own)],
            data: hit.counts[keys.indexOf("data")],
            at,
          }));
        }),
      );
      const sorted = (some: typeof hits, name: "own" | "data") =>
        some.map((one) => one[name] as number).sort((a, b) => a - b);
      const odd = hits.filter(({ at }) => at % 2);
      const even = hits.filter(({ at }) => at % 2 === 0);
      return {
        resets: hits.map(({ hit }) => resetOf(hit)),
        value: [sorted(odd, "own"), sorted(even, "own"), sorted(hits, "data")],
      };
    });
    expect([reads, writes, data]).toEqual([upTo(60), upTo(60), upTo(120)]);
  });

  test("reads what was counted in this window, and counts nothing by it", async () => {
    const read = await inOneWindow(async () => {
      const [counter] = (await open(servers)) as [RateCounter];
      await counter.hit(["data a", "read a"]);
      await counter.hit(["data a"]);
      await counter.read(["data a"]);
      const found = await counter.read(["read a", "data b", "data a"]);
      return { resets: [resetOf(found)], value: found.counts };
    });
    expect(read).toEqual([1, 0, 2]);
  });

  test("ends its windows at full minutes", async () => {
    const [counter] = await open(servers);
    const { endsAt, millisecondsLeft } = await (counter as RateCounter).hit(["data a"]);
    expect(endsAt % 60_000).toBe(0);
    expect(millisecondsLeft).toBeGreaterThan(0);
    expect(millisecondsLeft).toBeLessThanOrEqual(60_000);
  });
});

const resetOf = ({ endsAt }: CountedHits) => String(endsAt);

describe("counting in the process", () => {
  test("begins anew with each minute, and not when the clock is set back", async () => {
    let now = 1_800_000_000_000;
    const counter = createMemoryCounter(() => now);
    const place = async () => (await counter.hit(["k"])).counts[0];
    expect([await place(), await place()]).toEqual([1, 2]);
    now += 59_999;
    expect(await place()).toBe(3);
    now += 1;
    expect(await place()).toBe(1);
    now -= 30_000;
    expect(await place()).toBe(2);
  });

  test("holds no more keys than it has room for", async () => {
    const counter = createMemoryCounter(() => 0, 2);
    await counter.hit(["a", "b"]);
    await expect(counter.hit(["c"])).rejects.toThrow("no room");
    expect((await counter.hit(["a"])).counts).toEqual([2]);
  });
});

describe("counting in the database", () => {
  test("removes windows that are over", async () => {
    const sql = connect(await ownDatabase(), 2);
    onTestFinished(() => sql.end({ timeout: 1 }));
    await sql`insert into rate_windows (starts_at, key, hits)
      select date_bin('60 seconds', now() - make_interval(mins => m), 'epoch'), 'k', 1 from generate_series(1, 50) m`;
    await createRateWindows(sql, () => {}).hit(["k"]);
    await expect
      .poll(async () => (await sql`select from rate_windows`).length, { timeout: 20_000 })
      .toBeLessThan(5);
  });

  test("rejects where the database is away, and every hit that waits with it", async () => {
    const sql = connect(await ownDatabase(), 2);
    const counter = createRateWindows(sql, () => {});
    await sql.end();
    const hits = await Promise.allSettled(Array.from({ length: 20 }, () => counter.hit(["k"])));
    expect(hits.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => "rejected"));
  });
});
