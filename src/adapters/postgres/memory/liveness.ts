import type { AnySql, Fragment } from "../database/client.ts";

/** An instant, or an expression of one. */
type Instant = number | Fragment;

/** True where the row `m` takes part in default recall at that instant: the twin of the core's `isLive`. */
export function isLive(sql: AnySql, now: Instant): Fragment {
  return hasLiveStatus(sql, LIVE(sql), now);
}

/** True where the row is live at that instant in one of these of the live statuses, as SQL: `('active', 'started')`. */
export function hasLiveStatus(sql: AnySql, statuses: Fragment, now: Instant): Fragment {
  return sql`(${stands(sql, statuses, now)} and (m.expires_at is null or m.expires_at > ${now}))`;
}

/** The status that callers see of the row at that instant: the twin of the core's `statusAt`. */
export function statusAt(sql: AnySql, now: Instant): Fragment {
  return sql`case when ${stands(sql, LIVE(sql), now)} and m.expires_at <= ${now} then 'expired'
    when ${isLiveAgain(sql, now)} then ${FORMER(sql)} else m.status end`;
}

/**
 * Its own expiry aside. The statuses are written out, so that the planner sees that a partial index of live memories has
 * all of these rows.
 */
export function stands(sql: AnySql, statuses: Fragment, now: Instant): Fragment {
  return sql`(m.status in ${statuses} or (${isLiveAgain(sql, now)} and ${FORMER(sql)} in ${statuses}))`;
}

/** True where what superseded the row has given way by then. */
function isLiveAgain(sql: AnySql, now: Instant): Fragment {
  return sql`(m.status = 'superseded' and m.superseded_until <= ${now})`;
}

/** The live statuses. */
export const LIVE = (sql: AnySql) => sql`('active', 'started', 'completed')`;
/** What it was before it was superseded. */
const FORMER = (sql: AnySql) => sql`coalesce(m.superseded_status, 'active')`;
