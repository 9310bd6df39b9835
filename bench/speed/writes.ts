import { merged, perSecond, quantile, quantileMs, type Timing } from "./closed-loop.ts";
import type { Corpus } from "./corpus.ts";
import { interleave } from "./interleave.ts";
import { type Running, withClients } from "./processes.ts";
import { type Counter, inFloor, storing } from "./requests.ts";
import { milliseconds, ratio, type Table } from "./table.ts";

const CLIENTS = 16;
/** A service that costs as much as its statements would be half as fast as they are. */
const GOAL = 0.5;

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
      return interleave(
        {
          statements: inFloor(control, "/writes", fromNext),
          service: storing(clients, corpus, stored),
        },
        seconds,
      );
    }),
  );
  const statements = merged(turns.statements);
  const service = merged(turns.service);
  const shares = turns.service.map(
    (turn, round) => perSecond(turn) / perSecond(turns.statements[round] as Timing),
  );
  const [share, low, high] = [0.5, 0.25, 0.75].map((at) => quantile(shares, at)) as [number, number, number];
  return {
    title: `Writes, ${CLIENTS} clients`,
    columns: ["", "writes/s", "p50", "p95", "of the floor"],
    rows: [
      ["floor: the same statements", perSecond(statements).toFixed(0), ...latencies(statements), "1.00"],
      ["POST /v1/memories", perSecond(service).toFixed(0), ...latencies(service), ratio(share)],
    ],
    remark: `The share is the median of ${shares.length} rounds; half of them lie from ${ratio(low)} to ${ratio(high)}. Goal: at least ${GOAL}: ${share >= GOAL ? "met" : "missed"}.`,
  };
}

function latencies(timing: Timing): string[] {
  return [milliseconds(quantileMs(timing, 0.5)), milliseconds(quantileMs(timing, 0.95))];
}
