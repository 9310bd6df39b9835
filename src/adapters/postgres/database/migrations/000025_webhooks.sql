-- Where events are delivered to, with the authority of whoever asked for it.
create table webhooks (
  id                uuid primary key,
  owner_id          uuid not null references owners on delete cascade,
  token_id          uuid not null,
  authority         jsonb not null,
  url               text not null,
  description       text,
  subjects          text[],
  project_id        text,
  is_enabled        boolean not null default true,
  -- What deliveries are signed with, and what they are signed with besides for a while after a rotation.
  secret            bytea not null,
  former_secret     bytea,
  former_until      timestamptz,
  -- How far the log has been taken up into deliveries.
  position          bigint not null,
  -- Attempts that failed since one succeeded, and when the next one is due.
  failures          integer not null default 0,
  next_try_at       timestamptz not null default now(),
  last_error        text,
  last_delivered_at timestamptz,
  -- When events were cleared from the log before they were taken up.
  missed_at         timestamptz,
  lease             uuid,
  leased_until      timestamptz,
  created_at        timestamptz not null default now(),
  updated_at        timestamptz not null default now()
);
create index webhooks_by_owner on webhooks (owner_id, id);

-- What is still to be delivered, and what was given up (`dead_at`). Of a memory the first that is neither is the next: what
-- follows waits for it. The event stays in the log as long.
create table webhook_deliveries (
  webhook    uuid not null references webhooks on delete cascade,
  position   bigint not null references events,
  memory     uuid not null,
  attempts   integer not null default 0,
  next_at    timestamptz not null default now(),
  last_error text,
  dead_at    timestamptz,
  primary key (webhook, position)
);
create index webhook_deliveries_waiting on webhook_deliveries (webhook, memory, position) where dead_at is null;
create index webhook_deliveries_dead on webhook_deliveries (webhook, position) where dead_at is not null;
create index webhook_deliveries_by_event on webhook_deliveries (position);
