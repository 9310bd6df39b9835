-- How often an index was compared with the record: each time another portion of the owners is looked at as a whole. The table has
-- a row or two.
alter table index_generations add column checks integer not null default 0;
