-- How many memories an owner has of each kind that lists are asked for, so that the number of all that match is looked up
-- and never counted anew. Decision 57 says why it is kept in this way.
--
-- A row says that there are `count` of them more, or fewer. Writers only add rows, so that none waits for another; a loop
-- of the servers puts them together in `memory_counts`. Which rows there are never matters: the sum over both tables is exact
-- in every snapshot.
create table memory_count_changes (
  owner_id       uuid not null,
  scope          text not null,
  project_id     text,
  bucket         text not null,
  memory_type    text not null,
  status         text not null,
  -- The beginning of the day (UTC) on which they expire; null: never, or their status has no use for it.
  expires_on     timestamptz,
  workspace_item text,
  -- Superseded by what expires itself. What these are at an instant no sum says: lists look at each.
  is_waiting     boolean not null,
  count          bigint not null
);
create index memory_count_changes_by_owner on memory_count_changes (owner_id);
create table memory_counts (like memory_count_changes);
create index memory_counts_by_owner on memory_counts (owner_id);
-- As with memories: statistics hold samples, which an erasure would not reach.
alter table memory_count_changes alter column project_id set statistics 0, alter column bucket set statistics 0,
  alter column memory_type set statistics 0;
alter table memory_counts alter column project_id set statistics 0, alter column bucket set statistics 0,
  alter column memory_type set statistics 0;

-- The owners for whom the sum is the number of all, and not only of what has changed since this migration. An owner joins
-- with its first list.
create table counted_owner_memories (owner_id uuid primary key);

create function expiry_day(status text, expires_at timestamptz) returns timestamptz language sql stable parallel safe
  return case when status in ('active', 'started', 'completed') then date_trunc('day', expires_at, 'UTC') end;

create function count_changed_memory() returns trigger language plpgsql as $$
begin
  insert into memory_count_changes values
    (old.owner_id, old.scope, old.project_id, old.bucket, old.memory_type, old.status,
     expiry_day(old.status, old.expires_at), old.workspace_item,
     old.status = 'superseded' and old.superseded_until is not null, -1),
    (new.owner_id, new.scope, new.project_id, new.bucket, new.memory_type, new.status,
     expiry_day(new.status, new.expires_at), new.workspace_item,
     new.status = 'superseded' and new.superseded_until is not null, 1);
  return null;
end $$;

create function count_many_memories() returns trigger language plpgsql as $$
begin
  insert into memory_count_changes
  select m.owner_id, m.scope, m.project_id, m.bucket, m.memory_type, m.status, expiry_day(m.status, m.expires_at),
    m.workspace_item, m.status = 'superseded' and m.superseded_until is not null,
    case tg_op when 'INSERT' then count(*) else -count(*) end
  from changed m group by 1, 2, 3, 4, 5, 6, 7, 8, 9;
  return null;
end $$;

-- Made last: with them writers wait for an instant, and whoever writes after it is counted.
create trigger memories_totalled_in after insert on memories
  referencing new table as changed for each statement execute function count_many_memories();
create trigger memories_totalled_out after delete on memories
  referencing old table as changed for each statement execute function count_many_memories();
create trigger memories_totalled_anew after update on memories for each row
  when (old.status <> new.status or old.owner_id <> new.owner_id or old.scope <> new.scope or old.bucket <> new.bucket
    or old.memory_type <> new.memory_type or old.project_id is distinct from new.project_id
    or old.workspace_item is distinct from new.workspace_item or old.expires_at is distinct from new.expires_at
    or old.superseded_until is distinct from new.superseded_until)
  execute function count_changed_memory();
