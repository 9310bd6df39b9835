create table agents (
  address text,
  approved_at timestamp with time zone,
  approved_by uuid,
  audit_owner uuid,
  bound_at timestamp with time zone,
  claim_hash bytea not null,
  client jsonb not null,
  confirmation_hash bytea,
  confirmation_tries integer not null default 0,
  confirmation_until timestamp with time zone,
  ended_at timestamp with time zone,
  expires_at timestamp with time zone,
  granted_memories jsonb,
  granted_projects text[],
  granted_scopes text[],
  granted_team_id uuid,
  id text not null,
  network text,
  quarantine_id uuid,
  requested_at timestamp with time zone not null,
  status text not null,
  constraint agents_approved_by_fkey FOREIGN KEY (approved_by) REFERENCES owners(id) ON DELETE CASCADE,
  constraint agents_claim_hash_key UNIQUE (claim_hash),
  constraint agents_granted_team_id_fkey FOREIGN KEY (granted_team_id) REFERENCES owners(id) ON DELETE CASCADE,
  constraint agents_pkey PRIMARY KEY (id),
  constraint agents_quarantine_id_fkey FOREIGN KEY (quarantine_id) REFERENCES owners(id) ON DELETE SET NULL,
  constraint agents_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'awaiting_confirmation'::text, 'bound'::text, 'denied'::text, 'expired'::text, 'revoked'::text])))
);

CREATE INDEX agents_by_approver ON public.agents USING btree (approved_by) WHERE (approved_by IS NOT NULL);

CREATE INDEX agents_by_network ON public.agents USING btree (network) WHERE ((network IS NOT NULL) AND (status = ANY (ARRAY['pending'::text, 'awaiting_confirmation'::text, 'denied'::text, 'expired'::text])));

CREATE INDEX agents_never_bound ON public.agents USING btree (((status = ANY (ARRAY['pending'::text, 'awaiting_confirmation'::text]))), requested_at) WHERE (status = ANY (ARRAY['pending'::text, 'awaiting_confirmation'::text, 'denied'::text, 'expired'::text]));

CREATE INDEX agents_quarantined ON public.agents USING btree (COALESCE(bound_at, ended_at)) WHERE (quarantine_id IS NOT NULL);

CREATE INDEX agents_unbound ON public.agents USING btree (expires_at) WHERE (status = ANY (ARRAY['pending'::text, 'awaiting_confirmation'::text]));

create table alert_thresholds (
  checked_at timestamp with time zone,
  owner_id uuid not null,
  thresholds jsonb not null,
  constraint alert_thresholds_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owners(id) ON DELETE CASCADE,
  constraint alert_thresholds_pkey PRIMARY KEY (owner_id)
);

create table alerts (
  about text not null,
  calm_since timestamp with time zone,
  id uuid not null,
  measure text not null,
  owner_id uuid not null,
  raised_at timestamp with time zone not null,
  threshold double precision not null,
  value double precision not null,
  constraint alerts_key UNIQUE (owner_id, measure, about),
  constraint alerts_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owners(id) ON DELETE CASCADE,
  constraint alerts_pkey PRIMARY KEY (id)
);

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

CREATE INDEX audit_log_by_age ON public.audit_log USING brin (at);

CREATE INDEX audit_log_by_owner ON public.audit_log USING btree (owner_id, id);

create table auth."oauthAccessToken" (
  authorizationCodeId text,
  clientId text not null,
  confirmation jsonb,
  createdAt timestamp with time zone not null,
  expiresAt timestamp with time zone not null,
  id text not null,
  referenceId text,
  refreshId text,
  requestedUserInfoClaims jsonb,
  resources jsonb,
  revoked timestamp with time zone,
  scopes jsonb not null,
  sessionId text,
  token text not null,
  userId text,
  constraint oauthAccessToken_clientId_fkey FOREIGN KEY ("clientId") REFERENCES auth."oauthClient"("clientId") ON DELETE CASCADE,
  constraint oauthAccessToken_pkey PRIMARY KEY (id),
  constraint oauthAccessToken_refreshId_fkey FOREIGN KEY ("refreshId") REFERENCES auth."oauthRefreshToken"(id) ON DELETE CASCADE,
  constraint oauthAccessToken_sessionId_fkey FOREIGN KEY ("sessionId") REFERENCES auth.session(id) ON DELETE SET NULL,
  constraint oauthAccessToken_token_key UNIQUE (token),
  constraint oauthAccessToken_userId_fkey FOREIGN KEY ("userId") REFERENCES auth."user"(id) ON DELETE CASCADE
);

CREATE INDEX "oauthAccessToken_authorizationCodeId_idx" ON auth."oauthAccessToken" USING btree ("authorizationCodeId");

CREATE INDEX "oauthAccessToken_clientId_idx" ON auth."oauthAccessToken" USING btree ("clientId");

CREATE INDEX "oauthAccessToken_refreshId_idx" ON auth."oauthAccessToken" USING btree ("refreshId");

CREATE INDEX "oauthAccessToken_sessionId_idx" ON auth."oauthAccessToken" USING btree ("sessionId");

CREATE INDEX "oauthAccessToken_userId_idx" ON auth."oauthAccessToken" USING btree ("userId");

create table auth."oauthClient" (
  applicationType text,
  backchannelLogoutSessionRequired boolean,
  backchannelLogoutUri text,
  clientCredentialsScopes jsonb,
  clientDiscoveryId text,
  clientId text not null,
  clientSecret text,
  contacts jsonb,
  createdAt timestamp with time zone,
  disabled boolean,
  dpopBoundAccessTokens boolean,
  enableEndSession boolean,
  grantTypes jsonb,
  icon text,
  id text not null,
  jwks text,
  jwksUri text,
  metadata jsonb,
  name text,
  policy text,
  postLogoutRedirectUris jsonb,
  redirectUris jsonb not null,
  referenceId text,
  requirePKCE boolean,
  responseTypes jsonb,
  scopes jsonb,
  skipConsent boolean,
  softwareId text,
  softwareStatement text,
  softwareVersion text,
  subjectType text,
  tokenEndpointAuthMethod text,
  tos text,
  updatedAt timestamp with time zone,
  uri text,
  userId text,
  constraint oauthClient_clientId_key UNIQUE ("clientId"),
  constraint oauthClient_pkey PRIMARY KEY (id),
  constraint oauthClient_userId_fkey FOREIGN KEY ("userId") REFERENCES auth."user"(id) ON DELETE CASCADE
);

CREATE INDEX "oauthClient_userId_idx" ON auth."oauthClient" USING btree ("userId");

create table auth."oauthClientAssertion" (
  expiresAt timestamp with time zone not null,
  id text not null,
  constraint oauthClientAssertion_pkey PRIMARY KEY (id)
);

create table auth."oauthClientResource" (
  clientId text not null,
  createdAt timestamp with time zone,
  id text not null,
  metadata jsonb,
  resourceId text not null,
  constraint oauthClientResource_clientId_fkey FOREIGN KEY ("clientId") REFERENCES auth."oauthClient"("clientId") ON DELETE CASCADE,
  constraint oauthClientResource_pkey PRIMARY KEY (id),
  constraint oauthClientResource_resourceId_fkey FOREIGN KEY ("resourceId") REFERENCES auth."oauthResource"(identifier) ON DELETE CASCADE
);

CREATE INDEX "oauthClientResource_clientId_idx" ON auth."oauthClientResource" USING btree ("clientId");

CREATE UNIQUE INDEX "oauthClientResource_clientId_resourceId_uidx" ON auth."oauthClientResource" USING btree ("clientId", "resourceId");

CREATE INDEX "oauthClientResource_resourceId_idx" ON auth."oauthClientResource" USING btree ("resourceId");

create table auth."oauthConsent" (
  clientId text not null,
  createdAt timestamp with time zone not null,
  id text not null,
  referenceId text,
  requestedUserInfoClaims jsonb,
  resources jsonb,
  scopes jsonb not null,
  updatedAt timestamp with time zone not null,
  userId text,
  constraint oauthConsent_clientId_fkey FOREIGN KEY ("clientId") REFERENCES auth."oauthClient"("clientId") ON DELETE CASCADE,
  constraint oauthConsent_pkey PRIMARY KEY (id),
  constraint oauthConsent_userId_fkey FOREIGN KEY ("userId") REFERENCES auth."user"(id) ON DELETE CASCADE
);

CREATE INDEX "oauthConsent_clientId_idx" ON auth."oauthConsent" USING btree ("clientId");

CREATE INDEX "oauthConsent_userId_idx" ON auth."oauthConsent" USING btree ("userId");

