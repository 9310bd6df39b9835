import { isLiveStatus } from "../../memory/memory-status.ts";
import { WORKING } from "../../memory/session.ts";
import type { IndexDocument } from "../index-document.ts";
import type { RecallFilter } from "../recall-index.ts";
import { isKeyOf } from "../session-key.ts";
import { type FilterColumns, type FilterField, fieldValue, liveAgainAt } from "./filter-columns.ts";
import type { OwnerIndex } from "./owner-index.ts";

export const DELETED = "soft_deleted";
export const EXPIRED = "expired";
export const KNOWLEDGE = "knowledge";

/** The slots that pass a filter, and for how long that stays so. */
export interface ScopeSlots {
  readonly slots: Int32Array;
  /** The answer holds for a `now` from here on … */
  readonly validFrom: number;
  /** … and before this, when the next memory expires or is live again. */
  readonly validUntil: number;
}

/**
 * Selects the slots in a filter's scope, in order of storing. Fields are dictionary codes, so each condition
 * is decided once per different value and looked up per slot.
 */
export function selectSlots(index: OwnerIndex, filter: RecallFilter): ScopeSlots {
  const { filters } = index;
  const passes = columnTests(filters, filter);
  const isOfSession = sessionTest(index, filter.session);
  const storedStatus = statusTests(filters, "status", filter.status);
  const formerStatus = statusTests(filters, "supersededStatus", filter.status);
  const { status: statusCodes, supersededStatus: formerCodes } = filters.codes;
  const asOf = filter.asOf ?? Infinity;
  const chosen = new Int32Array(index.size);
  let count = 0;
  let validFrom = -Infinity;
  let validUntil = Infinity;
  /** Whether an instant has come; the answer holds on this side of it. */
  const hasCome = (instant: number) => {
    if (instant > filter.now) validUntil = Math.min(validUntil, instant);
    else validFrom = Math.max(validFrom, instant);
    return instant <= filter.now;
  };
  const visit = (slot: number) => {
    if ((filters.createdAt[slot] as number) > asOf || !passes(slot) || !isOfSession(slot)) return;
    const isLiveAgain = hasCome(filters.supersededUntil[slot] as number);
    const code = (isLiveAgain ? formerCodes[slot] : statusCodes[slot]) as number;
    const status = isLiveAgain ? formerStatus : storedStatus;
    const expired = status.live[code] === 1 && hasCome(filters.expiresAt[slot] as number);
    if (expired ? status.passesExpired : status.passes[code] === 1) chosen[count++] = slot;
  };
  visitSlots(index, filter.ids, visit);
  return { slots: bySeq(chosen.subarray(0, count), index.memories.slots.seq), validFrom, validUntil };
}

/** Whether a memory that no index holds is in a filter's scope. Its owner is not checked here. */
export function isInScope(document: IndexDocument, filter: RecallFilter): boolean {
  const { id, createdAt, expiresAt, memoryType, sessionId } = document;
  if (filter.ids !== null && !filter.ids.has(id)) return false;
  if (filter.asOf !== null && createdAt > filter.asOf) return false;
  if (filter.session !== null && memoryType === WORKING && sessionId !== null && sessionId !== filter.session)
    return false;
  const status = (liveAgainAt(document) <= filter.now && document.supersededStatus) || document.status;
  const isExpired = expiresAt !== null && expiresAt <= filter.now && isLiveStatus(status);
  if (!passesStatus(isExpired ? EXPIRED : status, filter.status)) return false;
  return conditionsOf(filter).every(({ field, passes }) => {
    const value = fieldValue(document, field);
    return value !== null && passes(value);
  });
}

/** Whether a value matches a pattern, in which only `%` is special. */
export function matchesPattern(value: string, pattern: string): boolean {
  if (!pattern.includes("%")) return value === pattern;
  const parts = pattern.split("%");
  const first = parts[0] as string;
  const last = parts[parts.length - 1] as string;
  if (value.length < first.length + last.length || !value.startsWith(first) || !value.endsWith(last))
    return false;
  // Taking each middle part at its first place leaves the most room for those after it.
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = value.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= value.length - last.length;
}

function visitSlots(index: OwnerIndex, ids: ReadonlySet<string> | null, visit: (slot: number) => void): void {
  if (ids === null) {
    const { isCurrent, count } = index.filters;
    for (let slot = 0; slot < count; slot++) if (isCurrent[slot] === 1) visit(slot);
    return;
  }
  for (const id of ids) {
    const slot = index.slotOf(id);
    if (slot !== undefined) visit(slot);
  }
}

