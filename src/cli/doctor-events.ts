import type { EventStatus } from "../adapters/postgres/events/event-status.ts";
import type { Finding } from "./finding.ts";

/** The server's loop takes events in at least every five seconds. */
const LATE_SECONDS = 60;

/** Whether the log of events keeps up, and webhooks are delivered. */
export function checkEvents(status: EventStatus | null): Finding[] {
  if (status === null) return [];
  const { unlogged, unloggedSeconds, webhooks, failing, waiting, deadLetters } = status;
  const isLate = (unloggedSeconds ?? 0) > LATE_SECONDS;
  const log: Finding = {
    check: "events",
    status: isLate ? "warning" : "ok",
    found: `${unlogged} not in the log yet${isLate ? ", some for more than a minute" : ""}`,
    advice: isLate ? "Start the service, or look at its log if it runs: it takes them in by itself." : null,
  };
  if (webhooks === 0) return [log];
  const isWrong = failing > 0 || deadLetters > 0;
  const receivers: Finding = {
    check: "webhooks",
    status: isWrong ? "warning" : "ok",
    found: `${webhooks}, ${failing} of them failing; ${waiting} events waiting, ${deadLetters} given up`,
    advice: isWrong
      ? "GET /v1/webhooks tells their owners why; POST /v1/webhooks/{id}/redeliver tries again what was given up."
      : null,
  };
  return [log, receivers];
}
