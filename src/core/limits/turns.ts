import type { Pace } from "../../recall/work.ts";
import { calledOff } from "./pace.ts";

/** The clock and the task queue of a process. */
export interface EventLoop {
  /** Milliseconds since any fixed instant. */
  now(): number;
  /** Runs a task after pending I/O. Tasks queued at the same moment run back to back. */
  soon(task: () => void): void;
}

/** Decides which of the long computations in this process runs next. */
export interface Turns {
  /** Returns the pace for a piece of work of a party. `signal` cancels the work. */
  paceOf(party: string, signal?: AbortSignal): Pace;
  /** Number of stretches that wait for their turn. */
  readonly waiting: number;
}

/**
 * Maximum length of a stretch of work before others get their turn, which is how long a small request waits for any
 * other.
 */
const SLICE_MS = 5;
/** Maximum number of pieces of work that begin in one turn. Each may run for a slice before it pauses. */
const BEGUN_MAX = 4;
/** Number of parties remembered under load before those without a claim are forgotten. */
const REMEMBERED_MAX = 256;

interface Stretch {
  readonly pace: Pace;
  readonly party: string;
  readonly startedAt: number;
  /** Its start tag in virtual time. */
  readonly startTag: number;
}

interface Waiting {
  readonly pace: Pace;
  readonly start: () => void;
}

/**
 * Start-time fair queueing by measured CPU time: the next turn goes to the waiting party that has used the least. A
 * party that was idle starts level with the others, so that it neither saves up time nor owes any. A stretch ends when
 * its work pauses, awaits something else or finishes, at the latest at the loop's next task. Therefore no work can keep
 * its turn by mistake, and every turn lets pending I/O through.
 *
 * If nothing waits, work begins at once; short pieces of work share a turn.
 */
export function createTurns(loop: EventLoop, sliceMs = SLICE_MS): Turns {
  /** Waiting work by party. Parties are ordered by arrival or last service; no queue is empty. */
  const queues = new Map<string, Waiting[]>();
  /** By party, the start tag of its next stretch, in virtual time, which stands still while no work runs. */
  const used = new Map<string, number>();
  let virtual = 0;
  let waiting = 0;
  /** The last stretch that began in the current turn; null between turns. */
  let active: Stretch | null = null;
  let turnStartedAt = 0;
  let begun = 0;

  const startOf = (party: string) => Math.max(virtual, used.get(party) ?? 0);

  function begin(pace: Pace, party: string): void {
    const now = loop.now();
    if (active) charge(active, now);
    else {
      turnStartedAt = now;
      begun = 0;
    }
    begun += 1;
    virtual = startOf(party);
    active = { pace, party, startedAt: now, startTag: virtual };
  }

  function charge({ party, startedAt, startTag }: Stretch, now: number): void {
    used.set(party, startTag + Math.max(0, now - startedAt));
  }

  function end(): void {
    if (active) charge(active, loop.now());
    active = null;
    if (waiting > 0) takeTurn();
    else used.clear();
    if (used.size > REMEMBERED_MAX) {
      for (const [party, time] of used) if (time <= virtual) used.delete(party);
    }
  }

  /** Queues both tasks together, so that only this stretch runs between them. */
  function takeTurn(): void {
    loop.soon(startNext);
    loop.soon(end);
  }

  function startNext(): void {
    let next: string | undefined;
    for (const party of queues.keys()) {
      if (next === undefined || startOf(party) < startOf(next)) next = party;
    }
    const queue = next === undefined ? undefined : queues.get(next);
    const first = queue?.shift();
    if (next === undefined || !queue || !first) return;
    queues.delete(next);
    if (queue.length > 0) queues.set(next, queue);
    waiting -= 1;
    begin(first.pace, next);
    first.start();
  }

  function wait(pace: Pace, party: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      // Cancelled work still takes its turn, to reject.
      const start = () => (signal?.aborted ? reject(calledOff()) : resolve());
      const queue = queues.get(party);
      if (queue) queue.push({ pace, start });
      else queues.set(party, [{ pace, start }]);
      waiting += 1;
    });
  }

  /** Whether work may continue, or begin in the current turn or in a new one. */
  function mayRun(pace: Pace): boolean {
    if (active === null) return waiting === 0;
    if (loop.now() - turnStartedAt >= sliceMs) return false;
    return active.pace === pace || (waiting === 0 && begun < BEGUN_MAX);
  }

  return {
    paceOf(party, signal) {
      const pace: Pace = {
        pause() {
          if (signal?.aborted) return Promise.reject(calledOff());
          if (!mayRun(pace)) return wait(pace, party, signal);
          if (active?.pace === pace) return undefined;
          if (active === null) loop.soon(end);
          begin(pace, party);
          return undefined;
        },
      };
      return pace;
    },
    get waiting() {
      return waiting;
    },
  };
}