create table auth."oauthRefreshToken" (
  authTime timestamp with time zone,
  authorizationCodeId text,
  clientId text not null,
  confirmation jsonb,
  createdAt timestamp with time zone not null,
  expiresAt timestamp with time zone not null,
  id text not null,
  referenceId text,
  requestedUserInfoClaims jsonb,
  resources jsonb,
  revoked timestamp with time zone,
  rotatedAt timestamp with time zone,
  rotationReplayExpiresAt timestamp with time zone,
  rotationReplayResponse text,
  scopes jsonb not null,
  sessionId text,
  token text not null,
  userId text not null,
  constraint oauthRefreshToken_clientId_fkey FOREIGN KEY ("clientId") REFERENCES auth."oauthClient"("clientId") ON DELETE CASCADE,
  constraint oauthRefreshToken_pkey PRIMARY KEY (id),
  constraint oauthRefreshToken_sessionId_fkey FOREIGN KEY ("sessionId") REFERENCES auth.session(id) ON DELETE SET NULL,
  constraint oauthRefreshToken_token_key UNIQUE (token),
  constraint oauthRefreshToken_userId_fkey FOREIGN KEY ("userId") REFERENCES auth."user"(id) ON DELETE CASCADE
);

CREATE INDEX "oauthRefreshToken_authorizationCodeId_idx" ON auth."oauthRefreshToken" USING btree ("authorizationCodeId");

CREATE INDEX "oauthRefreshToken_clientId_idx" ON auth."oauthRefreshToken" USING btree ("clientId");

CREATE INDEX "oauthRefreshToken_sessionId_idx" ON auth."oauthRefreshToken" USING btree ("sessionId");

CREATE INDEX "oauthRefreshToken_userId_idx" ON auth."oauthRefreshToken" USING btree ("userId");

create table auth."oauthResource" (
  accessTokenTtl integer,
  allowedScopes jsonb,
  createdAt timestamp with time zone,
  customClaims jsonb,
  disabled boolean,
  dpopBoundAccessTokensRequired boolean,
  id text not null,
  identifier text not null,
  metadata jsonb,
  name text not null,
  policyVersion integer,
  refreshTokenTtl integer,
  signingAlgorithm text,
  signingKeyId text,
  updatedAt timestamp with time zone,
  constraint oauthResource_identifier_key UNIQUE (identifier),
  constraint oauthResource_pkey PRIMARY KEY (id)
);

create table auth."user" (
  createdAt timestamp with time zone not null default CURRENT_TIMESTAMP,
  email text not null,
  emailVerified boolean not null,
  id text not null,
  image text,
  name text not null,
  updatedAt timestamp with time zone not null default CURRENT_TIMESTAMP,
  constraint user_email_key UNIQUE (email),
  constraint user_pkey PRIMARY KEY (id)
);

create table auth.account (
  accessToken text,
  accessTokenExpiresAt timestamp with time zone,
  accountId text not null,
  createdAt timestamp with time zone not null default CURRENT_TIMESTAMP,
  id text not null,
  idToken text,
  password text,
  providerId text not null,
  refreshToken text,
  refreshTokenExpiresAt timestamp with time zone,
  scope text,
  updatedAt timestamp with time zone not null,
  userId text not null,
  constraint account_pkey PRIMARY KEY (id),
  constraint account_userId_fkey FOREIGN KEY ("userId") REFERENCES auth."user"(id) ON DELETE CASCADE
);

CREATE INDEX "account_userId_idx" ON auth.account USING btree ("userId");

create table auth.attempts (
  count integer not null,
  key bytea not null,
  window_start timestamp with time zone not null,
  constraint attempts_pkey PRIMARY KEY (key, window_start)
);

CREATE INDEX attempts_by_window ON auth.attempts USING btree (window_start);

create table auth.invitations (
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  hash bytea not null,
  owner_id uuid not null,
  used_at timestamp with time zone,
  constraint invitations_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owners(id) ON DELETE CASCADE,
  constraint invitations_pkey PRIMARY KEY (hash)
);

CREATE INDEX invitations_by_owner ON auth.invitations USING btree (owner_id);

create table auth.jwks (
  alg text,
  createdAt timestamp with time zone not null,
  crv text,
  expiresAt timestamp with time zone,
  id text not null,
  privateKey text not null,
  publicKey text not null,
  constraint jwks_pkey PRIMARY KEY (id)
);

create table auth.session (
  createdAt timestamp with time zone not null default CURRENT_TIMESTAMP,
  expiresAt timestamp with time zone not null,
  id text not null,
  ipAddress text,
  token text not null,
  updatedAt timestamp with time zone not null,
  userAgent text,
  userId text not null,
  constraint session_pkey PRIMARY KEY (id),
  constraint session_token_key UNIQUE (token),
  constraint session_userId_fkey FOREIGN KEY ("userId") REFERENCES auth."user"(id) ON DELETE CASCADE
);

CREATE INDEX "session_userId_idx" ON auth.session USING btree ("userId");

create table auth.sign_ins (
  created_at timestamp with time zone not null default now(),
  owner_id uuid not null,
  user_id text not null,
  constraint sign_ins_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owners(id) ON DELETE CASCADE,
  constraint sign_ins_owner_id_key UNIQUE (owner_id),
  constraint sign_ins_pkey PRIMARY KEY (user_id),
  constraint sign_ins_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth."user"(id) ON DELETE CASCADE
);

create table auth.verification (
  createdAt timestamp with time zone not null default CURRENT_TIMESTAMP,
  expiresAt timestamp with time zone not null,
  id text not null,
  identifier text not null,
  updatedAt timestamp with time zone not null default CURRENT_TIMESTAMP,
  value text not null,
  constraint verification_pkey PRIMARY KEY (id)
);

CREATE INDEX verification_identifier_idx ON auth.verification USING btree (identifier);

create table counted_kinds (
  kind text not null,
  constraint counted_kinds_pkey PRIMARY KEY (kind)
);

create table decisions (
  context text not null,
  due_at timestamp with time zone,
  extra jsonb not null,
  id uuid not null,
  impact_level text,
  options jsonb not null,
  owner_id uuid not null,
  proposed_by text,
  resolution text,
  resolved_at timestamp with time zone,
  resolved_by text,
  source_memory_id text,
  status text not null,
  supersedes uuid,
  constraint decisions_check CHECK (((status <> 'resolved'::text) OR ((resolution IS NOT NULL) AND (resolved_at IS NOT NULL)))),
  constraint decisions_id_fkey FOREIGN KEY (id) REFERENCES memories(id) ON DELETE CASCADE,
  constraint decisions_impact_level_check CHECK ((impact_level = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text, 'critical'::text]))),
  constraint decisions_pkey PRIMARY KEY (id),
  constraint decisions_status_check CHECK ((status = ANY (ARRAY['proposed'::text, 'resolved'::text, 'superseded'::text]))),
  constraint decisions_supersedes_fkey FOREIGN KEY (supersedes) REFERENCES decisions(id) ON DELETE SET NULL,
  constraint decisions_supersedes_key UNIQUE (supersedes)
);

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
  by_caller boolean not null default false,
  generation integer not null,
  language text,
  memory uuid not null,
  multilingual bytea,
  multilingual_model text,
  owner_id uuid not null,
  passages smallint not null default 1,
  vector bytea not null,
  constraint embeddings_check CHECK (((multilingual IS NULL) = (multilingual_model IS NULL))),
  constraint embeddings_generation_fkey FOREIGN KEY (generation) REFERENCES embedding_generations(id),
  constraint embeddings_memory_fkey FOREIGN KEY (memory) REFERENCES memories(id) ON DELETE CASCADE,
  constraint embeddings_passages_check CHECK ((passages > 0)),
  constraint embeddings_pkey PRIMARY KEY (memory, generation)
);

create table erasures (
  due_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  id uuid not null,
  kind text not null,
  name_digest bytea not null,
  owner_id uuid not null,
  removed jsonb not null default '{}'::jsonb,
  started_at timestamp with time zone not null default now(),
  token_id uuid,
  constraint erasures_kind_check CHECK ((kind = ANY (ARRAY['user'::text, 'team'::text, 'end_user'::text]))),
  constraint erasures_owner_id_key UNIQUE (owner_id),
  constraint erasures_pkey PRIMARY KEY (id)
);

CREATE INDEX erasures_by_name ON public.erasures USING btree (kind, name_digest, started_at DESC);

create table eval_questions (
  asked jsonb not null,
  id uuid not null,
  owner_id uuid not null,
  place bigint not null generated always as identity,
  relevant uuid[] not null,
  set_name text not null,
  stale uuid[] not null,
  updated_at timestamp with time zone not null default now(),
  constraint eval_questions_key UNIQUE (owner_id, set_name, asked),
  constraint eval_questions_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owners(id) ON DELETE CASCADE,
  constraint eval_questions_pkey PRIMARY KEY (id)
);

