import type { Caller } from "../../../core/caller.ts";
import type { EvalSetStore } from "../../../core/evaluation/eval-set-store.ts";
import type { AnySql, Fragment, Sql } from "../database/client.ts";
import { fromRow } from "../database/rows.ts";
import { retried } from "../database/transactions.ts";
import { visible } from "../memory/visibility.ts";

export function createEvalSetStore(sql: Sql): EvalSetStore {
  return {
    async list(caller, ownerId) {
      const rows = await sql`
        select q.set_name as name, count(*)::int as questions, max(q.updated_at) as updated_at
        from eval_questions q where q.owner_id = ${ownerId} and ${isShown(sql, caller)}
        group by q.set_name order by lower(q.set_name), q.set_name`;
      return rows.map(fromRow) as Awaited<ReturnType<EvalSetStore["list"]>>;
    },
    async questions(caller, { ownerId, name }) {
      const rows = await sql`
        select q.id, q.asked, ${publicIds(sql, sql`q.relevant`)} as relevant, ${publicIds(sql, sql`q.stale`)} as stale
        from eval_questions q where q.owner_id = ${ownerId} and q.set_name = ${name} and ${isShown(sql, caller)}
        order by q.place`;
      return rows.map(fromRow) as Awaited<ReturnType<EvalSetStore["questions"]>>;
    },
    add: (caller, { ownerId, name }, questions, max) =>
      retried(() =>
        sql.begin(async (tx) => {
          await tx`select from owners where id = ${ownerId} for no key update`;
          const named = [...new Set(questions.flatMap(({ relevant, stale }) => [...relevant, ...stale]))];
          // They stay until this is committed, so that a removal meanwhile finds the question.
          const rows = await tx`
            select m.id, m.memory_id from memories m
            where m.memory_id = any(${named}) and m.status <> 'redacted' and ${visible(tx, caller)}
            order by m.id for key share of m`;
          const idOf = new Map(rows.map(({ id, memory_id }) => [memory_id as string, id as string]));
          const unknown = named.find((id) => !idOf.has(id));
          if (unknown !== undefined) return { unknown };
          const internal = (ids: readonly string[]) => ids.map((id) => idOf.get(id) as string);
          for (const { id, asked, relevant, stale } of questions)
            await tx`
              insert into eval_questions (id, owner_id, set_name, asked, relevant, stale)
              values (${id}, ${ownerId}, ${name}, ${asked as never}::jsonb, ${internal(relevant)}::uuid[], ${internal(stale)}::uuid[])
              on conflict (owner_id, set_name, asked) do update
                set relevant = excluded.relevant, stale = excluded.stale, updated_at = now()`;
          const [counted] = await tx`
            select count(*) filter (where set_name = ${name})::int as count, count(distinct set_name)::int as sets
            from eval_questions where owner_id = ${ownerId}`;
          const { count, sets } = counted as unknown as { count: number; sets: number };
          if (count > max.questions || sets > max.sets)
            throw new Full(count > max.questions ? "questions" : "sets");
          return { count };
        }),
      ).catch((error: unknown) => {
        if (error instanceof Full) return { full: error.what };
        throw error;
      }) as ReturnType<EvalSetStore["add"]>,
    async remove({ ownerId, name }, ids) {
      const { count } = await sql`
        delete from eval_questions where owner_id = ${ownerId} and set_name = ${name}
          ${ids === null ? sql`` : sql`and id = any(${ids as string[]}::uuid[])`}`;
      return count;
    },
  };
}

/** Ends a transaction that would exceed a limit. */
class Full extends Error {
  readonly what: "sets" | "questions";

  constructor(what: "sets" | "questions") {
    super(`too many ${what}`);
    this.what = what;
  }
}

/** True if the caller sees every memory of the row `q`. */
function isShown(sql: AnySql, caller: Caller): Fragment {
  return sql`(select count(*) from memories m where m.id = any(q.relevant || q.stale) and ${visible(sql, caller)})
    = cardinality(q.relevant || q.stale)`;
}

function publicIds(sql: AnySql, ids: Fragment): Fragment {
  return sql`array(
    select m.memory_id from unnest(${ids}) with ordinality as named (memory, place)
      join memories m on m.id = named.memory order by named.place)`;
}
