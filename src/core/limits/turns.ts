import type { Pace } from "../../recall/work.ts";
import { calledOff } from "./pace.ts";

/** The clock of a process, and its queue of tasks. */
export interface EventLoop {
  /** Milliseconds from any fixed instant. */
  now(): number;
  /** Runs a task after what waits to be read or written now, tasks of the same moment directly one after the other. */
  soon(task: () => void): void;
}

/** Decides which of the long computations in this process runs next. */
export interface Turns {
  /** The pace of one piece of work of a party; with `signal`, of work that is called off with it. */
  paceOf(party: string, signal?: AbortSignal): Pace;
  /** How many stretches wait for their turn. */
  readonly waiting: number;
}

/** How long a stretch lasts before others have their turn: what a small request waits for beside any other. */
const SLICE_MS = 5;
/** So many pieces of work begin in one turn at the most: each may go on for a slice before it asks again. */
const BEGUN_MAX = 4;
/** So many parties are remembered in a time of much work before those that are owed nothing are forgotten. */
const REMEMBERED_MAX = 256;

interface Stretch {
  readonly pace: Pace;
  readonly party: string;
  readonly startedAt: number;
  /** Its start on the clock of turns. */
  readonly startTag: number;
}

interface Waiting {
  readonly pace: Pace;
  readonly start: () => void;
}

/**
 * Turns by measured time (start-time fair queueing): of the parties that wait, the one goes next whose stretches took
 * the least so far. A party that was idle begins where the others are, so that it neither saves up time nor makes up for
 * any. A stretch is over when its work pauses, waits for something else or is done: at the next task of the loop at the
 * latest. So no work can hold on to its turn by mistake, and each turn lets through what has come in meanwhile.
 *
 * If nobody waits, work begins at once: short work shares a turn and waits for no other.
 */
export function createTurns(loop: EventLoop, sliceMs = SLICE_MS): Turns {
  /** By party, in the order in which they came or were served. None is empty. */
  const queues = new Map<string, Waiting[]>();
  /** By party, where its next stretch begins, on a clock that stands still while nobody has a turn. */
  const used = new Map<string, number>();
  let virtual = 0;
  let waiting = 0;
  /** The last stretch that began in the turn that is going on; null between turns. */
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

  /** Both at once: what is done in between is this stretch and nothing else. */
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
      // Work that is called off takes its turn all the same, to end.
      const start = () => (signal?.aborted ? reject(calledOff()) : resolve());
      const queue = queues.get(party);
      if (queue) queue.push({ pace, start });
      else queues.set(party, [{ pace, start }]);
      waiting += 1;
    });
  }

  /** Whether work may go on, or begin in the turn that is going on, or in one that begins with it. */
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
