import { liveStatuses } from "../../contract/memory.ts";
import { eachMember } from "../../recall/each-member.ts";
import { SUPERSEDED } from "../../recall/index/in-memory/owner-index.ts";
import { DELETED, EXPIRED, matchesPattern } from "../../recall/index/in-memory/scope-filter.ts";
import type { IndexedMembers, Reach, RecallScope } from "../../recall/index/scope.ts";
import { KNOWLEDGE, WORKING } from "../../recall/index/scope.ts";
import type { Query } from "./searches.ts";

/** A condition of a scope: either a query that its memories match, or queries that none of them match. */
type Condition = { readonly is: Query } | { readonly isNone: readonly Query[] };

/** The engine's counterpart of `scope-filter.ts`. `excluded`: memories for which the engine is out of date. */
export function scopeQuery({ filter, reach }: RecallScope, excluded: readonly string[]): Query {
  const { asOf, now } = filter;
  const is = (query: Query | null) => (query === null ? null : { is: query });
  const isNone = (...queries: Query[]) => ({ isNone: queries });
  const ofFilter = eachMember<IndexedMembers, Condition>(filter, {
    path: (pattern) => is(patternQuery("path", pattern)),
    bucket: (pattern) => is(patternQuery("bucket", pattern)),
    memoryTypes: (patterns) => is(anyPatternQuery("memory_type", patterns)),
    // For a time in the past, the ids from the record already select what was live then, whatever its status is now.
    status: (status) => is(statusQuery(asOf === null ? status : "%", now)),
    scope: (scope) => is({ term: { scope } }),
    teamId: (team) => is({ term: { team } }),
    projectId: (project) => is({ term: { project } }),
    createdBefore: (instant) => is({ range: { created_at: { lt: instant } } }),
    createdFrom: (instant) => is({ range: { created_at: { gte: instant } } }),
    pathUnder: (path) => is(atOrBelow(path)),
    includeKnowledge: (included) =>
      included ? null : isNone({ term: { bucket: KNOWLEDGE } }, { term: { memory_type: KNOWLEDGE } }),
    session: (session) => is(sessionQuery(session, reach.owners)),
    withoutItems: (without) => (without ? isNone({ term: { item: true } }) : null),
  });
  const ofReach = eachMember<Reach, Condition>(reach, {
    owners: (owners) => is({ terms: { owner: [...owners] } }),
    pathPrefix: (prefix) => is(atOrBelow(prefix)),
    buckets: (buckets) => is({ terms: { bucket: [...buckets] } }),
    projects: (projects) => is({ terms: { project: [...projects] } }),
    ids: (ids) => is({ ids: { values: [...ids] } }),
  });
  const conditions = [...ofReach, ...ofFilter];
  const refused = excluded.length === 0 ? [] : [{ ids: { values: [...excluded] } }];
  return {
    bool: {
      filter: conditions.flatMap((condition) => ("is" in condition ? [condition.is] : [])),
      must_not: [
        ...refused,
        ...conditions.flatMap((condition) => ("isNone" in condition ? condition.isNone : [])),
      ],
    },
  };
}

function atOrBelow(path: string): Query {
  return either({ term: { path } }, { prefix: { path: `${path}/` } });
}

/**
 * Matches memories that are not working memories, that are in no session, or that are in this session of any project
 * (`sessionKey`).
 */
function sessionQuery(session: string, owners: readonly string[]): Query {
  const ofOwner = (owner: string): Query => ({
    regexp: { session: { value: `${literal(owner)}/([0-9]+:[A-Za-z0-9._:\\-]+)?/${literal(session)}` } },
  });
  const others: Query[] = [{ term: { memory_type: WORKING } }, { exists: { field: "session" } }];
  const should = [...owners.map(ofOwner), ...others.map((other) => ({ bool: { must_not: [other] } }))];
  return either(...should);
}

