-- What a project's context is read by. memories gets nullable columns: their lock is short and no row is rewritten. The
-- states of todos, decisions and reminders that are there are copied, and the indexes are built, while writes wait:
-- seconds on a large table. Safe beside an older server only as long as that one changes no todo and no reminder.

-- As the state of a todo or decision says, else as the metadata does.
alter table memories
  add column due_at timestamptz,
  add column item_status text,
  add column item_agent text;
alter table memories alter column item_agent set statistics 0;

update memories m set item_status = t.status, item_agent = coalesce(t.accepted_by, t.assignee), due_at = t.due_at
from todos t where t.id = m.id;
update memories m set item_status = d.status, due_at = d.due_at from decisions d where d.id = m.id;
-- Postgres knows offsets below 16 hours only. What is beyond gets its instant when the memory is next changed.
update memories set due_at = (metadata ->> 'due_at')::timestamptz
where workspace_item is null and status <> 'redacted' and metadata ->> 'due_at' ~
  '^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-](0\d|1[0-5]):\d{2})$';

-- Todos and decisions by status, then by weight. With what counts and the authorisation predicate look at, so that
-- counting reads the index alone.
drop index memories_by_workspace;
create index memories_by_workspace on memories
  (owner_id, project_id, workspace_item, item_status, importance desc, seq)
  include (scope, path, bucket, memory_type, status, item_agent, due_at)
  where workspace_item is not null;
-- The same, the latest change first.
create index memories_by_workspace_change on memories
  (owner_id, project_id, workspace_item, item_status, updated_at desc, seq desc)
  where workspace_item is not null;
-- Todos and reminders that are still to be done, the longest due first.
create index memories_by_due on memories (owner_id, project_id, memory_type, due_at)
  where due_at is not null and status in ('active', 'started');
-- A project's other memories, the latest change first.
create index memories_by_project_change on memories (owner_id, project_id, updated_at desc, seq desc)
  where project_id is not null and workspace_item is null;
-- What each agent stored last in a project, and which task it said last that it began or ended.
create index memories_by_agent on memories (owner_id, project_id, agent_id, seq desc)
  where project_id is not null and agent_id is not null;
create index memories_by_task on memories (owner_id, project_id, agent_id, updated_at desc)
  where project_id is not null and agent_id is not null and memory_type = 'working' and status in ('started', 'completed');
