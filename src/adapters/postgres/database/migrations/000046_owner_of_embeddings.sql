--! batches of embeddings by memory
update embeddings r set owner_id = o.owner_id from memories o
where o.id = r.memory and r.owner_id is null and r.memory > $1 and r.memory <= $2;
