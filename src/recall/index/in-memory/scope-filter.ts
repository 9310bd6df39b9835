import { eachMember } from "../../each-member.ts";
import { type IndexDocument, isKeyOf } from "../index-document.ts";
import type { IndexedMembers, Reach, RecallScope } from "../scope.ts";
import { isLiveStatus, KNOWLEDGE, WORKING } from "../scope.ts";
import {
  type FilterColumns,
  type FilterField,
  fieldValue,
  liveAgainAt,
  type OwnerIndex,
} from "./owner-index.ts";

export const DELETED = "soft_deleted";
export const EXPIRED = "expired";

/** The slots that pass a filter, and the period for which that holds. */
export interface ScopeSlots {
  readonly slots: Int32Array;
  /** The result is valid for a `now` from this time … */
  readonly validFrom: number;
  /** … until (exclusive) this time, when the next memory expires or is live again. */
  readonly validUntil: number;
}

/**
 * Selects the slots in a scope, in order of storing. Fields are dictionary codes: each condition is evaluated once per
 * distinct value and looked up per slot.
 */
export function selectSlots(index: OwnerIndex, scope: RecallScope): ScopeSlots {
  const { filters } = index;
  const { now } = scope.filter;
  const demands = demandsOf(scope);
  const passes = slotTest(index, demands);
  const storedStatus = statusTests(filters, "status", demands.status);
  const formerStatus = statusTests(filters, "supersededStatus", demands.status);
  const { status: statusCodes, supersededStatus: formerCodes } = filters.codes;
  const chosen = new Int32Array(index.passageCount);
  let count = 0;
  let validFrom = -Infinity;
  let validUntil = Infinity;
  /** Whether an instant has come. Narrows the validity of the result to this side of it. */
  const hasCome = (instant: number) => {
    if (instant > now) validUntil = Math.min(validUntil, instant);
    else validFrom = Math.max(validFrom, instant);
    return instant <= now;
  };
  const visit = (slot: number) => {
    if (!passes(slot)) return;
    const isLiveAgain = hasCome(filters.supersededUntil[slot] as number);
    const code = (isLiveAgain ? formerCodes[slot] : statusCodes[slot]) as number;
    const status = isLiveAgain ? formerStatus : storedStatus;
    const expired = status.live[code] === 1 && hasCome(filters.expiresAt[slot] as number);
    if (expired ? status.passesExpired : status.passes[code] === 1) chosen[count++] = slot;
  };
  visitSlots(index, scope.reach.ids, visit);
  return { slots: bySeq(chosen.subarray(0, count), index.memories.slots.seq), validFrom, validUntil };
}

/** Returns a test of whether a memory outside any index is in a scope. The owner is not checked. */
export function scopeTest(scope: RecallScope): (document: IndexDocument) => boolean {
  const { ids } = scope.reach;
  const { now } = scope.filter;
  const { values, createdFrom, createdBefore, session, withoutItems, status: wanted } = demandsOf(scope);
  return (document) => {
    const { id, createdAt, expiresAt, memoryType, sessionId } = document;
    if (ids !== null && !ids.has(id)) return false;
    if (createdAt < createdFrom || createdAt >= createdBefore || (withoutItems && document.isItem))
      return false;
    if (session !== null && memoryType === WORKING && sessionId !== null && sessionId !== session)
      return false;
    const status = (liveAgainAt(document) <= now && document.supersededStatus) || document.status;
    const isExpired = expiresAt !== null && expiresAt <= now && isLiveStatus(status);
    if (!passesStatus(isExpired ? EXPIRED : status, wanted)) return false;
    return values.every(({ field, passes }) => {
      const value = fieldValue(document, field);
      return value !== null && passes(value);
    });
  };
}

/** Whether a value matches a pattern. Only `%` is special. */
export function matchesPattern(value: string, pattern: string): boolean {
  return patternTest(pattern)(value);
}

