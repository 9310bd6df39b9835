-- Labels that are compared are kept in NFC: buckets, and the names of sessions and agents. What was stored otherwise is
-- brought to that form, in its earlier versions too. One pass over each table; only rows with such a label are written, as
-- a change that the indexes learn of.

-- What dedupe compares, as the service hashes it: white space as JavaScript knows it, and JSON as it writes it.
create function pg_temp.dedupe_hash(m memories, bucket text, status text, session text) returns bytea
  language sql immutable as $$
    select sha256(convert_to(array_to_json(array[
      btrim(regexp_replace(
        normalize(m.content, nfc), '[\u0009-\u000d \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+', ' ', 'g'
      )),
      m.project_id, m.path, bucket, m.scope, m.memory_type, status, m.semantic_key,
      case when m.memory_type = 'working' then session end
    ])::text, 'UTF8'))
  $$;

-- The names in a memory's provenance, in NFC.
create function pg_temp.names_in(provenance jsonb) returns jsonb
  language sql immutable as $$
    select coalesce(jsonb_object_agg(key, normalize(value, nfc)), '{}')
    from jsonb_each_text(provenance) where key in ('session_id', 'task_id', 'agent_id', 'agent_name')
  $$;

-- The hash has the status that the memory had when it was made or last changed, which need not be today's.
with changed as (
  update memories m set
    bucket = normalize(m.bucket, nfc),
    session_id = normalize(m.session_id, nfc),
    agent_id = normalize(m.agent_id, nfc),
    item_agent = normalize(m.item_agent, nfc),
    provenance = m.provenance || pg_temp.names_in(m.provenance),
    dedupe_hash = coalesce((
      select pg_temp.dedupe_hash(m, normalize(m.bucket, nfc), status, normalize(m.session_id, nfc))
      from unnest(array['active', 'started', 'completed', 'archived', 'superseded']) status
      where m.dedupe_hash = pg_temp.dedupe_hash(m, m.bucket, status, m.session_id) limit 1
    ), m.dedupe_hash),
    revision = m.revision + 1,
    changed_xid = pg_current_xact_id()
  where m.bucket is not nfc normalized or m.session_id is not nfc normalized or m.agent_id is not nfc normalized
    or m.item_agent is not nfc normalized
  returning m.owner_id, m.id, m.revision
)
insert into outbox (owner_id, memory, revision, kind) select owner_id, id, revision, 'put' from changed;

update memory_versions v set state = v.state || jsonb_build_object(
  'bucket', normalize(v.state ->> 'bucket', nfc),
  'session_id', normalize(v.state ->> 'session_id', nfc),
  'agent_id', normalize(v.state ->> 'agent_id', nfc),
  'provenance', (v.state -> 'provenance') || pg_temp.names_in(v.state -> 'provenance')
)
where v.state ->> 'bucket' is not nfc normalized or v.state ->> 'session_id' is not nfc normalized
  or v.state ->> 'agent_id' is not nfc normalized;

update todos set assignee = normalize(assignee, nfc), accepted_by = normalize(accepted_by, nfc)
where assignee is not nfc normalized or accepted_by is not nfc normalized;
update decisions set proposed_by = normalize(proposed_by, nfc), resolved_by = normalize(resolved_by, nfc)
where proposed_by is not nfc normalized or resolved_by is not nfc normalized;
update workspace_events set agent_id = normalize(agent_id, nfc) where agent_id is not nfc normalized;

-- What a credential is confined to.
update tokens set buckets = array(select normalize(bucket, nfc) from unnest(buckets) bucket)
where exists (select from unnest(buckets) bucket where bucket is not nfc normalized);

drop function pg_temp.dedupe_hash(memories, text, text, text);
drop function pg_temp.names_in(jsonb);
