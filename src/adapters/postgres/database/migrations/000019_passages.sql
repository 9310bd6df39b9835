-- A text of several passages has a vector for each, one after the other. Earlier rows have one for all of it, and those of long
-- texts are made again.
alter table embeddings add column passages smallint not null default 1 check (passages > 0);
