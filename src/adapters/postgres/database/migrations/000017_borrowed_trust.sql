-- Whose vector it is. A caller's own is searched by, but does not say which memories are the same: a copied vector would.
-- Earlier ones are taken for the service's.
alter table embeddings add column by_caller boolean not null default false;

-- A project's todos and reminders that no agent is named for, in the orders in which a context pack reads the first of
-- them, so that what others plant neither hides them nor has to be read.
create index memories_unattributed_by_workspace on memories (owner_id, project_id, item_status, importance desc, seq)
  where workspace_item = 'todo' and agent_id is null;
create index memories_unattributed_by_due on memories (owner_id, project_id, memory_type, due_at)
  where due_at is not null and agent_id is null
    and (status in ('active', 'started') or superseded_until is not null);
