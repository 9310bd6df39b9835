--! batches of maintenance_survivors by run
update maintenance_survivors r set owner_id = o.owner_id from maintenance_runs o
where o.id = r.run and r.owner_id is null and r.run > $1 and r.run <= $2;
