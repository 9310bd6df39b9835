import { z } from "zod";

/** How events are kept and told. */
export interface EventConfig {
  /** How long the log keeps an event. */
  readonly retentionHours: number;
  /** How many streams this server keeps open, in all and of one credential. */
  readonly streams: { readonly total: number; readonly perCredential: number };
}

/** The settings of events. */
export const eventShape = {
  EVENT_RETENTION_HOURS: z.coerce.number().int().min(1).max(8760).default(72),
  EVENT_STREAMS: z.coerce.number().int().min(0).max(100_000).default(256),
  EVENT_STREAMS_PER_CREDENTIAL: z.coerce.number().int().min(1).max(100_000).default(8),
};

type Settings = { readonly [Name in keyof typeof eventShape]: z.output<(typeof eventShape)[Name]> };

export function eventsOf(settings: Settings): EventConfig {
  return {
    retentionHours: settings.EVENT_RETENTION_HOURS,
    streams: { total: settings.EVENT_STREAMS, perCredential: settings.EVENT_STREAMS_PER_CREDENTIAL },
  };
}
