/** Bounds on the storage of anonymous agents: those that no one has bound, and what they wrote. */
import type { StorageLimits } from "../../../core/limits/storage-limits.ts";
import type { TransactionSql } from "../database/client.ts";
import { lockNumber, tryOwnerLock } from "../database/locks.ts";
import { ALL_QUARANTINES, usageOf } from "../memory/usage.ts";
import { deleteQuarantine } from "./agent-sweep.ts";

/** Agents that were never bound to a user, including what is left of those whose claim has ended. */
const NEVER_BOUND = "status in ('pending', 'awaiting_confirmation', 'denied', 'expired')";
const IS_OPEN = "status in ('pending', 'awaiting_confirmation')";
/** Maximum number of agents evicted at a time, each with its memories. */
const EVICTED_AT_ONCE = 20;
/** Number of further candidates, since some may be busy. */
const BUSY_MAX = 50;
/** Share of a bound from which on writes to quarantines are serialised. */
const NEAR = 0.9;

/**
 * Makes room for one more agent from this network, in the transaction that registers it. If the maximum number of
 * unclaimed agents is reached, the oldest is deleted. Returns null if there is room, otherwise where there is none.
 */
export async function makeRoomForAgent(
  sql: TransactionSql,
  network: string | null,
  limits: Pick<StorageLimits, "unclaimedAgentsMax" | "unclaimedAgentsPerNetworkMax">,
): Promise<"network" | "all" | null> {
  // Serialises registrations on all servers.
  await sql`select pg_advisory_xact_lock(${lockNumber("agents: register")})`;
  const [count] = await sql`
    select (select count(*) from agents where ${sql.unsafe(NEVER_BOUND)}) as everywhere,
           (select count(*) from agents where network = ${network} and ${sql.unsafe(NEVER_BOUND)}
              and ${sql.unsafe(IS_OPEN)} and expires_at > now()) as here`;
  if (Number(count?.here) >= limits.unclaimedAgentsPerNetworkMax) return "network";
  const over = Number(count?.everywhere) + 1 - limits.unclaimedAgentsMax;
  if (over <= 0) return null;
  return (await evict(sql, Math.min(over, EVICTED_AT_ONCE), null)) > 0 ? null : "all";
}

/** See `MemoryTransaction.makeRoomForQuarantines`. */
export async function makeRoomForQuarantines(
  sql: TransactionSql,
  quarantineId: string,
  bytes: number,
  limits: Pick<StorageLimits, "quarantineBytesMax" | "quarantineBytesPerNetworkMax">,
): Promise<"network" | "all" | null> {
  let held = await heldWith(sql, quarantineId);
  const isNear =
    held.all + bytes > limits.quarantineBytesMax * NEAR ||
    held.network + bytes > limits.quarantineBytesPerNetworkMax * NEAR;
  if (isNear) {
    await sql`select pg_advisory_xact_lock(${lockNumber("quarantines: write")})`;
    held = await heldWith(sql, quarantineId);
  }
  if (held.network + bytes > limits.quarantineBytesPerNetworkMax) return "network";
  while (held.all + bytes > limits.quarantineBytesMax) {
    if ((await evict(sql, 1, quarantineId)) === 0) return "all";
    held = await heldWith(sql, quarantineId);
  }
  return null;
}

/** Bytes in all quarantines, and in those of the same network as this one. */
async function heldWith(sql: TransactionSql, quarantineId: string) {
  const [[network], all] = await Promise.all([
    sql`
      select coalesce(sum(u.bytes), 0) as bytes
      from agents a join owner_usage u on u.owner_id = a.quarantine_id
      where a.network = (select network from agents where quarantine_id = ${quarantineId} limit 1)
        and a.${sql.unsafe(NEVER_BOUND)}`,
    usageOf(sql, ALL_QUARANTINES),
  ]);
  return { network: Number(network?.bytes), all: all.bytes };
}

/**
 * Deletes unclaimed agents with everything they wrote: first those whose claim has ended, then those whose claim is
 * open, the oldest first. Skips an agent that a user has approved while the approval is valid, and one that is writing
 * now, instead of waiting for it. With `except`, also skips that quarantine and agents that have written nothing.
 * Returns how many were deleted.
 */
async function evict(sql: TransactionSql, count: number, except: string | null): Promise<number> {
  const written = sql`quarantine_id <> ${except} and exists (select from memories m where m.owner_id = quarantine_id)`;
  const agents = await sql`
    select id, quarantine_id, audit_owner from agents
    where ${sql.unsafe(NEVER_BOUND)} and not (status = 'awaiting_confirmation' and confirmation_until > now())
      and ${except === null ? sql`true` : written}
    order by (${sql.unsafe(IS_OPEN)}), requested_at
    limit ${count + BUSY_MAX} for update skip locked`;
  let gone = 0;
  for (const agent of agents) {
    if (gone === count) break;
    if (agent.quarantine_id !== null) {
      if (!(await tryOwnerLock(sql, agent.quarantine_id as string))) continue;
      await deleteQuarantine(sql, agent.id as string, agent.quarantine_id as string);
    }
    await sql`delete from agents where id = ${agent.id}`;
    await sql`delete from audit_log where owner_id = ${agent.audit_owner} and agent_id = ${agent.id}`;
    gone += 1;
  }
  return gone;
}
