import { holds } from "../caller.ts";
import { actingFor } from "../maintenance/authority.ts";
import type { Ports } from "../ports.ts";
import type { ClaimedWebhook, Delivery, DeliveryOutcome, DeliveryQueue, WebhookSender } from "./delivery.ts";
import { presentEvent } from "./list-events.ts";

export interface DeliverPorts extends Pick<Ports, "store" | "newId"> {
  readonly queue: DeliveryQueue;
  readonly sender: WebhookSender;
  /** Milliseconds that only ever grow. */
  readonly elapsed: () => number;
}

/** How many memories' events are on their way to one receiver at once. */
const AT_ONCE = 8;

export interface DeliverOptions {
  /** For so long after it was claimed or renewed, a webhook's requests may begin. */
  readonly holdMs: number;
  readonly isStopping: () => boolean;
}

/**
 * Delivers what waits for a webhook until nothing is due: the events of a memory one after the other, of several at once.
 * A failure delays later events of the same memory, and nothing else. If nothing succeeds any more, one attempt at a time
 * finds out when that is over. Nothing is sent once another server may have the webhook: two of them would reorder a
 * memory's events.
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
    // A receiver that takes something again takes what waits at full speed.
    if (results.includes("delivered")) failures = 0;
    webhook = await ports.queue.renew(webhook);
  }
}

/** Sends what is due, once. "over": it is given back, since nothing is due, nothing succeeds, or nobody may. */
async function round(
  ports: DeliverPorts,
  webhook: ClaimedWebhook,
  { holdMs, isStopping }: DeliverOptions,
  isProbe: boolean,
): Promise<readonly Result[] | "over"> {
  const { queue, elapsed } = ports;
  const until = elapsed() + holdMs;
  const caller = await actingFor(ports, webhook.authority, ports.newId());
  const release = async (reason: string | null) => {
    await queue.release(webhook, reason);
    return "over" as const;
  };
  if (caller === null || !holds(caller, "memory:read")) return release("credential_ended");
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

/** One memory's events in their order, up to the first that fails. */
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
  // Each chain by itself: where this server is killed, what was delivered meanwhile is delivered again.
  if (outcomes.length > 0) await queue.settle(webhook, outcomes);
  return results;
}