CREATE INDEX eval_questions_by_memory ON public.eval_questions USING gin (((relevant || stale)));

create table event_inbox (
  at timestamp with time zone not null default clock_timestamp(),
  bucket text,
  is_gone boolean not null default false,
  kind text not null,
  memory uuid not null,
  memory_id text not null,
  memory_type text,
  owner_id uuid not null,
  path text,
  project_id text,
  revision bigint not null,
  scope text not null,
  seq bigint not null generated always as identity,
  subject text not null,
  constraint event_inbox_pkey PRIMARY KEY (seq)
);

create table event_instants (
  at timestamp with time zone not null,
  kind text not null,
  memory uuid not null,
  owner_id uuid not null,
  constraint event_instants_kind_check CHECK ((kind = ANY (ARRAY['expired'::text, 'revived'::text]))),
  constraint event_instants_pkey PRIMARY KEY (memory, kind)
);

CREATE INDEX event_instants_due ON public.event_instants USING btree (at);

create table event_log (
  cleared_to bigint not null,
  last_position bigint not null,
  only_row boolean not null default true,
  constraint event_log_only_row_check CHECK (only_row),
  constraint event_log_pkey PRIMARY KEY (only_row)
);

create table events (
  at timestamp with time zone not null,
  bucket text,
  is_gone boolean not null,
  kind text not null,
  memory uuid not null,
  memory_id text not null,
  memory_type text,
  noted_at timestamp with time zone not null default now(),
  owner_id uuid not null,
  path text,
  position bigint not null generated always as identity,
  project_id text,
  revision bigint not null,
  scope text not null,
  subject text not null,
  constraint events_pkey PRIMARY KEY ("position")
);

CREATE INDEX events_by_age ON public.events USING btree (noted_at);

CREATE INDEX events_by_owner ON public.events USING btree (owner_id, "position");

create table figures (
  at timestamp with time zone not null,
  coverage_sum double precision not null,
  covered bigint not null,
  failures bigint not null,
  index_lag_seconds real,
  latency bigint[] not null,
  memories bigint,
  owner_id uuid,
  recalls bigint not null,
  resolution text not null,
  writes bigint not null,
  constraint figures_key UNIQUE NULLS NOT DISTINCT (owner_id, resolution, at),
  constraint figures_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owners(id) ON DELETE CASCADE,
  constraint figures_resolution_check CHECK ((resolution = ANY (ARRAY['minute'::text, 'hour'::text])))
);

CREATE INDEX figures_by_age ON public.figures USING btree (resolution, at);

create table idempotency_keys (
  answer jsonb not null,
  created_at timestamp with time zone not null default now(),
  items uuid[],
  key_hash bytea not null,
  owner_id uuid not null,
  request_hash bytea not null,
  token_id uuid not null,
  constraint idempotency_keys_pkey PRIMARY KEY (token_id, owner_id, key_hash),
  constraint idempotency_keys_token_id_fkey FOREIGN KEY (token_id) REFERENCES tokens(id) ON DELETE CASCADE
);

CREATE INDEX idempotency_keys_by_age ON public.idempotency_keys USING btree (created_at);

CREATE INDEX idempotency_keys_by_item ON public.idempotency_keys USING gin (items) WHERE (items IS NOT NULL);

create table index_generations (
  active_at timestamp with time zone,
  alias text not null,
  checks integer not null default 0,
  created_at timestamp with time zone not null default now(),
  embedding_generation integer not null,
  mapping_version integer not null,
  name text not null,
  retired_at timestamp with time zone,
  scanned bigint not null default 0,
  scanned_to uuid,
  shards integer,
  spread jsonb not null default '{}'::jsonb,
  state text not null,
  total bigint not null,
  touched_at timestamp with time zone not null default now(),
  uuid text not null,
  constraint index_generations_check CHECK (((state = 'retired'::text) = (retired_at IS NOT NULL))),
  constraint index_generations_embedding_generation_fkey FOREIGN KEY (embedding_generation) REFERENCES embedding_generations(id),
  constraint index_generations_pkey PRIMARY KEY (name),
  constraint index_generations_state_check CHECK ((state = ANY (ARRAY['building'::text, 'active'::text, 'retired'::text])))
);

CREATE UNIQUE INDEX index_generations_active ON public.index_generations USING btree (state) WHERE (state = 'active'::text);

CREATE UNIQUE INDEX index_generations_building ON public.index_generations USING btree (state) WHERE (state = 'building'::text);

create table index_snapshots (
  bytes bytea not null,
  generation integer not null,
  owner_id uuid not null,
  part integer not null,
  snapshot uuid not null,
  constraint index_snapshots_generation_fkey FOREIGN KEY (generation) REFERENCES embedding_generations(id),
  constraint index_snapshots_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owners(id) ON DELETE CASCADE,
  constraint index_snapshots_part_check CHECK ((part >= 0)),
  constraint index_snapshots_pkey PRIMARY KEY (owner_id, generation, snapshot, part)
);

create table maintenance_items (
  action text not null,
  former_status text,
  memory uuid,
  memory_id text,
  owner_id uuid not null,
  place integer not null,
  reason text not null,
  receipt uuid,
  revision bigint,
  run uuid not null,
  state text not null,
  survivor uuid,
  undo_reason text,
  undo_state text,
  constraint maintenance_items_pkey PRIMARY KEY (run, place),
  constraint maintenance_items_run_fkey FOREIGN KEY (run) REFERENCES maintenance_runs(id) ON DELETE CASCADE,
  constraint maintenance_items_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'changed'::text, 'skipped'::text, 'failed'::text]))),
  constraint maintenance_items_undo_state_check CHECK ((undo_state = ANY (ARRAY['pending'::text, 'changed'::text, 'skipped'::text, 'failed'::text])))
);

CREATE INDEX maintenance_items_by_memory ON public.maintenance_items USING btree (memory) WHERE (memory IS NOT NULL);

create table maintenance_runs (
  actions text[] not null,
  authority jsonb not null,
  finished_at timestamp with time zone,
  id uuid not null,
  owner_id uuid not null,
  project_id text not null,
  started_at timestamp with time zone not null,
  started_by text not null,
  status text not null,
  token_id uuid not null,
  touched_at timestamp with time zone not null default now(),
  trigger text not null,
  truncated boolean not null,
  undo_authority jsonb,
  undone_at timestamp with time zone,
  constraint maintenance_runs_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owners(id) ON DELETE CASCADE,
  constraint maintenance_runs_pkey PRIMARY KEY (id),
  constraint maintenance_runs_status_check CHECK ((status = ANY (ARRAY['running'::text, 'completed'::text, 'undoing'::text, 'undone'::text]))),
  constraint maintenance_runs_trigger_check CHECK ((trigger = ANY (ARRAY['request'::text, 'schedule'::text])))
);

CREATE INDEX maintenance_runs_newest ON public.maintenance_runs USING btree (owner_id, project_id, started_at DESC, id DESC);

CREATE INDEX maintenance_runs_open ON public.maintenance_runs USING btree (touched_at) WHERE (status = ANY (ARRAY['running'::text, 'undoing'::text]));

create table maintenance_settings (
  authority jsonb not null,
  automatic_actions text[] not null,
  completed_retention_days integer not null,
  duplicate_similarity double precision not null,
  next_run_at timestamp with time zone,
  owner_id uuid not null,
  project_id text not null,
  purge_deleted_after_days integer not null,
  schedule_hours integer not null,
  stale_after_days integer not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  constraint maintenance_settings_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owners(id) ON DELETE CASCADE,
  constraint maintenance_settings_pkey PRIMARY KEY (owner_id, project_id)
);

CREATE INDEX maintenance_settings_due ON public.maintenance_settings USING btree (next_run_at) WHERE (next_run_at IS NOT NULL);

