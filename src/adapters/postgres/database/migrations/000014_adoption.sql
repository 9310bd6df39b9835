-- What of an agent's quarantine its approval takes over, and when it was bound: what does not move then is deleted like any
-- quarantine that nobody claimed. Nullable columns, so the lock is short; the index holds quarantines alone and is small.
-- granted_memories: by row, the revision that was shown; an approval that was given before there was the column takes over
-- nothing.
alter table agents
  add column granted_memories jsonb,
  add column bound_at timestamptz;
drop index agents_quarantined;
create index agents_quarantined on agents (coalesce(bound_at, ended_at)) where quarantine_id is not null;

-- What was adopted is equal to nothing, so that what its owner writes is stored as its own. One pass over the table; only
-- adopted rows are written, and no index holds the hash.
update memories set dedupe_hash = null where provenance ? 'adopted_from' and dedupe_hash is not null;
