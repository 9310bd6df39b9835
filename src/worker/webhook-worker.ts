import { type DeliverPorts, deliver } from "../core/events/deliver.ts";
import type { EventPulse, Follower } from "./event-pulse.ts";
import { createPause, type Worker } from "./loop.ts";

/** How often webhooks are looked at for what is to be tried again, and whether there are any. */
const LOOK_EVERY_MS = 1000;
const CLAIMED_AT_ONCE = 8;

/** Delivers events as long as the service runs. Each webhook is by itself: one that is slow keeps no other waiting. */
export function startWebhookWorker(
  ports: DeliverPorts,
  { pulse, holdMs }: { readonly pulse: EventPulse; readonly holdMs: number },
  report: (error: unknown) => void,
): Worker {
  const pause = createPause();
  const running = new Set<Promise<void>>();
  let follower: Follower | null = null;
  let isStopping = false;
  let isFailing = false;

  async function look(): Promise<void> {
    const room = CLAIMED_AT_ONCE - running.size;
    if (room <= 0) return;
    const { webhooks, isAny } = await ports.queue.claim(room);
    if (isAny) follower ??= pulse.follow();
    for (const webhook of webhooks) {
      const work = deliver(ports, webhook, { holdMs, isStopping: () => isStopping })
        .catch((error) => {
          if (!isStopping) report(error);
        })
        .finally(() => running.delete(work));
      running.add(work);
    }
  }

  async function run(): Promise<void> {
    while (!isStopping) {
      try {
        await look();
        isFailing = false;
      } catch (error) {
        if (!isFailing && !isStopping) report(error);
        isFailing = true;
      }
      // A log that grows wakes it at once.
      await (follower && !isFailing ? follower.wait(LOOK_EVERY_MS) : pause.wait(LOOK_EVERY_MS));
    }
    await Promise.all(running);
  }

  const loop = run();
  return {
    stop() {
      isStopping = true;
      pause.end();
      follower?.end();
      return loop;
    },
  };
}
