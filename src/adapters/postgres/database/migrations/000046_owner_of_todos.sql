--! batches of todos by id
update todos r set owner_id = o.owner_id from memories o
where o.id = r.id and r.owner_id is null and r.id > $1 and r.id <= $2;
