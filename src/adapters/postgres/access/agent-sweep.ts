import type { Sql, TransactionSql } from "../database/client.ts";

/**
 * How long what an agent wrote is kept after its denial, expiry or revocation, or, for what was not adopted, after its
 * binding.
 */
const QUARANTINE_KEPT_DAYS = 30;
const BATCH_ROWS = 500;

/** Stores the expiry of claims, and permanently deletes what no one claimed. Several runs may take place at once. */
export async function sweepAgents(sql: Sql): Promise<void> {
  await expireClaims(sql);
  for (;;) {
    const isDone = await sql.begin((tx) => deleteSomeOfOneQuarantine(tx));
    if (isDone) break;
  }
  await dropEmptyQuarantines(sql);
  await forgetNeverBound(sql);
}

/** Marks claims as expired. The agents' tokens end by their own expiry. */
async function expireClaims(sql: Sql): Promise<void> {
  await sql`
    with lapsed as (
      update agents set status = 'expired', ended_at = expires_at, confirmation_hash = null
      where status in ('pending', 'awaiting_confirmation') and expires_at <= now()
      returning id, quarantine_id
    )
    insert into audit_log (owner_id, operation, agent_id) select quarantine_id, 'agent_expire', id from lapsed`;
}

/** Deletes a batch at a time, so that no transaction is long. Returns true if there was no quarantine left. */
async function deleteSomeOfOneQuarantine(sql: TransactionSql): Promise<boolean> {
  const [agent] = await sql`
    select id, quarantine_id from agents
    where quarantine_id is not null
      and coalesce(bound_at, ended_at) < now() - make_interval(days => ${QUARANTINE_KEPT_DAYS})
    order by coalesce(bound_at, ended_at) limit 1 for update skip locked`;
  if (!agent) return true;
  if ((await deleteSome(sql, agent.id, agent.quarantine_id)) === BATCH_ROWS) return false;
  // The agent's own description is deleted too, unless a user bound the agent. Its tokens are deleted with the owner; the audit
  // lines stay.
  await sql`
    update agents set quarantine_id = null, network = null,
      client = case when bound_at is null then 'null' else client end,
      address = case when bound_at is null then null else address end
    where id = ${agent.id}`;
  await sql`delete from owners where id = ${agent.quarantine_id} and kind = 'agent'`;
  return false;
}

/** Permanently deletes what is in an agent's quarantine, and the quarantine with its tokens. */
export async function deleteQuarantine(
  sql: TransactionSql,
  agentId: string,
  quarantineId: string,
): Promise<void> {
  while ((await deleteSome(sql, agentId, quarantineId)) === BATCH_ROWS);
  await sql`delete from owners where id = ${quarantineId} and kind = 'agent'`;
}

/**
 * Deletes a batch of memories, and returns how many there were. Tombstones notify indexes, and the outbox a search
 * engine.
 */
async function deleteSome(sql: TransactionSql, agentId: string, quarantineId: string): Promise<number> {
  const gone = await sql`
    with gone as (
      delete from memories where id in (
        select id from memories where owner_id = ${quarantineId} limit ${BATCH_ROWS}
      ) returning id, owner_id, revision
    ), buried as (
      insert into tombstones (memory, owner_id, revision) select id, owner_id, revision + 1 from gone
    ), queued as (
      insert into outbox (owner_id, memory, revision, kind) select owner_id, id, revision + 1, 'remove' from gone
    ), audited as (
      insert into audit_log (owner_id, operation, memory, agent_id)
      select owner_id, 'hard_delete', id, ${agentId} from gone
    )
    select id from gone`;
  return gone.length;
}

/** Deletes agents that no one bound, and their audit lines, after another month. */
async function forgetNeverBound(sql: Sql): Promise<void> {
  for (;;) {
    const gone = await sql`
      with gone as (
        delete from agents where id in (
          select id from agents
          where status in ('denied', 'expired') and quarantine_id is null
            and ended_at < now() - make_interval(days => ${2 * QUARANTINE_KEPT_DAYS})
          limit ${BATCH_ROWS} for update skip locked
        ) returning id, audit_owner
      )
      delete from audit_log l using gone where l.owner_id = gone.audit_owner and l.agent_id = gone.id
      returning gone.id`;
    if (gone.length === 0) break;
  }
}

/** Deletes empty quarantines. After an adoption, a quarantine is kept for the last minutes of its token. */
async function dropEmptyQuarantines(sql: Sql): Promise<void> {
  await sql`
    delete from owners o where o.kind = 'agent'
      and not exists (select from agents a where a.quarantine_id = o.id)
      and not exists (select from tokens t where t.owner_id = o.id and t.revoked_at is null and t.expires_at > now())
      and not exists (select from memories m where m.owner_id = o.id)`;
}

/**
 * Deletes expired rows of sign-ins and OAuth. Anyone can create such rows, even on a service to which no one ever signs
 * in.
 */
export async function sweepSignIns(sql: Sql): Promise<void> {
  await sql`delete from auth.attempts where window_start < now() - interval '1 day'`;
  await sql`delete from auth.invitations where expires_at < now() - interval '30 days'`;
  await sql`delete from auth.session where "expiresAt" < now()`;
  await sql`delete from auth.verification where "expiresAt" < now() - interval '1 day'`;
  await sql`delete from auth."oauthAccessToken" where "expiresAt" < now() - interval '1 day'`;
  await sql`delete from auth."oauthRefreshToken" where "expiresAt" < now() - interval '1 day'`;
  await sql`delete from auth."oauthClientAssertion" where "expiresAt" < now() - interval '1 day'`;
}
