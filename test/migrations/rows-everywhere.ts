import type { Sql } from "../../src/adapters/postgres/database/client.ts";

/** How many rows each table gets that grows with use. */
export const ROWS = 400;

const OWNER = "00000000-0000-7000-8000-000000000001";

/** Rows in the tables that grow with use, and statistics of them. Answers the names of those tables. */
export async function rowsEverywhere(sql: Sql): Promise<string[]> {
  const series = sql`generate_series(1, ${ROWS}) i`;
  await sql`insert into owners (id, kind, name) values (${OWNER}, 'user', 'alice')`;
  await sql`insert into owners (id, kind, name) select gen_random_uuid(), 'user', 'user ' || i from ${series}`;
  await sql`
    insert into tokens (id, kind, hash, hint, owner_id, scopes)
    select gen_random_uuid(), 'api_key', sha256(i::text::bytea), 'h', ${OWNER}, '{}' from ${series}`;
  await sql`
    insert into memories (id, owner_id, memory_id, author_id, author_token, scope, path, bucket, memory_type, status,
      content, version, importance, confidence, metadata, provenance, created_at, updated_at)
    select gen_random_uuid(), ${OWNER}, 'm' || i, ${OWNER}, ${OWNER}, 'private', 'p', 'b', 'semantic', 'active',
      'Said ' || i, 1, 0.5, 1, '{}', '{}', now(), now() from ${series}`;
  await sql`
    insert into memory_versions (owner_id, memory, revision, state, valid_to)
    select owner_id, id, 1, to_jsonb(m), now() from memories m`;
  await sql`insert into embedding_generations (provider, model, dimension) values ('p', 'm', 1)`;
  await sql`
    insert into embeddings (owner_id, memory, generation, vector)
    select m.owner_id, m.id, g.id, '\\x00' from memories m cross join embedding_generations g`;
  await sql`insert into audit_log (owner_id, operation) select ${OWNER}, 'read' from ${series}`;
  await sql`insert into outbox (owner_id, memory, revision, kind) select ${OWNER}, id, 1, 'put' from memories`;
  await sql`
    insert into recall_feedback (owner_id, memory, token_id, helpful) select owner_id, id, ${OWNER}, true from memories`;
  await sql`
    insert into idempotency_keys (owner_id, token_id, key_hash, request_hash, answer)
    select owner_id, id, hash, hash, '{}' from tokens`;
  await sql`
    insert into receipts (id, owner_id, token_id, remaining, removed, digest, pending)
    select gen_random_uuid(), ${OWNER}, ${OWNER}, '{}', '{}', 'd', 0 from ${series}`;
  await sql`
    insert into tombstones (memory, owner_id, revision) select gen_random_uuid(), ${OWNER}, 1 from ${series}`;
  await sql`
    insert into events (memory, owner_id, memory_id, scope, subject, kind, revision, at, is_gone)
    select id, ${OWNER}, memory_id, 'private', 'memory', 'created', 1, now(), false from memories`;
  await sql`
    insert into workspace_events (owner_id, item, at, operation, to_status, token_id, token_kind, trust)
    select owner_id, id, now(), 'create', 'open', ${OWNER}, 'api_key', 'token_bound' from memories`;
  await sql`
    insert into token_generations (model, dimension) values ('m', 1)`;
  await sql`
    insert into token_vectors (owner_id, memory, generation, passage, vectors)
    select m.owner_id, m.id, g.id, 0, '\\x00' from memories m cross join token_generations g`;
  await sql`
    insert into index_snapshots (owner_id, generation, snapshot, part, bytes)
    select o.id, g.id, gen_random_uuid(), 0, '\\x00' from owners o cross join embedding_generations g`;
  await sql`insert into event_instants (owner_id, memory, kind, at) select owner_id, id, 'expired', now() from memories`;
  await sql`
    insert into todos (owner_id, id, content, status, priority, extra)
    select owner_id, id, 'Do it.', 'open', 'normal', '{}' from memories`;
  await sql`insert into todo_dependencies (owner_id, todo, depends_on, place) select owner_id, id, id, 1 from memories`;
  await sql`
    insert into decisions (owner_id, id, context, options, status, extra)
    select owner_id, id, 'Which?', '[]', 'proposed', '{}' from memories`;
  await sql`
    insert into maintenance_runs (id, owner_id, project_id, trigger, status, actions, truncated, token_id, started_by,
      authority, started_at)
    select gen_random_uuid(), ${OWNER}, 'p', 'request', 'running', '{}', false, ${OWNER}, 'me', '{}', now() from ${series}`;
  await sql`
    insert into maintenance_items (owner_id, run, place, action, reason, state)
    select owner_id, id, 0, 'archive', 'old', 'pending' from maintenance_runs`;
  await sql`insert into maintenance_survivors (owner_id, run, memory, revision)
    select owner_id, id, id, 1 from maintenance_runs`;
  await sql`
    insert into webhooks (id, owner_id, token_id, authority, url, secret, position)
    select gen_random_uuid(), ${OWNER}, ${OWNER}, '{}', 'https://x.example', '\\x00', 0 from ${series}`;
  await sql`
    insert into webhook_deliveries (owner_id, webhook, position, memory)
    select e.owner_id, w.id, e.position, e.memory from (select id, row_number() over () as place from webhooks) w
    join (select owner_id, position, memory, row_number() over () as place from events) e using (place)`;
  await sql.unsafe("analyze");
  const tables = await sql`
    select oid::regclass::text as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples >= ${ROWS} order by 1`;
  return tables.map(({ name }) => name as string);
}
