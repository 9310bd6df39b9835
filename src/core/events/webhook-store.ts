import type { Caller } from "../caller.ts";
import type { Authority } from "../maintenance/maintenance-store.ts";
import type { ClaimedWebhook } from "./delivery.ts";
import type { EventSubject, LoggedEvent } from "./event-log.ts";

/** Settings of a webhook. */
export interface WebhookSettings {
  readonly url: string;
  readonly description: string | null;
  readonly subjects: readonly EventSubject[] | null;
  readonly projectId: string | null;
  readonly isEnabled: boolean;
}

/** A webhook with how it does. */
export interface StoredWebhook extends WebhookSettings {
  readonly id: string;
  readonly ownerId: string;
  readonly authority: Authority;
  readonly failures: number;
  readonly waiting: number;
  readonly deadLetters: number;
  readonly lastError: string | null;
  readonly lastDeliveredAt: number | null;
  readonly missedAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface DeadLetter {
  readonly event: LoggedEvent;
  readonly attempts: number;
  readonly lastError: string | null;
  readonly givenUpAt: number;
}

/** An owner's webhooks, or only those that one credential has set. */
export interface WebhookHolder {
  readonly ownerId: string;
  /** null: whichever credential has set them. */
  readonly tokenId: string | null;
}

/** Webhooks as those who set them see them. Each change has its audit line. */
export interface WebhookStore {
  /** null where the owner has as many as it may already. It begins with what happens from now on. */
  create(
    caller: Caller,
    webhook: WebhookSettings & Pick<StoredWebhook, "id" | "authority">,
    ownMax: number,
  ): Promise<{ webhook: StoredWebhook; secret: string } | null>;
  list(holder: WebhookHolder): Promise<StoredWebhook[]>;
  get(holder: WebhookHolder, id: string): Promise<StoredWebhook | null>;
  /** Changes what is given, and has it tried at once. One that was restored begins with what happens from now on. */
  update(
    caller: Caller,
    holder: WebhookHolder,
    id: string,
    change: Partial<WebhookSettings> & Pick<StoredWebhook, "authority">,
  ): Promise<StoredWebhook | null>;
  /** False where there is none. */
  remove(caller: Caller, holder: WebhookHolder, id: string): Promise<boolean>;
  rotate(
    caller: Caller,
    holder: WebhookHolder,
    id: string,
    formerUntil: number,
  ): Promise<{ secret: string } | null>;
  /** Address and secrets for a test; null if there is no webhook, or a test was sent too recently. */
  beginTest(
    caller: Caller,
    holder: WebhookHolder,
    id: string,
    pauseSeconds: number,
  ): Promise<Pick<ClaimedWebhook, "url" | "secrets"> | null>;
  /** Deliveries that were given up, as far as the caller may still see them. */
  deadLetters(caller: Caller, id: string, limit: number): Promise<DeadLetter[]>;
  /** Has them tried again; null: all. Answers how many. */
  redeliver(caller: Caller, id: string, eventIds: readonly string[] | null): Promise<number>;
}
