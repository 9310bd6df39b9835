--! batches of idempotency_keys by token_id
update idempotency_keys r set owner_id = o.owner_id from tokens o
where o.id = r.token_id and r.owner_id is null and r.token_id > $1 and r.token_id <= $2;
