import type { MemoryRecord } from "./memory-record.ts";
import { instantIn } from "./metadata.ts";

/** When a memory is to be looked at again, and when somebody did. Instants in milliseconds since the epoch. */
export interface Review {
  readonly after: number | null;
  readonly lastVerifiedAt: number | null;
  readonly isDue: boolean;
}

/** The review dates in a memory's metadata. */
export function reviewOf({ metadata }: Pick<MemoryRecord, "metadata">, now: number): Review {
  const after = instantIn(metadata, "review_after");
  const lastVerifiedAt = instantIn(metadata, "last_verified_at");
  return { after, lastVerifiedAt, isDue: after !== null && isReviewDue(after, lastVerifiedAt, now) };
}

/** True where the date is past, and nobody has verified it since. */
export function isReviewDue(after: number, lastVerifiedAt: number | null, now: number): boolean {
  return after <= now && (lastVerifiedAt === null || lastVerifiedAt < after);
}
