import { ANSWER_BYTES } from "../../../core/limits/answer-bytes.ts";
import type { AnySql, Fragment } from "./client.ts";

/**
 * The first of the rows, in that order, that together are no larger than an answer: at least one. Postgres stops there,
 * so that what nobody will be shown is neither sent nor kept in memory. Its last two columns are `rows_found`, the
 * number of rows before the cut, and `bytes_before`.
 *
 * `bytes` is what one row `r` takes: the bytes of its texts and not their JSON, so the answer itself may be cut further.
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

/** The bytes of the memory `r`. Text is not read for its length, and JSON only if it is stored out of line. */
export function memoryBytes(sql: AnySql): Fragment {
  return sql`octet_length(r.content) + pg_column_size(r.metadata || '{}') + pg_column_size(r.provenance || '{}')`;
}
