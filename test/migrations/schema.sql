create table audit_log (
  agent_id text,
  at timestamp with time zone not null default now(),
  detail jsonb not null default '{}'::jsonb,
  id bigint not null generated always as identity,
  memory uuid,
  operation text not null,
  owner_id uuid not null,
  request_id text,
  token_id uuid,
  constraint audit_log_pkey PRIMARY KEY (id)
);

CREATE INDEX audit_log_by_owner ON public.audit_log USING btree (owner_id, id);

create table embedding_generations (
  created_at timestamp with time zone not null default now(),
  dimension integer not null,
  id integer not null generated always as identity,
  model text not null,
  provider text not null,
  constraint embedding_generations_dimension_check CHECK ((dimension > 0)),
  constraint embedding_generations_pkey PRIMARY KEY (id),
  constraint embedding_generations_provider_model_dimension_key UNIQUE (provider, model, dimension)
);

create table embeddings (
  generation integer not null,
  memory uuid not null,
  vector bytea not null,
  constraint embeddings_generation_fkey FOREIGN KEY (generation) REFERENCES embedding_generations(id),
  constraint embeddings_memory_fkey FOREIGN KEY (memory) REFERENCES memories(id) ON DELETE CASCADE,
  constraint embeddings_pkey PRIMARY KEY (memory, generation)
);

create table idempotency_keys (
  answer jsonb not null,
  created_at timestamp with time zone not null default now(),
  key_hash bytea not null,
  request_hash bytea not null,
  token_id uuid not null,
  constraint idempotency_keys_pkey PRIMARY KEY (token_id, key_hash),
  constraint idempotency_keys_token_id_fkey FOREIGN KEY (token_id) REFERENCES tokens(id) ON DELETE CASCADE
);

CREATE INDEX idempotency_keys_by_age ON public.idempotency_keys USING btree (created_at);

create table memories (
  agent_id text,
  author_id uuid not null,
  author_token uuid not null,
  bucket text not null,
  changed_xid xid8 not null default pg_current_xact_id(),
  confidence double precision not null,
  content text not null,
  create_hash bytea,
  created_at timestamp with time zone not null,
  dedupe_hash bytea,
  expires_at timestamp with time zone,
  id uuid not null,
  importance double precision not null,
  instance_hash text,
  logic_path text,
  memory_id text not null,
  memory_type text not null,
  metadata jsonb not null,
  occurred_at timestamp with time zone,
  owner_id uuid not null,
  path text not null,
  project_id text,
  provenance jsonb not null,
  restore_status text,
  revision bigint not null default 1,
  scope text not null,
  semantic_key text,
  seq bigint not null generated always as identity,
  session_id text,
  source text,
  status text not null,
  superseded_at timestamp with time zone,
  superseded_by text,
  updated_at timestamp with time zone not null,
  version integer not null,
  constraint memories_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owners(id),
  constraint memories_owner_id_memory_id_key UNIQUE (owner_id, memory_id),
  constraint memories_pkey PRIMARY KEY (id),
  constraint memories_scope_check CHECK ((scope = ANY (ARRAY['private'::text, 'team'::text]))),
  constraint memories_status_check CHECK ((status = ANY (ARRAY['active'::text, 'started'::text, 'completed'::text, 'archived'::text, 'superseded'::text, 'soft_deleted'::text, 'redacted'::text])))
);

CREATE INDEX memories_by_change ON public.memories USING btree (owner_id, changed_xid);

CREATE INDEX memories_by_dedupe ON public.memories USING btree (owner_id, dedupe_hash) WHERE (status = ANY (ARRAY['active'::text, 'started'::text, 'completed'::text]));

CREATE INDEX memories_by_key ON public.memories USING btree (owner_id, semantic_key) WHERE (semantic_key IS NOT NULL);

CREATE INDEX memories_by_path ON public.memories USING btree (owner_id, path, created_at DESC);

CREATE INDEX memories_by_successor ON public.memories USING btree (owner_id, superseded_by) WHERE (superseded_by IS NOT NULL);

CREATE INDEX memories_by_words ON public.memories USING gin (memory_words(content));

CREATE INDEX memories_newest ON public.memories USING btree (owner_id, created_at DESC, seq DESC);

