-- What a project's context counts by. The indexes are built while writes wait: seconds on a large table. No row is
-- rewritten, and an older server beside it goes on.

-- Todos and decisions by status, then by weight: what is read by it is read from the table anyway, and with the longest
-- names it did not hold them.
drop index memories_by_workspace;
create index memories_by_workspace on memories (owner_id, project_id, workspace_item, item_status, importance desc, seq)
  where workspace_item is not null;
-- Todos and decisions by status and agent, with what counts and the authorisation predicate look at, so that counting reads
-- the index alone; but for a credential that is confined to a path, since the longest path, bucket and agent together are
-- more than an index can hold. All are keys: rows that agree in them share an entry, which makes it a tenth of the size.
create index memories_by_workspace_state on memories
  (owner_id, project_id, workspace_item, item_status, item_agent, status, scope, bucket, memory_type, due_at)
  where workspace_item is not null;
