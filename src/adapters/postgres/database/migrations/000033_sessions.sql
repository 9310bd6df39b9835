-- The credential that a sign-in account acts by in a browser: one for all of its sessions, made with the first use.
-- The lock on tokens is short: the new check is of a wider set, and the rows that are there are looked at by the next one.
alter table tokens drop constraint tokens_kind_check;
alter table tokens add constraint tokens_kind_check
  check (kind in ('api_key', 'oauth', 'agent_temporary', 'agent_formal', 'skill', 'session')) not valid;
