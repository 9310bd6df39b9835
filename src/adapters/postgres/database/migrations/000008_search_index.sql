-- The projection to a search engine: what is queued for it, and the indexes it has there.
-- The locks on outbox are short: defaults are constants, no row is rewritten, and the table holds what waits only.

-- queued_at: since when it waits. lease, leased_until: who works on it, in no index, so that taking a line rewrites it in
-- its page. set_aside: why it is not tried any more, a class of error without content; such a line is never available.
-- embed: the memory is in the index and waits for its vector only.
alter table outbox
  add column queued_at timestamptz not null default now(),
  add column lease uuid,
  add column leased_until timestamptz,
  add column set_aside text,
  drop constraint outbox_kind_check,
  add constraint outbox_kind_check check (kind in ('put', 'remove', 'embed'));
alter table outbox set (fillfactor = 70);

-- What an owner's recall must look at beside the index, and the few that are set aside.
create index outbox_by_owner on outbox (owner_id, memory) where kind <> 'embed';
create index outbox_set_aside on outbox (memory) where set_aside is not null;

-- One index at the engine. Its documents are of a mapping version and have the vectors of an embedding generation.
-- building: filled from the record, from the memory after `scanned_to` on. active: searched. retired: replaced a moment
-- ago. Each of them is written as long as its row is here. uuid is the engine's own: one that was swapped has another.
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
  check ((state = 'retired') = (retired_at is not null))
);
create unique index index_generations_active on index_generations (state) where state = 'active';
create unique index index_generations_building on index_generations (state) where state = 'building';
