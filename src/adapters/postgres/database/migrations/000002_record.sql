-- The record: owners and their credentials, memories with their history, and everything that follows from a write.
--
-- Columns with text of callers have `statistics 0` throughout: Postgres' statistics hold samples of values, and an erasure
-- would not reach them. The planner does without.

-- Owners, teams and credentials ---------------------------------------------------------------------------------------

-- A user, a team, an end user of an application, or the quarantine of an agent that nobody has bound yet. Sign-in accounts
-- are linked to owners in auth.sign_ins, so that keys work without accounts.
-- application_id: of an end user, the user or team that its application belongs to; the name is the application's own.
-- active_at: of an end user, its last request, accurate to the minute.
create table owners (
  id             uuid primary key,
  kind           text not null check (kind in ('user', 'team', 'agent', 'end_user')),
  name           text not null,
  created_at     timestamptz not null default now(),
  application_id uuid references owners,
  active_at      timestamptz,
  unique nulls not distinct (kind, name, application_id),
  constraint owners_id_kind_key unique (id, kind),
  check ((kind = 'end_user') = (application_id is not null))
);
-- In the order of lists, which is that of the bytes.
create index owners_of_application on owners (application_id, name collate "C") where application_id is not null;
alter table owners alter column name set statistics 0;

-- The generated kinds make the foreign keys check that members are users and teams are teams: a row that took one for the
-- other would open a user's memories.
create table team_members (
  team_id    uuid not null references owners on delete cascade,
  user_id    uuid not null references owners on delete cascade,
  role       text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  created_at timestamptz not null default now(),
  team_kind  text not null generated always as ('team') stored,
  user_kind  text not null generated always as ('user') stored,
  primary key (team_id, user_id),
  foreign key (team_id, team_kind) references owners (id, kind) on delete cascade,
  foreign key (user_id, user_kind) references owners (id, kind) on delete cascade
);
create index team_members_by_user on team_members (user_id);

-- Invitations to teams, which change nothing for the invited person until they accept.
-- user_id is null if there was no user of that name: such a row is kept alike, so that nobody can tell by inviting which
-- names exist, and nobody can accept it. invited_by is null if the operator invited. A declined row stays, so that the same
-- team cannot ask again at once; it looks open to the team until that withdraws it.
create table team_invitations (
  team_id      uuid not null references owners on delete cascade,
  user_name    text not null,
  user_id      uuid references owners on delete cascade,
  role         text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  invited_by   uuid references owners on delete cascade,
  created_at   timestamptz not null default now(),
  expires_at   timestamptz not null,
  declined_at  timestamptz,
  withdrawn_at timestamptz,
  primary key (team_id, user_name)
);
create index team_invitations_by_user on team_invitations (user_id) where user_id is not null;
create index team_invitations_by_inviter on team_invitations (invited_by) where invited_by is not null;
alter table team_invitations alter column user_name set statistics 0;

-- A credential. Only the hash of its secret is stored.
-- projects, path_prefix, buckets, team_id: the space it is confined to; null: not confined. The live role decides in a team.
-- only_for: the one operation it is still good for. replaced_at, replaced_by: another was issued in its place; it ends soon.
-- issued_by: the credential that a token of an end user was requested with.
-- account_id, client_id: of an OAuth grant (a person let a client act); its access and refresh tokens are valid only while
-- the row is. A session's credential has the account alone.
create table tokens (
  id           uuid primary key,
  kind         text not null check (kind in
                 ('api_key', 'oauth', 'agent_temporary', 'agent_formal', 'skill', 'session', 'end_user')),
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
  last_used_at timestamptz,
  team_id      uuid references owners on delete cascade,
  only_for     text,
  replaced_at  timestamptz,
  account_id   text references auth."user" on delete cascade,
  client_id    text,
  replaced_by  uuid,
  tool_set     text check (tool_set in ('core', 'full')),
  issued_by    uuid
);
create index tokens_by_owner on tokens (owner_id);
create index tokens_by_issuer on tokens (issued_by) where issued_by is not null;
create index tokens_by_agent on tokens (agent_id) where agent_id is not null;
create index tokens_by_client on tokens (client_id) where client_id is not null;
-- At most one valid grant for an account and client, and one session credential for an account.
create unique index tokens_by_grant on tokens (account_id, client_id)
  where account_id is not null and revoked_at is null;
create unique index tokens_by_session on tokens (account_id) where kind = 'session' and revoked_at is null;

-- Whoever has found a key may have issued tokens with it: they end with the key, however it is revoked.
-- A session ends when its person signs out, which ends no token.
create function end_issued_tokens() returns trigger language plpgsql as $$
begin
  update tokens set revoked_at = new.revoked_at where issued_by = new.id and revoked_at is null;
  return null;
end $$;
create trigger tokens_issued after update of revoked_at on tokens for each row
  when (old.revoked_at is null and new.revoked_at is not null and new.kind <> 'session')
  execute function end_issued_tokens();

-- Secrets the service makes for itself, such as the key of receipts' digests.
create table service_secrets (
  name       text primary key,
  value      bytea not null,
  created_at timestamptz not null default now()
);

-- The user whose memories a sign-in account reaches: one each, both ways.
create table auth.sign_ins (
  user_id    text primary key references auth."user" on delete cascade,
  owner_id   uuid not null unique references owners on delete cascade,
  created_at timestamptz not null default now()
);

-- Invitations to make an account. The secret is 32 random bytes; only its hash is stored.
create table auth.invitations (
  hash       bytea primary key,
  owner_id   uuid not null references owners on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at    timestamptz
);
create index invitations_by_owner on auth.invitations (owner_id);

-- Attempts counted in windows: sign-ins by account and by address, registrations of clients by address. The key is a hash,
-- so that no address is stored in clear.
create table auth.attempts (
  key          bytea not null,
  window_start timestamptz not null,
  count        integer not null,
  primary key (key, window_start)
);
create index attempts_by_window on auth.attempts (window_start);

-- An agent's identity. client: what the agent said of itself. address, network: where it came from (network: an IPv4
-- address, or 64 bits of an IPv6 address).
-- claim_hash: of the code in its bind link, which is derived and not stored. confirmation_*: of the one-time token that only
-- the approving user has seen. granted_*: what that user chose; granted_memories: by row, the revision that was shown.
-- quarantine_id: null once its memories were adopted or deleted. audit_owner: whose audit lines tell of it after that.
create table agents (
  id                 text primary key,
  status             text not null check (status in
                       ('pending', 'awaiting_confirmation', 'bound', 'denied', 'expired', 'revoked')),
  claim_hash         bytea not null unique,
  quarantine_id      uuid references owners on delete set null,
  client             jsonb not null,
  address            text,
  network            text,
  requested_at       timestamptz not null,
  expires_at         timestamptz,
  approved_at        timestamptz,
  approved_by        uuid references owners on delete cascade,
  granted_scopes     text[],
  granted_team_id    uuid references owners on delete cascade,
  granted_projects   text[],
  granted_memories   jsonb,
  confirmation_hash  bytea,
  confirmation_until timestamptz,
  confirmation_tries integer not null default 0,
  bound_at           timestamptz,
  ended_at           timestamptz,
  audit_owner        uuid
);
alter table agents alter column client set statistics 0, alter column address set statistics 0;
create index agents_by_approver on agents (approved_by) where approved_by is not null;
create index agents_unbound on agents (expires_at) where status in ('pending', 'awaiting_confirmation');
create index agents_quarantined on agents (coalesce(bound_at, ended_at)) where quarantine_id is not null;
-- Agents that were never bound: those whose claim has ended before those whose claim is open, each by age.
create index agents_never_bound on agents ((status in ('pending', 'awaiting_confirmation')), requested_at)
  where status in ('pending', 'awaiting_confirmation', 'denied', 'expired');
