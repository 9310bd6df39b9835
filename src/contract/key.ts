import { z } from "zod";
import { time, uuid } from "./primitives.ts";

/** How long a replaced key stays valid: the default, and the maximum. */
export const OVERLAP_SECONDS = 24 * 3600;
export const OVERLAP_SECONDS_MAX = 30 * 24 * 3600;

export const rotateKeyRequest = z
  .object({
    overlap_seconds: z
      .int()
      .min(0)
      .max(OVERLAP_SECONDS_MAX)
      .default(OVERLAP_SECONDS)
      .meta({ description: "How long the old key stays valid, counted from its first rotation" }),
  })
  .meta({ id: "KeyRotationRequest" });

export const rotateKeyAnswer = z
  .object({
    id: uuid,
    token: z.string().meta({ description: "The new key; shown only this once" }),
    expires_at: time.nullable().meta({ description: "The same as that of the old key" }),
    previous_id: uuid,
    previous_token_valid_until: time,
  })
  .meta({ id: "KeyRotation" });
export type RotateKeyAnswer = z.output<typeof rotateKeyAnswer>;
