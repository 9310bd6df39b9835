import { z } from "zod";
import type { RetentionPolicy } from "../core/retention/policy.ts";

const pattern = z.string().min(1).max(128).default("%");
const days = z.number().int().min(1).max(36_500);

const policy = z.strictObject({
  memories: z
    .array(
      z.strictObject({
        bucket: pattern,
        memory_type: pattern,
        older_than_days: days,
        // Named, so that nobody deletes for good by leaving something out.
        mode: z.enum(["soft_delete", "hard_delete"]),
      }),
    )
    .max(100)
    .default([]),
  audit: z
    .array(z.strictObject({ operation: pattern, older_than_days: days }))
    .max(100)
    .default([]),
});

const FORM =
  'must be JSON, such as {"audit":[{"operation":"%","older_than_days":365}]}; docs/operations.md, "Retention", has every member';

/** JSON, in one variable: rules belong together, and none of them holds by half. */
export const retentionShape = {
  RETENTION: z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: "custom", message: FORM });
        return z.NEVER;
      }
    })
    .pipe(policy)
    .optional(),
};

const settings = z.object(retentionShape);

/** Without the setting there are no rules, and everything is kept. */
export function retentionOf({ RETENTION: given }: z.output<typeof settings>): RetentionPolicy {
  return {
    memories: (given?.memories ?? []).map(({ bucket, memory_type, older_than_days, mode }) => ({
      bucket,
      memoryType: memory_type,
      olderThanDays: older_than_days,
      mode,
    })),
    audit: (given?.audit ?? []).map(({ operation, older_than_days }) => ({
      operation,
      olderThanDays: older_than_days,
    })),
  };
}
