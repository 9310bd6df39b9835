import { randomUUID } from "node:crypto";
import {
  type Claim,
  type Outbox,
  type OutboxLine,
  type Outcome,
  TRIES_MAX,
} from "../../../core/projection/outbox.ts";
import type { ProjectionStatus } from "../../../core/projection/projection-status.ts";
import { REMOVALS_KEPT_MS } from "../../../recall/index/index-document.ts";
import { sweepAgents, sweepSignIns } from "../access/agent-sweep.ts";
import type { AnySql, Fragment, Sql } from "../database/client.ts";
import { fromRow, type Row } from "../database/rows.ts";
import { retried } from "../database/transactions.ts";
import { hasFirstStatistics } from "../memory/first-statistics.ts";
import { ANSWERS_KEPT_HOURS } from "../memory/idempotency.ts";
import { foldMemoryCounts, forgetCountsOfNobody } from "../memory/total.ts";
import { foldUsage } from "../memory/usage.ts";
import { isEmbedded } from "./embeddings.ts";

/** How long a run of maintenance is listed, and can be undone. */
const RUNS_KEPT_DAYS = 90;
/** A worker renews its lease well before it ends. The lines of a worker that died wait this long. */
const LEASE_SECONDS = 10;
const PAUSE_MAX_SECONDS = 300;

export interface OutboxOptions {
  /** Embedding generation of the vectors that are written now. */
  readonly generation: number;
  /**
   * False if this server has no search engine. While an index of the search engine exists, it then leaves all lines to
   * servers that have the engine.
   */
  readonly hasEngine: boolean;
}

export function createOutbox(sql: Sql, { generation, hasEngine }: OutboxOptions): Outbox {
  return {
    async claim(limit) {
      const lease = randomUUID();
      return { lease, ...(await claim(sql, { generation, hasEngine, lease, limit })) };
    },
    async renew(lease) {
      await sql`
        with held as (
          update outbox_owners set leased_until = now() + ${LEASE_SECONDS} * interval '1 second' where lease = ${lease}
        )
        update outbox set leased_until = now() + ${LEASE_SECONDS} * interval '1 second' where lease = ${lease}`;
    },
    async settle(lease, outcomes) {
      await retried(() => settle(sql, lease, outcomes));
      await retried(() => sql`delete from outbox_owners where lease = ${lease}`);
    },
    async retrySetAside() {
      const due = await sql`
        update outbox set set_aside = null, attempts = 0, available_at = now() where set_aside is not null`;
      return due.count;
    },
    learnFirst: () => hasFirstStatistics(sql),
    fold: () => foldMemoryCounts(sql),
    async sweep() {
      await sql`delete from tombstones where removed_at < now() - ${REMOVALS_KEPT_MS} * interval '1 millisecond'`;
      await sql`delete from outbox_owners where leased_until < now() - interval '1 hour'`;
      await sweepAgents(sql);
      await sweepSignIns(sql);
      await foldUsage(sql);
      await forgetCountsOfNobody(sql);
      await sql`
        delete from maintenance_runs
        where finished_at < now() - make_interval(days => ${RUNS_KEPT_DAYS}) and status <> 'undoing'`;
      await sql`delete from idempotency_keys where created_at < now() - make_interval(hours => ${ANSWERS_KEPT_HOURS})`;
    },
  };
}

interface Claiming extends OutboxOptions {
  readonly lease: string;
  readonly limit: number;
}

/**
 * Claims due lines. Lines are divided by owner: a worker that claims one line holds all lines of that owner until it
 * has settled. If two workers claim at the same time, the second finds the row of the first, and skips the owner. A
 * line that needs no work is deleted at once, whichever worker holds its owner.
 */
