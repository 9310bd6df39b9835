-- What the service keeps of its own figures: how much was recalled and written, how fast, and how far the index was behind.
-- A row for each minute (kept a day) and each hour (kept 90 days) of an owner in which something happened, and one of all
-- owners together (`owner_id` null). A new table: nothing waits for it, and an older server neither reads nor writes it.
create table figures (
  resolution text not null check (resolution in ('minute', 'hour')),
  at timestamptz not null,
  owner_id uuid references owners on delete cascade,
  recalls bigint not null,
  -- How many recalls took how long, by step.
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
