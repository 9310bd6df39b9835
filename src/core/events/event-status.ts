/** How far the event log and deliveries lag behind. Ages are in seconds; null if there is nothing to measure. */
export interface EventStatus {
  /** The number of events that are not yet in the log, and the age of the oldest. */
  readonly unlogged: number;
  readonly unloggedSeconds: number | null;
  readonly webhooks: number;
  /** Enabled webhooks whose last attempt failed. */
  readonly failing: number;
  /** Queued deliveries to enabled webhooks. */
  readonly waiting: number;
  /** How long the oldest undelivered event has been in the log, whether or not its delivery is queued. */
  readonly undeliveredSeconds: number | null;
  /** Deliveries that were given up and are kept for redelivery. */
  readonly deadLetters: number;
}

/** Port: reads the current status for all owners together. Rejects if the database does not answer. */
export type ReadEventStatus = () => Promise<EventStatus>;

/** Problems with events, for operators. */
export interface EventTroubles {
  /** The log is late. A server adds events at least every five seconds, so either none runs or it fails. */
  readonly isLogLate: boolean;
  /**
   * Deliveries are late. A failing receiver is tried at least every minute, so either it has been unreachable for long
   * or no server delivers.
   */
  readonly isDeliveryLate: boolean;
  readonly isFailing: boolean;
  readonly hasDeadLetters: boolean;
}

const LOG_LATE_SECONDS = 60;
const DELIVERY_LATE_SECONDS = 600;

/** Returns which values exceed their limits. */
export function eventTroublesIn(status: EventStatus): EventTroubles {
  return {
    isLogLate: (status.unloggedSeconds ?? 0) > LOG_LATE_SECONDS,
    isDeliveryLate: (status.undeliveredSeconds ?? 0) > DELIVERY_LATE_SECONDS,
    isFailing: status.failing > 0,
    hasDeadLetters: status.deadLetters > 0,
  };
}
