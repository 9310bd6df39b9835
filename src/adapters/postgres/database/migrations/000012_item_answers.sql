-- Which memories, todos and decisions among them, the answer kept for an Idempotency-Key may tell of, so that what it says
-- goes with them. A nullable column, filled for the answers of the last 24 hours about todos and decisions. What others name
-- of a memory, and what an older server keeps beside it meanwhile, is not known by its items, and gone after 24 hours.
alter table idempotency_keys add column items uuid[];
update idempotency_keys k set items = array(
    select (id #>> '{}')::uuid from jsonb_path_query(k.answer, '$.todo_id') id
    union
    select (id #>> '{}')::uuid from jsonb_path_query(k.answer, '$.decision_id') id)
where jsonb_path_exists(k.answer, '$.todo_id') or jsonb_path_exists(k.answer, '$.decision_id');
create index idempotency_keys_by_item on idempotency_keys using gin (items) where items is not null;
