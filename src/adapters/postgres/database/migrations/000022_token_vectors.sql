-- What makes token vectors: a model, and how many components each vector has. Vectors of two of them are never compared.
create table token_generations (
  id         integer generated always as identity primary key,
  model      text not null,
  dimension  integer not null check (dimension > 0),
  created_at timestamptz not null default now(),
  unique (model, dimension)
);

-- The vectors of a passage's word pieces, one after the other, 4 bits for each component. A memory has a row for each of its
-- passages, made after the write, or none of a generation. Empty: the passage has no word that the model knows.
create table token_vectors (
  memory     uuid not null references memories on delete cascade,
  generation integer not null references token_generations,
  passage    smallint not null check (passage >= 0),
  vectors    bytea not null,
  primary key (memory, generation, passage)
);
-- Vectors do not compress. Statistics hold samples of values, which an erasure would not reach.
alter table token_vectors alter column vectors set storage external, alter column vectors set statistics 0;

-- Vectors tell of the text that they were made of. So they go with it, in the same transaction, whatever changes it.
create function forget_token_vectors() returns trigger language plpgsql as $$
begin
  delete from token_vectors where memory = new.id;
  return null;
end $$;

create trigger memories_token_vectors after update of content, status on memories for each row
  when (new.content is distinct from old.content or new.status = 'redacted')
  execute function forget_token_vectors();
