--! concurrently
-- Todos and decisions in the order of lists, as `memories_listed` has the memories: full text of a very large owner looks at the
-- newest of both.
create index concurrently memories_listed_items on memories (owner_id, created_at desc, seq desc)
  where workspace_item is not null;
