import type { MetadataValue } from "../../../contract/filter.ts";
import type { memoryStatuses } from "../../../contract/memory.ts";
import type { Caller } from "../../../core/caller.ts";
import type { FilterMembers, MemoryFilter } from "../../../core/memory/memory-filter.ts";
import { equalTo } from "../../../core/memory/metadata-filter.ts";
import { eachMember } from "../../../recall/each-member.ts";
import type { AnySql, Fragment } from "../database/client.ts";
import { hasOneOf } from "./facet-values.ts";
import { normalForm } from "./normal-form.ts";
import { like } from "./pattern.ts";
import { wasRecalled } from "./recall-counts.ts";
import { isLive, statusAt } from "./supersession.ts";
import { isNoKnowledge, ofEachOwner, type Sight, sightOf, visible } from "./visibility.ts";

/** A filter that may leave the status open, `null`: then it matches soft-deleted memories, too. */
export type OfAnyStatus<Filter extends { readonly status: string }> = Omit<Filter, "status"> & {
  readonly status: string | null;
};

/** The filter's condition over the row `m`. It narrows `visible` and must never be used without it. */
export function matches(sql: AnySql, filter: OfAnyStatus<MemoryFilter>): Fragment {
  const { asOf, now } = filter;
  // Leaves out a condition that every memory meets: the statement is planned faster without it.
  const matching = (column: Fragment, pattern: string) =>
    pattern === "%" ? null : like(sql, column, pattern);
  const conditions = eachMember<OfAnyStatus<FilterMembers>, Fragment>(filter, {
    path: (pattern) => matching(sql`m.path`, pattern),
    bucket: (pattern) => matching(sql`m.bucket`, pattern),
    memoryTypes: (patterns) => (patterns.includes("%") ? null : anyType(sql, patterns)),
    status: (status) => (asOf === null ? statusMatches(sql, status, now) : null),
    asOf: (instant) => aliveAt(sql, instant),
    scope: (scope) => sql`m.scope = ${scope}`,
    teamId: (teamId) => sql`m.owner_id = ${teamId} and m.scope = 'team'`,
    projectId: (projectId) => sql`m.project_id = ${projectId}`,
    createdBefore: (instant) => sql`m.created_at < ${instant}`,
    createdFrom: (instant) => sql`m.created_at >= ${instant}`,
    pathUnder: (path) => sql`(m.path = ${path} or starts_with(m.path, ${`${path}/`}))`,
    agentId: (agentId) => sql`m.agent_id = ${agentId}`,
    source: (source) => isText(sql, sql`m.source`, source),
    memoryIds: (ids) => sql`m.memory_id = any(${ids as string[]})`,
    oneOf: (chosen) => hasOneOf(sql, chosen, now),
    recalled: (isAsked) => wasRecalled(sql, isAsked),
    includeKnowledge: (included) => (included ? null : isNoKnowledge(sql)),
    metadata: (members) => metadataMatches(sql, members),
    session: (session) => ofSession(sql, session),
    withoutItems: (without) => (without ? sql`m.workspace_item is null` : null),
  });
  return sql`(${conditions.reduce((all, condition) => sql`${all} and ${condition}`, sql`true`)})`;
}

/** Conditions of a list, to apply to the rows of several tables, each as `m`. */
export interface Asked extends Pick<Sight, "seen" | "owners"> {
  /** True if the caller may see the row and the filter matches it. */
  readonly allowed: Fragment;
}

export function askedOf(sql: AnySql, caller: Caller, filter: MemoryFilter): Asked {
  const { seen, owners, visible } = sightOf(sql, caller);
  return { seen, owners, allowed: sql`${visible} and ${matches(sql, filter)}` };
}

/**
 * SQL table of the matching memories that the caller may see, owner by owner, with the `selected` columns of the row
 * `m`.
 */
export function matchesOf(sql: AnySql, caller: Caller, filter: MemoryFilter, selected: Fragment): Fragment {
  return ofEachOwner(
    sql,
    caller,
    (owner) => sql`
      select ${selected} from memories m
      where m.owner_id = ${owner} and ${visible(sql, caller)} and ${matches(sql, filter)}`,
  );
}

function anyType(sql: AnySql, patterns: readonly string[]): Fragment {
  const matching = patterns.map((pattern) => like(sql, sql`m.memory_type`, pattern));
  return matching.reduce((either, one) => sql`(${either} or ${one})`, sql`false`);
}

