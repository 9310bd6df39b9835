/** How far behind the log of events and its deliveries are. Ages are in seconds; null where there is nothing of the kind. */
export interface EventStatus {
  /** Events that are not in the log yet, and the age of the oldest of them. */
  readonly unlogged: number;
  readonly unloggedSeconds: number | null;
  readonly webhooks: number;
  /** Webhooks that are enabled and whose last attempt failed. */
  readonly failing: number;
  /** Events that wait to be delivered to a webhook that is enabled, as far as they have been taken up for it. */
  readonly waiting: number;
  /** For how long the oldest that is still to be delivered has been in the log, taken up or not. */
  readonly undeliveredSeconds: number | null;
  /** Deliveries that were given up, and are kept to be tried again. */
  readonly deadLetters: number;
}

/** The port: what stands in the record now, of all owners together. Rejects where the record does not answer. */
export type ReadEventStatus = () => Promise<EventStatus>;

/** Problems with events, for operators. */
export interface EventTroubles {
  /** A server's loop takes events in at least every five seconds: none runs, or it fails. */
  readonly isLogLate: boolean;
  /** A receiver that fails is tried every minute at least: this one has been away for long, or no server delivers. */
  readonly isDeliveryLate: boolean;
  readonly isFailing: boolean;
  readonly hasDeadLetters: boolean;
}

const LOG_LATE_SECONDS = 60;
const DELIVERY_LATE_SECONDS = 600;

/** Returns which figures are beyond their limits. */
export function eventTroublesIn(status: EventStatus): EventTroubles {
  return {
    isLogLate: (status.unloggedSeconds ?? 0) > LOG_LATE_SECONDS,
    isDeliveryLate: (status.undeliveredSeconds ?? 0) > DELIVERY_LATE_SECONDS,
    isFailing: status.failing > 0,
    hasDeadLetters: status.deadLetters > 0,
  };
}
