-- Whose vector it is. A caller's own is searched by, but does not say which memories are the same: a copied vector would.
-- Earlier ones are taken for the service's.
alter table embeddings add column by_caller boolean not null default false;
create index embeddings_of_callers on embeddings (memory) where by_caller;
