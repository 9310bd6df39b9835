-- What owners hold, counted by the statements that change it, so that a bound is looked up and never summed anew.
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

-- What there is, by owner, to be summed. A former state counts for the owner whose it was, which it says itself; one without
-- an owner is nobody's.
create view held_by_owners as
  select owner_id, 1 as memories, memory_bytes(content, metadata, provenance) as bytes from memories
  union all
  select (state ->> 'owner_id')::uuid, 0, octet_length(state::text) from memory_versions
  where state ->> 'owner_id' is not null;

-- Whom the counters are for: counting is a tenth of a write, and only quarantines are bounded always. Users and teams join
-- with the first bound that is set on them.
create table counted_kinds (kind text primary key);
insert into counted_kinds values ('agent');
create view counted_owners as select id, kind from owners join counted_kinds using (kind);

-- What a quarantine holds counts for all of them as well.
create function count_for(holder counted_owners, memories bigint, bytes numeric) returns void language sql
begin atomic
  insert into owner_usage as u (owner_id, shard, memories, bytes)
  select h, pg_backend_pid(), $2, $3
  from unnest(array[(holder).id] || case (holder).kind
    when 'agent' then array['00000000-0000-0000-0000-000000000000'::uuid] end) h
  where $2 <> 0 or $3 <> 0
  on conflict (owner_id, shard) do update
    set memories = u.memories + excluded.memories, bytes = u.bytes + excluded.bytes;
end;

create function count_memories() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform count_for(o, count(*), sum(memory_bytes(content, metadata, provenance)))
    from new_rows r join counted_owners o on o.id = r.owner_id group by o;
  elsif tg_op = 'DELETE' then
    perform count_for(o, -count(*), -sum(memory_bytes(content, metadata, provenance)))
    from old_rows r join counted_owners o on o.id = r.owner_id group by o;
  else
    perform count_for(o, sum(memories), sum(bytes)) from (
      select o, -1 as memories, -memory_bytes(content, metadata, provenance) as bytes
      from old_rows r join counted_owners o on o.id = r.owner_id
      union all
      select o, 1, memory_bytes(content, metadata, provenance)
      from new_rows r join counted_owners o on o.id = r.owner_id
    ) changed group by o;
  end if;
  return null;
end $$;

create function count_versions() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform count_for(o, 0, sum(octet_length(state::text)))
    from new_rows r join counted_owners o on o.id = (r.state ->> 'owner_id')::uuid group by o;
  elsif tg_op = 'DELETE' then
    perform count_for(o, 0, -sum(octet_length(state::text)))
    from old_rows r join counted_owners o on o.id = (r.state ->> 'owner_id')::uuid group by o;
  else
    perform count_for(o, 0, sum(bytes)) from (
      select o, -octet_length(state::text) as bytes
      from old_rows r join counted_owners o on o.id = (r.state ->> 'owner_id')::uuid
      union all
      select o, octet_length(state::text)
      from new_rows r join counted_owners o on o.id = (r.state ->> 'owner_id')::uuid
    ) changed group by o;
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

select count_for(o, sum(memories), sum(bytes))
from held_by_owners h join counted_owners o on o.id = h.owner_id group by o;

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
