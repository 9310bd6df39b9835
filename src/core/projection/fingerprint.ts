/** A memory's entry in an index, or the entry that should be there according to the database. */
export interface IndexEntry {
  readonly id: string;
  readonly ownerId: string;
  /** The revision of the document (see `IndexDocument.revision`). */
  readonly revision: number;
}

/**
 * The revision of a document rises by this with each revision of its row, and by one for each kind of vectors that is
 * made after the write.
 */
export const REVISION_STEP = 4;

/** Count and fingerprint of a bucket of memories. Equal for two sides with the same memories at the same revisions. */
export interface BucketSum {
  readonly bucket: number;
  readonly count: number;
  /** The sum of their fingerprints. */
  readonly sum: number;
}

/** Count and fingerprint of all memories of an owner. */
export type OwnerSum = Omit<BucketSum, "bucket">;

/**
 * The number of portions that owners are divided into, by the last two hexadecimal digits of their ids, which are
 * random.
 */
export const OWNER_PORTIONS = 24;

export function portionOf(ownerId: string): number {
  return Number.parseInt(ownerId.slice(-2), 16) % OWNER_PORTIONS;
}

/**
 * The number of buckets that memories are divided into, by the last three hexadecimal digits of their ids, which are
 * random.
 */
export const BUCKETS = 4096;

/** The largest prime of 31 bits. Sums of two million values stay exact in the doubles that engines add in. */
export const FINGERPRINT_MODULUS = 2_147_483_647;

export function bucketOf(id: string): number {
  return Number.parseInt(id.slice(-3), 16);
}

/**
 * The fingerprint of a memory at a revision, below `FINGERPRINT_MODULUS`. Uses multiplication, so that two errors do
 * not cancel out in a sum. SQL code in the Postgres adapter computes the same.
 */
export function fingerprint(id: string, revision: number): number {
  const random = BigInt(`0x${id.slice(24, 32)}`);
  return Number((random * BigInt(revision + 1)) % BigInt(FINGERPRINT_MODULUS));
}
