import type { Context } from "./context.ts";

/** See `MemoryTransaction.quarantineUsage`. A quarantine is small: it is counted anew with each write. */
export async function quarantineUsage({ sql, caller }: Context) {
  const [row] = await sql`
    select (select count(*) from memories m where m.owner_id = a.quarantine_id) as memories,
      (select coalesce(sum(octet_length(m.content) + octet_length(m.metadata::text) + octet_length(m.provenance::text)), 0)
       from memories m where m.owner_id = a.quarantine_id)
      + (select coalesce(sum(octet_length(v.state::text)), 0)
         from memories m join memory_versions v on v.memory = m.id where m.owner_id = a.quarantine_id) as bytes
    from agents a
    where a.quarantine_id = ${caller.owner.id} and a.status in ('pending', 'awaiting_confirmation')`;
  return row ? { memories: Number(row.memories), bytes: Number(row.bytes) } : null;
}
