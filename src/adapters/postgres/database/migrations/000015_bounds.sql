-- What each owner holds, counted by the statements that change it, so that a bound is looked up and never summed anew.
--
-- A counter in one row would have the writers of an owner wait for each other, and deadlock. So each connection adds to a
-- row of its own (`shard`: its process id), which nobody else changes while it lives; the sum over the shards is exact in
-- every transaction. The sweep adds them up in shard 0. Owner 00000000-… is all quarantines together.
create table owner_usage (
  owner_id uuid not null,
  shard integer not null,
  memories bigint not null,
  bytes bigint not null,
  primary key (owner_id, shard)
) with (fillfactor = 50);

create function memory_bytes(content text, metadata jsonb, provenance jsonb) returns bigint
  language sql immutable parallel safe
  return octet_length(content)::bigint + octet_length(metadata::text) + octet_length(provenance::text);

-- One statement for each, since it is part of every write. What a quarantine holds counts for all of them as well.
create function count_memories() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into owner_usage as u (owner_id, shard, memories, bytes)
    select h.holder, pg_backend_pid(), sum(r.memories), sum(r.bytes) from (
      select owner_id, 1 as memories, memory_bytes(content, metadata, provenance) as bytes from new_rows
    ) r cross join lateral (
      select r.owner_id as holder
      union all
      select '00000000-0000-0000-0000-000000000000' from owners o where o.id = r.owner_id and o.kind = 'agent'
    ) h
    group by h.holder
    on conflict (owner_id, shard) do update
      set memories = u.memories + excluded.memories, bytes = u.bytes + excluded.bytes;
  elsif tg_op = 'DELETE' then
    insert into owner_usage as u (owner_id, shard, memories, bytes)
    select h.holder, pg_backend_pid(), sum(r.memories), sum(r.bytes) from (
      select owner_id, -1 as memories, -memory_bytes(content, metadata, provenance) as bytes from old_rows
    ) r cross join lateral (
      select r.owner_id as holder
      union all
      select '00000000-0000-0000-0000-000000000000' from owners o where o.id = r.owner_id and o.kind = 'agent'
    ) h
    group by h.holder
    on conflict (owner_id, shard) do update
      set memories = u.memories + excluded.memories, bytes = u.bytes + excluded.bytes;
  else
    insert into owner_usage as u (owner_id, shard, memories, bytes)
    select h.holder, pg_backend_pid(), sum(r.memories), sum(r.bytes) from (
      select owner_id, -1 as memories, -memory_bytes(content, metadata, provenance) as bytes from old_rows
      union all
      select owner_id, 1 as memories, memory_bytes(content, metadata, provenance) as bytes from new_rows
    ) r cross join lateral (
      select r.owner_id as holder
      union all
      select '00000000-0000-0000-0000-000000000000' from owners o where o.id = r.owner_id and o.kind = 'agent'
    ) h
    group by h.holder having sum(r.memories) <> 0 or sum(r.bytes) <> 0
    on conflict (owner_id, shard) do update
      set memories = u.memories + excluded.memories, bytes = u.bytes + excluded.bytes;
  end if;
  return null;
end $$;

