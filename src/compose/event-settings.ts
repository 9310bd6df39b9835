import { z } from "zod";
import type { StreamBounds } from "../core/limits/streams.ts";

/** Retention and delivery of events. */
export interface EventConfig {
  /** How long the log keeps an event. */
  readonly retentionHours: number;
  readonly streams: StreamBounds;
  readonly webhooks: WebhookConfig;
}

export interface WebhookConfig {
  /** Number of delivery attempts before an event is given up. */
  readonly attempts: number;
  /** The pause after the first failure. Doubles with each further failure. */
  readonly retrySeconds: number;
  /** How long a receiver may take to answer. */
  readonly timeoutSeconds: number;
  /** Allowed receivers on networks that are not public. */
  readonly allow: readonly string[];
}

const HOST_NAME = /^(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/i;

/**
 * Comma-separated host names, addresses and CIDR ranges. A name with only digits and dots is refused as a misspelt
 * address.
 */
const receivers = z
  .string()
  .transform((value) => value.split(",").map((part) => part.trim()))
  .pipe(
    z.array(
      z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6(), z.string().regex(HOST_NAME).regex(/[a-z]/i)], {
        error: "must be host names, addresses and CIDR ranges, with commas between them",
      }),
    ),
  );

export const eventShape = {
  EVENT_RETENTION_HOURS: z.coerce.number().int().min(1).max(8760).default(72),
  EVENT_STREAMS: z.coerce.number().int().min(0).max(100_000).default(256),
  EVENT_STREAMS_PER_OWNER: z.coerce.number().int().min(1).max(100_000).default(32),
  EVENT_STREAMS_PER_CREDENTIAL: z.coerce.number().int().min(1).max(100_000).default(8),
  WEBHOOK_ATTEMPTS: z.coerce.number().int().min(1).max(100).default(12),
  WEBHOOK_RETRY_SECONDS: z.coerce.number().min(0.01).max(3600).default(5),
  WEBHOOK_TIMEOUT_SECONDS: z.coerce.number().int().min(1).max(60).default(15),
  OUTBOUND_ALLOW: receivers.default([]),
};

type Settings = { readonly [Name in keyof typeof eventShape]: z.output<(typeof eventShape)[Name]> };

export function eventsOf(settings: Settings): EventConfig {
  return {
    retentionHours: settings.EVENT_RETENTION_HOURS,
    webhooks: {
      attempts: settings.WEBHOOK_ATTEMPTS,
      retrySeconds: settings.WEBHOOK_RETRY_SECONDS,
      timeoutSeconds: settings.WEBHOOK_TIMEOUT_SECONDS,
      allow: settings.OUTBOUND_ALLOW,
    },
    streams: {
      total: settings.EVENT_STREAMS,
      perParty: settings.EVENT_STREAMS_PER_OWNER,
      perCredential: settings.EVENT_STREAMS_PER_CREDENTIAL,
    },
  };
}
