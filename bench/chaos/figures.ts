import { quantile } from "../speed/closed-loop.ts";
import type { Client } from "./client.ts";

/** What all clients together have seen. */
export function figures(clients: readonly Client[]) {
  const tallies = clients.map(({ tally }) => tally);
  const requests = keysOf(tallies.map((tally) => tally.requests)).map((kind) => {
    const all = tallies.flatMap(({ latenciesMs }) => latenciesMs[kind] ?? []);
    const [p50, p99] = [quantile(all, 0.5), quantile(all, 0.99)].map((ms) => Number(ms.toFixed(1)));
    return [kind, { count: sum(tallies.map((tally) => tally.requests[kind] ?? 0)), p50, p99 }] as const;
  });
  const degraded = keysOf(tallies.map((tally) => tally.degraded)).map(
    (why) => [why, sum(tallies.map((tally) => tally.degraded[why] ?? 0))] as const,
  );
  return {
    requests: Object.fromEntries(requests),
    memories: sum(clients.map(({ known }) => known.length)),
    underWay: sum(tallies.map(({ underWay }) => underWay)),
    degradedSearches: Object.fromEntries(degraded),
  };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

const keysOf = (counts: readonly Readonly<Record<string, unknown>>[]) => [
  ...new Set(counts.flatMap(Object.keys)),
];
