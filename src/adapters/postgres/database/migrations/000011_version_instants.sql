-- Imports wrote an instant of an earlier state (due_at) as a number of milliseconds, which no column of memories can be
-- read from: the history of such a memory, and any export, failed. They become times, whichever columns they are in.
-- Reads every version once and writes the broken ones alone: about a second for 100,000 versions. Takes no lock but those
-- of the rows it mends, and may run beside an older server.
update memory_versions v
set state = v.state || mended.instants
from (
  select broken.memory, broken.revision,
         jsonb_object_agg(instant.name, to_jsonb(
           timestamptz 'epoch' + (broken.state ->> instant.name)::double precision * interval '1 millisecond'
         )) as instants
  from memory_versions broken
  join (
    select attname as name from pg_attribute
    where attrelid = 'memories'::regclass and atttypid = 'timestamptz'::regtype and not attisdropped
  ) instant on jsonb_typeof(broken.state -> instant.name) = 'number'
  group by broken.memory, broken.revision
) mended
where v.memory = mended.memory and v.revision = mended.revision;
