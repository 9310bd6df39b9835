--! concurrently
-- Pages in the order of lists, for what an owner may have little of among very much else: a project, and what is of an unusual
-- type, bucket or status. What is usual stands at every page of the order of all, and needs no entry here.
create index concurrently memories_newest_of_project on memories (owner_id, project_id, created_at desc, seq desc)
  where project_id is not null;
create index concurrently memories_newest_of_type on memories (owner_id, memory_type, created_at desc, seq desc)
  where memory_type not in ('semantic', 'episodic', 'working');
create index concurrently memories_newest_of_bucket on memories (owner_id, bucket, created_at desc, seq desc)
  where bucket <> 'public';
create index concurrently memories_newest_of_status on memories (owner_id, status, created_at desc, seq desc)
  where status not in ('active', 'started', 'completed');
-- The first has all that it had.
drop index concurrently memories_by_project;
-- Lines of the log are written in the order of their age: a few hundred bytes say where the old ones are, and no write is
-- slower for it.
create index concurrently audit_log_by_age on audit_log using brin (at);
