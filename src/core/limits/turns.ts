import type { Pace } from "../../recall/work.ts";
import { calledOff } from "../error.ts";

/** The clock and the task queue of a process. */
export interface EventLoop {
  /** Milliseconds since any fixed instant. */
  now(): number;
  /** Runs a task after pending I/O. Tasks queued at the same moment run back to back. */
  soon(task: () => void): void;
}

/** Decides which of the long computations in this process runs next. */
export interface Turns {
  /** Returns the pace for a piece of work of a party, or of one end user of it. `signal` cancels the work. */
  paceOf(party: string, signal?: AbortSignal, member?: string | null): Pace;
  /** Number of stretches that wait for their turn. */
  readonly waiting: number;
}

/**
 * Maximum length of a stretch of work before others get their turn, which is how long a small request waits for any
 * other.
 */
const SLICE_MS = 2;
/** Maximum number of pieces of work that begin in one turn. Each may run for a slice before it pauses. */
const BEGUN_MAX = 4;
/** Number of parties remembered under load before those without a claim are forgotten. */
const REMEMBERED_MAX = 256;

interface Stretch {
  readonly pace: Pace;
  readonly startedAt: number;
  readonly party: string;
  /** Its start tag in virtual time. */
  readonly startTag: number;
  readonly member: string | null;
  /** The same in the virtual time of its party. */
  readonly memberTag: number;
}

/** The CPU time of a party's end users. */
interface Within {
  virtual: number;
  /** By end user, the start tag of the next stretch. */
  readonly used: Map<string, number>;
}

interface Waiting {
  readonly member: string | null;
  readonly pace: Pace;
  readonly start: () => void;
}

/**
 * Start-time fair queueing by measured CPU time: the next turn goes to the waiting party that has used the least. A
 * party that was idle starts level with the others, so that it neither saves up time nor owes any. A stretch ends when
 * its work pauses, awaits something else or finishes, at the latest at the loop's next task. Therefore no work can keep
 * its turn by mistake, and every turn lets pending I/O through. The end users of a party share its turns in the same way.
 *
 * If nothing waits, work begins at once; short pieces of work share a turn.
 */
export function createTurns(loop: EventLoop, sliceMs = SLICE_MS): Turns {
  /** Waiting work by party. Parties are ordered by arrival or last service; no queue is empty. */
  const queues = new Map<string, Waiting[]>();
  /** By party, the start tag of its next stretch, in virtual time, which stands still while no work runs. */
  const used = new Map<string, number>();
  const within = new Map<string, Within>();
  let virtual = 0;
  let waiting = 0;
  /** The last stretch that began in the current turn; null between turns. */
  let active: Stretch | null = null;
  let turnStartedAt = 0;
  let begun = 0;

  const startOf = (party: string) => Math.max(virtual, used.get(party) ?? 0);

  const memberStartOf = (party: string, member: string | null) => {
    const of = within.get(party);
    return of === undefined || member === null ? 0 : Math.max(of.virtual, of.used.get(member) ?? 0);
  };

  function begin(pace: Pace, party: string, member: string | null): void {
    const now = loop.now();
    if (active) charge(active, now);
    else {
      turnStartedAt = now;
      begun = 0;
    }
    begun += 1;
    virtual = startOf(party);
    const memberTag = memberStartOf(party, member);
    const of = within.get(party);
    if (of && member !== null) of.virtual = memberTag;
    active = { pace, startedAt: now, party, startTag: virtual, member, memberTag };
  }

  function charge({ startedAt, party, startTag, member, memberTag }: Stretch, now: number): void {
    const took = Math.max(0, now - startedAt);
    used.set(party, startTag + took);
    if (member === null) return;
    const of = within.get(party) ?? { virtual: 0, used: new Map<string, number>() };
    of.used.set(member, memberTag + took);
    if (of.used.size > REMEMBERED_MAX)
      for (const [other, time] of of.used) if (time <= of.virtual) of.used.delete(other);
    within.set(party, of);
  }

  function end(): void {
    if (active) charge(active, loop.now());
    active = null;
    if (waiting > 0) takeTurn();
    else {
      used.clear();
      within.clear();
    }
    if (used.size > REMEMBERED_MAX) {
      for (const [party, time] of used)
        if (time <= virtual) {
          used.delete(party);
          within.delete(party);
        }
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
    if (next === undefined || !queue) return;
    const [first] = queue.splice(firstIn(next, queue), 1);
    if (!first) return;
    queues.delete(next);
    if (queue.length > 0) queues.set(next, queue);
    waiting -= 1;
    begin(first.pace, next, first.member);
    first.start();
  }

  /** The place of the next stretch of a party: the first of the end user that has used the least. */
  function firstIn(party: string, queue: readonly Waiting[]): number {
    let first = 0;
    for (const [place, { member }] of queue.entries())
      if (memberStartOf(party, member) < memberStartOf(party, queue[first]?.member ?? null)) first = place;
    return first;
  }

  function wait(
    pace: Pace,
    { party, member }: Pick<Stretch, "party" | "member">,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      // Cancelled work still takes its turn, to reject.
      const start = () => (signal?.aborted ? reject(calledOff()) : resolve());
      const queue = queues.get(party);
      if (queue) queue.push({ member, pace, start });
      else queues.set(party, [{ member, pace, start }]);
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
    paceOf(party, signal, member = null) {
      const pace: Pace = {
        pause() {
          if (signal?.aborted) return Promise.reject(calledOff());
          if (!mayRun(pace)) return wait(pace, { party, member }, signal);
          if (active?.pace === pace) return undefined;
          if (active === null) loop.soon(end);
          begin(pace, party, member);
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
