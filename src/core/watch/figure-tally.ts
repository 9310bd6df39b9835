import { LATENCY_STEPS, latencyStep } from "./latency.ts";
import type { EndedOperation, RecallMeasurement } from "./watch.ts";

/** Counts of a minute since the last `take`, of one owner or of all (`ownerId` null). */
export interface FigureDelta {
  readonly ownerId: string | null;
  /** Start of the minute, in milliseconds since the epoch. */
  readonly at: number;
  readonly recalls: number;
  /** Histogram of recall durations; see `latencyStep`. */
  readonly latency: readonly number[];
  /** Number of recalls that reported coverage, and its sum. */
  readonly covered: number;
  readonly coverageSum: number;
  readonly writes: number;
  /** Operations that failed because of a fault of the service or a dependency. */
  readonly failures: number;
}

/**
 * Maximum number of owners counted separately per minute and server. Others count only in the totals, so that storage
 * stays bounded.
 */
export const OWNERS_MAX = 100;

/** Operations whose durations count as recall. */
const RECALLS = new Set(["searchMemories", "searchMemoriesByBody", "recallContext", "projectContext"]);
/** Operations of surfaces, which are not writes of an owner. */
const OF_SURFACES = new Set(["oauth", "page"]);

const MINUTE_MS = 60_000;

type Counts = { -readonly [Name in keyof FigureDelta]: FigureDelta[Name] } & { latency: number[] };

/** Counts in memory, to be stored later in batches. */
export class FigureTally {
  readonly #clock: () => number;
  #counts = new Map<string, Counts>();
  #owners = new Map<number, Set<string>>();

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  operationEnded({ operation, effect, code, ms, ownerId }: Omit<EndedOperation, "door">): void {
    const isFailure = code === "internal" || code === "dependency_unavailable" || code === "overloaded";
    const isRecall = RECALLS.has(operation) && code === null;
    const isWrite = effect !== "read" && code === null && !OF_SURFACES.has(operation);
    if (!isFailure && !isRecall && !isWrite) return;
    for (const counts of this.#countsOf(ownerId)) {
      if (isFailure) counts.failures += 1;
      if (isWrite) counts.writes += 1;
      if (!isRecall) continue;
      counts.recalls += 1;
      const step = latencyStep(ms);
      counts.latency[step] = (counts.latency[step] ?? 0) + 1;
    }
  }

  recalled({ ownerId, coverage }: Pick<RecallMeasurement, "ownerId" | "coverage">): void {
    for (const counts of this.#countsOf(ownerId)) {
      counts.covered += 1;
      counts.coverageSum += coverage;
    }
  }

  /** Returns the counts since the last call, and resets them. */
  take(): FigureDelta[] {
    const taken = [...this.#counts.values()];
    this.#counts = new Map();
    this.#owners = new Map();
    return taken;
  }

  /** Returns the totals, and the owner's counts if it is counted separately. */
  #countsOf(ownerId: string | null): Counts[] {
    const at = Math.floor(this.#clock() / MINUTE_MS) * MINUTE_MS;
    const of = [this.#countsAt(at, null)];
    if (ownerId === null) return of;
    const owners = this.#owners.get(at) ?? new Set();
    this.#owners.set(at, owners);
    if (owners.size >= OWNERS_MAX && !owners.has(ownerId)) return of;
    owners.add(ownerId);
    return [...of, this.#countsAt(at, ownerId)];
  }

  #countsAt(at: number, ownerId: string | null): Counts {
    const key = `${at} ${ownerId ?? ""}`;
    let counts = this.#counts.get(key);
    if (counts === undefined) {
      const latency = new Array<number>(LATENCY_STEPS).fill(0);
      counts = { ownerId, at, recalls: 0, latency, covered: 0, coverageSum: 0, writes: 0, failures: 0 };
      this.#counts.set(key, counts);
    }
    return counts;
  }
}
