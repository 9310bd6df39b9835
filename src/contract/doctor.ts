import { z } from "zod";
import { instant, time } from "./primitives.ts";

export const doctorRequest = z
  .object({
    client_time: instant
      .nullish()
      .meta({ description: "The current time on your clock, to compare with the service's" }),
  })
  .meta({ id: "DoctorRequest" });

/** The checks, in this order. */
export const doctorChecks = ["credential", "scopes", "reach", "clock", "service", "index"] as const;

const finding = z
  .object({
    check: z.enum(doctorChecks).meta({ id: "DoctorCheck" }),
    status: z.enum(["ok", "warning", "broken"]).meta({ id: "DoctorStatus" }),
    found: z.string().meta({ description: "What was found, in words" }),
    advice: z.string().nullable().meta({ description: "What to do about it; null when nothing needs doing" }),
  })
  .meta({ id: "DoctorFinding" });
export type Finding = z.output<typeof finding>;

export const doctorAnswer = z
  .object({
    ok: z.boolean().meta({ description: "False when something is broken; warnings alone leave it true" }),
    summary: z.string(),
    checked_at: time,
    findings: z.array(finding),
  })
  .meta({ id: "DoctorAnswer" });
