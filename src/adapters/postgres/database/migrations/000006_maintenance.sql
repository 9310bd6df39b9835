-- Maintenance of projects: what a workspace goes by, and the runs with what they did to each memory. The index on memories
-- is built while writes wait: seconds on a large table.

create index memories_by_project on memories (owner_id, project_id) where project_id is not null;

-- authority: the credential that set it, the scopes it had then, and the agent it spoke for. Automatic runs act with what
-- is left of that. next_run_at is null where nothing runs by itself.
create table maintenance_settings (
  owner_id                 uuid not null references owners on delete cascade,
  project_id               text not null,
  stale_after_days         integer not null,
  duplicate_similarity     double precision not null,
  completed_retention_days integer not null,
  purge_deleted_after_days integer not null,
  automatic_actions        text[] not null,
  schedule_hours           integer not null,
  authority                jsonb not null,
  updated_at               timestamptz not null,
  updated_by               text not null,
  next_run_at              timestamptz,
  primary key (owner_id, project_id)
);
create index maintenance_settings_due on maintenance_settings (next_run_at) where next_run_at is not null;

-- A run is written with all its items before anything is done. Whoever holds the lock on its row goes on with it, a
-- batch in a transaction: the lock ends with the connection. touched_at: when a batch was done last.
create table maintenance_runs (
  id             uuid primary key,
  owner_id       uuid not null references owners on delete cascade,
  project_id     text not null,
  trigger        text not null check (trigger in ('request', 'schedule')),
  status         text not null check (status in ('running', 'completed', 'undoing', 'undone')),
  actions        text[] not null,
  truncated      boolean not null,
  token_id       uuid not null,
  started_by     text not null,
  authority      jsonb not null,
  undo_authority jsonb,
  started_at     timestamptz not null,
  finished_at    timestamptz,
  undone_at      timestamptz,
  touched_at     timestamptz not null default now()
);
create index maintenance_runs_newest on maintenance_runs (owner_id, project_id, started_at desc, id desc);
create index maintenance_runs_open on maintenance_runs (touched_at) where status in ('running', 'undoing');

-- What a run is to do to one memory, and what became of that. No content: a changed memory's former state is among its
-- versions. revision: as it was planned, then as the run left it. survivor: what it was merged into. memory_id is what
-- the caller named it; it goes when the memory is erased.
create table maintenance_items (
  run           uuid not null references maintenance_runs on delete cascade,
  place         integer not null,
  action        text not null,
  memory        uuid,
  memory_id     text,
  revision      bigint,
  survivor      uuid,
  former_status text,
  state         text not null check (state in ('pending', 'changed', 'skipped', 'failed')),
  reason        text not null,
  receipt       uuid,
  undo_state    text check (undo_state in ('pending', 'changed', 'skipped', 'failed')),
  undo_reason   text,
  primary key (run, place)
);
create index maintenance_items_by_memory on maintenance_items (memory) where memory is not null;
alter table maintenance_items alter column memory_id set statistics 0;

-- The memories that others go into, as the run expects them: as it was planned, then as its last batch left them.
create table maintenance_survivors (
  run      uuid not null references maintenance_runs on delete cascade,
  memory   uuid not null,
  revision bigint not null,
  primary key (run, memory)
);