create table maintenance_survivors (
  memory uuid not null,
  owner_id uuid not null,
  revision bigint not null,
  run uuid not null,
  constraint maintenance_survivors_pkey PRIMARY KEY (run, memory),
  constraint maintenance_survivors_run_fkey FOREIGN KEY (run) REFERENCES maintenance_runs(id) ON DELETE CASCADE
);

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
  due_at timestamp with time zone,
  expires_at timestamp with time zone,
  fact_version integer,
  id uuid not null,
  importance double precision not null,
  instance_hash text,
  item_agent text,
  item_status text,
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
  superseded_by_key boolean not null default false,
  superseded_status text,
  superseded_until timestamp with time zone,
  updated_at timestamp with time zone not null,
  version integer not null,
  workspace_item text,
  constraint memories_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owners(id),
  constraint memories_owner_id_memory_id_key UNIQUE (owner_id, memory_id),
  constraint memories_pkey PRIMARY KEY (id),
  constraint memories_scope_check CHECK ((scope = ANY (ARRAY['private'::text, 'team'::text]))),
  constraint memories_status_check CHECK ((status = ANY (ARRAY['active'::text, 'started'::text, 'completed'::text, 'archived'::text, 'superseded'::text, 'soft_deleted'::text, 'redacted'::text]))),
  constraint memories_superseded_status_check CHECK ((superseded_status = ANY (ARRAY['active'::text, 'started'::text, 'completed'::text]))),
  constraint memories_workspace_item_check CHECK ((workspace_item = ANY (ARRAY['todo'::text, 'decision'::text])))
);

CREATE INDEX memories_by_agent ON public.memories USING btree (owner_id, project_id, agent_id, seq DESC) WHERE ((project_id IS NOT NULL) AND (agent_id IS NOT NULL));

CREATE INDEX memories_by_bare_words ON public.memories USING btree (owner_id, bare_words(path, content)) WHERE ((bare_words(path, content) IS NOT NULL) AND (dedupe_hash IS NOT NULL) AND ((status = ANY (ARRAY['active'::text, 'started'::text, 'completed'::text])) OR (superseded_until IS NOT NULL)));

CREATE INDEX memories_by_change ON public.memories USING btree (owner_id, changed_xid);

CREATE INDEX memories_by_dedupe ON public.memories USING btree (owner_id, dedupe_hash) WHERE ((status = ANY (ARRAY['active'::text, 'started'::text, 'completed'::text])) OR (superseded_until IS NOT NULL));

CREATE INDEX memories_by_due ON public.memories USING btree (owner_id, project_id, memory_type, due_at) WHERE ((due_at IS NOT NULL) AND ((status = ANY (ARRAY['active'::text, 'started'::text])) OR (superseded_until IS NOT NULL)));

CREATE INDEX memories_by_expiry ON public.memories USING btree (owner_id, expires_at) WHERE ((expires_at IS NOT NULL) AND (workspace_item IS NULL) AND (status = ANY (ARRAY['active'::text, 'started'::text, 'completed'::text])));

CREATE INDEX memories_by_fact ON public.memories USING btree (owner_id, semantic_key, GREATEST(version, fact_version)) WHERE (semantic_key IS NOT NULL);

CREATE INDEX memories_by_path ON public.memories USING btree (owner_id, path, created_at DESC);

CREATE INDEX memories_by_project_change ON public.memories USING btree (owner_id, project_id, updated_at DESC, seq DESC) WHERE ((project_id IS NOT NULL) AND (workspace_item IS NULL));

CREATE INDEX memories_by_successor ON public.memories USING btree (owner_id, superseded_by) WHERE (superseded_by IS NOT NULL);

CREATE INDEX memories_by_task ON public.memories USING btree (owner_id, project_id, agent_id, updated_at DESC) WHERE ((project_id IS NOT NULL) AND (agent_id IS NOT NULL) AND (memory_type = 'working'::text) AND ((status = ANY (ARRAY['started'::text, 'completed'::text])) OR (superseded_until IS NOT NULL)));

CREATE INDEX memories_by_words ON public.memories USING gin (memory_words(content));

CREATE INDEX memories_by_workspace ON public.memories USING btree (owner_id, project_id, workspace_item, item_status, importance DESC, seq) WHERE (workspace_item IS NOT NULL);

CREATE INDEX memories_by_workspace_change ON public.memories USING btree (owner_id, project_id, workspace_item, item_status, updated_at DESC, seq DESC) WHERE (workspace_item IS NOT NULL);

CREATE INDEX memories_by_workspace_state ON public.memories USING btree (owner_id, project_id, workspace_item, item_status, item_agent, status, scope, bucket, memory_type, due_at) WHERE (workspace_item IS NOT NULL);

CREATE INDEX memories_current_of_fact ON public.memories USING btree (owner_id, semantic_key) WHERE ((semantic_key IS NOT NULL) AND ((status = ANY (ARRAY['active'::text, 'started'::text, 'completed'::text])) OR (superseded_until IS NOT NULL)));

CREATE INDEX memories_guiding ON public.memories USING btree (owner_id, importance DESC, seq DESC) WHERE ((((metadata ->> 'authority'::text) = ANY (ARRAY['verified'::text, 'directive'::text])) OR (memory_type = ANY (ARRAY['preference'::text, 'procedural'::text]))) AND ((status = ANY (ARRAY['active'::text, 'started'::text, 'completed'::text])) OR (superseded_until IS NOT NULL)));

CREATE INDEX memories_listed ON public.memories USING btree (owner_id, created_at DESC, seq DESC) WHERE (workspace_item IS NULL);

CREATE INDEX memories_listed_items ON public.memories USING btree (owner_id, created_at DESC, seq DESC) WHERE (workspace_item IS NOT NULL);

CREATE INDEX memories_listed_of_bucket ON public.memories USING btree (owner_id, bucket, created_at DESC, seq DESC) WHERE ((bucket <> 'public'::text) AND (workspace_item IS NULL));

CREATE INDEX memories_listed_of_project ON public.memories USING btree (owner_id, project_id, created_at DESC, seq DESC, workspace_item) WHERE (project_id IS NOT NULL);

CREATE INDEX memories_listed_of_status ON public.memories USING btree (owner_id, status, created_at DESC, seq DESC) WHERE ((status <> ALL (ARRAY['active'::text, 'started'::text, 'completed'::text])) AND (workspace_item IS NULL));

CREATE INDEX memories_listed_of_type ON public.memories USING btree (owner_id, memory_type, created_at DESC, seq DESC) WHERE ((memory_type <> ALL (ARRAY['semantic'::text, 'episodic'::text, 'working'::text])) AND (workspace_item IS NULL));

CREATE INDEX memories_of_facts ON public.memories USING btree (owner_id, importance DESC, seq DESC) WHERE ((semantic_key IS NOT NULL) AND ((status = ANY (ARRAY['active'::text, 'started'::text, 'completed'::text])) OR (superseded_until IS NOT NULL)));

CREATE INDEX memories_unattributed_by_due ON public.memories USING btree (owner_id, project_id, memory_type, due_at) WHERE ((due_at IS NOT NULL) AND (agent_id IS NULL) AND ((status = ANY (ARRAY['active'::text, 'started'::text])) OR (superseded_until IS NOT NULL)));

CREATE INDEX memories_unattributed_by_workspace ON public.memories USING btree (owner_id, project_id, item_status, importance DESC, seq) WHERE ((workspace_item = 'todo'::text) AND (agent_id IS NULL));

CREATE INDEX memories_waiting ON public.memories USING btree (owner_id) WHERE ((superseded_until IS NOT NULL) AND (workspace_item IS NULL) AND (status = 'superseded'::text));

create table memory_count_changes (
  bucket text not null,
  count bigint not null,
  expires_on timestamp with time zone,
  is_waiting boolean not null,
  memory_type text not null,
  owner_id uuid not null,
  project_id text,
  scope text not null,
  status text not null,
  workspace_item text
);

CREATE INDEX memory_count_changes_by_owner ON public.memory_count_changes USING btree (owner_id);

create table memory_counts (
  bucket text not null,
  count bigint not null,
  expires_on timestamp with time zone,
  is_waiting boolean not null,
  memory_type text not null,
  owner_id uuid not null,
  project_id text,
  scope text not null,
  status text not null,
  workspace_item text
);

CREATE INDEX memory_counts_by_owner ON public.memory_counts USING btree (owner_id);

create table memory_versions (
  memory uuid not null,
  owner_id uuid not null,
  reason text,
  revision bigint not null,
  state jsonb not null,
  valid_to timestamp with time zone not null,
  constraint memory_versions_memory_fkey FOREIGN KEY (memory) REFERENCES memories(id) ON DELETE CASCADE,
  constraint memory_versions_pkey PRIMARY KEY (memory, revision)
);

create table migration_steps (
  done_to text,
  name text not null,
  oldest_program text,
  rows_done bigint not null default 0,
  updated_at timestamp with time zone not null default now(),
  constraint migration_steps_pkey PRIMARY KEY (name)
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
  lease uuid,
  leased_until timestamp with time zone,
  memory uuid not null,
  owner_id uuid not null,
  queued_at timestamp with time zone not null default now(),
  receipt uuid,
  revision bigint not null,
  set_aside text,
  constraint outbox_kind_check CHECK ((kind = ANY (ARRAY['put'::text, 'remove'::text, 'embed'::text]))),
  constraint outbox_pkey PRIMARY KEY (id)
);

