import { VOUCHED, verifiedBy } from "../../contract/service-members.ts";
import type { MemoryRecord } from "./memory-record.ts";
import { instantIn } from "./metadata.ts";

/** When a memory is due for review, and when it was last verified. Instants in milliseconds since the epoch. */
export interface Review {
  readonly after: number | null;
  /** The last verification by a credential that may vouch for it. */
  readonly lastVerifiedAt: number | null;
  /** The last verification as claimed by a credential that cannot vouch for it. It has no effect. */
  readonly claimedAt: number | null;
  readonly isDue: boolean;
}

/** The review dates in a memory's metadata. */
export function reviewOf({ metadata }: Pick<MemoryRecord, "metadata">, now: number): Review {
  const after = instantIn(metadata, "review_after");
  const given = instantIn(metadata, "last_verified_at");
  const lastVerifiedAt = verificationOf(given, metadata[verifiedBy], now);
  const claimedAt = lastVerifiedAt === null ? given : null;
  return {
    after,
    lastVerifiedAt,
    claimedAt,
    isDue: after !== null && isReviewDue(after, lastVerifiedAt, now),
  };
}

/**
 * The date of a valid verification: a person's credential vouched for it (`checkMetadata`), and it is not in the future. Dates
 * stored before vouching was noted count as claims.
 */
export function verificationOf(given: number | null, vouchedBy: unknown, now: number): number | null {
  return given !== null && given <= now && vouchedBy === VOUCHED ? given : null;
}

/** True if the review date has passed and the memory was not verified since. */
export function isReviewDue(after: number, lastVerifiedAt: number | null, now: number): boolean {
  return after <= now && (lastVerifiedAt === null || lastVerifiedAt < after);
}