create table memory_versions (
  memory uuid not null,
  reason text,
  revision bigint not null,
  state jsonb not null,
  valid_to timestamp with time zone not null,
  constraint memory_versions_memory_fkey FOREIGN KEY (memory) REFERENCES memories(id) ON DELETE CASCADE,
  constraint memory_versions_pkey PRIMARY KEY (memory, revision)
);

create table migrations (
  applied_at timestamp with time zone not null default now(),
  name text not null,
  constraint migrations_pkey PRIMARY KEY (name)
);

create table outbox (
  attempts integer not null default 0,
  available_at timestamp with time zone not null default now(),
  id bigint not null generated always as identity,
  kind text not null,
  memory uuid not null,
  owner_id uuid not null,
  receipt uuid,
  revision bigint not null,
  constraint outbox_kind_check CHECK ((kind = ANY (ARRAY['put'::text, 'remove'::text]))),
  constraint outbox_pkey PRIMARY KEY (id)
);

CREATE INDEX outbox_due ON public.outbox USING btree (available_at, id);

create table owners (
  created_at timestamp with time zone not null default now(),
  id uuid not null,
  kind text not null,
  name text not null,
  constraint owners_kind_check CHECK ((kind = ANY (ARRAY['user'::text, 'team'::text]))),
  constraint owners_kind_name_key UNIQUE (kind, name),
  constraint owners_pkey PRIMARY KEY (id)
);

create table recall_feedback (
  at timestamp with time zone not null default now(),
  helpful boolean not null,
  id bigint not null generated always as identity,
  memory uuid not null,
  token_id uuid not null,
  constraint recall_feedback_memory_fkey FOREIGN KEY (memory) REFERENCES memories(id) ON DELETE CASCADE,
  constraint recall_feedback_pkey PRIMARY KEY (id)
);

CREATE INDEX recall_feedback_by_memory ON public.recall_feedback USING btree (memory);

create table receipts (
  confirmed_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  digest text not null,
  id uuid not null,
  owner_id uuid not null,
  pending integer not null,
  remaining text[] not null,
  removed jsonb not null,
  token_id uuid not null,
  constraint receipts_pkey PRIMARY KEY (id)
);

create table service_secrets (
  created_at timestamp with time zone not null default now(),
  name text not null,
  value bytea not null,
  constraint service_secrets_pkey PRIMARY KEY (name)
);

create table team_members (
  created_at timestamp with time zone not null default now(),
  role text not null,
  team_id uuid not null,
  user_id uuid not null,
  constraint team_members_pkey PRIMARY KEY (team_id, user_id),
  constraint team_members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'member'::text, 'viewer'::text]))),
  constraint team_members_team_id_fkey FOREIGN KEY (team_id) REFERENCES owners(id) ON DELETE CASCADE,
  constraint team_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES owners(id) ON DELETE CASCADE
);

CREATE INDEX team_members_by_user ON public.team_members USING btree (user_id);

create table tokens (
  agent_id text,
  buckets text[],
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone,
  hash bytea not null,
  hint text not null,
  id uuid not null,
  kind text not null,
  last_used_at timestamp with time zone,
  name text,
  owner_id uuid not null,
  path_prefix text,
  projects text[],
  revoked_at timestamp with time zone,
  scopes text[] not null,
  constraint tokens_hash_key UNIQUE (hash),
  constraint tokens_kind_check CHECK ((kind = ANY (ARRAY['api_key'::text, 'oauth'::text, 'agent_temporary'::text, 'agent_formal'::text, 'skill'::text]))),
  constraint tokens_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owners(id) ON DELETE CASCADE,
  constraint tokens_pkey PRIMARY KEY (id)
);

CREATE INDEX tokens_by_owner ON public.tokens USING btree (owner_id);

create table tombstones (
  changed_xid xid8 not null default pg_current_xact_id(),
  memory uuid not null,
  owner_id uuid not null,
  removed_at timestamp with time zone not null default now(),
  revision bigint not null,
  constraint tombstones_pkey PRIMARY KEY (memory)
);

CREATE INDEX tombstones_by_change ON public.tombstones USING btree (owner_id, changed_xid);

-- function CREATE OR REPLACE FUNCTION public.memory_words(content text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT RETURN to_tsvector('english'::regconfig, translate(content, '_-./:@<>&#''"+=~%?!|\*()[]{}^$;,`'::text, repeat(' '::text, 40)))
