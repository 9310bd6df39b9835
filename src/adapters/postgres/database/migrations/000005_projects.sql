-- Todos and decisions of projects, as memories with a state. memories gets a nullable column: its lock is short and no
-- row is rewritten. The index on it is built while writes wait: seconds on a large table, whose rows it does not hold.

-- Such a memory is changed by the workspace's operations alone: its text follows its state.
alter table memories
  add column workspace_item text,
  add constraint memories_workspace_item_check check (workspace_item in ('todo', 'decision')) not valid;
create index memories_by_workspace on memories (owner_id, project_id, workspace_item) where workspace_item is not null;

-- accepted_by: an agent, or the id of the token where there was none. blocked_from: what it was before it was blocked.
-- extra is the caller's metadata; the memory's has the state besides.
create table todos (
  id               uuid primary key references memories on delete cascade,
  content          text not null,
  status           text not null check (status in ('open', 'assigned', 'accepted', 'blocked', 'completed', 'cancelled')),
  priority         text not null check (priority in ('low', 'normal', 'high', 'urgent')),
  assignee         text,
  accepted_by      text,
  blocked_from     text check (blocked_from in ('open', 'assigned', 'accepted')),
  blocked_reason   text,
  due_at           timestamptz,
  ended_at         timestamptz,
  end_note         text,
  source_memory_id text,
  extra            jsonb not null,
  check ((status = 'blocked') = (blocked_from is not null)),
  check ((status in ('completed', 'cancelled')) = (ended_at is not null)),
  check (status <> 'accepted' or accepted_by is not null),
  check (status <> 'assigned' or assignee is not null)
);

-- Written with the todo and never changed, so without cycles.
create table todo_dependencies (
  todo       uuid not null references todos on delete cascade,
  depends_on uuid not null references todos on delete cascade,
  place      integer not null,
  primary key (todo, depends_on)
);
create index todo_dependencies_by_dependency on todo_dependencies (depends_on);

create table decisions (
  id               uuid primary key references memories on delete cascade,
  context          text not null,
  options          jsonb not null,
  impact_level     text check (impact_level in ('low', 'medium', 'high', 'critical')),
  status           text not null check (status in ('proposed', 'resolved', 'superseded')),
  proposed_by      text,
  resolution       text,
  resolved_by      text,
  resolved_at      timestamptz,
  due_at           timestamptz,
  supersedes       uuid unique references decisions on delete set null,
  source_memory_id text,
  extra            jsonb not null,
  check (status <> 'resolved' or (resolution is not null and resolved_at is not null))
);

-- Who did what with a todo or decision. Goes with it.
create table workspace_events (
  id         bigint generated always as identity primary key,
  item       uuid not null references memories on delete cascade,
  at         timestamptz not null,
  operation  text not null,
  from_status text,
  to_status  text not null,
  agent_id   text,
  token_id   uuid not null,
  token_kind text not null,
  trust      text not null check (trust in ('token_bound', 'client_asserted', 'unattributed')),
  note       text
);
create index workspace_events_by_item on workspace_events (item, id);

-- As with memories: statistics hold samples, which a deletion would not reach.
alter table todos
  alter column content set statistics 0, alter column assignee set statistics 0, alter column accepted_by set statistics 0,
  alter column blocked_reason set statistics 0, alter column end_note set statistics 0,
  alter column source_memory_id set statistics 0, alter column extra set statistics 0;
alter table decisions
  alter column context set statistics 0, alter column options set statistics 0, alter column resolution set statistics 0,
  alter column proposed_by set statistics 0, alter column resolved_by set statistics 0,
  alter column source_memory_id set statistics 0, alter column extra set statistics 0;
alter table workspace_events alter column note set statistics 0, alter column agent_id set statistics 0;
