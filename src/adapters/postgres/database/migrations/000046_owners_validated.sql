--! concurrently
alter table memory_versions validate constraint has_owner;
alter table embeddings validate constraint has_owner;
alter table token_vectors validate constraint has_owner;
alter table recall_feedback validate constraint has_owner;
alter table event_instants validate constraint has_owner;
alter table todos validate constraint has_owner;
alter table decisions validate constraint has_owner;
alter table todo_dependencies validate constraint has_owner;
alter table workspace_events validate constraint has_owner;
alter table maintenance_items validate constraint has_owner;
alter table maintenance_survivors validate constraint has_owner;
alter table webhook_deliveries validate constraint has_owner;
alter table idempotency_keys validate constraint has_owner;
