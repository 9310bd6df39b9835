/** A memory in an index, or what the record says should be there. */
export interface IndexEntry {
  readonly id: string;
  readonly ownerId: string;
  /** The projection's (see `IndexDocument.revision`). */
  readonly revision: number;
}

/** Count and fingerprint of a bucket of memories. Two sides with the same memories at the same revisions are equal. */
export interface BucketSum {
  readonly bucket: number;
  readonly count: number;
  /** The sum of their fingerprints. */
  readonly sum: number;
}

/** The same of all that an owner has. */
export type OwnerSum = Omit<BucketSum, "bucket">;

/** Owners are divided into so many portions by the last two hexadecimal digits of their ids, which are random. */
export const OWNER_PORTIONS = 24;

export function portionOf(ownerId: string): number {
  return Number.parseInt(ownerId.slice(-2), 16) % OWNER_PORTIONS;
}

/** Memories are divided into so many buckets by the last three hexadecimal digits of their ids, which are random. */
export const BUCKETS = 4096;

/** The largest prime of 31 bits: sums of two million stay exact in a double, which engines add in. */
export const FINGERPRINT_MODULUS = 2_147_483_647;

export function bucketOf(id: string): number {
  return Number.parseInt(id.slice(-3), 16);
}

/**
 * A number that stands for a memory at a revision, below `FINGERPRINT_MODULUS`. It multiplies, so that two errors do not
 * cancel in a sum; the record computes the same in SQL.
 */
export function fingerprint(id: string, revision: number): number {
  const random = BigInt(`0x${id.slice(24, 32)}`);
  return Number((random * BigInt(revision + 1)) % BigInt(FINGERPRINT_MODULUS));
}