create index agents_by_network on agents (network)
  where network is not null and status in ('pending', 'awaiting_confirmation', 'denied', 'expired');

-- Memories ------------------------------------------------------------------------------------------------------------

-- id is internal; memory_id is what callers see and may choose, unique per owner only.
-- seq: the order of storing. revision rises with every change of the row. changed_xid: the writing transaction, by which the
-- change feed reads, because a sequence commits out of order.
-- create_hash: of the request that made it. dedupe_hash: of what dedupe compares; null for what is equal to nothing, such as
-- adopted memories. Both go when it is redacted.
-- superseded_by_key: a newer memory of its semantic_key superseded it; only such a memory may be live again.
-- superseded_status: its status before. superseded_until: when it is live again, computed at reading; null: never.
-- fact_version: the highest version its fact has had among the memories that no longer state it.
-- workspace_item: it is the memory of a todo or decision, which only the operations of projects change. item_status,
-- item_agent: from the state of the todo or decision. due_at: from there too, otherwise from the metadata.
create table memories (
  id                uuid primary key,
  seq               bigint generated always as identity,
  owner_id          uuid not null references owners,
  memory_id         text not null,
  author_id         uuid not null,
  author_token      uuid not null,
  scope             text not null check (scope in ('private', 'team')),
  project_id        text,
  path              text not null,
  bucket            text not null,
  memory_type       text not null,
  status            text not null check (status in
                      ('active', 'started', 'completed', 'archived', 'superseded', 'soft_deleted', 'redacted')),
  restore_status    text,
  content           text not null,
  create_hash       bytea,
  dedupe_hash       bytea,
  semantic_key      text,
  version           integer not null,
  superseded_by     text,
  superseded_at     timestamptz,
  importance        double precision not null,
  confidence        double precision not null,
  source            text,
  logic_path        text,
  metadata          jsonb not null,
  provenance        jsonb not null,
  session_id        text,
  agent_id          text,
  instance_hash     text,
  occurred_at       timestamptz,
  created_at        timestamptz not null,
  updated_at        timestamptz not null,
  expires_at        timestamptz,
  revision          bigint not null default 1,
  changed_xid       xid8 not null default pg_current_xact_id(),
  workspace_item    text check (workspace_item in ('todo', 'decision')),
  due_at            timestamptz,
  item_status       text,
  item_agent        text,
  superseded_by_key boolean not null default false,
  superseded_status text check (superseded_status in ('active', 'started', 'completed')),
  superseded_until  timestamptz,
  fact_version      integer,
  unique (owner_id, memory_id)
);
alter table memories
  alter column content set statistics 0, alter column metadata set statistics 0, alter column provenance set statistics 0,
  alter column source set statistics 0, alter column logic_path set statistics 0, alter column path set statistics 0,
  alter column semantic_key set statistics 0, alter column memory_id set statistics 0,
  alter column superseded_by set statistics 0, alter column session_id set statistics 0,
  alter column agent_id set statistics 0, alter column project_id set statistics 0, alter column bucket set statistics 0,
  alter column item_agent set statistics 0;

create index memories_by_change on memories (owner_id, changed_xid);
create index memories_by_path on memories (owner_id, path, created_at desc);
create index memories_by_successor on memories (owner_id, superseded_by) where superseded_by is not null;
-- The memories of a fact by their versions.
create index memories_by_fact on memories (owner_id, semantic_key, greatest(version, fact_version))
  where semantic_key is not null;
-- Those of a fact that are live or may be again: a fact that changes often has thousands that are not.
create index memories_current_of_fact on memories (owner_id, semantic_key)
  where semantic_key is not null and (status in ('active', 'started', 'completed') or superseded_until is not null);
create index memories_by_dedupe on memories (owner_id, dedupe_hash)
  where status in ('active', 'started', 'completed') or superseded_until is not null;

-- Pages in the order of lists, without todos and decisions. The indexes after the first are for what an owner may have
-- little of among very much else: a project, or an unusual type, bucket or status. A project's items stay in its index,
-- because other readers of a project have no other.
create index memories_listed on memories (owner_id, created_at desc, seq desc) where workspace_item is null;
create index memories_listed_of_project on memories (owner_id, project_id, created_at desc, seq desc, workspace_item)
  where project_id is not null;
create index memories_listed_of_type on memories (owner_id, memory_type, created_at desc, seq desc)
  where memory_type not in ('semantic', 'episodic', 'working') and workspace_item is null;
create index memories_listed_of_bucket on memories (owner_id, bucket, created_at desc, seq desc)
  where bucket <> 'public' and workspace_item is null;
create index memories_listed_of_status on memories (owner_id, status, created_at desc, seq desc)
  where status not in ('active', 'started', 'completed') and workspace_item is null;
-- Todos and decisions in the same order: full text of a very large owner looks at the newest of both.
create index memories_listed_items on memories (owner_id, created_at desc, seq desc) where workspace_item is not null;
-- For profiles, the most important first: what guides an agent, and the current values of facts.
create index memories_guiding on memories (owner_id, importance desc, seq desc)
  where (metadata ->> 'authority' in ('verified', 'directive') or memory_type in ('preference', 'procedural'))
    and (status in ('active', 'started', 'completed') or superseded_until is not null);
create index memories_of_facts on memories (owner_id, importance desc, seq desc)
  where semantic_key is not null and (status in ('active', 'started', 'completed') or superseded_until is not null);
-- Memories that the clock decides about: lists look at those that expire today, and those that wait for another to expire.
create index memories_by_expiry on memories (owner_id, expires_at)
  where expires_at is not null and workspace_item is null and status in ('active', 'started', 'completed');
create index memories_waiting on memories (owner_id)
  where superseded_until is not null and workspace_item is null and status = 'superseded';

-- For the context of a project: todos and decisions by status, then by weight;
create index memories_by_workspace on memories (owner_id, project_id, workspace_item, item_status, importance desc, seq)
  where workspace_item is not null;
-- the same, the latest change first;
create index memories_by_workspace_change on memories
  (owner_id, project_id, workspace_item, item_status, updated_at desc, seq desc)
  where workspace_item is not null;
