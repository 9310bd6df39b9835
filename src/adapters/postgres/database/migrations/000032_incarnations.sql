-- Where and when this record lived. A dump takes the rows along, and what is put back from one finds that it is elsewhere,
-- or earlier, than its last row says: it begins a new incarnation. What others hold of the record (indexes, places in the
-- change feed and in the log of events) is of one incarnation and holds for no other.
-- Creates a table only; the first row is a server's.
create table record_incarnations (
  number    integer primary key,
  id        uuid not null unique default gen_random_uuid(),
  reason    text not null check (reason in ('first', 'restored', 'went_back', 'promoted')),
  -- The cluster, the files of this very table and the table of memories, and the cluster's timeline.
  system    text not null,
  files     text not null,
  timeline  integer not null,
  begun_at  timestamptz not null default now(),
  -- When no row had a transaction id any more that this cluster has not given out yet.
  mended_at timestamptz
);
