import { ANSWER_BYTES } from "../../../core/limits/answer-bytes.ts";
import type { AnySql, Fragment } from "./client.ts";

/**
 * SQL of the first of these rows, in order, that together are no larger than an answer, but at least one. Postgres
 * stops there, so that rows that would not be shown are neither sent nor kept in memory. The last two columns are
 * `rows_found`, the number of rows before the cut, and `bytes_before`.
 *
 * `bytes` is the size of one row `r`. It counts the bytes of texts, not of their JSON, so the answer itself may be cut
 * further.
 */
export function withinBytes(
  sql: AnySql,
  rows: Fragment,
  { bytes, order }: { readonly bytes: Fragment; readonly order: Fragment },
): Fragment {
  return sql`
    select * from (
      select r.*, count(*) over () as rows_found,
        sum(${bytes}) over (order by ${order} rows between unbounded preceding and 1 preceding) as bytes_before
      from (${rows}) r
    ) r where coalesce(r.bytes_before, 0) < ${sql.unsafe(String(ANSWER_BYTES))} order by ${order}`;
}

/**
 * SQL of the bytes of the memory `r`. The length of a text is known without reading it. JSON is read only if it is
 * stored out of line.
 */
export function memoryBytes(sql: AnySql): Fragment {
  return sql`octet_length(r.content) + pg_column_size(r.metadata || '{}') + pg_column_size(r.provenance || '{}')`;
}