-- the same by status and agent, with what counts and the authorisation predicate read, so that counting reads the index
-- alone (but for a credential that is confined to a path: the longest path would not fit). All are keys, since rows that
-- agree in them share an entry, which makes the index ten times smaller;
create index memories_by_workspace_state on memories
  (owner_id, project_id, workspace_item, item_status, item_agent, status, scope, bucket, memory_type, due_at)
  where workspace_item is not null;
-- todos and reminders that are still to be done, the longest due first;
create index memories_by_due on memories (owner_id, project_id, memory_type, due_at)
  where due_at is not null and (status in ('active', 'started') or superseded_until is not null);
-- a project's other memories, the latest change first;
create index memories_by_project_change on memories (owner_id, project_id, updated_at desc, seq desc)
  where project_id is not null and workspace_item is null;
-- what each agent stored last, and the task it last began or ended;
create index memories_by_agent on memories (owner_id, project_id, agent_id, seq desc)
  where project_id is not null and agent_id is not null;
create index memories_by_task on memories (owner_id, project_id, agent_id, updated_at desc)
  where project_id is not null and agent_id is not null and memory_type = 'working'
    and (status in ('started', 'completed') or superseded_until is not null);
-- todos and reminders without an agent, in the orders in which a context reads them, so that what others plant neither
-- hides them nor has to be read.
create index memories_unattributed_by_workspace on memories (owner_id, project_id, item_status, importance desc, seq)
  where workspace_item = 'todo' and agent_id is null;
create index memories_unattributed_by_due on memories (owner_id, project_id, memory_type, due_at)
  where due_at is not null and agent_id is null
    and (status in ('active', 'started') or superseded_until is not null);

-- The words of a text. Postgres' parser looks for addresses, tags and numbers, and is quadratic on runs such as a_a_a:
-- without these characters its time grows with the length alone.
create function memory_words(content text) returns tsvector
  language sql immutable strict parallel safe
  return to_tsvector('english', regexp_replace(content, E'[-_./:@<>&#''"+=~%?!|\\\\*()[\\]{}^$;,`]', ' ', 'g'));
create index memories_by_words on memories using gin (memory_words(content));
alter index memories_by_words alter column 1 set statistics 0;

-- A path and a text without case, white space, invisible characters, dashes and the marks that end sentences and quote:
-- memories that may say the same at one path have this hash in common, and the service compares those. It is coarser than
-- the service's rule, so that none is missed for a mark. A hash keeps entries small, and nothing of the text can be read
-- in it. Blanks are removed first, since there are most of them.
create function bare_words(path text, content text) returns bigint
  language sql immutable strict parallel safe
  return hashtextextended(path || E'\n' || regexp_replace(
    replace(lower(content), ' ', ''),
    E'[-\t\n\r\f\u000b.,!"''\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\u00ad\u200b\u200e\u200f\u2060\ufe0e\ufe0f\ufeff…。｡！“”„‟«»‘’‚‛‹›\u2010\u2011\u2012–—―\u2212\ufe58\ufe63]+',
    '', 'g'), 0);
-- The first condition always holds: it keeps the planner from taking this index for an owner's live memories at large.
create index memories_by_bare_words on memories (owner_id, bare_words(path, content))
  where bare_words(path, content) is not null and dedupe_hash is not null
    and (status in ('active', 'started', 'completed') or superseded_until is not null);
alter index memories_by_bare_words alter column 2 set statistics 0;

-- Whether a value begins with one text, ends with another and has others in order between them: LIKE with a pattern cut at
-- its wildcards. LIKE compares each part with each place of the value, which takes the product of their lengths; `position`
-- of bytes is as fast as reading memory, and in UTF-8 bytes and characters match alike. Each part is taken at its first
-- place, which leaves the most room for the next. A null `rest` means that a part was missing.
create function matches_parts(value text, first bytea, middle bytea[], last bytea) returns boolean
  language plpgsql immutable strict parallel safe as $$
declare
  rest bytea := convert_to(value, 'UTF8');
  part bytea;
begin
  if length(rest) < length(first) + length(last)
    or substr(rest, 1, length(first)) <> first
    or substr(rest, length(rest) - length(last) + 1) <> last
  then
    return false;
  end if;
  rest := substr(rest, length(first) + 1, length(rest) - length(first) - length(last));
  foreach part in array middle loop
    rest := substr(rest, nullif(position(part in rest), 0) + length(part));
  end loop;
  return rest is not null;
end;
$$;

-- Takes the advisory locks of a write. The order is the same everywhere, so that two writes cannot deadlock: owners first,
-- shared, so that whoever locks an owner exclusively waits for all writers; then ids, texts and facts. Each list is sorted.
create function take_locks(owners bigint[], keys bigint[]) returns boolean language plpgsql as $$
declare
  number bigint;
begin
  foreach number in array owners loop
    perform pg_advisory_xact_lock_shared(number);
  end loop;
  foreach number in array keys loop
    perform pg_advisory_xact_lock(number);
  end loop;
  return true;
end $$;

-- Whether a stored memory may bear on a new one: it has the same id, is equal, states the same fact, or has the letters and
-- digits of one of the texts at its path. It asks the indexes alone and ignores expiry: a transaction judges what it finds.
-- Volatile, so that it sees what is committed when it is called, also within a statement that has waited for locks before.
create function is_opposed(new_owner uuid, new_id text, new_hash bytea, new_key text, new_path text, texts text[])
  returns boolean language plpgsql volatile as $$
begin
  return
    exists (select from memories m where m.owner_id = new_owner and m.memory_id = new_id)
    or exists (
      select from memories m where m.owner_id = new_owner and m.dedupe_hash = new_hash
        and (m.status in ('active', 'started', 'completed') or m.superseded_until is not null)
    )
    or exists (select from memories m where m.owner_id = new_owner and m.semantic_key = new_key)
    or exists (
      select from unnest(texts) as t (text) cross join memories m
      where m.owner_id = new_owner and bare_words(m.path, m.content) = bare_words(new_path, t.text)
        and m.dedupe_hash is not null
        and (m.status in ('active', 'started', 'completed') or m.superseded_until is not null)
    );
end $$;

-- Earlier states of a memory, each one JSON document with the columns of its time.
create table memory_versions (
  memory    uuid not null references memories on delete cascade,
  revision  bigint not null,
  state     jsonb not null,
  valid_to  timestamptz not null,
  reason    text,
  owner_id  uuid not null,
  primary key (memory, revision)
);
alter table memory_versions alter column state set statistics 0, alter column reason set statistics 0;

-- The former place of a hard-deleted memory, so that indexes learn of the deletion. A memory that moves leaves one with its
-- former owner. Holds no content; purged after a day.
create table tombstones (
  memory      uuid not null,
  owner_id    uuid not null,
  revision    bigint not null,
  changed_xid xid8 not null default pg_current_xact_id(),
  removed_at  timestamptz not null default now(),
  primary key (memory, owner_id)
);
create index tombstones_by_change on tombstones (owner_id, changed_xid);

-- One line for each lifecycle event. detail never holds content. Lines are written in the order of their age, so a BRIN
-- index of a few hundred bytes finds the old ones.
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
create index audit_log_by_age on audit_log using brin (at);

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

