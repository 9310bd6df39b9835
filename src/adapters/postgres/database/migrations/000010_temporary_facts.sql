-- Facts that hold for a time, and what is live again after them. memories gets columns without values or with a constant:
-- their lock is short and no row is rewritten. The indexes are built while writes wait: seconds on a large table.
-- An older server beside it goes on, and shows what is live again as superseded.

-- superseded_by_key: a newer memory of its semantic_key superseded it, since there is this column; only such a one may be
-- live again. superseded_status: what it was before. superseded_until: from when on it is that again, computed at reading;
-- null: never. fact_version: the highest version its fact has had among the memories that state it no more.
alter table memories
  add column superseded_by_key boolean not null default false,
  add column superseded_status text,
  add column superseded_until timestamptz,
  add column fact_version integer,
  add constraint memories_superseded_status_check
    check (superseded_status in ('active', 'started', 'completed')) not valid;

-- The memories of a fact by their versions, and lookups of live ones, which those that are live again belong to.
drop index memories_by_key;
create index memories_by_fact on memories (owner_id, semantic_key, greatest(version, fact_version))
  where semantic_key is not null;
drop index memories_by_dedupe;
create index memories_by_dedupe on memories (owner_id, dedupe_hash)
  where status in ('active', 'started', 'completed') or superseded_until is not null;
drop index memories_by_due;
create index memories_by_due on memories (owner_id, project_id, memory_type, due_at)
  where due_at is not null and (status in ('active', 'started') or superseded_until is not null);
drop index memories_by_task;
create index memories_by_task on memories (owner_id, project_id, agent_id, updated_at desc)
  where project_id is not null and agent_id is not null and memory_type = 'working'
    and (status in ('started', 'completed') or superseded_until is not null);
