--! batches of webhook_deliveries by webhook
update webhook_deliveries r set owner_id = o.owner_id from webhooks o
where o.id = r.webhook and r.owner_id is null and r.webhook > $1 and r.webhook <= $2;