-- The answer to a POST with an Idempotency-Key, for a day. A credential that acts for end users has keys of its own for each. Answers of writes hold ids, never content. items: the memories,
-- todos and decisions that the answer may tell of, so that it goes with them.
create table idempotency_keys (
  token_id     uuid not null references tokens on delete cascade,
  key_hash     bytea not null,
  request_hash bytea not null,
  answer       jsonb not null,
  created_at   timestamptz not null default now(),
  items        uuid[],
  owner_id     uuid not null,
  primary key (token_id, owner_id, key_hash)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
create index idempotency_keys_by_item on idempotency_keys using gin (items) where items is not null;

-- Callers' feedback on recalled memories.
create table recall_feedback (
  id         bigint generated always as identity primary key,
  memory     uuid not null references memories on delete cascade,
  token_id   uuid not null,
  helpful    boolean not null,
  at         timestamptz not null default now(),
  owner_id   uuid not null
);
create index recall_feedback_by_memory on recall_feedback (memory);

-- Vectors and the search engine's index -------------------------------------------------------------------------------

-- An embedding generation is a provider, a model and a dimension. The latest is what queries use.
create table embedding_generations (
  id         integer generated always as identity primary key,
  provider   text not null,
  model      text not null,
  dimension  integer not null check (dimension > 0),
  created_at timestamptz not null default now(),
  unique (provider, model, dimension)
);

-- vector: for each passage a float32 scale, then one int8 a dimension. by_caller: the caller sent the vector; it is searched
-- by, but does not say which memories are the same, since a copied vector would.
--
-- multilingual: the same of the multilingual encoder, made after the write; null until then. multilingual_model: the model
-- that made it. language: that of the text, null if it is unclear.
create table embeddings (
  memory     uuid not null references memories on delete cascade,
  generation integer not null references embedding_generations,
  vector     bytea not null,
  by_caller  boolean not null default false,
  passages   smallint not null default 1 check (passages > 0),
  owner_id   uuid not null,
  multilingual       bytea,
  multilingual_model text,
  language           text,
  check ((multilingual is null) = (multilingual_model is null)),
  primary key (memory, generation)
);

-- A model that makes token vectors, and how many components each has. Vectors of two models are never compared.
create table token_generations (
  id         integer generated always as identity primary key,
  model      text not null,
  dimension  integer not null check (dimension > 0),
  created_at timestamptz not null default now(),
  unique (model, dimension)
);

-- The vectors of a passage's word pieces, 4 bits a component. A memory has a row for each of its passages, made after the
-- write, or none of a generation. An empty value: the passage has no word that the model knows. Vectors do not compress.
create table token_vectors (
  memory     uuid not null references memories on delete cascade,
  generation integer not null references token_generations,
  passage    smallint not null check (passage >= 0),
  vectors    bytea not null,
  owner_id   uuid not null,
  primary key (memory, generation, passage)
);
alter table token_vectors alter column vectors set storage external, alter column vectors set statistics 0;

-- Owners' indexes as a server had them in memory, for the next start. Part 0 says what the others are; it is empty while
-- they are written. They tell something of the words of all memories: whatever erases a memory removes them as well.
create table index_snapshots (
  owner_id   uuid not null references owners on delete cascade,
  generation integer not null references embedding_generations,
  snapshot   uuid not null,
  part       integer not null check (part >= 0),
  bytes      bytea not null,
  primary key (owner_id, generation, snapshot, part)
);
alter table index_snapshots alter column bytes set storage external, alter column bytes set statistics 0;

-- Work to do after a write has committed: embed it, project it, confirm its removal. lease, leased_until: the worker on it;
-- in no index, so that taking a line rewrites it in its page. set_aside: why it is not tried any more, a class of error
-- without content. embed: the memory is in the index and lacks its vector only.
create table outbox (
  id           bigint generated always as identity primary key,
  owner_id     uuid not null,
  memory       uuid not null,
  revision     bigint not null,
  kind         text not null check (kind in ('put', 'remove', 'embed')),
  receipt      uuid,
  attempts     integer not null default 0,
  available_at timestamptz not null default now(),
  queued_at    timestamptz not null default now(),
  lease        uuid,
  leased_until timestamptz,
  set_aside    text
) with (fillfactor = 70);
create index outbox_due on outbox (available_at, id);
-- An owner's pending changes, which recall reads beside the index, and the few lines that are set aside.
create index outbox_by_owner on outbox (owner_id, memory) where kind <> 'embed';
create index outbox_set_aside on outbox (memory) where set_aside is not null;

-- Owners whose outbox lines a worker has taken. No other worker takes a line of the same owner meanwhile, so that one
-- owner's changes are carried out by one worker at a time. A worker that died loses them with its lease.
create table outbox_owners (
  owner_id     uuid primary key,
  lease        uuid not null,
  leased_until timestamptz not null
) with (fillfactor = 50);
create index outbox_owners_by_lease on outbox_owners (lease);

-- One index at the engine, with documents of a mapping version and vectors of an embedding generation.
-- building: being filled from the record, past the memory `scanned_to`. active: searched. retired: replaced a moment ago.
-- Each is written as long as its row exists. uuid is the engine's own: a swapped index has another.
-- shards, spread: how it is divided; of owners that are on several shards, the shards' names: {"owner": ["name", ...]}.
-- checks: how often it was compared with the record; each time another portion of the owners is compared in full.
create table index_generations (
  name                 text primary key,
  alias                text not null,
  uuid                 text not null,
  mapping_version      integer not null,
  embedding_generation integer not null references embedding_generations,
  state                text not null check (state in ('building', 'active', 'retired')),
  scanned_to           uuid,
  scanned              bigint not null default 0,
  total                bigint not null,
  created_at           timestamptz not null default now(),
  touched_at           timestamptz not null default now(),
  active_at            timestamptz,
  retired_at           timestamptz,
  shards               integer,
  spread               jsonb not null default '{}',
  checks               integer not null default 0,
  check ((state = 'retired') = (retired_at is not null))
);
create unique index index_generations_active on index_generations (state) where state = 'active';
create unique index index_generations_building on index_generations (state) where state = 'building';

-- Projects ------------------------------------------------------------------------------------------------------------

-- accepted_by: an agent, or the id of the token if there was none. blocked_from: its status before it was blocked. extra: the
-- caller's metadata; that of the memory has the state as well.
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
  owner_id         uuid not null,
  check ((status = 'blocked') = (blocked_from is not null)),
  check ((status in ('completed', 'cancelled')) = (ended_at is not null)),
  check (status <> 'accepted' or accepted_by is not null),
  check (status <> 'assigned' or assignee is not null)
);
alter table todos
  alter column content set statistics 0, alter column assignee set statistics 0, alter column accepted_by set statistics 0,
  alter column blocked_reason set statistics 0, alter column end_note set statistics 0,
  alter column source_memory_id set statistics 0, alter column extra set statistics 0;

