-- The credential that a sign-in account acts by in a browser: one for all of its sessions, made with the first use.
-- The lock on tokens is short: the new check is of a wider set, and read over a table of one row a credential.
alter table tokens drop constraint tokens_kind_check;
alter table tokens add constraint tokens_kind_check
  check (kind in ('api_key', 'oauth', 'agent_temporary', 'agent_formal', 'skill', 'session'));
create unique index tokens_by_session on tokens (account_id) where kind = 'session' and revoked_at is null;
