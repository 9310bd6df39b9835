-- Rows that belong to a row of another table say whose they are themselves, so that every statement can name its owner and
-- the tables can be divided by it: docs/decisions/0063-partitioning-by-owner.md. The files of 000046 fill the columns.
alter table memory_versions       add column owner_id uuid;
alter table embeddings            add column owner_id uuid;
alter table token_vectors         add column owner_id uuid;
alter table recall_feedback       add column owner_id uuid;
alter table event_instants        add column owner_id uuid;
alter table todos                 add column owner_id uuid;
alter table decisions             add column owner_id uuid;
alter table todo_dependencies     add column owner_id uuid;
alter table workspace_events      add column owner_id uuid;
alter table maintenance_items     add column owner_id uuid;
alter table maintenance_survivors add column owner_id uuid;
alter table webhook_deliveries    add column owner_id uuid;
alter table idempotency_keys      add column owner_id uuid;

-- The program of before writes no owner. Its arguments: the column that leads to the row with the owner, and that row's table.
create function state_owner() returns trigger language plpgsql as $$
begin
  execute format('select owner_id from %I where id = $1', tg_argv[1])
    into new.owner_id using (to_jsonb(new) ->> tg_argv[0])::uuid;
  return new;
end $$;

create trigger memory_versions_owner before insert or update on memory_versions for each row
  when (new.owner_id is null) execute function state_owner('memory', 'memories');
create trigger embeddings_owner before insert or update on embeddings for each row
  when (new.owner_id is null) execute function state_owner('memory', 'memories');
create trigger token_vectors_owner before insert or update on token_vectors for each row
  when (new.owner_id is null) execute function state_owner('memory', 'memories');
create trigger recall_feedback_owner before insert or update on recall_feedback for each row
  when (new.owner_id is null) execute function state_owner('memory', 'memories');
create trigger event_instants_owner before insert or update on event_instants for each row
  when (new.owner_id is null) execute function state_owner('memory', 'memories');
create trigger todos_owner before insert or update on todos for each row
  when (new.owner_id is null) execute function state_owner('id', 'memories');
create trigger decisions_owner before insert or update on decisions for each row
  when (new.owner_id is null) execute function state_owner('id', 'memories');
create trigger todo_dependencies_owner before insert or update on todo_dependencies for each row
  when (new.owner_id is null) execute function state_owner('todo', 'memories');
create trigger workspace_events_owner before insert or update on workspace_events for each row
  when (new.owner_id is null) execute function state_owner('item', 'memories');
create trigger maintenance_items_owner before insert or update on maintenance_items for each row
  when (new.owner_id is null) execute function state_owner('run', 'maintenance_runs');
create trigger maintenance_survivors_owner before insert or update on maintenance_survivors for each row
  when (new.owner_id is null) execute function state_owner('run', 'maintenance_runs');
create trigger webhook_deliveries_owner before insert or update on webhook_deliveries for each row
  when (new.owner_id is null) execute function state_owner('webhook', 'webhooks');
create trigger idempotency_keys_owner before insert or update on idempotency_keys for each row
  when (new.owner_id is null) execute function state_owner('token_id', 'tokens');

-- What belongs to a memory goes with it to another owner, whichever program moves it. Its instants do by `note_event`.
create function take_rows_along() returns trigger language plpgsql as $$
begin
  update memory_versions set owner_id = new.owner_id where memory = new.id;
  update embeddings set owner_id = new.owner_id where memory = new.id;
  update token_vectors set owner_id = new.owner_id where memory = new.id;
  update recall_feedback set owner_id = new.owner_id where memory = new.id;
  update todos set owner_id = new.owner_id where id = new.id;
  update decisions set owner_id = new.owner_id where id = new.id;
  update todo_dependencies set owner_id = new.owner_id where todo = new.id;
  update workspace_events set owner_id = new.owner_id where item = new.id;
  return null;
end $$;
-- Triggers run in the order of their names: `memories_token_vectors` finds the rows where they are then.
create trigger memories_moved after update of owner_id on memories for each row
  when (old.owner_id <> new.owner_id) execute function take_rows_along();

-- Of every row from now on; the rows of before are looked at when they are filled.
alter table memory_versions       add constraint has_owner check (owner_id is not null) not valid;
alter table embeddings            add constraint has_owner check (owner_id is not null) not valid;
alter table token_vectors         add constraint has_owner check (owner_id is not null) not valid;
alter table recall_feedback       add constraint has_owner check (owner_id is not null) not valid;
alter table event_instants        add constraint has_owner check (owner_id is not null) not valid;
alter table todos                 add constraint has_owner check (owner_id is not null) not valid;
alter table decisions             add constraint has_owner check (owner_id is not null) not valid;
alter table todo_dependencies     add constraint has_owner check (owner_id is not null) not valid;
alter table workspace_events      add constraint has_owner check (owner_id is not null) not valid;
alter table maintenance_items     add constraint has_owner check (owner_id is not null) not valid;
alter table maintenance_survivors add constraint has_owner check (owner_id is not null) not valid;
alter table webhook_deliveries    add constraint has_owner check (owner_id is not null) not valid;
alter table idempotency_keys      add constraint has_owner check (owner_id is not null) not valid;