create table todo_dependencies (
  todo       uuid not null references todos on delete cascade,
  depends_on uuid not null references todos on delete cascade,
  place      integer not null,
  owner_id   uuid not null,
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
  owner_id         uuid not null,
  check (status <> 'resolved' or (resolution is not null and resolved_at is not null))
);
alter table decisions
  alter column context set statistics 0, alter column options set statistics 0, alter column resolution set statistics 0,
  alter column proposed_by set statistics 0, alter column resolved_by set statistics 0,
  alter column source_memory_id set statistics 0, alter column extra set statistics 0;

-- The audit trail of a todo or decision. Goes with it.
create table workspace_events (
  id          bigint generated always as identity primary key,
  item        uuid not null references memories on delete cascade,
  at          timestamptz not null,
  operation   text not null,
  from_status text,
  to_status   text not null,
  agent_id    text,
  token_id    uuid not null,
  token_kind  text not null,
  trust       text not null check (trust in ('token_bound', 'client_asserted', 'unattributed')),
  note        text,
  owner_id    uuid not null
);
create index workspace_events_by_item on workspace_events (item, id);
alter table workspace_events alter column note set statistics 0, alter column agent_id set statistics 0;

-- authority: the credential that set it, the scopes it had then, and the agent it spoke for. Automatic runs act with what is
-- left of that. next_run_at: null if nothing runs by itself.
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

-- A run is written with all its items before anything is done. Whoever holds the lock on its row continues it, a batch in a
-- transaction: the lock ends with the connection. touched_at: when the last batch was done.
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

-- One memory of a run: what is to be done, and the outcome. No content: a changed memory's former state is among its
-- versions. revision: as planned, then as the run left it. survivor: the memory it was merged into. memory_id: the caller's
-- name for it, which goes when the memory is erased.
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
  owner_id      uuid not null,
  primary key (run, place)
);
create index maintenance_items_by_memory on maintenance_items (memory) where memory is not null;
alter table maintenance_items alter column memory_id set statistics 0;

-- The memories that others are merged into, as the run expects them: as planned, then as its last batch left them.
create table maintenance_survivors (
  run      uuid not null references maintenance_runs on delete cascade,
  memory   uuid not null,
  revision bigint not null,
  owner_id uuid not null,
  primary key (run, memory)
);

-- Rows that belong to a memory move with it to another owner; event_instants do by `note_event`.
create function take_rows_along() returns trigger language plpgsql as $$
begin
  update memory_versions set owner_id = new.owner_id where memory = new.id;
  update embeddings set owner_id = new.owner_id where memory = new.id;
  update token_vectors set owner_id = new.owner_id where memory = new.id;
  update recall_feedback set owner_id = new.owner_id where memory = new.id;
  update todos set owner_id = new.owner_id where id = new.id;
  update decisions set owner_id = new.owner_id where id = new.id;
  update todo_dependencies set owner_id = new.owner_id where todo = new.id;
  update workspace_events set owner_id = new.owner_id where item = new.id;
  return null;
end $$;
-- Triggers run in the order of their names: `memories_token_vectors` runs after this and finds the rows moved.
create trigger memories_moved after update of owner_id on memories for each row
  when (old.owner_id <> new.owner_id) execute function take_rows_along();

-- Vectors tell something of the text that they were made of. They go with it, in the same transaction.
create function forget_token_vectors() returns trigger language plpgsql as $$
begin
  delete from token_vectors where owner_id = new.owner_id and memory = new.id;
  return null;
end $$;
create trigger memories_token_vectors after update of content, status on memories for each row
  when (new.content is distinct from old.content or new.status = 'redacted')
  execute function forget_token_vectors();

-- What is erased must be in no stored index. The lock, which is kept until the commit, prevents that one is stored which
-- was read before.
create function index_snapshot_lock(owner uuid) returns bigint language sql immutable as $$
  select hashtextextended('index snapshot ' || owner::text, 0)
$$;
create function forget_index_snapshot() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(index_snapshot_lock(old.owner_id));
  delete from index_snapshots where owner_id = old.owner_id;
  return null;
end $$;
create function forget_index_snapshots() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(index_snapshot_lock(owner_id))
  from (select distinct owner_id from gone order by owner_id) owner;
  delete from index_snapshots where owner_id in (select owner_id from gone);
  return null;
end $$;
create trigger memories_unindexed after delete on memories
  referencing old table as gone for each statement execute function forget_index_snapshots();
-- Versions that go with their memory are covered by the trigger above.
create trigger memory_versions_unindexed after delete on memory_versions
  referencing old table as gone for each statement when (pg_trigger_depth() = 0) execute function forget_index_snapshots();
create trigger memories_unindexed_anew after update of owner_id, status on memories for each row
  when (old.owner_id <> new.owner_id or (new.status = 'redacted' and old.status <> 'redacted'))
  execute function forget_index_snapshot();

-- Events and webhooks -------------------------------------------------------------------------------------------------

-- Changes of memories, todos and decisions for those who follow them: ids and kinds, no content.
--
-- A write notes its event here, in its own transaction, and waits for nobody. `seq` is assigned while the memory's row is
-- locked, so the events of one memory are in order. The events of all memories are not: transactions commit in another
-- order than they began, and a reader that went by `seq` would miss what commits late. So whoever reads, or the server's own
-- loop, moves committed events into the log first, one server at a time (src/adapters/postgres/events/).
create table event_inbox (
  seq         bigint generated always as identity primary key,
  memory      uuid not null,
  owner_id    uuid not null,
  memory_id   text not null,
  scope       text not null,
  project_id  text,
  subject     text not null,
  kind        text not null,
  revision    bigint not null,
  at          timestamptz not null default clock_timestamp(),
  -- The memory is gone, or has another owner: its row cannot tell who may know, so the event says where it was.
  is_gone     boolean not null default false,
  path        text,
  bucket      text,
  memory_type text
);

-- The log. `position` only ever grows from one commit to the next.
create table events (
  position    bigint generated always as identity primary key,
  memory      uuid not null,
  owner_id    uuid not null,
  memory_id   text not null,
  scope       text not null,
  project_id  text,
  subject     text not null,
  kind        text not null,
  revision    bigint not null,
  at          timestamptz not null,
  is_gone     boolean not null,
  path        text,
  bucket      text,
  memory_type text,
  noted_at    timestamptz not null default now()
);
create index events_by_owner on events (owner_id, position);
create index events_by_age on events (noted_at);

-- cleared_to: up to where the log has been cleared; a reader that asks from further back has missed something.
-- last_position: the last position that was ever assigned, though an erasure may have removed that event since.
create table event_log (
  only_row      boolean primary key default true check (only_row),
  cleared_to    bigint not null,
  last_position bigint not null
);
insert into event_log values (true, 0, 0);

-- When the clock changes what a memory is: it expires, or the memory that superseded it does. Nothing is written to the
-- memory then.
create table event_instants (
  memory   uuid not null,
  kind     text not null check (kind in ('expired', 'revived')),
  at       timestamptz not null,
  owner_id uuid not null,
  primary key (memory, kind)
);
create index event_instants_due on event_instants (at);

