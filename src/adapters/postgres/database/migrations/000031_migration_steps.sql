-- What there is to say of a migration besides that it was applied. The migrator keeps it.
-- oldest_program: the oldest migration that a program must know to work on the schema after this one; null: none.
-- done_to: the last key whose rows are rewritten, of one that goes through a table in batches; null: none yet.
create table migration_steps (
  name           text primary key,
  oldest_program text,
  done_to        text,
  rows_done      bigint not null default 0,
  updated_at     timestamptz not null default now()
);
