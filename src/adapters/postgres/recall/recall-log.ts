import type { RecallFilter, RecallLogStore } from "../../../core/recall/recall-log.ts";
import type { AnySql, Fragment, Sql, TransactionSql } from "../database/client.ts";
import { retried } from "../database/transactions.ts";
import { visible } from "../memory/visibility.ts";

/** Rows deleted at a time, few enough that no one waits long for them. */
const SWEEP_ROWS = 5000;
const DAY_MS = 86_400_000;

const inUtc = (instant: number) => new Date(instant).toISOString();

export function createRecallLogStore(sql: Sql): RecallLogStore {
  return {
    async add(recalls) {
      if (recalls.length === 0) return;
      const lines = recalls.map(({ at, ...recall }) => ({ ...recall, at: inUtc(at) }));
      // The memories stay until this is committed, so that a removal meanwhile finds the recall.
      await retried(() =>
        sql.begin(async (tx) => {
          const ids = [...new Set(recalls.flatMap(({ memories }) => memories))].sort();
          const rows = await tx`
            select id from memories where id = any(${ids}::uuid[]) and status <> 'redacted' order by id for key share`;
          const there = rows.map(({ id }) => id as string);
          await tx`
            insert into recalls (
              id, owner_id, at, operation, question, outcome, memories, tokens, tokens_max, ms, token_id, agent_id, project_id
            )
            select id, "ownerId", at, operation, question, outcome, memories, tokens, "tokensMax", ms, "tokenId", "agentId",
              "projectId"
            from jsonb_to_recordset(${JSON.stringify(lines)}::text::jsonb) as told (
              id uuid, "ownerId" uuid, at timestamptz, operation text, question text, outcome text, memories uuid[],
              tokens integer, "tokensMax" integer, ms integer, "tokenId" uuid, "agentId" text, "projectId" text
            )
            where "ownerId" in (select id from owners) and memories <@ ${there}::uuid[]
            on conflict (id) do nothing`;
        }),
      );
    },
    async list(caller, filter, { cursor, limit }) {
      const rows = await sql`
        select r.id, r.at, r.operation, r.question, r.outcome, r.tokens, r.tokens_max as max_tokens, r.ms, r.agent_id,
          r.project_id, r.token_id, t.kind as token_kind, t.name as token_name,
          a.client ->> 'client_name' as agent_name,
          array(
            select m.memory_id from unnest(r.memories) with ordinality as came (memory, place)
              join memories m on m.id = came.memory
            where m.status <> 'redacted' and ${visible(sql, caller)} order by came.place
          ) as memory_ids
        from recalls r
          left join tokens t on t.id = r.token_id
          left join agents a on ${isAgentOfOwner(sql)}
        where ${matches(sql, filter)}
          ${cursor === null ? sql`` : sql`and (r.at, r.id) < (select c.at, c.id from recalls c where c.id = ${cursor} and c.owner_id = ${filter.ownerId})`}
        order by r.at desc, r.id desc limit ${limit}`;
      return rows.map(({ at, token_id: id, token_kind: kind, token_name: name, ...recall }) => ({
        ...recall,
        at: inUtc(at),
        credential: { id, kind, name },
      })) as Awaited<ReturnType<RecallLogStore["list"]>>;
    },
    async steps(filter, stepMs) {
      const rows = await sql`
        select to_timestamp(
            ${(filter.after ?? 0) / 1000}::float8 + step * ${stepMs / 1000}::float8
          ) as at, answered, partial, found, "none"
        from (
          select ${stepOf(sql, filter, stepMs)} as step, ${outcomes(sql)}
          from recalls r where ${matches(sql, filter)} group by 1
        ) counted order by step`;
      return rows.map(({ at, ...counts }) => ({ ...counts, at: inUtc(at) })) as Awaited<
        ReturnType<RecallLogStore["steps"]>
      >;
    },
    async latency(filter) {
      const [row] = await sql`
        select percentile_disc(array[0.5, 0.95]) within group (order by ms) as ms from recalls r
        where ${matches(sql, filter)}`;
      const [p50, p95] = (row?.ms ?? []) as number[];
      return p50 === undefined || p95 === undefined ? null : { p50_ms: p50, p95_ms: p95 };
    },
    async activity(filter, { stepMs, steps, limit }) {
      const perStep = sql`jsonb_object_agg(r.step, r.recalls)`;
      const rows = await sql`
        select r.*, t.kind as token_kind, t.name as token_name, a.client ->> 'client_name' as agent_name
        from (
          select owner_id, token_id, agent_id, ${perStep} as recalls, sum(answered)::int as answered,
            sum(partial)::int as partial, sum(found)::int as found, sum("none")::int as "none"
          from (
            select r.owner_id, r.token_id, r.agent_id, ${stepOf(sql, filter, stepMs)}::int as step,
              count(*)::int as recalls, ${outcomes(sql)}
            from recalls r where ${matches(sql, filter)} group by 1, 2, 3, 4
          ) r group by 1, 2, 3 order by sum(r.recalls) desc, token_id, agent_id limit ${limit}
        ) r
          left join tokens t on t.id = r.token_id
          left join agents a on ${isAgentOfOwner(sql)}
        order by answered + partial + found + "none" desc, r.token_id, r.agent_id`;
      return rows.map(({ token_id, token_kind, token_name, agent_id, agent_name, recalls, ...row }) => ({
        credential: { id: token_id, kind: token_kind, name: token_name },
        agent_id,
        agent_name,
        recalls: Array.from({ length: steps }, (_, step) => recalls[step] ?? 0),
        answered: row.answered,
        partial: row.partial,
        found: row.found,
        none: row.none,
      }));
    },
    async recallsOf(caller, memoryIds, { after, days }) {
      const day = days === 0 ? sql`0` : stepOf(sql, { after }, DAY_MS);
      const rows = await sql`
        select id, sum(recalls)::int as recalls, max(last_at) as last_at, jsonb_object_agg(day, recalls) as by_day
        from (
          select m.id as memory, m.memory_id as id, ${day} as day, count(*)::int as recalls, max(r.at) as last_at
          from memories m join recalls r on r.memories @> array[m.id]
          where m.memory_id = any(${memoryIds as string[]}) and ${visible(sql, caller)}
          group by 1, 2, 3
        ) counted group by memory, id`;
      return rows.map(({ id, recalls, last_at, by_day }) => ({
        id,
        recalls,
        last_at: inUtc(last_at),
        days: Array.from({ length: days }, (_, n) => by_day[n] ?? 0),
      }));
    },
    async sweep(days) {
      for (let gone = SWEEP_ROWS; gone === SWEEP_ROWS; ) {
        const { count } = await sql`
          delete from recalls where id = any(array(
            select id from recalls where at < now() - make_interval(days => ${days}) limit ${SWEEP_ROWS}
          ))`;
        gone = count;
      }
    },
  };
}