-- Notes what the clock will do to a memory, given its row.
create function note_instants(
  owner_id uuid, memory uuid, status text, expires_at timestamptz, superseded_until timestamptz
) returns void language sql
begin atomic
  insert into event_instants (owner_id, memory, kind, at)
  select $1, $2, 'expired', $4
  where $4 is not null and ($3 in ('active', 'started', 'completed') or ($3 = 'superseded' and $5 < $4))
  union all
  select $1, $2, 'revived', $5
  where $3 = 'superseded' and $5 is not null and ($4 is null or $5 < $4);
end;

-- The name of a change: the new state of a todo or decision, the lifecycle step of a memory, otherwise `updated`.
create function event_kind(old memories, new memories) returns text language sql immutable
  return case
    when new.status = 'redacted' and old.status <> 'redacted' then 'redacted'
    when new.status = 'soft_deleted' and old.status <> 'soft_deleted' then 'deleted'
    when old.status = 'soft_deleted' and new.status <> 'soft_deleted' then 'restored'
    when new.workspace_item is not null and new.item_status is distinct from old.item_status
      and new.item_status is not null and old.item_status is not null then new.item_status
    when new.status = old.status then 'updated'
    when new.status in ('superseded', 'archived', 'started', 'completed') then new.status
    when old.status in ('superseded', 'archived') then 'restored'
    else 'updated'
  end;

create function note_event() returns trigger language plpgsql as $$
begin
  -- An owner is being erased: nobody is left to be notified.
  if tg_op = 'DELETE' and current_setting('recollect.is_erasing', true) = 'on' then
    delete from event_instants where owner_id = old.owner_id and memory = old.id;
    return null;
  end if;
  if tg_op <> 'INSERT' and (old.expires_at is not null or old.superseded_until is not null) then
    -- Expiries that are due come before this change, though no event was noted for them yet.
    with over as (
      delete from event_instants i where i.owner_id = old.owner_id and i.memory = old.id returning i.kind, i.at
    )
    insert into event_inbox (memory, owner_id, memory_id, scope, project_id, subject, kind, revision, at)
    select old.id, old.owner_id, old.memory_id, old.scope, old.project_id, coalesce(old.workspace_item, 'memory'),
           over.kind, old.revision, over.at
    from over where over.at <= clock_timestamp() order by over.at;
  end if;
  if tg_op <> 'DELETE' and (new.expires_at is not null or new.superseded_until is not null) then
    perform note_instants(new.owner_id, new.id, new.status, new.expires_at, new.superseded_until);
  end if;
  if tg_op = 'DELETE' or (tg_op = 'UPDATE' and new.owner_id <> old.owner_id) then
    insert into event_inbox (
      memory, owner_id, memory_id, scope, project_id, subject, kind, revision, is_gone, path, bucket, memory_type
    ) values (
      old.id, old.owner_id, old.memory_id, old.scope, old.project_id, coalesce(old.workspace_item, 'memory'),
      case tg_op when 'DELETE' then 'hard_deleted' else 'left' end, old.revision + 1, true,
      old.path, old.bucket, old.memory_type
    );
  end if;
  if tg_op <> 'DELETE' then
    insert into event_inbox (memory, owner_id, memory_id, scope, project_id, subject, kind, revision) values (
      new.id, new.owner_id, new.memory_id, new.scope, new.project_id, coalesce(new.workspace_item, 'memory'),
      case
        when tg_op = 'INSERT' then 'created'
        when new.owner_id <> old.owner_id then 'arrived'
        else event_kind(old, new)
      end,
      new.revision
    );
  end if;
  return null;
end $$;

-- New memories are noted once for each statement: an import writes a thousand rows with one.
create function note_created_events() returns trigger language plpgsql as $$
begin
  perform note_instants(owner_id, id, status, expires_at, superseded_until) from created
  where expires_at is not null or superseded_until is not null;
  insert into event_inbox (memory, owner_id, memory_id, scope, project_id, subject, kind, revision)
  select id, owner_id, memory_id, scope, project_id, coalesce(workspace_item, 'memory'), 'created', revision
  from created order by seq;
  return null;
end $$;

create trigger memories_noted_in after insert on memories referencing new table as created
  for each statement execute function note_created_events();
create trigger memories_noted_out after delete on memories for each row execute function note_event();
-- A change that leaves the revision as it is, is not visible to anybody.
create trigger memories_noted_anew after update on memories for each row
  when (new.revision <> old.revision or new.owner_id <> old.owner_id)
  execute function note_event();

-- Thresholds of a workspace's alerts, as people set them; none: no row. checked_at: when it was last measured.
create table alert_thresholds (
  owner_id   uuid primary key references owners on delete cascade,
  thresholds jsonb not null,
  checked_at timestamptz
);
-- Alerts that are raised, by which each is raised and ended once, whichever server measures. An ended alert is deleted, and
-- both are events. about: the silent agent or credential. calm_since: since when the threshold is kept again.
create table alerts (
  id         uuid primary key,
  owner_id   uuid not null references owners on delete cascade,
  measure    text not null,
  about      text not null,
  value      double precision not null,
  threshold  double precision not null,
  raised_at  timestamptz not null,
  calm_since timestamptz,
  constraint alerts_key unique (owner_id, measure, about)
);

-- Receivers of events, with the authority of the credential that registered them.
create table webhooks (
  id                uuid primary key,
  owner_id          uuid not null references owners on delete cascade,
  token_id          uuid not null,
  authority         jsonb not null,
  url               text not null,
  description       text,
  subjects          text[],
  project_id        text,
  -- Events of every end user of its owner too.
  has_end_users     boolean not null default false,
  is_enabled        boolean not null default true,
  -- The secret that deliveries are signed with, and for a while after a rotation the former one as well.
  secret            bytea not null,
  former_secret     bytea,
  former_until      timestamptz,
  -- How far the log has been turned into deliveries.
  position          bigint not null,
  -- Failed attempts since the last success, and when the next one is due.
  failures          integer not null default 0,
  next_try_at       timestamptz not null default now(),
  last_error        text,
  last_delivered_at timestamptz,
  -- When events were cleared from the log before they became deliveries.
  missed_at         timestamptz,
  lease             uuid,
  leased_until      timestamptz,
  created_at        timestamptz not null default now(),
  updated_at        timestamptz not null default now(),
  tested_at         timestamptz
);
create index webhooks_by_owner on webhooks (owner_id, id);

-- Pending deliveries, and those that were given up (`dead_at`). The first pending one of each memory is next: the others wait
-- for it. The event stays in the log as long.
create table webhook_deliveries (
  webhook    uuid not null references webhooks on delete cascade,
  position   bigint not null references events,
  memory     uuid not null,
  attempts   integer not null default 0,
  next_at    timestamptz not null default now(),
  last_error text,
  dead_at    timestamptz,
  owner_id   uuid not null,
  primary key (webhook, position)
);
create index webhook_deliveries_waiting on webhook_deliveries (webhook, memory, position) where dead_at is null;
create index webhook_deliveries_dead on webhook_deliveries (webhook, position) where dead_at is not null;
create index webhook_deliveries_by_event on webhook_deliveries (position);

