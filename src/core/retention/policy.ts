/** How long memories and lines of the audit log are kept. Without rules, everything is kept. */
export interface RetentionPolicy {
  readonly memories: readonly MemoryRule[];
  readonly audit: readonly AuditRule[];
}

/** Removes memories of some buckets and types by age. `docs/operations/limits.md` lists what no rule removes. */
export interface MemoryRule {
  /** Patterns in which `%` matches any text. */
  readonly bucket: string;
  readonly memoryType: string;
  /** Days since its last change. */
  readonly olderThanDays: number;
  readonly mode: "soft_delete" | "hard_delete";
}

export interface AuditRule {
  /** A pattern for names of operations. */
  readonly operation: string;
  readonly olderThanDays: number;
}

/** Buckets and types that a wildcard does not match. A rule for them must name them exactly. */
export const NAMED_ONLY = ["knowledge", "ledger"] as const;

/** Metadata members that protect a memory from removal, unless they are missing, null or false. */
export const HOLDS = ["legal_hold", "pinned"] as const;

/** Authorities that protect a memory from removal: only a signed-in person can give them. */
export const KEPT_AUTHORITIES = ["verified", "directive"] as const;

/** Operations whose audit lines are kept: retention itself, and the erasure of owners. */
export const KEPT_OPERATIONS = ["retention", "erase_owner"] as const;

const DAY_MS = 24 * 3_600_000;

/** The instant before which the rule applies, in milliseconds since the epoch. */
export function cutoff(rule: { readonly olderThanDays: number }, now: number): number {
  return now - rule.olderThanDays * DAY_MS;
}

export function hasRules({ memories, audit }: RetentionPolicy): boolean {
  return memories.length + audit.length > 0;
}
