import type { EventUpkeep } from "../core/events/event-log.ts";
import { createPause, startLoop, type Worker } from "./loop.ts";

/** How often the log is checked while it has followers, and otherwise. */
const FOLLOWED_MS = 250;
const UNFOLLOWED_MS = 5000;
const CLEAR_EVERY_MS = 600_000;

export interface Follower {
  /** Resolves as soon as the log has grown since the last call, or after that many milliseconds. */
  wait(ms: number): Promise<void>;
  /** Ends the current wait, and stops following. */
  end(): void;
}

/** Puts events in order, and notifies followers when the log has grown. One query serves all followers of a server. */
export interface EventPulse extends Worker {
  follow(): Follower;
  /** Why events are currently not put in order, in a few words; null if they are. */
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
