/** Alerts of a workspace: thresholds that people set, and what exceeds them now. */
import { z } from "zod";
import { type AlertMeasure, alertMeasureNames, alertMeasures } from "./alert.ts";
import { time, uuid } from "./primitives.ts";

const ofWorkspace = { team_id: uuid.nullish().describe("Of this team. Default: of your own workspace") };

function threshold(measure: AlertMeasure, description: string) {
  const { min, max } = alertMeasures[measure];
  return z.number().min(min).max(max).nullable().describe(`${description}; null: not watched`);
}

const thresholds = z.object({
  recall_p95: threshold(
    "recall_p95",
    "Raised if the p95 of recall over the last 15 minutes is above so many milliseconds",
  ),
  recall_coverage: threshold(
    "recall_coverage",
    "Raised if recalls of the last 15 minutes could consider a smaller share of the memories in scope",
  ),
  open_conflicts: threshold(
    "open_conflicts",
    "Raised if more memories than this state the same fact as another one",
  ),
  silent_agent: threshold(
    "silent_agent",
    "Raised for each agent, key or app that was in use and has not been for so many hours",
  ),
});

export const alertOperations = {
  alerts: {
    effect: "read",
    rate: "read",
    summary: "The thresholds of the user's own workspace, or of a team, and the alerts that are raised",
    input: z.object(ofWorkspace),
    output: z.object({
      thresholds,
      raised: z
        .array(
          z.object({
            measure: z.enum(alertMeasureNames),
            about: z
              .object({ id: z.string(), name: z.string().nullable(), is_agent: z.boolean() })
              .nullable()
              .describe("The silent agent or credential; null for the other measures"),
            value: z.number().describe("When it was last measured, in the unit of its threshold"),
            threshold: z.number(),
            raised_at: time,
            calm_since: time
              .nullable()
              .describe("Since when the threshold is kept again. After five minutes the alert ends"),
          }),
        )
        .describe("The longest raised first"),
    }),
    errors: ["not_found"],
  },
  setAlerts: {
    effect: "write",
    rate: "write",
    summary:
      "Set all thresholds of a workspace; raised alerts of a measure that has none any more end at once",
    input: thresholds.extend(ofWorkspace),
    output: z.object({ thresholds }),
    errors: ["not_found", "role_forbidden"],
  },
} as const;