/** Compiles a pattern for many values: it may have hundreds of parts, which are split once. */
function patternTest(pattern: string): (value: string) => boolean {
  if (!pattern.includes("%")) return (value) => value === pattern;
  const middle = pattern.split("%");
  const first = middle.shift() as string;
  const last = middle.pop() as string;
  const shortest = pattern.length - middle.length - 1;
  return (value) => {
    if (value.length < shortest || !value.startsWith(first) || !value.endsWith(last)) return false;
    // Taking each middle part at its first occurrence leaves the most room for those after it.
    let at = first.length;
    for (const part of middle) {
      const found = value.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return at <= value.length - last.length;
  };
}

function visitSlots(index: OwnerIndex, ids: ReadonlySet<string> | null, visit: (slot: number) => void): void {
  if (ids === null) {
    const { isCurrent, count } = index.filters;
    for (let slot = 0; slot < count; slot++) if (isCurrent[slot] === 1) visit(slot);
    return;
  }
  for (const id of ids) for (const slot of index.slotsOf(id)) visit(slot);
}

/** Conditions that a scope places on each memory. */
interface Demands {
  readonly values: readonly ValueDemand[];
  /** Infinity if the time of storing does not matter. */
  readonly createdFrom: number;
  readonly createdBefore: number;
  readonly session: string | null;
  readonly withoutItems: boolean;
  readonly status: string;
}

/** The field must have a value that passes. null never does. */
interface ValueDemand {
  readonly field: FilterField;
  readonly passes: (value: string) => boolean;
}

const NO_DEMANDS: Demands = {
  values: [],
  createdFrom: -Infinity,
  createdBefore: Infinity,
  session: null,
  withoutItems: false,
  // For a past state, the record's ids already contain what was live then, whatever its status is now.
  status: "%",
};

function demandsOf({ filter, reach }: RecallScope): Demands {
  const demand = (field: FilterField, passes: ValueDemand["passes"]) => ({ values: [{ field, passes }] });
  const equal = (field: FilterField, wanted: string) => demand(field, (value) => value === wanted);
  const oneOf = (field: FilterField, wanted: readonly string[]) =>
    demand(field, (value) => wanted.includes(value));
  const like = (field: FilterField, patterns: readonly string[]) => {
    if (patterns.includes("%")) return null;
    const tests = patterns.map(patternTest);
    return demand(field, (value) => tests.some((passes) => passes(value)));
  };
  const atOrBelow = (prefix: string) =>
    demand("path", (path) => path === prefix || path.startsWith(`${prefix}/`));
  const ofFilter = eachMember<IndexedMembers, Partial<Demands>>(filter, {
    path: (pattern) => like("path", [pattern]),
    bucket: (pattern) => like("bucket", [pattern]),
    memoryTypes: (patterns) => like("type", patterns),
    status: (status) => (filter.asOf === null ? { status } : null),
    scope: (scope) => equal("scope", scope),
    teamId: (teamId) => equal("team", teamId),
    projectId: (projectId) => equal("project", projectId),
    createdBefore: (createdBefore) => ({ createdBefore }),
    createdFrom: (createdFrom) => ({ createdFrom }),
    pathUnder: (path) => atOrBelow(path),
    includeKnowledge: (included) => (included ? null : NO_KNOWLEDGE),
    session: (session) => ({ session }),
    withoutItems: (withoutItems) => ({ withoutItems }),
  });
  const ofReach = eachMember<Omit<Reach, "owners" | "ids">, Partial<Demands>>(reach, {
    pathPrefix: (prefix) => atOrBelow(prefix),
    buckets: (buckets) => oneOf("bucket", buckets),
    projects: (projects) => oneOf("project", projects),
  });
  const all = [...ofFilter, ...ofReach];
  return Object.assign({}, NO_DEMANDS, ...all, { values: all.flatMap(({ values = [] }) => values) });
}

const NO_KNOWLEDGE: Pick<Demands, "values"> = {
  values: [
    { field: "bucket", passes: (bucket) => bucket !== KNOWLEDGE },
    { field: "type", passes: (type) => type !== KNOWLEDGE },
  ],
};

/** Tests everything except the status, which depends on the time. */
function slotTest(index: OwnerIndex, demands: Demands): (slot: number) => boolean {
  const { createdAt, isItem } = index.filters;
  const { createdFrom, createdBefore, withoutItems } = demands;
  const passes = valueTest(index.filters, demands.values);
  const isOfSession = sessionTest(index, demands.session);
  return (slot) =>
    (createdAt[slot] as number) < createdBefore &&
    (createdAt[slot] as number) >= createdFrom &&
    passes(slot) &&
    isOfSession(slot) &&
    !(withoutItems && isItem[slot] === 1);
}

function valueTest(
  { codes, dictionaries, holdsNull }: FilterColumns,
  demands: readonly ValueDemand[],
): (slot: number) => boolean {
  const tests: { codes: Int32Array; passes: Uint8Array }[] = [];
  for (const { field, passes } of demands) {
    const byCode = Uint8Array.from(dictionaries[field].values, (value) => Number(passes(value)));
    if (byCode.includes(0) || holdsNull[field]) tests.push({ codes: codes[field], passes: byCode });
  }
  return (slot) => {
    for (const { codes, passes } of tests) if (passes[codes[slot] as number] !== 1) return false;
    return true;
  };
}

/** Returns a test that fails for working memories of other sessions. */
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

/** Whether a status passes. Pass "expired" for a memory that has expired. */
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

/**
 * Sorts by `seq` if necessary: slots are mostly in order, since new memories are appended. The slots of one memory keep
 * their order.
 */
export function bySeq(chosen: Int32Array, seq: Float64Array): Int32Array {
  for (let at = 1; at < chosen.length; at++) {
    if ((seq[chosen[at] as number] as number) < (seq[chosen[at - 1] as number] as number)) {
      return chosen.sort((a, b) => (seq[a] as number) - (seq[b] as number));
    }
  }
  return chosen;
}