-- Counts, limits and figures ------------------------------------------------------------------------------------------

-- Requests counted in windows of a minute, shared by all servers on this database. Unlogged: a count is worth nothing after
-- its minute; after a crash all begin at 0. hits is in no index and half of each page is free, so counting up rewrites a
-- row in its page.
create unlogged table rate_windows (
  starts_at timestamptz not null,
  key       text not null,
  hits      integer not null,
  primary key (starts_at, key)
) with (fillfactor = 50);

-- Storage in use by owners, counted by the statements that change it, so that a quota is looked up and never summed anew. A
-- counter in one row would make the writers of an owner wait for each other, and deadlock. So each connection adds to a row of
-- its own (`shard`: its process id), which nobody else changes while it lives; the sum over the shards is exact in every
-- transaction. The sweep adds them up in shard 0. Owner 00000000-… is all quarantines together.
create table owner_usage (
  owner_id uuid not null,
  shard    integer not null,
  memories bigint not null,
  bytes    bigint not null,
  primary key (owner_id, shard)
) with (fillfactor = 50);

create function memory_bytes(content text, metadata jsonb, provenance jsonb) returns bigint
  language sql immutable parallel safe
  return octet_length(content)::bigint + octet_length(metadata::text) + octet_length(provenance::text);

-- Everything that counts, by owner. An earlier state counts for the owner that it names itself; one without an owner counts
-- for nobody.
create view held_by_owners as
  select owner_id, 1 as memories, memory_bytes(content, metadata, provenance) as bytes from memories
  union all
  select (state ->> 'owner_id')::uuid, 0, octet_length(state::text) from memory_versions
  where state ->> 'owner_id' is not null;

-- The kinds of owners that are counted: counting is a tenth of a write, and only quarantines always have quotas. Users and
-- teams join with the first quota that is set on them, end users with the first that is set on these.
create table counted_kinds (kind text primary key);
insert into counted_kinds values ('agent');
create view counted_owners as select id, kind from owners join counted_kinds using (kind);

-- A quarantine's usage counts for all quarantines as well.
create function count_for(holder counted_owners, memories bigint, bytes numeric) returns void language sql
begin atomic
  insert into owner_usage as u (owner_id, shard, memories, bytes)
  select h, pg_backend_pid(), $2, $3
  from unnest(array[(holder).id] || case (holder).kind
    when 'agent' then array['00000000-0000-0000-0000-000000000000'::uuid] end) h
  where $2 <> 0 or $3 <> 0
  on conflict (owner_id, shard) do update
    set memories = u.memories + excluded.memories, bytes = u.bytes + excluded.bytes;
end;

create function count_memories() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform count_for(o, count(*), sum(memory_bytes(content, metadata, provenance)))
    from new_rows r join counted_owners o on o.id = r.owner_id group by o;
  elsif tg_op = 'DELETE' then
    perform count_for(o, -count(*), -sum(memory_bytes(content, metadata, provenance)))
    from old_rows r join counted_owners o on o.id = r.owner_id group by o;
  else
    perform count_for(o, sum(memories), sum(bytes)) from (
      select o, -1 as memories, -memory_bytes(content, metadata, provenance) as bytes
      from old_rows r join counted_owners o on o.id = r.owner_id
      union all
      select o, 1, memory_bytes(content, metadata, provenance)
      from new_rows r join counted_owners o on o.id = r.owner_id
    ) changed group by o;
  end if;
  return null;
end $$;

create function count_versions() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform count_for(o, 0, sum(octet_length(state::text)))
    from new_rows r join counted_owners o on o.id = (r.state ->> 'owner_id')::uuid group by o;
  elsif tg_op = 'DELETE' then
    perform count_for(o, 0, -sum(octet_length(state::text)))
    from old_rows r join counted_owners o on o.id = (r.state ->> 'owner_id')::uuid group by o;
  else
    perform count_for(o, 0, sum(bytes)) from (
      select o, -octet_length(state::text) as bytes
      from old_rows r join counted_owners o on o.id = (r.state ->> 'owner_id')::uuid
      union all
      select o, octet_length(state::text)
      from new_rows r join counted_owners o on o.id = (r.state ->> 'owner_id')::uuid
    ) changed group by o;
  end if;
  return null;
end $$;

create trigger memories_counted_in after insert on memories
  referencing new table as new_rows for each statement execute function count_memories();
create trigger memories_counted_out after delete on memories
  referencing old table as old_rows for each statement execute function count_memories();
create trigger memories_counted_anew after update on memories
  referencing old table as old_rows new table as new_rows for each statement execute function count_memories();
create trigger memory_versions_counted_in after insert on memory_versions
  referencing new table as new_rows for each statement execute function count_versions();
create trigger memory_versions_counted_out after delete on memory_versions
  referencing old table as old_rows for each statement execute function count_versions();
create trigger memory_versions_counted_anew after update on memory_versions
  referencing old table as old_rows new table as new_rows for each statement execute function count_versions();

-- How many memories an owner has of each kind that lists filter by, so that a list's `total` is looked up and never counted
-- anew (docs/decisions/0057-totals-from-changes.md).
--
-- A row says that there are `count` more of them, or fewer. Writers only add rows, so that none waits for another; a loop of
-- the servers folds them into `memory_counts`. The sum over both tables is exact in every snapshot.
create table memory_count_changes (
  owner_id       uuid not null,
  scope          text not null,
  project_id     text,
  bucket         text not null,
  memory_type    text not null,
  status         text not null,
  -- The beginning of the day (UTC) on which they expire; null: never, or their status ignores it.
  expires_on     timestamptz,
  workspace_item text,
  -- Superseded by a memory that itself expires. No sum says what these are at an instant: lists look at each.
  is_waiting     boolean not null,
  count          bigint not null
);
create index memory_count_changes_by_owner on memory_count_changes (owner_id);
create table memory_counts (like memory_count_changes);
create index memory_counts_by_owner on memory_counts (owner_id);
alter table memory_count_changes alter column project_id set statistics 0, alter column bucket set statistics 0,
  alter column memory_type set statistics 0;
alter table memory_counts alter column project_id set statistics 0, alter column bucket set statistics 0,
  alter column memory_type set statistics 0;

create function expiry_day(status text, expires_at timestamptz) returns timestamptz language sql stable parallel safe
  return case when status in ('active', 'started', 'completed') then date_trunc('day', expires_at, 'UTC') end;

create function count_changed_memory() returns trigger language plpgsql as $$
begin
  insert into memory_count_changes values
    (old.owner_id, old.scope, old.project_id, old.bucket, old.memory_type, old.status,
     expiry_day(old.status, old.expires_at), old.workspace_item,
     old.status = 'superseded' and old.superseded_until is not null, -1),
    (new.owner_id, new.scope, new.project_id, new.bucket, new.memory_type, new.status,
     expiry_day(new.status, new.expires_at), new.workspace_item,
     new.status = 'superseded' and new.superseded_until is not null, 1);
  return null;
