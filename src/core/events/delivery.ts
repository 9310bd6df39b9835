import type { ChangeEvent } from "../../contract/event.ts";
import type { TestEvent } from "../../contract/webhook.ts";
import type { Caller } from "../caller.ts";
import type { Authority } from "../maintenance/maintenance-store.ts";
import type { LoggedEvent } from "./event-log.ts";

/** A webhook that this server has claimed for a while to deliver its events. */
export interface ClaimedWebhook {
  readonly id: string;
  readonly ownerId: string;
  readonly lease: string;
  readonly authority: Authority;
  readonly url: string;
  /** See `WebhookSettings.hasEndUsers`. */
  readonly hasEndUsers: boolean;
  /** The secrets to sign with: the present one, and for a while the former one. */
  readonly secrets: readonly Uint8Array[];
  /** The number of failed attempts since the last success. */
  readonly failures: number;
}

export interface Delivery {
  readonly position: number;
  readonly memory: string;
  readonly attempts: number;
  /** null if the webhook's credential may no longer see it. */
  readonly event: LoggedEvent | null;
}

export type DeliveryOutcome = { readonly position: number } & (
  | { readonly kind: "delivered" | "dropped" }
  | { readonly kind: "failed"; readonly reason: string; readonly tryAgainAfterMs: number | null }
);

/** Pending deliveries. Several servers work on them; each webhook belongs to one server at a time. */
export interface DeliveryQueue {
  /** Claims webhooks that have something to do. `isAny`: whether there are any webhooks at all. */
  claim(limit: number): Promise<{ readonly webhooks: readonly ClaimedWebhook[]; readonly isAny: boolean }>;
  /**
   * Renews the claim and returns the webhook's current state. null if another server has claimed it, or nothing may be
   * delivered to it.
   */
  renew(webhook: ClaimedWebhook): Promise<ClaimedWebhook | null>;
  /** Queues deliveries for new events in the log that the caller may see. */
  take(webhook: ClaimedWebhook, caller: Caller): Promise<void>;
  /** The due deliveries, in order for each memory. Contains either all pending deliveries of a memory or none. */
  due(webhook: ClaimedWebhook, caller: Caller): Promise<readonly Delivery[]>;
  settle(webhook: ClaimedWebhook, outcomes: readonly DeliveryOutcome[]): Promise<void>;
  /** Disables the webhook because the receiver wants no more events, until somebody enables it again. */
  disable(webhook: ClaimedWebhook, reason: string): Promise<void>;
  /** Releases the claim. With a reason, the webhook is paused for a while. */
  release(webhook: ClaimedWebhook, reason: string | null): Promise<void>;
}

export type SendOutcome =
  | { readonly kind: "delivered" }
  | { readonly kind: "gone" }
  | { readonly kind: "failed"; readonly reason: string; readonly tryAgainAfterMs: number | null };

export interface WebhookSender {
  /** Why nothing is ever delivered to this address, in a few words; null if delivery is allowed. */
  whyNot(url: string): string | null;
  /** Never rejects. */
  send(
    webhook: Pick<ClaimedWebhook, "url" | "secrets">,
    event: ChangeEvent | TestEvent,
  ): Promise<SendOutcome>;
}