async function claim(
  sql: Sql,
  { generation, hasEngine, lease, limit }: Claiming,
): Promise<Omit<Claim, "lease">> {
  const rows = await sql`
    with due as (
      select id, owner_id, memory, revision, kind, receipt from outbox o
      where available_at <= now() and (leased_until is null or leased_until < now())
        and not exists (select from outbox_owners h where h.owner_id = o.owner_id and h.leased_until >= now())
        ${hasEngine ? sql`` : sql`and not exists (select from index_generations)`}
      order by available_at, id limit ${limit} for update skip locked
    ), line as (
      select due.*, coalesce(octet_length(m.content), 0) as bytes,
             coalesce(due.kind <> 'remove' and m.status <> 'redacted' and not ${isEmbedded(sql)}, false) as needs_vector,
             ${hasEngine ? sql`false` : asksForNothing(sql)} as is_done
      from due
      -- By their keys (offset 0 keeps the planner from anything else): it would rather read all there are.
      left join lateral (
        select * from memories where owner_id = due.owner_id and id = due.memory offset 0
      ) m on true
      left join lateral (
        select * from embeddings where owner_id = due.owner_id and memory = due.memory and generation = ${generation} offset 0
      ) e on true
    ), cleared as (
      delete from outbox o using line where line.is_done and o.owner_id = line.owner_id and o.id = line.id
    ), held as (
      insert into outbox_owners as h (owner_id, lease, leased_until)
      select distinct owner_id, ${lease}::uuid, now() + ${LEASE_SECONDS} * interval '1 second' from line
      where not is_done order by owner_id
      on conflict (owner_id) do update set lease = excluded.lease, leased_until = excluded.leased_until
        where h.leased_until < now()
      returning owner_id
    ), taken as (
      update outbox o set lease = ${lease}, leased_until = now() + ${LEASE_SECONDS} * interval '1 second'
      from line join held using (owner_id) where not line.is_done and o.owner_id = line.owner_id and o.id = line.id
      returning o.id, o.owner_id
    )
    select line.id, line.owner_id, line.memory, line.revision, line.kind, line.receipt, line.needs_vector, line.bytes,
      line.is_done
    from line left join taken on taken.owner_id = line.owner_id and taken.id = line.id
    where line.is_done or taken.id is not null order by line.id`;
  const found = rows.map(fromRow<OutboxLine & { readonly isDone: boolean }>);
  const done = found.filter(({ isDone }) => isDone);
  return {
    done: done.map(({ ownerId, memory }) => ({ ownerId, memory })),
    lines: found.filter(({ isDone }) => !isDone),
  };
}

/**
 * True for a line that needs no work: its memory exists and has its vector. Not true if another line of the memory was
 * set aside, since that has to be cleared as well: see `finish`.
 */
function asksForNothing(sql: AnySql): Fragment {
  return sql`(due.kind = 'put' and due.receipt is null and m.status is not null and ${isEmbedded(sql)}
    and not exists (
      select from outbox s where s.owner_id = due.owner_id and s.memory = due.memory and s.set_aside is not null offset 0
    ))`;
}

async function settle(sql: Sql, lease: string, outcomes: ReadonlyMap<OutboxLine, Outcome>): Promise<void> {
  const of = <K extends Outcome["kind"]>(kind: K) =>
    [...outcomes].flatMap(([{ id, ownerId }, outcome]) =>
      outcome.kind === kind ? [{ id, ownerId, outcome: outcome as Extract<Outcome, { kind: K }> }] : [],
    );
  const done = of("done");
  const again = of("again");
  const refused = of("refused").map(({ id, ownerId, outcome }) => ({
    id,
    ownerId,
    reason: outcome.reason,
    becomes: null,
  }));
  const indexed = of("indexed");
  const refusedVector = indexed.flatMap(({ id, ownerId, outcome }) =>
    outcome.refused === null ? [] : [{ id, ownerId, reason: outcome.refused, becomes: "embed" }],
  );
  const waiting = indexed.filter(({ outcome }) => outcome.refused === null);
  await Promise.all([
    done.length > 0 && finish(sql, lease, done),
    again.length > 0 && release(sql, lease, again),
    waiting.length > 0 && awaitEmbedder(sql, lease, waiting),
    refused.length + refusedVector.length > 0 && refuse(sql, lease, [...refused, ...refusedVector]),
  ]);
}

type LineKey = Pick<OutboxLine, "id" | "ownerId">;

/**
 * SQL for those of the lines that this lease still holds: a table `line`, and the condition that joins it with the
 * outbox `o`.
 */
