--! batches of workspace_events by item
update workspace_events r set owner_id = o.owner_id from memories o
where o.id = r.item and r.owner_id is null and r.item > $1 and r.item <= $2;