end $$;

create function count_many_memories() returns trigger language plpgsql as $$
begin
  insert into memory_count_changes
  select m.owner_id, m.scope, m.project_id, m.bucket, m.memory_type, m.status, expiry_day(m.status, m.expires_at),
    m.workspace_item, m.status = 'superseded' and m.superseded_until is not null,
    case tg_op when 'INSERT' then count(*) else -count(*) end
  from changed m group by 1, 2, 3, 4, 5, 6, 7, 8, 9;
  return null;
end $$;

-- For memories that were loaded with triggers off.
create function recount_memories() returns void language sql as $$
  lock table memories in share mode;
  delete from memory_count_changes;
  delete from memory_counts;
  insert into memory_counts
  select m.owner_id, m.scope, m.project_id, m.bucket, m.memory_type, m.status, expiry_day(m.status, m.expires_at),
    m.workspace_item, m.status = 'superseded' and m.superseded_until is not null, count(*)
  from memories m group by 1, 2, 3, 4, 5, 6, 7, 8, 9;
$$;

create trigger memories_totalled_in after insert on memories
  referencing new table as changed for each statement execute function count_many_memories();
create trigger memories_totalled_out after delete on memories
  referencing old table as changed for each statement execute function count_many_memories();
create trigger memories_totalled_anew after update on memories for each row
  when (old.status <> new.status or old.owner_id <> new.owner_id or old.scope <> new.scope or old.bucket <> new.bucket
    or old.memory_type <> new.memory_type or old.project_id is distinct from new.project_id
    or old.workspace_item is distinct from new.workspace_item or old.expires_at is distinct from new.expires_at
    or old.superseded_until is distinct from new.superseded_until)
  execute function count_changed_memory();

-- The service's own figures: recalls and writes, their latency, and how far the index lagged. A row for each minute (kept a
-- day) and each hour (kept 90 days) of an owner in which something happened, and one of all owners together (`owner_id`
-- null).
create table figures (
  resolution text not null check (resolution in ('minute', 'hour')),
  at timestamptz not null,
  owner_id uuid references owners on delete cascade,
  recalls bigint not null,
  -- The number of recalls in each step of latency.
  latency bigint[] not null,
  covered bigint not null,
  coverage_sum double precision not null,
  writes bigint not null,
  failures bigint not null,
  memories bigint,
  index_lag_seconds real,
  constraint figures_key unique nulls not distinct (owner_id, resolution, at)
);
create index figures_by_age on figures (resolution, at);

-- What was asked of recall, and which memories came: by internal id, never their contents. A row goes with the first of its
-- memories that is permanently removed, since its question may say what that memory said.
create table recalls (
  id         uuid primary key,
  owner_id   uuid not null references owners on delete cascade,
  at         timestamptz not null,
  operation  text not null check (operation in ('search', 'context')),
  question   text not null,
  outcome    text not null check (outcome in ('answered', 'partial', 'found', 'none')),
  memories   uuid[] not null,
  tokens     integer,
  tokens_max integer,
  ms         integer not null,
  token_id   uuid not null,
  agent_id   text,
  project_id text
);
create index recalls_by_owner on recalls (owner_id, at, id);
create index recalls_by_memory on recalls using gin (memories);
create index recalls_by_age on recalls using brin (at);

-- Questions of evaluation sets, with the memories by which recall is judged, by internal id. Like a recall, a question goes
-- with the first of its memories that is permanently removed.
create table eval_questions (
  id         uuid primary key,
  owner_id   uuid not null references owners on delete cascade,
  set_name   text not null,
  place      bigint generated always as identity,
  -- The query and its filters.
  asked      jsonb not null,
  relevant   uuid[] not null,
  stale      uuid[] not null,
  updated_at timestamptz not null default now(),
  constraint eval_questions_key unique (owner_id, set_name, asked)
);
create index eval_questions_by_memory on eval_questions using gin ((relevant || stale));

-- Erasures of persons and subjects that somebody began in the admin UI: ids and counts, no terms and no content. A server
-- carries them out and keeps the counts and the receipts' ids.
create table subject_erasures (
  id           uuid primary key,
  owner_id     uuid not null references owners on delete cascade,
  authority    jsonb not null,
  records      integer not null,
  erased       integer not null default 0,
  skipped      integer not null default 0,
  questions    integer not null,
  -- Questions of the recall log that go with it, by owner, until it is finished.
  question_ids jsonb not null,
  receipts     uuid[] not null default '{}',
  began_at     timestamptz not null default now(),
  finished_at  timestamptz,
  -- When a server takes up the unfinished erasure. Each batch moves it on, so an interrupted one is found.
  due_at       timestamptz not null default now(),
  -- Attempts that failed since the last batch, and why the last one did.
  failures     integer not null default 0,
  failure      text,
  -- Whether the person ended it before everything was erased.
  was_stopped  boolean not null default false
);
create index subject_erasures_newest on subject_erasures (owner_id, began_at desc, id desc);
create index subject_erasures_open on subject_erasures (due_at) where finished_at is null;

-- Records that remain to be erased. digest: of the text that was looked at.
create table subject_erasure_records (
  erasure      uuid not null references subject_erasures on delete cascade,
  workspace_id uuid not null,
  memory       uuid not null,
  digest       text not null,
  primary key (erasure, workspace_id, memory)
);

-- The database itself -------------------------------------------------------------------------------------------------

-- Owners that were erased, or are being erased. This row is all that is left of one: no name, no content. name_digest is
-- keyed with a secret of this database, so that the same call later finds its receipt, and nobody reads the name in it.
create table erasures (
  id          uuid primary key,
  owner_id    uuid not null unique,
  kind        text not null check (kind in ('user', 'team', 'end_user')),
  name_digest bytea not null,
  -- The credential that asked for it, or null for the command line.
  token_id    uuid,
  removed     jsonb not null default '{}',
  started_at  timestamptz not null default now(),
  finished_at timestamptz,
  -- When a server takes up the unfinished erasure. Each step of the work moves it on, so an interrupted one is found.
  due_at      timestamptz not null default now()
);
create index erasures_by_name on erasures (kind, name_digest, started_at desc);

-- Places and times of this record. A dump takes the rows along, and a restored record finds that it is elsewhere, or earlier,
-- than its last row says: it begins a new incarnation. Positions that others hold of the record (indexes, places in the change
-- feed and in the log of events) belong to one incarnation and are void in the next.
create table record_incarnations (
  number    integer primary key,
  id        uuid not null unique default gen_random_uuid(),
  reason    text not null check (reason in ('first', 'restored', 'went_back', 'promoted')),
  -- The cluster, the files of this very table and of the table of memories, and the cluster's timeline.
  system    text not null,
  files     text not null,
  timeline  integer not null,
  begun_at  timestamptz not null default now(),
  -- When no row had a transaction id any more that this cluster has not given out yet.
  mended_at timestamptz
);
