-- The record: owners and their credentials, memories with their history, and what follows from each write.
-- Creates tables only; takes no lock on existing data.

-- A user or a team. Sign-in accounts are linked to it elsewhere, so that keys work without accounts.
create table owners (
  id         uuid primary key,
  kind       text not null check (kind in ('user', 'team')),
  name       text not null,
  created_at timestamptz not null default now(),
  unique (kind, name)
);

create table team_members (
  team_id    uuid not null references owners on delete cascade,
  user_id    uuid not null references owners on delete cascade,
  role       text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  created_at timestamptz not null default now(),
  primary key (team_id, user_id)
);
create index team_members_by_user on team_members (user_id);

-- A credential: only its hash is kept. null in projects, path_prefix and buckets means not confined.
create table tokens (
  id           uuid primary key,
  kind         text not null check (kind in ('api_key', 'oauth', 'agent_temporary', 'agent_formal', 'skill')),
  hash         bytea not null unique,
  hint         text not null,
  name         text,
  owner_id     uuid not null references owners on delete cascade,
  scopes       text[] not null,
  projects     text[],
  path_prefix  text,
  buckets      text[],
  agent_id     text,
  created_at   timestamptz not null default now(),
  expires_at   timestamptz,
  revoked_at   timestamptz,
  last_used_at timestamptz
);
create index tokens_by_owner on tokens (owner_id);

-- Secrets the service makes for itself, such as the key of receipts' digests.
create table service_secrets (
  name       text primary key,
  value      bytea not null,
  created_at timestamptz not null default now()
);

-- create_hash is of the request that made it, dedupe_hash of what dedupe compares; both go when it is redacted.
-- id is internal; memory_id is what callers see and may choose, unique per owner only.
-- seq is the order of storing. revision rises with every change of the row.
-- changed_xid is the writing transaction: the change feed reads by it, because a bigserial commits out of order.
create table memories (
  id             uuid primary key,
  seq            bigint generated always as identity,
  owner_id       uuid not null references owners,
  memory_id      text not null,
  author_id      uuid not null,
  author_token   uuid not null,
  scope          text not null check (scope in ('private', 'team')),
  project_id     text,
  path           text not null,
  bucket         text not null,
  memory_type    text not null,
  status         text not null check (status in
                   ('active', 'started', 'completed', 'archived', 'superseded', 'soft_deleted', 'redacted')),
  restore_status text,
  content        text not null,
  create_hash    bytea,
  dedupe_hash    bytea,
  semantic_key   text,
  version        integer not null,
  superseded_by  text,
  superseded_at  timestamptz,
  importance     double precision not null,
  confidence     double precision not null,
  source         text,
  logic_path     text,
  metadata       jsonb not null,
  provenance     jsonb not null,
  session_id     text,
  agent_id       text,
  instance_hash  text,
  occurred_at    timestamptz,
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  expires_at     timestamptz,
  revision       bigint not null default 1,
  changed_xid    xid8 not null default pg_current_xact_id(),
  unique (owner_id, memory_id)
);
create index memories_by_change on memories (owner_id, changed_xid);
create index memories_newest on memories (owner_id, created_at desc, seq desc);
create index memories_by_dedupe on memories (owner_id, dedupe_hash)
  where status in ('active', 'started', 'completed');
create index memories_by_key on memories (owner_id, semantic_key) where semantic_key is not null;
create index memories_by_successor on memories (owner_id, superseded_by) where superseded_by is not null;
create index memories_by_path on memories (owner_id, path, created_at desc);

-- The words of a text. Postgres' parser looks for addresses, tags and numbers, and is quadratic on runs such as a_a_a:
-- without these characters it takes a time that grows with the length.
create function memory_words(content text) returns tsvector
  language sql immutable strict parallel safe
  return to_tsvector('english', translate(content, '_-./:@<>&#''"+=~%?!|\*()[]{}^$;,`', repeat(' ', 40)));
