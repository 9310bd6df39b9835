/** How long memories are kept, and lines of the audit log. Without rules everything is. */
export interface RetentionPolicy {
  readonly memories: readonly MemoryRule[];
  readonly audit: readonly AuditRule[];
}

/** Removes memories of some buckets and types by age. `docs/operations.md` says what no rule removes. */
export interface MemoryRule {
  /** Patterns, in which `%` stands for any text. */
  readonly bucket: string;
  readonly memoryType: string;
  /** Days since its last change. */
  readonly olderThanDays: number;
  readonly mode: "soft_delete" | "hard_delete";
}

export interface AuditRule {
  /** A pattern of operations. */
  readonly operation: string;
  readonly olderThanDays: number;
}

/** Labels that a pattern does not reach: a rule for them names them, letter by letter. */
export const NAMED_ONLY = ["knowledge", "ledger"] as const;

/** Members of metadata that keep a memory while they are neither missing, null nor false. */
export const HOLDS = ["legal_hold", "pinned"] as const;

/** Authorities that a signed-in person has given. */
export const KEPT_AUTHORITIES = ["verified", "directive"] as const;

/** Lines that tell of retention itself, and of what was erased with its owner. */
export const KEPT_OPERATIONS = ["retention", "erase_owner"] as const;

const DAY_MS = 24 * 3_600_000;

/** The instant before which the rule applies, in milliseconds since the epoch. */
export function cutoff(rule: { readonly olderThanDays: number }, now: number): number {
  return now - rule.olderThanDays * DAY_MS;
}

export function hasRules({ memories, audit }: RetentionPolicy): boolean {
  return memories.length + audit.length > 0;
}