CREATE INDEX outbox_by_owner ON public.outbox USING btree (owner_id, memory) WHERE (kind <> 'embed'::text);

CREATE INDEX outbox_due ON public.outbox USING btree (available_at, id);

CREATE INDEX outbox_set_aside ON public.outbox USING btree (memory) WHERE (set_aside IS NOT NULL);

create table outbox_owners (
  lease uuid not null,
  leased_until timestamp with time zone not null,
  owner_id uuid not null,
  constraint outbox_owners_pkey PRIMARY KEY (owner_id)
);

CREATE INDEX outbox_owners_by_lease ON public.outbox_owners USING btree (lease);

create table owner_usage (
  bytes bigint not null,
  memories bigint not null,
  owner_id uuid not null,
  shard integer not null,
  constraint owner_usage_pkey PRIMARY KEY (owner_id, shard)
);

create table owners (
  active_at timestamp with time zone,
  application_id uuid,
  created_at timestamp with time zone not null default now(),
  id uuid not null,
  kind text not null,
  name text not null,
  constraint owners_application_id_fkey FOREIGN KEY (application_id) REFERENCES owners(id),
  constraint owners_check CHECK (((kind = 'end_user'::text) = (application_id IS NOT NULL))),
  constraint owners_id_kind_key UNIQUE (id, kind),
  constraint owners_kind_check CHECK ((kind = ANY (ARRAY['user'::text, 'team'::text, 'agent'::text, 'end_user'::text]))),
  constraint owners_kind_name_application_id_key UNIQUE NULLS NOT DISTINCT (kind, name, application_id),
  constraint owners_pkey PRIMARY KEY (id)
);

CREATE INDEX owners_of_application ON public.owners USING btree (application_id, name COLLATE "C") WHERE (application_id IS NOT NULL);

create table rate_windows (
  hits integer not null,
  key text not null,
  starts_at timestamp with time zone not null,
  constraint rate_windows_pkey PRIMARY KEY (starts_at, key)
);

create table recall_feedback (
  at timestamp with time zone not null default now(),
  helpful boolean not null,
  id bigint not null generated always as identity,
  memory uuid not null,
  owner_id uuid not null,
  token_id uuid not null,
  constraint recall_feedback_memory_fkey FOREIGN KEY (memory) REFERENCES memories(id) ON DELETE CASCADE,
  constraint recall_feedback_pkey PRIMARY KEY (id)
);

CREATE INDEX recall_feedback_by_memory ON public.recall_feedback USING btree (memory);

create table recalls (
  agent_id text,
  at timestamp with time zone not null,
  id uuid not null,
  memories uuid[] not null,
  ms integer not null,
  operation text not null,
  outcome text not null,
  owner_id uuid not null,
  project_id text,
  question text not null,
  token_id uuid not null,
  tokens integer,
  tokens_max integer,
  constraint recalls_operation_check CHECK ((operation = ANY (ARRAY['search'::text, 'context'::text]))),
  constraint recalls_outcome_check CHECK ((outcome = ANY (ARRAY['answered'::text, 'partial'::text, 'found'::text, 'none'::text]))),
  constraint recalls_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owners(id) ON DELETE CASCADE,
  constraint recalls_pkey PRIMARY KEY (id)
);

CREATE INDEX recalls_by_age ON public.recalls USING brin (at);

CREATE INDEX recalls_by_memory ON public.recalls USING gin (memories);

CREATE INDEX recalls_by_owner ON public.recalls USING btree (owner_id, at, id);

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

create table record_incarnations (
  begun_at timestamp with time zone not null default now(),
  files text not null,
  id uuid not null default gen_random_uuid(),
  mended_at timestamp with time zone,
  number integer not null,
  reason text not null,
  system text not null,
  timeline integer not null,
  constraint record_incarnations_id_key UNIQUE (id),
  constraint record_incarnations_pkey PRIMARY KEY (number),
  constraint record_incarnations_reason_check CHECK ((reason = ANY (ARRAY['first'::text, 'restored'::text, 'went_back'::text, 'promoted'::text])))
);

create table service_secrets (
  created_at timestamp with time zone not null default now(),
  name text not null,
  value bytea not null,
  constraint service_secrets_pkey PRIMARY KEY (name)
);

create table subject_erasure_records (
  digest text not null,
  erasure uuid not null,
  memory uuid not null,
  workspace_id uuid not null,
  constraint subject_erasure_records_erasure_fkey FOREIGN KEY (erasure) REFERENCES subject_erasures(id) ON DELETE CASCADE,
  constraint subject_erasure_records_pkey PRIMARY KEY (erasure, workspace_id, memory)
);

create table subject_erasures (
  authority jsonb not null,
  began_at timestamp with time zone not null default now(),
  due_at timestamp with time zone not null default now(),
  erased integer not null default 0,
  failure text,
  failures integer not null default 0,
  finished_at timestamp with time zone,
  id uuid not null,
  owner_id uuid not null,
  question_ids jsonb not null,
  questions integer not null,
  receipts uuid[] not null default '{}'::uuid[],
  records integer not null,
  skipped integer not null default 0,
  was_stopped boolean not null default false,
  constraint subject_erasures_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owners(id) ON DELETE CASCADE,
  constraint subject_erasures_pkey PRIMARY KEY (id)
);

CREATE INDEX subject_erasures_newest ON public.subject_erasures USING btree (owner_id, began_at DESC, id DESC);

CREATE INDEX subject_erasures_open ON public.subject_erasures USING btree (due_at) WHERE (finished_at IS NULL);

create table team_invitations (
  created_at timestamp with time zone not null default now(),
  declined_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  invited_by uuid,
  role text not null,
  team_id uuid not null,
  user_id uuid,
  user_name text not null,
  withdrawn_at timestamp with time zone,
  constraint team_invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES owners(id) ON DELETE CASCADE,
  constraint team_invitations_pkey PRIMARY KEY (team_id, user_name),
  constraint team_invitations_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'member'::text, 'viewer'::text]))),
  constraint team_invitations_team_id_fkey FOREIGN KEY (team_id) REFERENCES owners(id) ON DELETE CASCADE,
  constraint team_invitations_user_id_fkey FOREIGN KEY (user_id) REFERENCES owners(id) ON DELETE CASCADE
);

CREATE INDEX team_invitations_by_inviter ON public.team_invitations USING btree (invited_by) WHERE (invited_by IS NOT NULL);

CREATE INDEX team_invitations_by_user ON public.team_invitations USING btree (user_id) WHERE (user_id IS NOT NULL);

create table team_members (
  created_at timestamp with time zone not null default now(),
  role text not null,
  team_id uuid not null,
  team_kind text not null generated always as ('team'::text) stored,
  user_id uuid not null,
  user_kind text not null generated always as ('user'::text) stored,
  constraint team_members_pkey PRIMARY KEY (team_id, user_id),
  constraint team_members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'member'::text, 'viewer'::text]))),
  constraint team_members_team_id_fkey FOREIGN KEY (team_id) REFERENCES owners(id) ON DELETE CASCADE,
  constraint team_members_team_id_team_kind_fkey FOREIGN KEY (team_id, team_kind) REFERENCES owners(id, kind) ON DELETE CASCADE,
  constraint team_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES owners(id) ON DELETE CASCADE,
  constraint team_members_user_id_user_kind_fkey FOREIGN KEY (user_id, user_kind) REFERENCES owners(id, kind) ON DELETE CASCADE
);

CREATE INDEX team_members_by_user ON public.team_members USING btree (user_id);

create table todo_dependencies (
  depends_on uuid not null,
  owner_id uuid not null,
  place integer not null,
  todo uuid not null,
  constraint todo_dependencies_depends_on_fkey FOREIGN KEY (depends_on) REFERENCES todos(id) ON DELETE CASCADE,
  constraint todo_dependencies_pkey PRIMARY KEY (todo, depends_on),
  constraint todo_dependencies_todo_fkey FOREIGN KEY (todo) REFERENCES todos(id) ON DELETE CASCADE
);

CREATE INDEX todo_dependencies_by_dependency ON public.todo_dependencies USING btree (depends_on);

