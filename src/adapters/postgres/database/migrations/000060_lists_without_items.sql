--! concurrently
-- Lists of memories have no todos or decisions: the indexes that have the order of lists leave them out, so that a page is not
-- behind all that are newer. Whatever else reads an owner's rows has other indexes; of a project's there is none but this, so
-- that they stay in it, with what tells them apart.
create index concurrently memories_listed on memories (owner_id, created_at desc, seq desc)
  where workspace_item is null;
create index concurrently memories_listed_of_project
  on memories (owner_id, project_id, created_at desc, seq desc, workspace_item)
  where project_id is not null;
create index concurrently memories_listed_of_type on memories (owner_id, memory_type, created_at desc, seq desc)
  where memory_type not in ('semantic', 'episodic', 'working') and workspace_item is null;
create index concurrently memories_listed_of_bucket on memories (owner_id, bucket, created_at desc, seq desc)
  where bucket <> 'public' and workspace_item is null;
create index concurrently memories_listed_of_status on memories (owner_id, status, created_at desc, seq desc)
  where status not in ('active', 'started', 'completed') and workspace_item is null;
drop index concurrently memories_newest;
drop index concurrently memories_newest_of_project;
drop index concurrently memories_newest_of_type;
drop index concurrently memories_newest_of_bucket;
drop index concurrently memories_newest_of_status;