-- A former state counts for the owner whose it was, which it says itself; one without an owner is nobody's.
create function count_versions() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into owner_usage as u (owner_id, shard, memories, bytes)
    select h.holder, pg_backend_pid(), sum(r.memories), sum(r.bytes) from (
      select (state ->> 'owner_id')::uuid as owner_id, 0 as memories, octet_length(state::text)::bigint as bytes
      from new_rows where state ->> 'owner_id' is not null
    ) r cross join lateral (
      select r.owner_id as holder
      union all
      select '00000000-0000-0000-0000-000000000000' from owners o where o.id = r.owner_id and o.kind = 'agent'
    ) h
    group by h.holder
    on conflict (owner_id, shard) do update
      set memories = u.memories + excluded.memories, bytes = u.bytes + excluded.bytes;
  elsif tg_op = 'DELETE' then
    insert into owner_usage as u (owner_id, shard, memories, bytes)
    select h.holder, pg_backend_pid(), sum(r.memories), sum(r.bytes) from (
      select (state ->> 'owner_id')::uuid as owner_id, 0 as memories, -octet_length(state::text)::bigint as bytes
      from old_rows where state ->> 'owner_id' is not null
    ) r cross join lateral (
      select r.owner_id as holder
      union all
      select '00000000-0000-0000-0000-000000000000' from owners o where o.id = r.owner_id and o.kind = 'agent'
    ) h
    group by h.holder
    on conflict (owner_id, shard) do update
      set memories = u.memories + excluded.memories, bytes = u.bytes + excluded.bytes;
  else
    insert into owner_usage as u (owner_id, shard, memories, bytes)
    select h.holder, pg_backend_pid(), sum(r.memories), sum(r.bytes) from (
      select (state ->> 'owner_id')::uuid as owner_id, 0 as memories, -octet_length(state::text)::bigint as bytes
      from old_rows where state ->> 'owner_id' is not null
      union all
      select (state ->> 'owner_id')::uuid as owner_id, 0 as memories, octet_length(state::text)::bigint as bytes
      from new_rows where state ->> 'owner_id' is not null
    ) r cross join lateral (
      select r.owner_id as holder
      union all
      select '00000000-0000-0000-0000-000000000000' from owners o where o.id = r.owner_id and o.kind = 'agent'
    ) h
    group by h.holder having sum(r.memories) <> 0 or sum(r.bytes) <> 0
    on conflict (owner_id, shard) do update
      set memories = u.memories + excluded.memories, bytes = u.bytes + excluded.bytes;
  end if;
  return null;
end $$;

create trigger memories_counted_in after insert on memories
  referencing new table as new_rows for each statement execute function count_memories();
create trigger memories_counted_out after delete on memories
  referencing old table as old_rows for each statement execute function count_memories();
create trigger memories_counted_anew after update on memories
  referencing old table as old_rows new table as new_rows for each statement execute function count_memories();
create trigger memory_versions_counted_in after insert on memory_versions
  referencing new table as new_rows for each statement execute function count_versions();
create trigger memory_versions_counted_out after delete on memory_versions
  referencing old table as old_rows for each statement execute function count_versions();
create trigger memory_versions_counted_anew after update on memory_versions
  referencing old table as old_rows new table as new_rows for each statement execute function count_versions();

with held as (
  select owner_id, 1 as memories, memory_bytes(content, metadata, provenance) as bytes from memories
  union all
  select (state ->> 'owner_id')::uuid, 0, octet_length(state::text) from memory_versions
  where state ->> 'owner_id' is not null
)
insert into owner_usage (owner_id, shard, memories, bytes)
select owner_id, 0, sum(memories), sum(bytes) from held group by owner_id
union all
select '00000000-0000-0000-0000-000000000000', 0, sum(memories), sum(bytes)
from held join owners o on o.id = held.owner_id and o.kind = 'agent' having count(*) > 0;

-- Where an unclaimed agent comes from (an IPv4 address, or 64 bits of an IPv6 address), and whose audit lines tell of it
-- once its quarantine is gone.
alter table agents add column network text, add column audit_owner uuid;
update agents set
  audit_owner = quarantine_id,
  network = case
    when address !~ '^[0-9a-f:.]+$' then null
    when family(address::inet) = 4 then host(address::inet)
    else network(set_masklen(address::inet, 64))::text
  end
where quarantine_id is not null;

-- Agents that nobody has bound: those whose claim has ended before those whose claim is open, each by age.
create index agents_never_bound on agents ((status in ('pending', 'awaiting_confirmation')), requested_at)
  where status in ('pending', 'awaiting_confirmation', 'denied', 'expired');
create index agents_by_network on agents (network)
  where network is not null and status in ('pending', 'awaiting_confirmation', 'denied', 'expired');
