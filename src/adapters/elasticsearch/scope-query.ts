import { liveStatuses } from "../../contract/memory.ts";
import { WORKING } from "../../core/memory/session.ts";
import { SUPERSEDED } from "../../core/recall/in-memory/filter-columns.ts";
import { DELETED, EXPIRED, KNOWLEDGE, matchesPattern } from "../../core/recall/in-memory/scope-filter.ts";
import type { RecallFilter } from "../../core/recall/recall-index.ts";
import { anyPatternQuery, patternQuery } from "./pattern-query.ts";
import type { Query } from "./search-all.ts";

/** The twin of `scope-filter.ts` for the engine. `excluded`: memories of which the engine must not be believed. */
export function scopeQuery(filter: RecallFilter, excluded: readonly string[]): Query {
  const { pathPrefix, allowedBuckets, allowedProjects, excludedTypes = [] } = filter;
  const demands: (Query | null)[] = [
    { terms: { owner: [...filter.owners] } },
    patternQuery("path", filter.path),
    pathPrefix === null ? null : atOrBelow(pathPrefix),
    patternQuery("bucket", filter.bucket),
    allowedBuckets === null ? null : { terms: { bucket: [...allowedBuckets] } },
    anyPatternQuery("memory_type", filter.memoryTypes),
    filter.scope === null ? null : { term: { scope: filter.scope } },
    filter.teamId === null ? null : { term: { team: filter.teamId } },
    filter.projectId === null ? null : { term: { project: filter.projectId } },
    allowedProjects === null ? null : { terms: { project: [...allowedProjects] } },
    filter.ids === null ? null : { ids: { values: [...filter.ids] } },
    filter.asOf === null ? null : { range: { created_at: { lte: filter.asOf } } },
    statusQuery(filter),
    sessionQuery(filter),
  ];
  const refusals: Query[] = [
    ...(excluded.length === 0 ? [] : [{ ids: { values: [...excluded] } }]),
    ...(excludedTypes.length === 0 ? [] : [{ terms: { memory_type: [...excludedTypes] } }]),
    ...(filter.includeKnowledge
      ? []
      : [{ term: { bucket: KNOWLEDGE } }, { term: { memory_type: KNOWLEDGE } }]),
  ];
  return { bool: { filter: demands.filter((demand) => demand !== null), must_not: refusals } };
}

function atOrBelow(path: string): Query {
  return either({ term: { path } }, { prefix: { path: `${path}/` } });
}

/** What is no working memory, what is in no session, and what is in this one, whichever its project (`session-key.ts`). */
function sessionQuery({ session, owners }: RecallFilter): Query | null {
  if (session === null) return null;
  const ofOwner = (owner: string): Query => ({
    regexp: { session: { value: `${literal(owner)}/([0-9]+:[A-Za-z0-9._:\\-]+)?/${literal(session)}` } },
  });
  const others: Query[] = [{ term: { memory_type: WORKING } }, { exists: { field: "session" } }];
  const should = [...owners.map(ofOwner), ...others.map((other) => ({ bool: { must_not: [other] } }))];
  return either(...should);
}

/** A text as a regular expression of the engine that matches it alone. */
function literal(text: string): string {
  return text.replace(/[.?+*|{}[\]()"\\#@&<>~^$-]/g, "\\$&");
}

/**
 * A superseded memory that is live again counts as what it was before, and a live one that has expired as "expired": each
 * as nothing else.
 */
function statusQuery({ status, now }: RecallFilter): Query {
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