/** The number of the step in which the row `r` is, from 0 on. */
function stepOf(sql: AnySql, { after }: Pick<RecallFilter, "after">, stepMs: number): Fragment {
  return sql`floor(
    (extract(epoch from r.at)::float8 - ${(after ?? 0) / 1000}::float8) / ${stepMs / 1000}::float8
  )`;
}

/** Counts of the rows `r` by what came of them. */
function outcomes(sql: AnySql): Fragment {
  return sql`
    count(*) filter (where r.outcome = 'answered')::int as answered,
    count(*) filter (where r.outcome = 'partial')::int as partial,
    count(*) filter (where r.outcome = 'found')::int as found,
    count(*) filter (where r.outcome = 'none')::int as "none"`;
}

/** True if `a` is the agent of the row `r`. One that only claims its id may claim that of another owner's. */
function isAgentOfOwner(sql: AnySql): Fragment {
  return sql`a.id = r.agent_id and r.owner_id in (a.approved_by, a.granted_team_id)`;
}

/** The condition on the row `r`. */
function matches(sql: AnySql, filter: RecallFilter): Fragment {
  const { ownerId, after, before, outcome, agentId, tokenId, projectId, question, slowerThanMs } = filter;
  return sql`
    r.owner_id = ${ownerId}
    ${after === null ? sql`` : sql`and r.at >= ${inUtc(after)}::timestamptz`}
    ${before === null ? sql`` : sql`and r.at < ${inUtc(before)}::timestamptz`}
    ${outcome === null ? sql`` : sql`and r.outcome = ${outcome}`}
    ${agentId === null ? sql`` : sql`and r.agent_id = ${agentId}`}
    ${tokenId === null ? sql`` : sql`and r.token_id = ${tokenId}`}
    ${projectId === null ? sql`` : sql`and r.project_id = ${projectId}`}
    ${question === null ? sql`` : sql`and position(lower(${question}) in lower(r.question)) > 0`}
    ${slowerThanMs === null ? sql`` : sql`and r.ms > ${slowerThanMs}`}`;
}

/**
 * Removes the recalls in which these memories came, and the questions of evaluation sets that name them. Call it with the
 * memories locked.
 */
export async function forgetQuestions(sql: TransactionSql, ids: readonly string[]): Promise<void> {
  await sql`delete from recalls where memories && ${ids as string[]}::uuid[]`;
  await sql`delete from eval_questions where (relevant || stale) && ${ids as string[]}::uuid[]`;
}
