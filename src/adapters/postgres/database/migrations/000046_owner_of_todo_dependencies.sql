--! batches of todo_dependencies by todo
update todo_dependencies r set owner_id = o.owner_id from memories o
where o.id = r.todo and r.owner_id is null and r.todo > $1 and r.todo <= $2;
