--! batches of decisions by id
update decisions r set owner_id = o.owner_id from memories o
where o.id = r.id and r.owner_id is null and r.id > $1 and r.id <= $2;
