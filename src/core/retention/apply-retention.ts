import type { Clock } from "../environment.ts";
import { type AuditRule, cutoff, type MemoryRule, type RetentionPolicy } from "./policy.ts";

/** Finds and removes rows by age. It takes no `Caller`, since it acts for the operator by the operator's settings. */
export interface RetentionStore {
  countMemories(rule: MemoryRule, before: number): Promise<number>;
  countAudit(rule: AuditRule, before: number): Promise<number>;
  /**
   * Removes some memories of one owner in one transaction, with an audit line. Returns their number; 0 if none is left.
   * Skips rows that have changed since they were found.
   */
  removeMemories(rule: MemoryRule, before: number, now: number): Promise<number>;
  removeAudit(rule: AuditRule, before: number): Promise<number>;
}

export interface RetentionPorts {
  readonly retention: RetentionStore;
  readonly clock: Clock;
}

/** A rule, with the number of rows that it applies to or has removed. */
export interface Applied {
  readonly of: "memories" | "audit";
  readonly rule: MemoryRule | AuditRule;
  readonly count: number;
}

/** Counts what the rules would remove now, and changes nothing. A memory that matches two rules counts for both. */
export async function dryRun(
  { retention, clock }: RetentionPorts,
  policy: RetentionPolicy,
): Promise<Applied[]> {
  const now = clock();
  const found: Applied[] = [];
  for (const rule of policy.memories)
    found.push({ of: "memories", rule, count: await retention.countMemories(rule, cutoff(rule, now)) });
  for (const rule of policy.audit)
    found.push({ of: "audit", rule, count: await retention.countAudit(rule, cutoff(rule, now)) });
  return found;
}

/**
 * Removes what the rules apply to, in portions of one transaction each. After a stop by the signal or a failure, the
 * next call continues, since removed rows are not found again.
 */
export async function applyRetention(
  { retention, clock }: RetentionPorts,
  policy: RetentionPolicy,
  { signal, onProgress }: { signal?: AbortSignal; onProgress?: (removed: number) => void } = {},
): Promise<Applied[]> {
  const now = clock();
  const done: Applied[] = [];
  let removed = 0;
  async function inPortions(portion: () => Promise<number>): Promise<number> {
    let count = 0;
    for (let taken = -1; taken !== 0 && !signal?.aborted; ) {
      taken = await portion();
      count += taken;
      removed += taken;
      if (taken > 0) onProgress?.(removed);
    }
    return count;
  }
  for (const rule of policy.memories) {
    const before = cutoff(rule, now);
    const count = await inPortions(() => retention.removeMemories(rule, before, now));
    done.push({ of: "memories", rule, count });
  }
  for (const rule of policy.audit) {
    const count = await inPortions(() => retention.removeAudit(rule, cutoff(rule, now)));
    done.push({ of: "audit", rule, count });
  }
  return done;
}
