import type { ChangeEvent } from "../../contract/event.ts";
import type { TestEvent } from "../../contract/webhook.ts";
import type { Caller } from "../caller.ts";
import type { Authority } from "../maintenance/maintenance-store.ts";
import type { LoggedEvent } from "./event-log.ts";

/** A webhook whose deliveries are this server's for a while. */
export interface ClaimedWebhook {
  readonly id: string;
  readonly ownerId: string;
  readonly lease: string;
  readonly authority: Authority;
  readonly url: string;
  /** Secrets to sign with: the present one, and the former one for a while. */
  readonly secrets: readonly Uint8Array[];
  /** Attempts that failed since one succeeded. */
  readonly failures: number;
}

export interface Delivery {
  readonly position: number;
  readonly memory: string;
  readonly attempts: number;
  /** null where its webhook may not be told of it any more. */
  readonly event: LoggedEvent | null;
}

/** Outcome of a delivery. */
export type DeliveryOutcome = { readonly position: number } & (
  | { readonly kind: "delivered" | "dropped" }
  | { readonly kind: "failed"; readonly reason: string; readonly tryAgainAfterMs: number | null }
);

/** Pending deliveries. Several servers work on them; each webhook belongs to one server at a time. */
export interface DeliveryQueue {
  /** Takes webhooks that have something to do; `isAny`: whether there are any at all. */
  claim(limit: number): Promise<{ readonly webhooks: readonly ClaimedWebhook[]; readonly isAny: boolean }>;
  /** Keeps it for as long again, as it is now; null where another server has it, or it is to be left alone. */
  renew(webhook: ClaimedWebhook): Promise<ClaimedWebhook | null>;
  /** Takes up what the caller may know of what has happened since. */
  take(webhook: ClaimedWebhook, caller: Caller): Promise<void>;
  /** Due deliveries, in order for each memory: of each memory either all that are pending, or none. */
  due(webhook: ClaimedWebhook, caller: Caller): Promise<readonly Delivery[]>;
  settle(webhook: ClaimedWebhook, outcomes: readonly DeliveryOutcome[]): Promise<void>;
  /** The receiver wants no more: nothing is delivered until somebody enables it. */
  disable(webhook: ClaimedWebhook, reason: string): Promise<void>;
  /** Gives it back; with a reason to be left alone for a while. */
  release(webhook: ClaimedWebhook, reason: string | null): Promise<void>;
}

export type SendOutcome =
  | { readonly kind: "delivered" }
  | { readonly kind: "gone" }
  | { readonly kind: "failed"; readonly reason: string; readonly tryAgainAfterMs: number | null };

/** How events leave this server. */
export interface WebhookSender {
  /** Why this address is never delivered to, in a few words; null where it may be. */
  whyNot(url: string): string | null;
  /** Never rejects. */
  send(
    webhook: Pick<ClaimedWebhook, "url" | "secrets">,
    event: ChangeEvent | TestEvent,
  ): Promise<SendOutcome>;
}
