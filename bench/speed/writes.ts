import { merged, perSecond, quantile, quantileMs, type Timing } from "./closed-loop.ts";
import type { Corpus } from "./corpus.ts";
import { interleave } from "./interleave.ts";
import { type Running, withClients } from "./processes.ts";
import { type Counter, inFloor, storing } from "./requests.ts";
import { milliseconds, ratio, type Table } from "./table.ts";

const CLIENTS = 16;
/** The service costs less than a third of its statements on top of them. */
const GOAL = 0.77;

/** The ways to write one memory: that of the service, and the floor's. */
const WAYS = [
  { name: "POST /v1/memories", path: "/v1/memories", floor: "/writes", statements: "the same statements" },
  {
    name: "POST /v1/remember",
    path: "/v1/remember",
    floor: "/remembered",
    statements: "a transaction that looks and writes",
  },
] as const;

/** Single writes by 16 clients, against their statements alone. */
export async function measureWrites(
  server: Running,
  floor: Running,
  corpus: Corpus,
  stored: Counter,
  seconds: number,
): Promise<Table> {
  const turns = await withClients(server, CLIENTS, (clients) =>
    withClients(floor, 1, ([control]) => {
      const fromNext = (count: number) => {
        const from = stored.next;
        stored.next += count;
        return { clients: CLIENTS, count, from };
      };
      const contestants = WAYS.flatMap(({ name, path, floor: of }) => [
        [of, inFloor(control, of, fromNext)] as const,
        [name, storing(clients, corpus, stored, path)] as const,
      ]);
      return interleave(Object.fromEntries(contestants), seconds);
    }),
  );
  const measured = WAYS.map((way) => comparison(way, turns));
  return {
    title: `Writes, ${CLIENTS} clients`,
    columns: ["", "writes/s", "p50", "p95", "of the floor"],
    rows: measured.flatMap(({ rows }) => rows),
    remark: measured.map(({ remark }) => remark).join("\n"),
  };
}

function comparison(
  { name, floor, statements }: (typeof WAYS)[number],
  turns: Readonly<Record<string, readonly Timing[]>>,
) {
  const [floors = [], services = []] = [turns[floor], turns[name]];
  const shares = services.map((turn, round) => perSecond(turn) / perSecond(floors[round] as Timing));
  const [share, low, high] = [0.5, 0.25, 0.75].map((at) => quantile(shares, at)) as [number, number, number];
  const row = (first: string, timing: Timing, of: number) => [
    first,
    perSecond(timing).toFixed(0),
    ...latencies(timing),
    ratio(of),
  ];
  return {
    rows: [row(`floor: ${statements}`, merged(floors), 1), row(name, merged(services), share)],
    remark: `${name}: the share is the median of ${shares.length} rounds; half of them lie from ${ratio(low)} to ${ratio(high)}. Goal: at least ${GOAL}: ${share >= GOAL ? "met" : "missed"}.`,
  };
}

function latencies(timing: Timing): string[] {
  return [milliseconds(quantileMs(timing, 0.5)), milliseconds(quantileMs(timing, 0.95))];
}
