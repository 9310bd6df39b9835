-- Every row has its owner. The constraint that says so is looked at instead of the rows.
alter table memory_versions alter column owner_id set not null;
alter table embeddings alter column owner_id set not null;
alter table token_vectors alter column owner_id set not null;
alter table recall_feedback alter column owner_id set not null;
alter table event_instants alter column owner_id set not null;
alter table todos alter column owner_id set not null;
alter table decisions alter column owner_id set not null;
alter table todo_dependencies alter column owner_id set not null;
alter table workspace_events alter column owner_id set not null;
alter table maintenance_items alter column owner_id set not null;
alter table maintenance_survivors alter column owner_id set not null;
alter table webhook_deliveries alter column owner_id set not null;
alter table idempotency_keys alter column owner_id set not null;
alter table memory_versions drop constraint has_owner;
alter table embeddings drop constraint has_owner;
alter table token_vectors drop constraint has_owner;
alter table recall_feedback drop constraint has_owner;
alter table event_instants drop constraint has_owner;
alter table todos drop constraint has_owner;
alter table decisions drop constraint has_owner;
alter table todo_dependencies drop constraint has_owner;
alter table workspace_events drop constraint has_owner;
alter table maintenance_items drop constraint has_owner;
alter table maintenance_survivors drop constraint has_owner;
alter table webhook_deliveries drop constraint has_owner;
alter table idempotency_keys drop constraint has_owner;

-- The triggers of memories name the owner.
drop function note_instants(uuid, text, timestamptz, timestamptz);
create function note_instants(
  owner_id uuid, memory uuid, status text, expires_at timestamptz, superseded_until timestamptz
) returns void language sql
begin atomic
  insert into event_instants (owner_id, memory, kind, at)
  select $1, $2, 'expired', $4
  where $4 is not null and ($3 in ('active', 'started', 'completed') or ($3 = 'superseded' and $5 < $4))
  union all
  select $1, $2, 'revived', $5
  where $3 = 'superseded' and $5 is not null and ($4 is null or $5 < $4);
end;

create or replace function note_event() returns trigger language plpgsql as $$
begin
  -- Of what is erased with its owner nobody is left to be told.
  if tg_op = 'DELETE' and current_setting('recollect.is_erasing', true) = 'on' then
    delete from event_instants where owner_id = old.owner_id and memory = old.id;
    return null;
  end if;
  if tg_op <> 'INSERT' and (old.expires_at is not null or old.superseded_until is not null) then
    -- What the clock has done already comes before this change, though nobody has told of it yet.
    with over as (
      delete from event_instants i where i.owner_id = old.owner_id and i.memory = old.id returning i.kind, i.at
    )
    insert into event_inbox (memory, owner_id, memory_id, scope, project_id, subject, kind, revision, at)
    select old.id, old.owner_id, old.memory_id, old.scope, old.project_id, coalesce(old.workspace_item, 'memory'),
           over.kind, old.revision, over.at
    from over where over.at <= clock_timestamp() order by over.at;
  end if;
  if tg_op <> 'DELETE' and (new.expires_at is not null or new.superseded_until is not null) then
    perform note_instants(new.owner_id, new.id, new.status, new.expires_at, new.superseded_until);
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

create or replace function forget_token_vectors() returns trigger language plpgsql as $$
begin
  delete from token_vectors where owner_id = new.owner_id and memory = new.id;
  return null;
end $$;
