import type { Caller } from "../caller.ts";
import type { Authority } from "../maintenance/maintenance-store.ts";
import type { ClaimedWebhook } from "./delivery.ts";
import type { EventSubject, LoggedEvent } from "./event-log.ts";

export interface WebhookSettings {
  readonly url: string;
  readonly description: string | null;
  readonly subjects: readonly EventSubject[] | null;
  readonly projectId: string | null;
  /** Whether it gets the events of every end user of its owner too. */
  readonly hasEndUsers: boolean;
  readonly isEnabled: boolean;
}

/** A webhook with the state of its deliveries. */
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

/** Selects an owner's webhooks, or only those that one credential created or last changed. */
export interface WebhookHolder {
  readonly ownerId: string;
  /** null: of any credential. */
  readonly tokenId: string | null;
}

/** Management of webhooks by their owners. Each change writes an audit line. */
export interface WebhookStore {
  /** Creates a webhook, which gets events from now on. null if the owner already has the maximum number. */
  create(
    caller: Caller,
    webhook: WebhookSettings & Pick<StoredWebhook, "id" | "authority">,
    ownMax: number,
  ): Promise<{ webhook: StoredWebhook; secret: string } | null>;
  list(holder: WebhookHolder): Promise<StoredWebhook[]>;
  get(holder: WebhookHolder, id: string): Promise<StoredWebhook | null>;
  /**
   * Changes the given members and retries pending deliveries immediately. A webhook restored by an import gets events
   * from now on.
   */
  update(
    caller: Caller,
    holder: WebhookHolder,
    id: string,
    change: Partial<WebhookSettings> & Pick<StoredWebhook, "authority">,
  ): Promise<StoredWebhook | null>;
  /** False if there is no such webhook. */
  remove(caller: Caller, holder: WebhookHolder, id: string): Promise<boolean>;
  rotate(
    caller: Caller,
    holder: WebhookHolder,
    id: string,
    formerUntil: number,
  ): Promise<{ secret: string } | null>;
  /** Returns the address and secrets for a test; null if there is no such webhook or a test was sent too recently. */
  beginTest(
    caller: Caller,
    holder: WebhookHolder,
    id: string,
    pauseSeconds: number,
  ): Promise<Pick<ClaimedWebhook, "url" | "secrets"> | null>;
  /** Deliveries that were given up and that the caller may still see. */
  deadLetters(caller: Caller, id: string, limit: number): Promise<DeadLetter[]>;
  /** Queues these dead letters, or all (null), for redelivery. Returns their number. */
  redeliver(caller: Caller, id: string, eventIds: readonly string[] | null): Promise<number>;
}
