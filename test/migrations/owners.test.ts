/** Rows that belong to a row of another table have that row's owner, also after a move. */
import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { type Address, connect, type Sql } from "../../src/adapters/postgres/database/client.ts";
import { ownDatabase } from "../support/own-database.ts";

/** Each table, the column that leads to the row with the owner, and that row's table. */
const BELONGING = [
  ["memory_versions", "memory", "memories"],
  ["embeddings", "memory", "memories"],
  ["token_vectors", "memory", "memories"],
  ["recall_feedback", "memory", "memories"],
  ["event_instants", "memory", "memories"],
  ["todos", "id", "memories"],
  ["decisions", "id", "memories"],
  ["todo_dependencies", "todo", "memories"],
  ["workspace_events", "item", "memories"],
  ["maintenance_items", "run", "maintenance_runs"],
  ["maintenance_survivors", "run", "maintenance_runs"],
  ["webhook_deliveries", "webhook", "webhooks"],
  ["idempotency_keys", "token_id", "tokens"],
] as const;

function opened(address: Address): Sql {
  const sql = connect(address, 2);
  onTestFinished(() => sql.end({ timeout: 1 }));
  return sql;
}

/** Rows of each table with the owner of the row that they belong to (`theirs`), and with another (`others`). */
async function owned(sql: Sql): Promise<Record<string, { theirs: number; others: number }>> {
  const found: Record<string, { theirs: number; others: number }> = {};
  for (const [table, column, parent] of BELONGING) {
    const [row] = await sql`
      select count(*) filter (where o.owner_id = r.owner_id)::int as theirs,
        count(*) filter (where o.owner_id is distinct from r.owner_id)::int as others
      from ${sql(table)} r left join ${sql(parent)} o on o.id = r.${sql(column)}`;
    found[table] = { theirs: row?.theirs as number, others: row?.others as number };
  }
  return found;
}

const each = (theirs: number) =>
  Object.fromEntries(BELONGING.map(([table]) => [table, { theirs, others: 0 }]));

/** An owner with two memories, one of them a todo and a decision: a row in every table. */
async function ownerWithRows(sql: Sql, name: string): Promise<{ owner: string; memory: string }> {
  const [owner, memory, other, token, run, webhook] = Array.from({ length: 6 }, () => randomUUID());
  await sql`insert into owners (id, kind, name) values (${owner as string}, 'user', ${name})`;
  await sql`
    insert into tokens (id, kind, hash, hint, owner_id, scopes)
    values (${token as string}, 'api_key', sha256(${name}::text::bytea), 'h', ${owner as string}, '{}')`;
  // The clock will change it: so there is an instant.
  await sql`
    insert into memories (id, owner_id, memory_id, author_id, author_token, scope, path, bucket, memory_type, status,
      content, version, importance, confidence, metadata, provenance, created_at, updated_at, expires_at)
    select id, ${owner as string}, id::text, ${owner as string}, ${token as string}, 'private', 'p', 'b', 'semantic',
      'active', 'Said.', 1, 0.5, 1, '{}', '{}', now(), now(), case when id = ${memory as string} then now() + interval '9 days' end
    from unnest(${[memory, other] as string[]}::uuid[]) id`;
  await sql`
    insert into memory_versions (owner_id, memory, revision, state, valid_to)
    select owner_id, id, 1, to_jsonb(m), now() from memories m where id = ${memory as string}`;
  await sql`
    insert into embedding_generations (provider, model, dimension) values ('p', 'm', 1) on conflict do nothing`;
  await sql`insert into token_generations (model, dimension) values ('m', 1) on conflict do nothing`;
  await sql`
    insert into embeddings (owner_id, memory, generation, vector)
    select ${owner as string}, ${memory as string}, id, '\\x00' from embedding_generations
    where model = 'm'`;
  await sql`
    insert into token_vectors (owner_id, memory, generation, passage, vectors)
    select ${owner as string}, ${memory as string}, id, 0, '\\x00' from token_generations where model = 'm'`;
  await sql`insert into recall_feedback (owner_id, memory, token_id, helpful)
    values (${owner as string}, ${memory as string}, ${token as string}, true)`;
  await sql`
    insert into todos (owner_id, id, content, status, priority, extra)
    values (${owner as string}, ${memory as string}, 'Do it.', 'open', 'normal', '{}')`;
  await sql`
    insert into decisions (owner_id, id, context, options, status, extra)
    values (${owner as string}, ${memory as string}, 'Which?', '[]', 'proposed', '{}')`;
  await sql`insert into todo_dependencies (owner_id, todo, depends_on, place)
    values (${owner as string}, ${memory as string}, ${memory as string}, 1)`;
  await sql`
    insert into workspace_events (owner_id, item, at, operation, to_status, token_id, token_kind, trust)
    values (${owner as string}, ${memory as string}, now(), 'create', 'open', ${token as string}, 'api_key', 'token_bound')`;
  await sql`
    insert into maintenance_runs (id, owner_id, project_id, trigger, status, actions, truncated, token_id, started_by,
      authority, started_at)
    values (${run as string}, ${owner as string}, 'p', 'request', 'running', '{}', false, ${token as string}, 'me', '{}', now())`;
  await sql`
    insert into maintenance_items (owner_id, run, place, action, reason, state)
    values (${owner as string}, ${run as string}, 0, 'archive', 'old', 'pending')`;
  await sql`
    insert into maintenance_survivors (owner_id, run, memory, revision)
    values (${owner as string}, ${run as string}, ${memory as string}, 1)`;
  await sql`
    insert into webhooks (id, owner_id, token_id, authority, url, secret, position)
    values (${webhook as string}, ${owner as string}, ${token as string}, '{}', 'https://x.example', '\\x00', 0)`;
  const [event] = await sql`
    insert into events (memory, owner_id, memory_id, scope, subject, kind, revision, at, is_gone)
    values (${memory as string}, ${owner as string}, 'm', 'private', 'memory', 'created', 1, now(), false)
    returning position`;
  await sql`
    insert into webhook_deliveries (owner_id, webhook, position, memory)
    values (${owner as string}, ${webhook as string}, ${event?.position as number}, ${memory as string})`;
  await sql`
    insert into idempotency_keys (owner_id, token_id, key_hash, request_hash, answer)
    values (${owner as string}, ${token as string}, '\\x00', '\\x00', '{}')`;
  return { owner: owner as string, memory: memory as string };
}

test("what belongs to a memory goes with it to another owner, whoever moves it", async () => {
  const sql = opened(await ownDatabase());
  const from = await ownerWithRows(sql, "from");
  const to = await ownerWithRows(sql, "to");
  await sql`
    update memories set owner_id = ${to.owner}, content = 'Moved.', revision = revision + 1 where id = ${from.memory}`;
  const now = await owned(sql);
  // The vectors of the former text are gone.
  expect(now).toEqual({ ...each(2), token_vectors: { theirs: 1, others: 0 } });
  await sql`update memories set owner_id = ${from.owner}, revision = revision + 1 where id = ${from.memory}`;
  expect(await owned(sql)).toEqual(now);
});
