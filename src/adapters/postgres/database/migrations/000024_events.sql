-- What happened to memories, todos and decisions, for those who follow it: ids and kinds, no content.
--
-- A write notes its event here, in its own transaction, and waits for nobody. `seq` is given while the memory's row is
-- locked, so that the events of one memory have its order. The events of all have none yet: transactions commit in
-- another order than they began in, and a reader that went by `seq` would miss what commits late. So whoever reads, or
-- the server's own loop, moves what is committed into the log first, one at a time (src/adapters/postgres/events/).
create table event_inbox (
  seq         bigint generated always as identity primary key,
  memory      uuid not null,
  owner_id    uuid not null,
  memory_id   text not null,
  scope       text not null,
  project_id  text,
  subject     text not null,
  kind        text not null,
  revision    bigint not null,
  at          timestamptz not null default clock_timestamp(),
  -- Where it was, of a memory that is no more, or no longer its owner's: its row cannot tell who may know.
  is_gone     boolean not null default false,
  path        text,
  bucket      text,
  memory_type text
);

-- The log. `position` only ever grows from one commit to the next.
create table events (
  position    bigint generated always as identity primary key,
  memory      uuid not null,
  owner_id    uuid not null,
  memory_id   text not null,
  scope       text not null,
  project_id  text,
  subject     text not null,
  kind        text not null,
  revision    bigint not null,
  at          timestamptz not null,
  is_gone     boolean not null,
  path        text,
  bucket      text,
  memory_type text,
  noted_at    timestamptz not null default now()
);
create index events_by_owner on events (owner_id, position);
create index events_by_age on events (noted_at);

-- Up to where the log has been cleared: what asks from further back has missed something.
create table event_log (only_row boolean primary key default true check (only_row), cleared_to bigint not null);
insert into event_log values (true, 0);

-- When the clock changes what a memory is: it expires, or what superseded it does. Nothing is written to the memory then.
create table event_instants (
  memory uuid not null,
  kind   text not null check (kind in ('expired', 'revived')),
  at     timestamptz not null,
  primary key (memory, kind)
);
create index event_instants_due on event_instants (at);

-- What the clock is going to do to a memory, given what its row says.
create function note_instants(memory uuid, status text, expires_at timestamptz, superseded_until timestamptz)
  returns void language sql
begin atomic
  insert into event_instants (memory, kind, at)
  select $1, 'expired', $3
  where $3 is not null and ($2 in ('active', 'started', 'completed') or ($2 = 'superseded' and $4 < $3))
  union all
  select $1, 'revived', $4
  where $2 = 'superseded' and $4 is not null and ($3 is null or $4 < $3);
end;

-- What a change is called: the state that a todo or decision has come to, what became of a memory, or `updated`.
create function event_kind(old memories, new memories) returns text language sql immutable
  return case
    when new.status = 'redacted' and old.status <> 'redacted' then 'redacted'
    when new.status = 'soft_deleted' and old.status <> 'soft_deleted' then 'deleted'
    when old.status = 'soft_deleted' and new.status <> 'soft_deleted' then 'restored'
    when new.workspace_item is not null and new.item_status is distinct from old.item_status
      and new.item_status is not null and old.item_status is not null then new.item_status
    when new.status = old.status then 'updated'
    when new.status in ('superseded', 'archived', 'started', 'completed') then new.status
    when old.status in ('superseded', 'archived') then 'restored'
    else 'updated'
  end;

create function note_event() returns trigger language plpgsql as $$
begin
  -- Of what is erased with its owner nobody is left to be told.
  if tg_op = 'DELETE' and current_setting('recollect.is_erasing', true) = 'on' then
    delete from event_instants where memory = old.id;
    return null;
  end if;
  if tg_op <> 'INSERT' and (old.expires_at is not null or old.superseded_until is not null) then
    -- What the clock has done already comes before this change, though nobody has told of it yet.
    with over as (
      delete from event_instants i where i.memory = old.id returning i.kind, i.at
    )
    insert into event_inbox (memory, owner_id, memory_id, scope, project_id, subject, kind, revision, at)
    select old.id, old.owner_id, old.memory_id, old.scope, old.project_id, coalesce(old.workspace_item, 'memory'),
           over.kind, old.revision, over.at
    from over where over.at <= clock_timestamp() order by over.at;
  end if;
  if tg_op <> 'DELETE' and (new.expires_at is not null or new.superseded_until is not null) then
    perform note_instants(new.id, new.status, new.expires_at, new.superseded_until);
  end if;
  if tg_op = 'DELETE' or (tg_op = 'UPDATE' and new.owner_id <> old.owner_id) then
    insert into event_inbox (
      memory, owner_id, memory_id, scope, project_id, subject, kind, revision, is_gone, path, bucket, memory_type
    ) values (
      old.id, old.owner_id, old.memory_id, old.scope, old.project_id, coalesce(old.workspace_item, 'memory'),
      case tg_op when 'DELETE' then 'hard_deleted' else 'left' end, old.revision + 1, true,
      old.path, old.bucket, old.memory_type
    );
  end if;
  if tg_op <> 'DELETE' then
    insert into event_inbox (memory, owner_id, memory_id, scope, project_id, subject, kind, revision) values (
      new.id, new.owner_id, new.memory_id, new.scope, new.project_id, coalesce(new.workspace_item, 'memory'),
      case
        when tg_op = 'INSERT' then 'created'
        when new.owner_id <> old.owner_id then 'arrived'
        else event_kind(old, new)
      end,
      new.revision
    );
  end if;
  return null;
end $$;

create trigger memories_noted_in after insert or delete on memories for each row execute function note_event();
-- What leaves the revision as it is, is no change that anybody is shown.
create trigger memories_noted_anew after update on memories for each row
  when (new.revision <> old.revision or new.owner_id <> old.owner_id)
  execute function note_event();

-- What is past has been what it is for long, and there was nobody to tell.
select note_instants(id, status, expires_at, superseded_until) from memories
where expires_at > now() or superseded_until > now();
delete from event_instants where at <= now();