/** Statuses that a memory keeps until it is changed. None contains a quote. */
const LASTING: ReadonlySet<string> = new Set([
  "archived",
  "soft_deleted",
  "redacted",
] satisfies (typeof memoryStatuses)[number][]);

/**
 * Condition for a status. `active` means every live memory, and `expired` is computed. A pattern never matches
 * soft-deleted memories.
 */
export function statusMatches(sql: AnySql, status: string, now: number): Fragment {
  if (status === "active") return isLive(sql, now);
  // Time does not change these. As a literal, the status is found by the index of memories that are not live.
  if (LASTING.has(status)) return sql`m.status = ${sql.unsafe(`'${status}'`)}`;
  if (status === "%") return sql`m.status <> 'soft_deleted'`;
  const effective = sql`(${statusAt(sql, now)})`;
  if (!status.includes("%")) return sql`${effective} = ${status}`;
  return sql`${like(sql, effective, status)} and m.status <> 'soft_deleted'`;
}

/** Limits working memories to those of this session or of no session; null: no limit. */
export function ofSession(sql: AnySql, session: string | null): Fragment {
  if (session === null) return sql`true`;
  return sql`(m.memory_type <> 'working' or m.session_id is null or m.session_id = ${session})`;
}

/**
 * True if the memory was stored by that instant and live in its state then. Deleted and redacted memories do not appear
 * in the past either, and neither do those that were another owner's then.
 */
function aliveAt(sql: AnySql, instant: number): Fragment {
  return sql`m.created_at <= ${instant} and m.status not in ('soft_deleted', 'redacted')
    and case when m.updated_at <= ${instant} then ${isLive(sql, instant)} else exists (
    select from (
      select coalesce(
        (select v.state from memory_versions v where v.owner_id = m.owner_id and v.memory = m.id and v.valid_to > ${instant}
         order by v.revision limit 1),
        jsonb_build_object('status', m.status, 'expires_at', m.expires_at, 'superseded_status', m.superseded_status,
          'superseded_until', m.superseded_until)
      ) as state, m.owner_id::text as owner_id
    ) past
    -- As the row was then.
    cross join lateral jsonb_to_record(past.state) as m (
      status text, expires_at timestamptz, superseded_status text, superseded_until timestamptz
    )
    where ${isLive(sql, instant)} and coalesce(past.state ->> 'owner_id', past.owner_id) = past.owner_id
  ) end`;
}

/** SQL counterpart of `heldIn` and `equalsAsked`. */
function metadataMatches(sql: AnySql, metadata: NonNullable<MemoryFilter["metadata"]>): Fragment {
  const conditions = Object.entries(metadata).map(([name, asked]) => {
    const own = holds(sql, [name], asked);
    if (!name.includes(".")) return own;
    return sql`case when m.metadata ? ${name} then ${own} else ${holds(sql, name.split("."), asked)} end`;
  });
  return conditions.reduce((all, condition) => sql`${all} and ${condition}`);
}

/**
 * True if one of the values at this path equals `asked`. Jsonpath unwraps lists on the way and compares each of their
 * members. It does not normalise Unicode, so texts that need it are compared by `isText`.
 */
function holds(sql: AnySql, names: readonly string[], asked: MetadataValue): Fragment {
  const path = ["$", ...names.map((name) => JSON.stringify(name))].join(".");
  if (typeof asked === "string" && !isSameInEveryForm(asked))
    return sql`exists (
      select from jsonb_path_query(m.metadata, ${`${path}[*] ? (@.type() == "string")`}::jsonpath) as texts (text)
      where ${isText(sql, sql`(texts.text #>> '{}')`, asked)}
    )`;
  const isAsked = equalTo(asked).map((value) => `@ == ${JSON.stringify(value)}`);
  return sql`m.metadata @? ${`${path} ? (${isAsked.join(" || ")})`}::jsonpath`;
}

/** True if a stored text equals this one, which is in NFC. */
function isText(sql: AnySql, stored: Fragment, asked: string): Fragment {
  return sql`${isSameInEveryForm(asked) ? stored : normalForm(sql, stored)} = ${asked}`;
}

/** ASCII is the same in every normal form. */
function isSameInEveryForm(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text);
}
