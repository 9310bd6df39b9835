-- The key that took a key's place. It is looked up by the old one's row alone, and goes with its owner.
alter table tokens add column replaced_by uuid;

-- Owners that were erased, or are being erased. What is left of one is this row: no name, no content. `name_digest` is
-- keyed with a secret of this database, so that the same call later finds its receipt, and nobody reads the name in it.
create table erasures (
  id uuid primary key,
  owner_id uuid not null unique,
  kind text not null check (kind in ('user', 'team')),
  name_digest bytea not null,
  -- Who asked: a credential, or null for the command line.
  token_id uuid,
  removed jsonb not null default '{}',
  started_at timestamptz not null default now(),
  finished_at timestamptz
);
create index erasures_by_name on erasures (kind, name_digest, started_at desc);
