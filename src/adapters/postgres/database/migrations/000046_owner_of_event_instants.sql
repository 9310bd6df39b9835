--! batches of event_instants by memory
-- No foreign key leads from an instant to its memory: one without would have no owner.
with gone as (
  delete from event_instants r where r.owner_id is null and r.memory > $1 and r.memory <= $2
    and not exists (select from memories o where o.id = r.memory)
)
update event_instants r set owner_id = o.owner_id from memories o
where o.id = r.memory and r.owner_id is null and r.memory > $1 and r.memory <= $2;
