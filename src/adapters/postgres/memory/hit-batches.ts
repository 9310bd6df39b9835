import type { Counted } from "../../../core/limits/rate-counter.ts";

/** What a statement that counted many hits at once answers. */
export interface CountedBatch extends Pick<Counted, "endsAt" | "millisecondsLeft"> {
  /** The hits of the window under each key that was counted, these included. */
  readonly totals: ReadonlyMap<string, number>;
}

interface Waiting {
  readonly keys: readonly string[];
  readonly resolve: (counted: Counted) => void;
  readonly reject: (error: unknown) => void;
}

/** So many statements at once: the next is on its way while the last is answered, and the pool is left to the work. */
const IN_FLIGHT_MAX = 2;

/** A count that takes longer says nothing worth waiting for. */
const ANSWER_MS_MAX = 5000;

/**
 * Puts hits together that arrive while earlier ones are being counted, so that many requests cost one statement. Each
 * hit is told its own place, in the order of arrival.
 */
export function inBatches(
  count: (hits: ReadonlyMap<string, number>) => Promise<CountedBatch>,
  answerMsMax = ANSWER_MS_MAX,
): (keys: readonly string[]) => Promise<Counted> {
  let waiting: Waiting[] = [];
  let inFlight = 0;

  async function flush(): Promise<void> {
    const batch = waiting;
    waiting = [];
    inFlight += 1;
    try {
      const counted = await count(hitsOf(batch));
      handOut(batch, counted);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      inFlight -= 1;
      if (waiting.length > 0) void flush();
    }
  }

  return (keys) =>
    new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error("Counting requests takes too long.")), answerMsMax);
      waiting.push({
        keys,
        resolve(counted) {
          clearTimeout(late);
          resolve(counted);
        },
        reject(error) {
          clearTimeout(late);
          reject(error);
        },
      });
      if (inFlight < IN_FLIGHT_MAX) void flush();
    });
}

function hitsOf(batch: readonly Waiting[]): Map<string, number> {
  const hits = new Map<string, number>();
  for (const key of batch.flatMap(({ keys }) => keys)) hits.set(key, (hits.get(key) ?? 0) + 1);
  return hits;
}

/** The first of a batch has the place after what was counted before the batch, the last has the total. */
function handOut(batch: readonly Waiting[], { totals, endsAt, millisecondsLeft }: CountedBatch): void {
  const places = new Map(totals);
  for (const [key, hits] of hitsOf(batch)) places.set(key, (totals.get(key) ?? 0) - hits);
  for (const { keys, resolve } of batch) {
    const counts = keys.map((key) => {
      const place = (places.get(key) ?? 0) + 1;
      places.set(key, place);
      return place;
    });
    resolve({ counts, endsAt, millisecondsLeft });
  }
}