create index memories_by_words on memories using gin (memory_words(content));

-- Statistics hold samples of values, which an erasure would not reach. The planner does without.
alter table memories
  alter column content set statistics 0, alter column metadata set statistics 0, alter column provenance set statistics 0,
  alter column source set statistics 0, alter column logic_path set statistics 0, alter column path set statistics 0,
  alter column semantic_key set statistics 0, alter column memory_id set statistics 0,
  alter column superseded_by set statistics 0, alter column session_id set statistics 0,
  alter column agent_id set statistics 0, alter column project_id set statistics 0, alter column bucket set statistics 0;
alter index memories_by_words alter column 1 set statistics 0;

-- What a memory said before each change, as one JSON document with the columns of then.
create table memory_versions (
  memory    uuid not null references memories on delete cascade,
  revision  bigint not null,
  state     jsonb not null,
  valid_to  timestamptz not null,
  reason    text,
  primary key (memory, revision)
);
alter table memory_versions alter column state set statistics 0, alter column reason set statistics 0;

-- Where a hard-deleted memory was, so that indexes learn of it. Holds nothing of it; purged after a day.
create table tombstones (
  memory      uuid primary key,
  owner_id    uuid not null,
  revision    bigint not null,
  changed_xid xid8 not null default pg_current_xact_id(),
  removed_at  timestamptz not null default now()
);
create index tombstones_by_change on tombstones (owner_id, changed_xid);

-- An embedding generation is a provider, a model and a dimension. The latest is what queries use.
create table embedding_generations (
  id         integer generated always as identity primary key,
  provider   text not null,
  model      text not null,
  dimension  integer not null check (dimension > 0),
  created_at timestamptz not null default now(),
  unique (provider, model, dimension)
);

-- float32 scale, then one int8 a dimension.
create table embeddings (
  memory     uuid not null references memories on delete cascade,
  generation integer not null references embedding_generations,
  vector     bytea not null,
  primary key (memory, generation)
);

-- One line for each lifecycle event. detail never holds content.
create table audit_log (
  id         bigint generated always as identity primary key,
  at         timestamptz not null default now(),
  owner_id   uuid not null,
  operation  text not null,
  memory     uuid,
  token_id   uuid,
  agent_id   text,
  request_id text,
  detail     jsonb not null default '{}'
);
create index audit_log_by_owner on audit_log (owner_id, id);

-- What remains to be done after a write has committed: embed it, project it, confirm its removal.
create table outbox (
  id           bigint generated always as identity primary key,
  owner_id     uuid not null,
  memory       uuid not null,
  revision     bigint not null,
  kind         text not null check (kind in ('put', 'remove')),
  receipt      uuid,
  attempts     integer not null default 0,
  available_at timestamptz not null default now()
);
create index outbox_due on outbox (available_at, id);

-- Proof of a permanent removal, without content. pending counts the outbox lines that are still to be confirmed.
create table receipts (
  id           uuid primary key,
  owner_id     uuid not null,
  token_id     uuid not null,
  remaining    text[] not null,
  removed      jsonb not null,
  digest       text not null,
  pending      integer not null,
  created_at   timestamptz not null default now(),
  confirmed_at timestamptz
);

-- The answer to a POST with an Idempotency-Key, for a day. Answers of writes hold ids, never content.
create table idempotency_keys (
  token_id     uuid not null references tokens on delete cascade,
  key_hash     bytea not null,
  request_hash bytea not null,
  answer       jsonb not null,
  created_at   timestamptz not null default now(),
  primary key (token_id, key_hash)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

-- What callers said of recalled memories.
create table recall_feedback (
  id         bigint generated always as identity primary key,
  memory     uuid not null references memories on delete cascade,
  token_id   uuid not null,
  helpful    boolean not null,
  at         timestamptz not null default now()
);
create index recall_feedback_by_memory on recall_feedback (memory);