/** Escapes a text as a regular expression of the engine that matches exactly that text. */
function literal(text: string): string {
  return text.replace(/[.?+*|{}[\]()"\\#@&<>~^$-]/g, "\\$&");
}

/**
 * Matches memories by status. A superseded memory that is live again has only the status from before it was superseded.
 * A live memory that has expired has only the status "expired".
 */
function statusQuery(status: string, now: number): Query {
  const liveAgain: Query = {
    bool: { filter: [{ term: { status: SUPERSEDED } }, { range: { superseded_until: { lte: now } } }] },
  };
  const live = either({ terms: { status: [...liveStatuses] } }, liveAgain);
  const over: Query = { range: { expires_at: { lte: now } } };
  if (status === "active") return { bool: { filter: [live], must_not: [over] } };
  const expired: Query = { bool: { filter: [live, over] } };
  const isPattern = status.includes("%");
  const asStored: Query = {
    bool: {
      filter: [patternQuery("status", status) ?? { match_all: {} }],
      must_not: [liveAgain, ...(isPattern ? [{ term: { status: DELETED } }] : [])],
    },
  };
  const asBefore: Query = {
    bool: { filter: [liveAgain, patternQuery("superseded_status", status) ?? { match_all: {} }] },
  };
  const matching = either(asStored, asBefore);
  return matchesPattern(EXPIRED, status)
    ? either(matching, expired)
    : { bool: { filter: [matching], must_not: [expired] } };
}

function either(...queries: Query[]): Query {
  return { bool: { should: queries, minimum_should_match: 1 } };
}

/** Fields that filters compare with patterns, and the maximum length of their values. */
type PatternField = "path" | "bucket" | "memory_type" | "status" | "superseded_status";
const VALUE_CHARACTERS_MAX = 512;

/**
 * Limits for wildcard queries. The engine turns a wildcard into an automaton, in time about quadratic in the total
 * length of the parts. A pattern of 450 letters or hundreds of parts is slow, or is refused.
 */
const PARTS_MAX = 16;
const LETTERS_MAX = 192;

/** Matches values by a pattern in which only `%` is special. null if every value matches. */
function patternQuery(field: PatternField, pattern: string): Query | null {
  const parts = pattern.split(/%+/);
  const letters = parts.join("").length;
  if (letters > VALUE_CHARACTERS_MAX) return { match_none: {} };
  const [first = "", last = ""] = parts;
  if (parts.length === 1) return { term: { [field]: first } };
  if (parts.length === 2 && last === "") return first === "" ? null : { prefix: { [field]: first } };
  if (parts.length > PARTS_MAX || letters > LETTERS_MAX)
    return { script: { script: { source: MATCH_PARTS, params: { field, parts } } } };
  return { wildcard: { [field]: { value: parts.map(escaped).join("*") } } };
}

/** Matches values by any of several patterns. null if every value matches. */
function anyPatternQuery(field: PatternField, patterns: readonly string[]): Query | null {
  const exact = patterns.filter((pattern) => !pattern.includes("%"));
  const others = patterns.filter((pattern) => pattern.includes("%"));
  const queries = others.map((pattern) => patternQuery(field, pattern));
  if (queries.includes(null)) return null;
  const should = queries.filter((query) => query !== null);
  return either({ terms: { [field]: exact } }, ...should);
}

function escaped(text: string): string {
  return text.replace(/[\\*?]/g, "\\$&");
}

/** Same as `matchesPattern` of the index in memory: finds each part at its first position after the previous part. */
const MATCH_PARTS = `
  String value = doc[params.field].value;
  List parts = params.parts;
  String last = parts.get(parts.size() - 1);
  if (!value.startsWith(parts.get(0)) || !value.endsWith(last)) return false;
  int at = parts.get(0).length();
  for (int i = 1; i < parts.size() - 1; i++) {
    int found = value.indexOf(parts.get(i), at);
    if (found < 0) return false;
    at = found + parts.get(i).length();
  }
  return at <= value.length() - last.length();`;
