-- Agents that register themselves, and credentials confined to a team or good for one thing only.
-- The lock on owners, tokens and tombstones is short: no row is rewritten.

-- The memories of an agent that nobody has bound yet belong to an owner of their own: its quarantine.
alter table owners drop constraint owners_kind_check;
alter table owners add constraint owners_kind_check check (kind in ('user', 'team', 'agent'));

-- Members are users and teams are teams: a row that took one for the other would open a user's memories.
alter table owners add constraint owners_id_kind_key unique (id, kind);
alter table team_members
  add column team_kind text not null generated always as ('team') stored,
  add column user_kind text not null generated always as ('user') stored,
  add foreign key (team_id, team_kind) references owners (id, kind) on delete cascade,
  add foreign key (user_id, user_kind) references owners (id, kind) on delete cascade;

-- team_id: confined to this team, under the owner's live role. only_for: the one operation it is still good for.
-- replaced_at: when another token was issued in its place; it then ends soon.
alter table tokens
  add column team_id uuid references owners on delete cascade,
  add column only_for text,
  add column replaced_at timestamptz;
create index tokens_by_agent on tokens (agent_id) where agent_id is not null;

-- An agent's identity. claim_hash is of the code in its bind link, which is derived and not stored; quarantine_id is
-- null once its memories were adopted or deleted. granted_* is what the user who approved it chose; confirmation_* is
-- of the one-time token that only that user has seen. client is what the agent said of itself.
create table agents (
  id                   text primary key,
  status               text not null check (status in
                         ('pending', 'awaiting_confirmation', 'bound', 'denied', 'expired', 'revoked')),
  claim_hash           bytea not null unique,
  quarantine_id        uuid references owners on delete set null,
  client               jsonb not null,
  address              text,
  requested_at         timestamptz not null,
  expires_at           timestamptz,
  approved_at          timestamptz,
  approved_by          uuid references owners on delete cascade,
  granted_scopes       text[],
  granted_team_id      uuid references owners on delete cascade,
  granted_projects     text[],
  confirmation_hash    bytea,
  confirmation_until   timestamptz,
  confirmation_tries   integer not null default 0,
  ended_at             timestamptz
);
-- As with memories: statistics hold samples, which a deletion would not reach.
alter table agents alter column client set statistics 0, alter column address set statistics 0;
create index agents_by_approver on agents (approved_by) where approved_by is not null;
create index agents_unbound on agents (expires_at) where status in ('pending', 'awaiting_confirmation');
create index agents_quarantined on agents (ended_at) where quarantine_id is not null and ended_at is not null;

-- A memory that moves to another owner leaves a tombstone with the old one, and may leave another later.
alter table tombstones drop constraint tombstones_pkey;
alter table tombstones add primary key (memory, owner_id);
