--! concurrently
-- At most one such credential an account.
alter table tokens validate constraint tokens_kind_check;
create unique index concurrently tokens_by_session on tokens (account_id) where kind = 'session' and revoked_at is null;
