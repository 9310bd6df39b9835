-- How an index is divided: its shards (null: an earlier version made it), and of owners that are on several of them the names
-- of these, {"owner": ["name", ...]}. The table has a row or two.
alter table index_generations
  add column shards integer,
  add column spread jsonb not null default '{}';
