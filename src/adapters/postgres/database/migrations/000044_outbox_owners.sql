-- Whose outbox lines a worker has taken: while it holds them no other worker takes a line of the same owner, so that one
-- owner's changes are carried out by one worker at a time. A worker that died loses them with its lease.
create table outbox_owners (
  owner_id     uuid primary key,
  lease        uuid not null,
  leased_until timestamptz not null
) with (fillfactor = 50);
create index outbox_owners_by_lease on outbox_owners (lease);
