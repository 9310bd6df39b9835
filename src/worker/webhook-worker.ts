import { type DeliverPorts, deliver } from "../core/events/deliver.ts";
import type { EventPulse, Follower } from "./event-pulse.ts";
import { startLoop, type Worker } from "./loop.ts";

/** How often to check for due retries, and for new webhooks. */
const LOOK_EVERY_MS = 1000;
const CLAIMED_AT_ONCE = 8;

/** Delivers events. A slow webhook delays no other. */
export function startWebhookWorker(
  ports: DeliverPorts,
  { pulse, holdMs }: { readonly pulse: EventPulse; readonly holdMs: number },
  report: (error: unknown) => void,
): Worker {
  const running = new Set<Promise<void>>();
  let follower: Follower | null = null;

  async function claim(signal: AbortSignal): Promise<void> {
    const room = CLAIMED_AT_ONCE - running.size;
    if (room <= 0) return;
    const { webhooks, isAny } = await ports.queue.claim(room);
    if (isAny) follower ??= pulse.follow();
    for (const webhook of webhooks) {
      const work = deliver(ports, webhook, { holdMs, isStopping: () => signal.aborted })
        .catch((error) => {
          if (!signal.aborted) report(error);
        })
        .finally(() => running.delete(work));
      running.add(work);
    }
  }

  const loop = startLoop(
    async (signal) => {
      await claim(signal);
      if (follower === null || signal.aborted) return LOOK_EVERY_MS;
      // A growing log ends the wait at once.
      await follower.wait(LOOK_EVERY_MS);
      return "at once";
    },
    { pauseMs: LOOK_EVERY_MS, report },
  );
  return {
    async stop() {
      const stopped = loop.stop();
      follower?.end();
      await stopped;
      // The last round may have been the one that began to follow.
      follower?.end();
      await Promise.all(running);
    },
  };
}
