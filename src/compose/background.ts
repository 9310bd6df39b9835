/** A server's background loops. */

import type { Sql } from "../adapters/postgres/database/client.ts";
import { withSessionLock } from "../adapters/postgres/database/locks.ts";
import { createSubjectErasures } from "../adapters/postgres/erasure/subject-erasures.ts";
import { createSubjectStore } from "../adapters/postgres/erasure/subject-store.ts";
import { createEventUpkeep } from "../adapters/postgres/events/advance.ts";
import { createDeliveryQueue } from "../adapters/postgres/events/delivery-queue.ts";
import { createAlertStore } from "../adapters/postgres/watch/alert-store.ts";
import { finishErasures } from "../core/access/erasure.ts";
import type { TeamStore } from "../core/access/team-store.ts";
import { maintainOnSchedule } from "../core/maintenance/run.ts";
import type { Ports } from "../core/ports.ts";
import type { RetentionStore } from "../core/retention/apply-retention.ts";
import { finishSubjectErasures } from "../core/subject/finish-erasures.ts";
import { evaluateAlerts } from "../core/watch/alerts.ts";
import { type EventPulse, startEventPulse } from "../worker/event-pulse.ts";
import { startLoop, type Worker } from "../worker/loop.ts";
import { startRetention } from "../worker/retention-worker.ts";
import { startWebhookWorker } from "../worker/webhook-worker.ts";
import type { Config } from "./config.ts";

interface BackgroundNeeds {
  readonly ports: Ports;
  readonly sql: Sql;
  readonly retention: RetentionStore;
  readonly teams: TeamStore;
  readonly log: (message: string) => void;
  readonly report: (error: unknown) => void;
}

export interface Background extends Worker {
  /** Signals growth of the event log. Stopped separately, after everything that follows it. */
  readonly pulse: EventPulse;
}

/** Starts alerts, maintenance, retention, erasures and the delivery of events. */
export function startBackground(config: Config, needs: BackgroundNeeds): Background {
  const { ports, sql, retention, teams, log, report } = needs;
  const pulse = startEventPulse(createEventUpkeep(sql, config.events.retentionHours), report);
  const subjectPorts = {
    ...ports,
    teams,
    subjects: createSubjectStore(sql, ports.clock),
    subjectErasures: createSubjectErasures(sql),
  };
  const alertPorts = { ...ports, alerts: createAlertStore(sql) };
  const workers = [
    startLoop(
      async (signal) => {
        const background = { isStopping: () => signal.aborted };
        await evaluateAlerts(alertPorts, background);
        await maintainOnSchedule(ports, background);
      },
      { pauseMs: SCHEDULE_PAUSE_MS, report },
    ),
    startLoop((signal) => finishErasures(ports.erasures, { isStopping: () => signal.aborted }), {
      pauseMs: ERASING_PAUSE_MS,
      report,
    }),
    startLoop((signal) => finishSubjectErasures(subjectPorts, { isStopping: () => signal.aborted }), {
      pauseMs: ERASING_PAUSE_MS,
      report,
    }),
    startRetention(
      { retention, clock: ports.clock, alone: (work) => withSessionLock(sql, "retention", work) },
      config.retention,
      { report, log },
    ),
    startWebhooks(config, needs, pulse),
  ];
  return {
    pulse,
    async stop() {
      await Promise.all(workers.map((worker) => worker?.stop()));
    },
  };
}

/** How often to check for due alerts, due maintenance and interrupted runs. */
const SCHEDULE_PAUSE_MS = 5000;
/** How often to check for erasures that people began, and for interrupted ones. */
const ERASING_PAUSE_MS = 1000;
/** How much longer than a request a server's lease on a webhook lasts, for the time between two requests. */
const LEASE_MARGIN_SECONDS = 30;

function startWebhooks(
  { events: { webhooks } }: Config,
  { ports, sql, report }: BackgroundNeeds,
  pulse: EventPulse,
): Worker {
  const { attempts, retrySeconds, timeoutSeconds } = webhooks;
  const leaseSeconds = timeoutSeconds + LEASE_MARGIN_SECONDS;
  const queue = createDeliveryQueue(sql, { attemptsMax: attempts, retrySeconds, leaseSeconds });
  const deliverPorts = { ...ports, queue, sender: ports.webhookSender, elapsed: () => performance.now() };
  // Ensures that a request that begins at the last moment ends before the lease.
  const holdMs = (LEASE_MARGIN_SECONDS / 2) * 1000;
  return startWebhookWorker(deliverPorts, { pulse, holdMs }, report);
}