create table todos (
  accepted_by text,
  assignee text,
  blocked_from text,
  blocked_reason text,
  content text not null,
  due_at timestamp with time zone,
  end_note text,
  ended_at timestamp with time zone,
  extra jsonb not null,
  id uuid not null,
  owner_id uuid not null,
  priority text not null,
  source_memory_id text,
  status text not null,
  constraint todos_blocked_from_check CHECK ((blocked_from = ANY (ARRAY['open'::text, 'assigned'::text, 'accepted'::text]))),
  constraint todos_check CHECK (((status = 'blocked'::text) = (blocked_from IS NOT NULL))),
  constraint todos_check1 CHECK (((status = ANY (ARRAY['completed'::text, 'cancelled'::text])) = (ended_at IS NOT NULL))),
  constraint todos_check2 CHECK (((status <> 'accepted'::text) OR (accepted_by IS NOT NULL))),
  constraint todos_check3 CHECK (((status <> 'assigned'::text) OR (assignee IS NOT NULL))),
  constraint todos_id_fkey FOREIGN KEY (id) REFERENCES memories(id) ON DELETE CASCADE,
  constraint todos_pkey PRIMARY KEY (id),
  constraint todos_priority_check CHECK ((priority = ANY (ARRAY['low'::text, 'normal'::text, 'high'::text, 'urgent'::text]))),
  constraint todos_status_check CHECK ((status = ANY (ARRAY['open'::text, 'assigned'::text, 'accepted'::text, 'blocked'::text, 'completed'::text, 'cancelled'::text])))
);

create table token_generations (
  created_at timestamp with time zone not null default now(),
  dimension integer not null,
  id integer not null generated always as identity,
  model text not null,
  constraint token_generations_dimension_check CHECK ((dimension > 0)),
  constraint token_generations_model_dimension_key UNIQUE (model, dimension),
  constraint token_generations_pkey PRIMARY KEY (id)
);

create table token_vectors (
  generation integer not null,
  memory uuid not null,
  owner_id uuid not null,
  passage smallint not null,
  vectors bytea not null,
  constraint token_vectors_generation_fkey FOREIGN KEY (generation) REFERENCES token_generations(id),
  constraint token_vectors_memory_fkey FOREIGN KEY (memory) REFERENCES memories(id) ON DELETE CASCADE,
  constraint token_vectors_passage_check CHECK ((passage >= 0)),
  constraint token_vectors_pkey PRIMARY KEY (memory, generation, passage)
);

create table tokens (
  account_id text,
  agent_id text,
  buckets text[],
  client_id text,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone,
  hash bytea not null,
  hint text not null,
  id uuid not null,
  issued_by uuid,
  kind text not null,
  last_used_at timestamp with time zone,
  name text,
  only_for text,
  owner_id uuid not null,
  path_prefix text,
  projects text[],
  replaced_at timestamp with time zone,
  replaced_by uuid,
  revoked_at timestamp with time zone,
  scopes text[] not null,
  team_id uuid,
  tool_set text,
  constraint tokens_account_id_fkey FOREIGN KEY (account_id) REFERENCES auth."user"(id) ON DELETE CASCADE,
  constraint tokens_hash_key UNIQUE (hash),
  constraint tokens_kind_check CHECK ((kind = ANY (ARRAY['api_key'::text, 'oauth'::text, 'agent_temporary'::text, 'agent_formal'::text, 'skill'::text, 'session'::text, 'end_user'::text]))),
  constraint tokens_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owners(id) ON DELETE CASCADE,
  constraint tokens_pkey PRIMARY KEY (id),
  constraint tokens_team_id_fkey FOREIGN KEY (team_id) REFERENCES owners(id) ON DELETE CASCADE,
  constraint tokens_tool_set_check CHECK ((tool_set = ANY (ARRAY['core'::text, 'full'::text])))
);

CREATE INDEX tokens_by_agent ON public.tokens USING btree (agent_id) WHERE (agent_id IS NOT NULL);

CREATE INDEX tokens_by_client ON public.tokens USING btree (client_id) WHERE (client_id IS NOT NULL);

CREATE UNIQUE INDEX tokens_by_grant ON public.tokens USING btree (account_id, client_id) WHERE ((account_id IS NOT NULL) AND (revoked_at IS NULL));

CREATE INDEX tokens_by_issuer ON public.tokens USING btree (issued_by) WHERE (issued_by IS NOT NULL);

CREATE INDEX tokens_by_owner ON public.tokens USING btree (owner_id);

CREATE UNIQUE INDEX tokens_by_session ON public.tokens USING btree (account_id) WHERE ((kind = 'session'::text) AND (revoked_at IS NULL));

create table tombstones (
  changed_xid xid8 not null default pg_current_xact_id(),
  memory uuid not null,
  owner_id uuid not null,
  removed_at timestamp with time zone not null default now(),
  revision bigint not null,
  constraint tombstones_pkey PRIMARY KEY (memory, owner_id)
);

CREATE INDEX tombstones_by_change ON public.tombstones USING btree (owner_id, changed_xid);

create table webhook_deliveries (
  attempts integer not null default 0,
  dead_at timestamp with time zone,
  last_error text,
  memory uuid not null,
  next_at timestamp with time zone not null default now(),
  owner_id uuid not null,
  position bigint not null,
  webhook uuid not null,
  constraint webhook_deliveries_pkey PRIMARY KEY (webhook, "position"),
  constraint webhook_deliveries_position_fkey FOREIGN KEY ("position") REFERENCES events("position"),
  constraint webhook_deliveries_webhook_fkey FOREIGN KEY (webhook) REFERENCES webhooks(id) ON DELETE CASCADE
);

CREATE INDEX webhook_deliveries_by_event ON public.webhook_deliveries USING btree ("position");

CREATE INDEX webhook_deliveries_dead ON public.webhook_deliveries USING btree (webhook, "position") WHERE (dead_at IS NOT NULL);

CREATE INDEX webhook_deliveries_waiting ON public.webhook_deliveries USING btree (webhook, memory, "position") WHERE (dead_at IS NULL);

create table webhooks (
  authority jsonb not null,
  created_at timestamp with time zone not null default now(),
  description text,
  failures integer not null default 0,
  former_secret bytea,
  former_until timestamp with time zone,
  has_end_users boolean not null default false,
  id uuid not null,
  is_enabled boolean not null default true,
  last_delivered_at timestamp with time zone,
  last_error text,
  lease uuid,
  leased_until timestamp with time zone,
  missed_at timestamp with time zone,
  next_try_at timestamp with time zone not null default now(),
  owner_id uuid not null,
  position bigint not null,
  project_id text,
  secret bytea not null,
  subjects text[],
  tested_at timestamp with time zone,
  token_id uuid not null,
  updated_at timestamp with time zone not null default now(),
  url text not null,
  constraint webhooks_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES owners(id) ON DELETE CASCADE,
  constraint webhooks_pkey PRIMARY KEY (id)
);

CREATE INDEX webhooks_by_owner ON public.webhooks USING btree (owner_id, id);

create table workspace_events (
  agent_id text,
  at timestamp with time zone not null,
  from_status text,
  id bigint not null generated always as identity,
  item uuid not null,
  note text,
  operation text not null,
  owner_id uuid not null,
  to_status text not null,
  token_id uuid not null,
  token_kind text not null,
  trust text not null,
  constraint workspace_events_item_fkey FOREIGN KEY (item) REFERENCES memories(id) ON DELETE CASCADE,
  constraint workspace_events_pkey PRIMARY KEY (id),
  constraint workspace_events_trust_check CHECK ((trust = ANY (ARRAY['token_bound'::text, 'client_asserted'::text, 'unattributed'::text])))
);

CREATE INDEX workspace_events_by_item ON public.workspace_events USING btree (item, id);

