-- Requests counted in windows of a minute, shared by all servers on this database. A new table: no lock on what is there.

-- Unlogged: a count is worth nothing after its minute, so it needs no write-ahead log. After a crash all begin at 0.
-- hits is in no index, and half of each page is left free: counting up rewrites a row in its page.
create unlogged table rate_windows (
  starts_at timestamptz not null,
  key       text not null,
  hits      integer not null,
  primary key (starts_at, key)
) with (fillfactor = 50);
