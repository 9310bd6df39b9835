import { type EventStatus, eventTroublesIn } from "../core/events/event-status.ts";
import { type Finding, ok, warning } from "./finding.ts";

/** Checks that the event log keeps up and that webhooks are delivered. */
export function checkEvents(status: EventStatus | null): Finding[] {
  if (status === null) return [];
  const { unlogged, webhooks, failing, waiting, undeliveredSeconds, deadLetters } = status;
  const { isLogLate, isDeliveryLate, isFailing, hasDeadLetters } = eventTroublesIn(status);
  const lateLog = "Start the service. If it is running, look in its log: it should take them in by itself.";
  const log = isLogLate
    ? warning("events", `${unlogged} not in the log yet, some for more than a minute`, lateLog)
    : ok("events", `${unlogged} not in the log yet`);
  if (webhooks === 0) return [log];
  const oldest = undeliveredSeconds === null ? "" : `, the oldest for ${duration(undeliveredSeconds)}`;
  const found = `${webhooks}, ${failing} of them failing; ${waiting} events waiting${oldest}; ${deadLetters} given up`;
  const advice =
    "GET /v1/webhooks tells their owners why. POST /v1/webhooks/{id}/redeliver sends again what was given up.";
  const isWrong = isFailing || hasDeadLetters || isDeliveryLate;
  return [log, isWrong ? warning("webhooks", found, advice) : ok("webhooks", found)];
}

/** A duration in whole seconds below two minutes, whole minutes below two hours, otherwise hours. */
function duration(seconds: number): string {
  if (seconds < 120) return `${Math.floor(seconds)} s`;
  return seconds < 7200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`;
}
