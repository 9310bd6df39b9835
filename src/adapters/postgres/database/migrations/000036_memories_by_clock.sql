--! concurrently
-- What the clock decides about: lists look at each of those that expire on the day, and of those that wait for another to.
create index concurrently memories_by_expiry on memories (owner_id, expires_at)
  where expires_at is not null and workspace_item is null and status in ('active', 'started', 'completed');
create index concurrently memories_waiting on memories (owner_id)
  where superseded_until is not null and workspace_item is null and status = 'superseded';