function heldLines(sql: AnySql, lease: string, lines: readonly LineKey[]) {
  return {
    given: sql`unnest(${lines.map(({ ownerId }) => ownerId)}::uuid[], ${lines.map(({ id }) => id)}::bigint[]) as line (owner_id, id)`,
    are: sql`o.owner_id = line.owner_id and o.id = line.id and o.lease = ${lease}`,
  };
}

/**
 * Deletes the lines that are done. Lines of the same memories that were set aside are done as well, since the index now
 * has what they could not write.
 */
async function finish(sql: AnySql, lease: string, lines: readonly LineKey[]): Promise<void> {
  const { given, are } = heldLines(sql, lease, lines);
  await sql`
    with done as (
      delete from outbox o using ${given} where ${are} returning o.memory, o.owner_id, o.receipt
    ), cleared as (
      delete from outbox o using (select distinct memory, owner_id from done) d
      where o.memory = d.memory and o.owner_id = d.owner_id and o.set_aside is not null
      returning o.receipt
    ), confirmed as (
      select receipt, count(*) as lines from (select receipt from done union all select receipt from cleared) c
      where receipt is not null group by receipt
    )
    update receipts r set
      pending = r.pending - confirmed.lines,
      confirmed_at = case when r.pending <= confirmed.lines then now() end
    from confirmed where r.id = confirmed.receipt`;
}

async function release(sql: AnySql, lease: string, lines: readonly LineKey[]): Promise<void> {
  const { given, are } = heldLines(sql, lease, lines);
  await sql`update outbox o set lease = null, leased_until = null from ${given} where ${are}`;
}

/** Postpones lines until their vectors can be made. The longer a line has waited, the longer its next pause. */
async function awaitEmbedder(sql: AnySql, lease: string, lines: readonly LineKey[]): Promise<void> {
  const { given, are } = heldLines(sql, lease, lines);
  await sql`
    update outbox o set kind = 'embed', lease = null, leased_until = null,
      available_at = now() + least(${PAUSE_MAX_SECONDS}, greatest(1, extract(epoch from now() - queued_at) / 4))
        * (0.5 + random()) * interval '1 second'
    from ${given} where ${are}`;
}

interface Refused extends LineKey {
  readonly reason: string;
  readonly becomes: string | null;
}

async function refuse(sql: AnySql, lease: string, lines: readonly Refused[]): Promise<void> {
  await sql`
    update outbox o set
      kind = coalesce(refused.becomes, o.kind), lease = null, leased_until = null, attempts = o.attempts + 1,
      set_aside = case when o.attempts + 1 >= ${TRIES_MAX} then refused.reason end,
      available_at = case when o.attempts + 1 >= ${TRIES_MAX} then 'infinity'
        else now() + power(2, least(o.attempts, 10)) * (0.5 + random()) * interval '1 second' end
    from unnest(
      ${lines.map(({ ownerId }) => ownerId)}::uuid[], ${lines.map(({ id }) => id)}::bigint[],
      ${lines.map(({ reason }) => reason)}::text[], ${lines.map(({ becomes }) => becomes)}::text[]
    ) as refused (owner_id, id, reason, becomes)
    where o.owner_id = refused.owner_id and o.id = refused.id and o.lease = ${lease}`;
}

export function createProjectionStatus(sql: Sql): () => Promise<ProjectionStatus> {
  return async () => {
    const [[lines], reasons, indexes] = await Promise.all([
      sql`
        select count(*) filter (where kind <> 'embed') as pending,
               extract(epoch from now() - min(queued_at) filter (where kind <> 'embed'))::float8 as oldest_seconds,
               count(*) filter (where kind = 'embed') as unembedded
        from outbox where set_aside is null`,
      sql`select set_aside as reason, count(*) as count from outbox where set_aside is not null group by 1 order by 1`,
      sql`select name, state, scanned, total from index_generations order by created_at`,
    ]);
    return {
      ...fromRow<Pick<ProjectionStatus, "pending" | "oldestSeconds" | "unembedded">>(lines as Row),
      setAside: Object.fromEntries(reasons.map((row) => [row.reason as string, row.count as number])),
      indexes: indexes.map(fromRow<ProjectionStatus["indexes"][number]>),
    };
  };
}
