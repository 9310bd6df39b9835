/** Rows that belong to a row of another table say whose they are: those of before, of the version before, and of now. */
import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { type Address, connect, type Sql } from "../../src/adapters/postgres/database/client.ts";
import { migrate } from "../../src/adapters/postgres/database/migrate.ts";
import { migrationsWith } from "../support/further-migrations.ts";
import { ownDatabase } from "../support/own-database.ts";
import { expectServed } from "./serves.ts";

const FIRST = "000045_owner_columns.sql";
const FILLED = "000046_owners_validated.sql";

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

/** How many rows of each table have the owner of the row that they belong to, and how many another or none. */
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

/** An owner with two todos, of which one is a decision as well: a row in every table, written as it was before. */
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
    insert into memory_versions (memory, revision, state, valid_to)
    select id, 1, to_jsonb(m), now() from memories m where id = ${memory as string}`;
  await sql`
    insert into embedding_generations (provider, model, dimension) values ('p', 'm', 1) on conflict do nothing`;
  await sql`insert into token_generations (model, dimension) values ('m', 1) on conflict do nothing`;
  await sql`
    insert into embeddings (memory, generation, vector) select ${memory as string}, id, '\\x00' from embedding_generations
    where model = 'm'`;
  await sql`
    insert into token_vectors (memory, generation, passage, vectors)
    select ${memory as string}, id, 0, '\\x00' from token_generations where model = 'm'`;
  await sql`insert into recall_feedback (memory, token_id, helpful) values (${memory as string}, ${token as string}, true)`;
  await sql`
    insert into todos (id, content, status, priority, extra) values (${memory as string}, 'Do it.', 'open', 'normal', '{}')`;
  await sql`
    insert into decisions (id, context, options, status, extra) values (${memory as string}, 'Which?', '[]', 'proposed', '{}')`;
  await sql`insert into todo_dependencies (todo, depends_on, place) values (${memory as string}, ${memory as string}, 1)`;
  await sql`
    insert into workspace_events (item, at, operation, to_status, token_id, token_kind, trust)
    values (${memory as string}, now(), 'create', 'open', ${token as string}, 'api_key', 'token_bound')`;
  await sql`
    insert into maintenance_runs (id, owner_id, project_id, trigger, status, actions, truncated, token_id, started_by,
      authority, started_at)
    values (${run as string}, ${owner as string}, 'p', 'request', 'running', '{}', false, ${token as string}, 'me', '{}', now())`;
  await sql`
    insert into maintenance_items (run, place, action, reason, state) values (${run as string}, 0, 'archive', 'old', 'pending')`;
  await sql`
    insert into maintenance_survivors (run, memory, revision) values (${run as string}, ${memory as string}, 1)`;
  await sql`
    insert into webhooks (id, owner_id, token_id, authority, url, secret, position)
    values (${webhook as string}, ${owner as string}, ${token as string}, '{}', 'https://x.example', '\\x00', 0)`;
  const [event] = await sql`
    insert into events (memory, owner_id, memory_id, scope, subject, kind, revision, at, is_gone)
    values (${memory as string}, ${owner as string}, 'm', 'private', 'memory', 'created', 1, now(), false)
    returning position`;
  await sql`
    insert into webhook_deliveries (webhook, position, memory)
    values (${webhook as string}, ${event?.position as number}, ${memory as string})`;
  await sql`
    insert into idempotency_keys (token_id, key_hash, request_hash, answer)
    values (${token as string}, '\\x00', '\\x00', '{}')`;
  return { owner: owner as string, memory: memory as string };
}

test("rows of before, of the version before while it is migrated and after, all get their owner", async () => {
  const sql = opened(await ownDatabase({ empty: true }));
  await migrate(sql, { folder: migrationsWith({}, { before: FIRST }).folder });
  await ownerWithRows(sql, "before");
  // An instant without a memory, which no foreign key keeps away.
  await sql`insert into event_instants (memory, kind, at) values (${randomUUID()}, 'expired', now())`;
  await migrate(sql, { folder: migrationsWith({}, { before: "000046" }).folder });
  const { memory } = await ownerWithRows(sql, "meanwhile");
  // What is not filled yet is when it is changed.
  await sql`update recall_feedback set helpful = false`;
  expect((await owned(sql)).recall_feedback).toEqual({ theirs: 2, others: 0 });
  await migrate(sql, { folder: migrationsWith({}, { before: FILLED }).folder });
  expect(await owned(sql)).toEqual(each(2));
  await migrate(sql);
  await ownerWithRows(sql, "after");
  expect(await owned(sql)).toEqual(each(3));
  const [columns] = await sql`
    select count(*)::int as count from pg_attribute
    where attname = 'owner_id' and attnotnull and attrelid = any(${BELONGING.map(([table]) => table)}::regclass[])`;
  expect(columns?.count).toBe(BELONGING.length);
  await sql`delete from memories where id = ${memory}`;
  expect((await owned(sql)).event_instants).toEqual({ theirs: 2, others: 0 });
});

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

test("a program of now writes the owner itself: it serves where nothing does it in its stead", async () => {
  const address = await ownDatabase();
  const sql = opened(address);
  for (const [table] of BELONGING) await sql`drop trigger ${sql(`${table}_owner`)} on ${sql(table)}`;
  await expectServed(address);
}, 240_000);
