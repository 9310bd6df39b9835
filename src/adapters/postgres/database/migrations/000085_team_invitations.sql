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
-- As with memories: statistics hold samples, which a deletion would not reach.
alter table team_invitations alter column user_name set statistics 0;