-- function CREATE OR REPLACE FUNCTION public.bare_words(path text, content text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT RETURN hashtextextended(((path || ' '::text) || regexp_replace(replace(lower(content), ' '::text, ''::text), '[- .,!"''                 　­​‎‏⁠︎️﻿…。｡！“”„‟«»‘’‚‛‹›‐‑‒–—―−﹘﹣]+'::text, ''::text, 'g'::text)), (0)::bigint)

-- function CREATE OR REPLACE FUNCTION public.count_changed_memory() RETURNS trigger LANGUAGE plpgsql AS $function$ begin insert into memory_count_changes values (old.owner_id, old.scope, old.project_id, old.bucket, old.memory_type, old.status, expiry_day(old.status, old.expires_at), old.workspace_item, old.status = 'superseded' and old.superseded_until is not null, -1), (new.owner_id, new.scope, new.project_id, new.bucket, new.memory_type, new.status, expiry_day(new.status, new.expires_at), new.workspace_item, new.status = 'superseded' and new.superseded_until is not null, 1); return null; end $function$

-- function CREATE OR REPLACE FUNCTION public.count_for(holder counted_owners, memories bigint, bytes numeric) RETURNS void LANGUAGE sql BEGIN ATOMIC INSERT INTO owner_usage AS u (owner_id, shard, memories, bytes)  SELECT h.h, pg_backend_pid() AS pg_backend_pid, count_for.memories, count_for.bytes FROM unnest((ARRAY[(count_for.holder).id] || CASE (count_for.holder).kind WHEN 'agent'::text THEN ARRAY['00000000-0000-0000-0000-000000000000'::uuid] ELSE NULL::uuid[] END)) h(h) WHERE ((count_for.memories <> 0) OR (count_for.bytes <> (0)::numeric)) ON CONFLICT(owner_id, shard) DO UPDATE SET memories = (u.memories + excluded.memories), bytes = (u.bytes + excluded.bytes); END

-- function CREATE OR REPLACE FUNCTION public.count_many_memories() RETURNS trigger LANGUAGE plpgsql AS $function$ begin insert into memory_count_changes select m.owner_id, m.scope, m.project_id, m.bucket, m.memory_type, m.status, expiry_day(m.status, m.expires_at), m.workspace_item, m.status = 'superseded' and m.superseded_until is not null, case tg_op when 'INSERT' then count(*) else -count(*) end from changed m group by 1, 2, 3, 4, 5, 6, 7, 8, 9; return null; end $function$

-- function CREATE OR REPLACE FUNCTION public.count_memories() RETURNS trigger LANGUAGE plpgsql AS $function$ begin if tg_op = 'INSERT' then perform count_for(o, count(*), sum(memory_bytes(content, metadata, provenance))) from new_rows r join counted_owners o on o.id = r.owner_id group by o; elsif tg_op = 'DELETE' then perform count_for(o, -count(*), -sum(memory_bytes(content, metadata, provenance))) from old_rows r join counted_owners o on o.id = r.owner_id group by o; else perform count_for(o, sum(memories), sum(bytes)) from ( select o, -1 as memories, -memory_bytes(content, metadata, provenance) as bytes from old_rows r join counted_owners o on o.id = r.owner_id union all select o, 1, memory_bytes(content, metadata, provenance) from new_rows r join counted_owners o on o.id = r.owner_id ) changed group by o; end if; return null; end $function$

-- function CREATE OR REPLACE FUNCTION public.count_versions() RETURNS trigger LANGUAGE plpgsql AS $function$ begin if tg_op = 'INSERT' then perform count_for(o, 0, sum(octet_length(state::text))) from new_rows r join counted_owners o on o.id = (r.state ->> 'owner_id')::uuid group by o; elsif tg_op = 'DELETE' then perform count_for(o, 0, -sum(octet_length(state::text))) from old_rows r join counted_owners o on o.id = (r.state ->> 'owner_id')::uuid group by o; else perform count_for(o, 0, sum(bytes)) from ( select o, -octet_length(state::text) as bytes from old_rows r join counted_owners o on o.id = (r.state ->> 'owner_id')::uuid union all select o, octet_length(state::text) from new_rows r join counted_owners o on o.id = (r.state ->> 'owner_id')::uuid ) changed group by o; end if; return null; end $function$

-- function CREATE OR REPLACE FUNCTION public.end_issued_tokens() RETURNS trigger LANGUAGE plpgsql AS $function$ begin update tokens set revoked_at = new.revoked_at where issued_by = new.id and revoked_at is null; return null; end $function$

-- function CREATE OR REPLACE FUNCTION public.event_kind(old memories, new memories) RETURNS text LANGUAGE sql IMMUTABLE RETURN CASE WHEN (((new).status = 'redacted'::text) AND ((old).status <> 'redacted'::text)) THEN 'redacted'::text WHEN (((new).status = 'soft_deleted'::text) AND ((old).status <> 'soft_deleted'::text)) THEN 'deleted'::text WHEN (((old).status = 'soft_deleted'::text) AND ((new).status <> 'soft_deleted'::text)) THEN 'restored'::text WHEN (((new).workspace_item IS NOT NULL) AND ((new).item_status IS DISTINCT FROM (old).item_status) AND ((new).item_status IS NOT NULL) AND ((old).item_status IS NOT NULL)) THEN (new).item_status WHEN ((new).status = (old).status) THEN 'updated'::text WHEN ((new).status = ANY (ARRAY['superseded'::text, 'archived'::text, 'started'::text, 'completed'::text])) THEN (new).status WHEN ((old).status = ANY (ARRAY['superseded'::text, 'archived'::text])) THEN 'restored'::text ELSE 'updated'::text END

-- function CREATE OR REPLACE FUNCTION public.expiry_day(status text, expires_at timestamp with time zone) RETURNS timestamp with time zone LANGUAGE sql STABLE PARALLEL SAFE RETURN CASE WHEN (status = ANY (ARRAY['active'::text, 'started'::text, 'completed'::text])) THEN date_trunc('day'::text, expires_at, 'UTC'::text) ELSE NULL::timestamp with time zone END

-- function CREATE OR REPLACE FUNCTION public.forget_index_snapshot() RETURNS trigger LANGUAGE plpgsql AS $function$ begin perform pg_advisory_xact_lock_shared(index_snapshot_lock(old.owner_id)); delete from index_snapshots where owner_id = old.owner_id; return null; end $function$

-- function CREATE OR REPLACE FUNCTION public.forget_index_snapshots() RETURNS trigger LANGUAGE plpgsql AS $function$ begin perform pg_advisory_xact_lock_shared(index_snapshot_lock(owner_id)) from (select distinct owner_id from gone order by owner_id) owner; delete from index_snapshots where owner_id in (select owner_id from gone); return null; end $function$

-- function CREATE OR REPLACE FUNCTION public.forget_token_vectors() RETURNS trigger LANGUAGE plpgsql AS $function$ begin delete from token_vectors where owner_id = new.owner_id and memory = new.id; return null; end $function$

-- function CREATE OR REPLACE FUNCTION public.index_snapshot_lock(owner uuid) RETURNS bigint LANGUAGE sql IMMUTABLE AS $function$ select hashtextextended('index snapshot ' || owner::text, 0) $function$

-- function CREATE OR REPLACE FUNCTION public.is_opposed(new_owner uuid, new_id text, new_hash bytea, new_key text, new_path text, texts text[]) RETURNS boolean LANGUAGE plpgsql AS $function$ begin return exists (select from memories m where m.owner_id = new_owner and m.memory_id = new_id) or exists ( select from memories m where m.owner_id = new_owner and m.dedupe_hash = new_hash and (m.status in ('active', 'started', 'completed') or m.superseded_until is not null) ) or exists (select from memories m where m.owner_id = new_owner and m.semantic_key = new_key) or exists ( select from unnest(texts) as t (text) cross join memories m where m.owner_id = new_owner and bare_words(m.path, m.content) = bare_words(new_path, t.text) and m.dedupe_hash is not null and (m.status in ('active', 'started', 'completed') or m.superseded_until is not null) ); end $function$

-- function CREATE OR REPLACE FUNCTION public.matches_parts(value text, first bytea, middle bytea[], last bytea) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $function$ declare rest bytea := convert_to(value, 'UTF8'); part bytea; begin if length(rest) < length(first) + length(last) or substr(rest, 1, length(first)) <> first or substr(rest, length(rest) - length(last) + 1) <> last then return false; end if; rest := substr(rest, length(first) + 1, length(rest) - length(first) - length(last)); foreach part in array middle loop rest := substr(rest, nullif(position(part in rest), 0) + length(part)); end loop; return rest is not null; end; $function$

-- function CREATE OR REPLACE FUNCTION public.memory_bytes(content text, metadata jsonb, provenance jsonb) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN (((octet_length(content))::bigint + octet_length((metadata)::text)) + octet_length((provenance)::text))

-- function CREATE OR REPLACE FUNCTION public.memory_words(content text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT RETURN to_tsvector('english'::regconfig, regexp_replace(content, '[-_./:@<>&#''"+=~%?!|\\*()[\]{}^$;,`]'::text, ' '::text, 'g'::text))

-- function CREATE OR REPLACE FUNCTION public.note_created_events() RETURNS trigger LANGUAGE plpgsql AS $function$ begin perform note_instants(owner_id, id, status, expires_at, superseded_until) from created where expires_at is not null or superseded_until is not null; insert into event_inbox (memory, owner_id, memory_id, scope, project_id, subject, kind, revision) select id, owner_id, memory_id, scope, project_id, coalesce(workspace_item, 'memory'), 'created', revision from created order by seq; return null; end $function$

-- function CREATE OR REPLACE FUNCTION public.note_event() RETURNS trigger LANGUAGE plpgsql AS $function$ begin -- An owner is being erased: nobody is left to be notified. if tg_op = 'DELETE' and current_setting('recollect.is_erasing', true) = 'on' then delete from event_instants where owner_id = old.owner_id and memory = old.id; return null; end if; if tg_op <> 'INSERT' and (old.expires_at is not null or old.superseded_until is not null) then -- Expiries that are due come before this change, though no event was noted for them yet. with over as ( delete from event_instants i where i.owner_id = old.owner_id and i.memory = old.id returning i.kind, i.at ) insert into event_inbox (memory, owner_id, memory_id, scope, project_id, subject, kind, revision, at) select old.id, old.owner_id, old.memory_id, old.scope, old.project_id, coalesce(old.workspace_item, 'memory'), over.kind, old.revision, over.at from over where over.at <= clock_timestamp() order by over.at; end if; if tg_op <> 'DELETE' and (new.expires_at is not null or new.superseded_until is not null) then perform note_instants(new.owner_id, new.id, new.status, new.expires_at, new.superseded_until); end if; if tg_op = 'DELETE' or (tg_op = 'UPDATE' and new.owner_id <> old.owner_id) then insert into event_inbox ( memory, owner_id, memory_id, scope, project_id, subject, kind, revision, is_gone, path, bucket, memory_type ) values ( old.id, old.owner_id, old.memory_id, old.scope, old.project_id, coalesce(old.workspace_item, 'memory'), case tg_op when 'DELETE' then 'hard_deleted' else 'left' end, old.revision + 1, true, old.path, old.bucket, old.memory_type ); end if; if tg_op <> 'DELETE' then insert into event_inbox (memory, owner_id, memory_id, scope, project_id, subject, kind, revision) values ( new.id, new.owner_id, new.memory_id, new.scope, new.project_id, coalesce(new.workspace_item, 'memory'), case when tg_op = 'INSERT' then 'created' when new.owner_id <> old.owner_id then 'arrived' else event_kind(old, new) end, new.revision ); end if; return null; end $function$

-- function CREATE OR REPLACE FUNCTION public.note_instants(owner_id uuid, memory uuid, status text, expires_at timestamp with time zone, superseded_until timestamp with time zone) RETURNS void LANGUAGE sql BEGIN ATOMIC INSERT INTO event_instants (owner_id, memory, kind, at)  SELECT note_instants.owner_id, note_instants.memory, 'expired'::text, note_instants.expires_at WHERE ((note_instants.expires_at IS NOT NULL) AND ((note_instants.status = ANY (ARRAY['active'::text, 'started'::text, 'completed'::text])) OR ((note_instants.status = 'superseded'::text) AND (note_instants.superseded_until < note_instants.expires_at)))) UNION ALL SELECT note_instants.owner_id, note_instants.memory, 'revived'::text, note_instants.superseded_until WHERE ((note_instants.status = 'superseded'::text) AND (note_instants.superseded_until IS NOT NULL) AND ((note_instants.expires_at IS NULL) OR (note_instants.superseded_until < note_instants.expires_at))); END

-- function CREATE OR REPLACE FUNCTION public.recount_memories() RETURNS void LANGUAGE sql AS $function$ lock table memories in share mode; delete from memory_count_changes; delete from memory_counts; insert into memory_counts select m.owner_id, m.scope, m.project_id, m.bucket, m.memory_type, m.status, expiry_day(m.status, m.expires_at), m.workspace_item, m.status = 'superseded' and m.superseded_until is not null, count(*) from memories m group by 1, 2, 3, 4, 5, 6, 7, 8, 9; $function$

-- function CREATE OR REPLACE FUNCTION public.take_locks(owners bigint[], keys bigint[]) RETURNS boolean LANGUAGE plpgsql AS $function$ declare number bigint; begin foreach number in array owners loop perform pg_advisory_xact_lock_shared(number); end loop; foreach number in array keys loop perform pg_advisory_xact_lock(number); end loop; return true; end $function$

-- function CREATE OR REPLACE FUNCTION public.take_rows_along() RETURNS trigger LANGUAGE plpgsql AS $function$ begin update memory_versions set owner_id = new.owner_id where memory = new.id; update embeddings set owner_id = new.owner_id where memory = new.id; update token_vectors set owner_id = new.owner_id where memory = new.id; update recall_feedback set owner_id = new.owner_id where memory = new.id; update todos set owner_id = new.owner_id where id = new.id; update decisions set owner_id = new.owner_id where id = new.id; update todo_dependencies set owner_id = new.owner_id where todo = new.id; update workspace_events set owner_id = new.owner_id where item = new.id; return null; end $function$

-- trigger CREATE TRIGGER memories_counted_anew AFTER UPDATE ON public.memories REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_memories()

-- trigger CREATE TRIGGER memories_counted_in AFTER INSERT ON public.memories REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_memories()

-- trigger CREATE TRIGGER memories_counted_out AFTER DELETE ON public.memories REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_memories()

-- trigger CREATE TRIGGER memories_moved AFTER UPDATE OF owner_id ON public.memories FOR EACH ROW WHEN ((old.owner_id <> new.owner_id)) EXECUTE FUNCTION take_rows_along()

-- trigger CREATE TRIGGER memories_noted_anew AFTER UPDATE ON public.memories FOR EACH ROW WHEN (((new.revision <> old.revision) OR (new.owner_id <> old.owner_id))) EXECUTE FUNCTION note_event()

-- trigger CREATE TRIGGER memories_noted_in AFTER INSERT ON public.memories REFERENCING NEW TABLE AS created FOR EACH STATEMENT EXECUTE FUNCTION note_created_events()

-- trigger CREATE TRIGGER memories_noted_out AFTER DELETE ON public.memories FOR EACH ROW EXECUTE FUNCTION note_event()

-- trigger CREATE TRIGGER memories_token_vectors AFTER UPDATE OF content, status ON public.memories FOR EACH ROW WHEN (((new.content IS DISTINCT FROM old.content) OR (new.status = 'redacted'::text))) EXECUTE FUNCTION forget_token_vectors()

-- trigger CREATE TRIGGER memories_totalled_anew AFTER UPDATE ON public.memories FOR EACH ROW WHEN (((old.status <> new.status) OR (old.owner_id <> new.owner_id) OR (old.scope <> new.scope) OR (old.bucket <> new.bucket) OR (old.memory_type <> new.memory_type) OR (old.project_id IS DISTINCT FROM new.project_id) OR (old.workspace_item IS DISTINCT FROM new.workspace_item) OR (old.expires_at IS DISTINCT FROM new.expires_at) OR (old.superseded_until IS DISTINCT FROM new.superseded_until))) EXECUTE FUNCTION count_changed_memory()

-- trigger CREATE TRIGGER memories_totalled_in AFTER INSERT ON public.memories REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_many_memories()

-- trigger CREATE TRIGGER memories_totalled_out AFTER DELETE ON public.memories REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_many_memories()

-- trigger CREATE TRIGGER memories_unindexed AFTER DELETE ON public.memories REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_index_snapshots()

-- trigger CREATE TRIGGER memories_unindexed_anew AFTER UPDATE OF owner_id, status ON public.memories FOR EACH ROW WHEN (((old.owner_id <> new.owner_id) OR ((new.status = 'redacted'::text) AND (old.status <> 'redacted'::text)))) EXECUTE FUNCTION forget_index_snapshot()

-- trigger CREATE TRIGGER memory_versions_counted_anew AFTER UPDATE ON public.memory_versions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_versions()

-- trigger CREATE TRIGGER memory_versions_counted_in AFTER INSERT ON public.memory_versions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_versions()

-- trigger CREATE TRIGGER memory_versions_counted_out AFTER DELETE ON public.memory_versions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_versions()

-- trigger CREATE TRIGGER memory_versions_unindexed AFTER DELETE ON public.memory_versions REFERENCING OLD TABLE AS gone FOR EACH STATEMENT WHEN ((pg_trigger_depth() = 0)) EXECUTE FUNCTION forget_index_snapshots()

-- trigger CREATE TRIGGER tokens_issued AFTER UPDATE OF revoked_at ON public.tokens FOR EACH ROW WHEN (((old.revoked_at IS NULL) AND (new.revoked_at IS NOT NULL) AND (new.kind <> 'session'::text))) EXECUTE FUNCTION end_issued_tokens()

-- view counted_owners  SELECT owners.id, owners.kind FROM (owners JOIN counted_kinds USING (kind));

-- view held_by_owners  SELECT memories.owner_id, 1 AS memories, memory_bytes(memories.content, memories.metadata, memories.provenance) AS bytes FROM memories UNION ALL SELECT ((memory_versions.state ->> 'owner_id'::text))::uuid AS owner_id, 0 AS memories, octet_length((memory_versions.state)::text) AS bytes FROM memory_versions WHERE ((memory_versions.state ->> 'owner_id'::text) IS NOT NULL);