/** What a filter demands of a field: a value that passes. Null never does. */
interface Condition {
  readonly field: FilterField;
  readonly passes: (value: string) => boolean;
}

function conditionsOf(filter: RecallFilter): Condition[] {
  const conditions: Condition[] = [];
  const demand = (field: FilterField, passes: Condition["passes"]) => conditions.push({ field, passes });
  const { pathPrefix, allowedProjects, allowedBuckets } = filter;
  if (filter.path !== "%") demand("path", (path) => matchesPattern(path, filter.path));
  if (pathPrefix !== null) demand("path", (path) => path === pathPrefix || path.startsWith(`${pathPrefix}/`));
  if (filter.bucket !== "%") demand("bucket", (bucket) => matchesPattern(bucket, filter.bucket));
  if (allowedBuckets !== null) demand("bucket", (bucket) => allowedBuckets.includes(bucket));
  if (!filter.memoryTypes.includes("%")) {
    demand("type", (type) => filter.memoryTypes.some((pattern) => matchesPattern(type, pattern)));
  }
  const { excludedTypes } = filter;
  if (excludedTypes) demand("type", (type) => !excludedTypes.includes(type));
  if (!filter.includeKnowledge) {
    demand("bucket", (bucket) => bucket !== KNOWLEDGE);
    demand("type", (type) => type !== KNOWLEDGE);
  }
  if (filter.scope !== null) demand("scope", (scope) => scope === filter.scope);
  if (filter.teamId !== null) demand("team", (team) => team === filter.teamId);
  if (filter.projectId !== null) demand("project", (project) => project === filter.projectId);
  if (allowedProjects !== null) demand("project", (project) => allowedProjects.includes(project));
  return conditions;
}

function columnTests(
  { codes, dictionaries }: FilterColumns,
  filter: RecallFilter,
): (slot: number) => boolean {
  const tests: { codes: Int32Array; passes: Uint8Array }[] = [];
  for (const { field, passes } of conditionsOf(filter)) {
    const byCode = Uint8Array.from(dictionaries[field].values, (value) => Number(passes(value)));
    if (byCode.includes(0) || !neverNull(field)) tests.push({ codes: codes[field], passes: byCode });
  }
  return (slot) => {
    for (const { codes, passes } of tests) if (passes[codes[slot] as number] !== 1) return false;
    return true;
  };
}

/** Whether a slot holds no working memory, or one of the session or of none. */
function sessionTest(
  { memories: { slots }, filters }: OwnerIndex,
  session: string | null,
): (slot: number) => boolean {
  if (session === null) return () => true;
  const types = filters.codes.type;
  const working = filters.dictionaries.type.values.indexOf(WORKING);
  const isOwn = slots.sessions.values.map((key) => isKeyOf(key, session));
  return (slot) => {
    const code = slots.session[slot] as number;
    return types[slot] !== working || code === -1 || isOwn[code] === true;
  };
}

/** Fields that are never null need no test when every value passes. */
function neverNull(field: FilterField): boolean {
  return field !== "team" && field !== "project";
}

/** Whether a status passes while the memory has not expired, and "expired" for one that has. */
function passesStatus(status: string, wanted: string): boolean {
  if (wanted === "active") return isLiveStatus(status);
  if (wanted.includes("%") && status === DELETED) return false;
  return matchesPattern(status, wanted);
}

function statusTests(
  { dictionaries }: FilterColumns,
  field: "status" | "supersededStatus",
  wanted: string,
): { live: Uint8Array; passes: Uint8Array; passesExpired: boolean } {
  const statuses = dictionaries[field].values;
  return {
    live: Uint8Array.from(statuses, (status) => Number(isLiveStatus(status))),
    passes: Uint8Array.from(statuses, (status) => Number(passesStatus(status, wanted))),
    passesExpired: passesStatus(EXPIRED, wanted),
  };
}

/** Slots are mostly in order already, since memories are stored at the end. */
export function bySeq(chosen: Int32Array, seq: Float64Array): Int32Array {
  for (let at = 1; at < chosen.length; at++) {
    if ((seq[chosen[at] as number] as number) < (seq[chosen[at - 1] as number] as number)) {
      return chosen.sort((a, b) => (seq[a] as number) - (seq[b] as number));
    }
  }
  return chosen;
}
