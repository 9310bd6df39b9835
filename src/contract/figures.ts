import { z } from "zod";

/** How far back figures go, and in which steps: minutes are kept for a day, hours for 90 days. */
export const figureRanges = {
  hour: { seconds: 3600, resolution: "minute" },
  day: { seconds: 86_400, resolution: "minute" },
  week: { seconds: 7 * 86_400, resolution: "hour" },
  quarter: { seconds: 90 * 86_400, resolution: "hour" },
} as const;

export type FigureRange = keyof typeof figureRanges;

export const figuresRequest = z.object({
  range: z.enum(Object.keys(figureRanges) as [FigureRange, ...FigureRange[]]).default("day"),
  team_id: z.uuid().nullish().describe("A team's figures instead of your own"),
});

const figure = z.object({
  at: z.iso.datetime().describe("When the step begins"),
  memories: z
    .int()
    .nullable()
    .describe("Memories stored at the end of the step; null if nothing was written during it"),
  recalls: z.int(),
  recalls_per_minute: z.number(),
  recall_p50_ms: z
    .number()
    .nullable()
    .describe("Accurate to within a seventh; null when there were no recalls"),
  recall_p95_ms: z.number().nullable(),
  coverage: z
    .number()
    .nullable()
    .describe("Average share of the memories in scope that recalls could consider"),
  writes: z.int(),
  writes_per_minute: z.number(),
  failures: z.int().describe("Operations that failed because of a fault in the service"),
  index_lag_seconds: z.number().nullable().describe("The longest delay of the whole service's index"),
});
export type Figure = z.output<typeof figure>;

export const figuresAnswer = z.object({
  range: figuresRequest.shape.range.unwrap(),
  resolution: z.enum(["minute", "hour"]),
  memories: z.int().describe("Memories stored now: exact up to 100,000, an estimate beyond that"),
  steps: z.array(figure).describe("Oldest first; steps in which nothing happened are left out"),
});
