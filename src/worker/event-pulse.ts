import type { EventUpkeep } from "../core/events/event-log.ts";
import { createPause, startLoop, type Worker } from "./loop.ts";

/** How often the log is looked at while somebody follows it, and otherwise. */
const FOLLOWED_MS = 250;
const UNFOLLOWED_MS = 5000;
const CLEAR_EVERY_MS = 600_000;

/** Somebody who waits for what happens next. */
export interface Follower {
  /** Resolves as soon as the log has grown since the last call, or after so many milliseconds. */
  wait(ms: number): Promise<void>;
  /** Ends the waiting that goes on, and follows no longer. */
  end(): void;
}

/** Keeps the log going, and tells those who follow it when it has grown: one look serves all of a server. */
export interface EventPulse extends Worker {
  follow(): Follower;
  /** Why events are not put in order now, in a few words; null where they are. */
  outage(): string | null;
}

export function startEventPulse(upkeep: EventUpkeep, report: (error: unknown) => void): EventPulse {
  const followers = new Set<() => void>();
  let isFailing = false;
  let end = 0;
  let clearAt = 0;

  async function advance(): Promise<void> {
    const now = await upkeep.advance();
    if (now !== end) for (const wake of followers) wake();
    end = now;
    if (performance.now() < clearAt) return;
    clearAt = performance.now() + CLEAR_EVERY_MS;
    await upkeep.clear();
  }

  const loop = startLoop(
    async () => {
      await advance().catch((error: unknown) => {
        isFailing = true;
        throw error;
      });
      isFailing = false;
      return followers.size > 0 ? FOLLOWED_MS : UNFOLLOWED_MS;
    },
    { pauseMs: UNFOLLOWED_MS, report },
  );

  function follow(): Follower {
    let seen = end;
    const waiting = createPause();
    const wake = () => waiting.wake();
    followers.add(wake);
    if (followers.size === 1) loop.wake();
    return {
      async wait(ms) {
        if (seen === end) await waiting.wait(ms);
        seen = end;
      },
      end() {
        followers.delete(wake);
        waiting.end();
      },
    };
  }

  return {
    follow,
    outage: () => (isFailing ? "its last look at what happened failed" : null),
    stop: loop.stop,
  };
}
