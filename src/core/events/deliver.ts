import type { Ports } from "../ports.ts";
import type { ClaimedWebhook, Delivery, DeliveryOutcome, DeliveryQueue, WebhookSender } from "./delivery.ts";
import { presentEvent } from "./list-events.ts";
import { webhookCaller } from "./webhook-caller.ts";

export interface DeliverPorts extends Pick<Ports, "store" | "newId"> {
  readonly queue: DeliveryQueue;
  readonly sender: WebhookSender;
  /** A monotonic clock in milliseconds. */
  readonly elapsed: () => number;
}

/** The number of memories whose events are sent to one receiver concurrently. */
const AT_ONCE = 8;

export interface DeliverOptions {
  /** How long after claiming or renewing a webhook its requests may be started, in milliseconds. */
  readonly holdMs: number;
  readonly isStopping: () => boolean;
}

/**
 * Delivers a webhook's pending events until nothing is due: the events of one memory in order, those of several
 * memories concurrently. A failure delays only later events of the same memory. If everything fails, single attempts
 * probe whether the receiver works again. Nothing is sent once another server may have claimed the webhook, since two
 * servers could reorder a memory's events.
 */
export async function deliver(
  ports: DeliverPorts,
  claimed: ClaimedWebhook,
  options: DeliverOptions,
): Promise<void> {
  let failures = claimed.failures;
  for (let webhook: ClaimedWebhook | null = claimed; webhook !== null; ) {
    const results = await round(ports, webhook, options, failures > 0);
    if (results === "over") return;
    // After one success, pending events are delivered at full speed again.
    if (results.includes("delivered")) failures = 0;
    webhook = await ports.queue.renew(webhook);
  }
}

/**
 * Sends what is due, once. "over": the webhook was released, because nothing is due, nothing succeeded, its credential
 * has ended, or the server is stopping.
 */
async function round(
  ports: DeliverPorts,
  webhook: ClaimedWebhook,
  { holdMs, isStopping }: DeliverOptions,
  isProbe: boolean,
): Promise<readonly Result[] | "over"> {
  const { queue, elapsed } = ports;
  const until = elapsed() + holdMs;
  const caller = await webhookCaller(ports, webhook, ports.newId());
  const release = async (reason: string | null) => {
    await queue.release(webhook, reason);
    return "over" as const;
  };
  if (caller === null) return release("credential_ended");
  await queue.take(webhook, caller);
  const chains = chainsOf(await queue.due(webhook, caller));
  if (chains.length === 0 || isStopping()) return release(null);
  const mayBegin = () => !isStopping() && elapsed() < until;
  const results = await sendChains(ports, webhook, isProbe ? chains.slice(0, 1) : chains, {
    mayBegin,
    isProbe,
  });
  if (results.includes("gone")) {
    await queue.disable(webhook, "status_410");
    return "over";
  }
  const isInVain = results.includes("failed") && !results.includes("delivered");
  return isInVain ? release(null) : results;
}

type Result = "delivered" | "dropped" | "failed" | "gone";

/** Pending deliveries by memory, those with the fewest attempts first. */
function chainsOf(due: readonly Delivery[]): Delivery[][] {
  const chains = new Map<string, Delivery[]>();
  for (const delivery of due) chains.set(delivery.memory, [...(chains.get(delivery.memory) ?? []), delivery]);
  return [...chains.values()].sort((a, b) => (a[0]?.attempts ?? 0) - (b[0]?.attempts ?? 0));
}

async function sendChains(
  ports: DeliverPorts,
  webhook: ClaimedWebhook,
  chains: readonly (readonly Delivery[])[],
  how: { readonly mayBegin: () => boolean; readonly isProbe: boolean },
): Promise<Result[]> {
  const results: Result[] = [];
  const left = chains.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const chain of left) {
        const sent = await sendChain(ports, webhook, how.isProbe ? chain.slice(0, 1) : chain, how.mayBegin);
        results.push(...sent);
      }
    }),
  );
  return results;
}

/** Sends one memory's events in order, up to the first failure. */
async function sendChain(
  { queue, sender }: DeliverPorts,
  webhook: ClaimedWebhook,
  chain: readonly Delivery[],
  mayBegin: () => boolean,
): Promise<Result[]> {
  const outcomes: DeliveryOutcome[] = [];
  const results: Result[] = [];
  for (const { position, event } of chain) {
    if (!mayBegin()) break;
    const outcome =
      event === null ? ({ kind: "dropped" } as const) : await sender.send(webhook, presentEvent(event));
    results.push(outcome.kind);
    if (outcome.kind === "gone") break;
    outcomes.push({ ...outcome, position });
    if (outcome.kind === "failed") break;
  }
  // Settled per chain: if this server is killed, events delivered since the last settle are delivered again.
  if (outcomes.length > 0) await queue.settle(webhook, outcomes);
  return results;
}
