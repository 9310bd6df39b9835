-- A new memory is written in one statement where nothing that is stored bears on it: it takes its locks, looks, and writes.

-- The order is the same everywhere, so that two writes cannot deadlock: owners first, shared, so that whoever locks an owner alone
-- waits for all; then ids, texts and facts. Each list is in order itself.
create function take_locks(owners bigint[], keys bigint[]) returns boolean language plpgsql as $$
declare
  number bigint;
begin
  foreach number in array owners loop
    perform pg_advisory_xact_lock_shared(number);
  end loop;
  foreach number in array keys loop
    perform pg_advisory_xact_lock(number);
  end loop;
  return true;
end $$;

-- Whether something that is stored may bear on a new memory: has its id, is equal, states its fact, or has the letters and signs of
-- one of the texts at its path. It asks the indexes alone, and whatever has expired: what it finds is for a transaction to judge.
-- Volatile, so that it sees what is committed when it is asked, also within a statement that has waited for locks before.
create function is_opposed(new_owner uuid, new_id text, new_hash bytea, new_key text, new_path text, texts text[])
  returns boolean language plpgsql volatile as $$
begin
  return
    exists (select from memories m where m.owner_id = new_owner and m.memory_id = new_id)
    or exists (
      select from memories m where m.owner_id = new_owner and m.dedupe_hash = new_hash
        and (m.status in ('active', 'started', 'completed') or m.superseded_until is not null)
    )
    or exists (select from memories m where m.owner_id = new_owner and m.semantic_key = new_key)
    or exists (
      select from unnest(texts) as t (text) cross join memories m
      where m.owner_id = new_owner and bare_words(m.path, m.content) = bare_words(new_path, t.text)
        and m.dedupe_hash is not null
        and (m.status in ('active', 'started', 'completed') or m.superseded_until is not null)
    );
end $$;
