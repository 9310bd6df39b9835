import { connect } from "../../src/adapters/postgres/database/client.ts";
import { merged, quantileMs, type Timing } from "./closed-loop.ts";
import type { HttpClient } from "./http-client.ts";
import { type Contestant, interleave } from "./interleave.ts";
import { type Home, withClients } from "./processes.ts";
import { repeating } from "./requests.ts";
import { milliseconds, ratio, type Table } from "./table.ts";

const AT_ONCE = 20_000;
const DAY_MS = 86_400_000;

/**
 * Pages of lists of one owner with so many memories, in turns with a read by id: the first and the last, with the number of
 * all that match, by each filter that the number is looked up for, and by one for which it is counted. And the todos of a
 * large project, whole, with its context.
 */
export async function measureLists(home: Home, memories: number, seconds: number): Promise<Table> {
  const server = await home.server();
  console.error(`lists: filling an owner with ${memories} memories`);
  const { middle, last } = await fillOwner(home, memories);
  await fillTodos(home);
  const turns = await withClients(server, 1, async (clients) => {
    const live = await totalOf(clients[0]);
    const pages: Record<string, string> = {
      "read by id": `/v1/memories/${middle}`,
      "first, 1 memory": "?limit=1",
      "first, 20 memories": "?limit=20",
      "first, 100 memories": "",
      "last by cursor, 1 memory": `?limit=1&cursor=${last.one}`,
      "last by cursor, 20 memories": `?limit=20&cursor=${last.twenty}`,
      "last by cursor, 100 memories": `?limit=100&cursor=${last.hundred}`,
      "last by offset, 1 memory": `?limit=1&offset=${live - 1}`,
      "last by offset, 20 memories": `?limit=20&offset=${live - 20}`,
      "middle by offset, 1 memory": `?limit=1&offset=${live >> 1}`,
      "total of every status": "?limit=1&status=%25",
      "total of a type": "?limit=1&memory_type=episodic",
      "total of a bucket": "?limit=1&bucket=work",
      "total of a project": "?limit=1&project_id=project-1",
      "total of a path": "?limit=1&path=notes/1/%25",
      [`todos of a project of ${TODOS}`]: `/v1/projects/${PROJECT}/todos`,
      "those of them that are blocked": `/v1/projects/${PROJECT}/todos?status=blocked`,
    };
    const asked = Object.entries(pages).map(([name, page]): [string, Contestant] => [
      name,
      repeating(clients, (client) => answered(client, page.startsWith("/") ? page : `/v1/memories${page}`)),
    ]);
    const context = repeating(clients, async (client) => {
      const answer = await client?.post(`/v1/projects/${PROJECT}/context`, {});
      if (answer?.status !== 200) throw new Error(`a context: ${answer?.status}`);
    });
    return interleave({ ...Object.fromEntries(asked), "context of that project": context }, seconds);
  });
  return tableOf(turns, memories);
}

async function totalOf(client: HttpClient | undefined): Promise<number> {
  const answer = await client?.get("/v1/memories?limit=1");
  return (JSON.parse(answer?.body.toString() ?? "{}") as { total: number }).total;
}

async function answered(client: HttpClient | undefined, path: string): Promise<void> {
  const answer = await client?.get(path);
  if (answer?.status !== 200) throw new Error(`GET ${path}: ${answer?.status}`);
}

/**
 * Writes the memories of the bench's own owner with statements alone, one in fifty of a project and one in forty for a time.
 * Answers the id of one in the middle, and the cursors of the last pages by how many memories they have.
 */
export async function fillOwner(home: Home, memories: number) {
  const sql = connect(await home.database(), 1);
  try {
    const [owner] = await sql`select id from owners where kind = 'user' order by id limit 1`;
    const from = Date.now() - 30 * DAY_MS;
    const indexes = await sql`
      select indexdef as definition, format('%I', indexname) as name from pg_indexes
      where tablename = 'memories' and indexname not in (select conname from pg_constraint)`;
    // As a dump is loaded: without triggers, and indexes made at the end.
    await sql`set session_replication_role = replica`;
    for (const { name } of indexes) await sql.unsafe(`drop index ${name}`);
    for (let at = 0; at < memories; at += AT_ONCE) {
      await sql`
        insert into memories (id, owner_id, memory_id, author_id, author_token, scope, path, bucket, memory_type, status,
          project_id, content, version, importance, confidence, metadata, provenance, expires_at, created_at, updated_at)
        select made.id, ${owner?.id}, made.id::text, ${owner?.id}, ${owner?.id}, 'private', 'notes/' || i % 50 || '/' || i % 1000,
          (array['public', 'public', 'work'])[i % 3 + 1], (array['semantic', 'episodic', 'working'])[i % 3 + 1],
          case when i % 25 = 7 then 'archived' else 'active' end,
          case when i % 50 = 0 then 'project-' || i / 50 % 4 end, 'Memory ' || i || ' says what was agreed.', 1, 0.5, 1,
          '{}', '{}', case when i % 40 = 1 then now() + (i % 60 - 30) * interval '12 hours' end, made.at, made.at
        from generate_series(${at}::int, ${Math.min(at + AT_ONCE, memories) - 1}::int) i
        cross join lateral (
          select gen_random_uuid() as id, ${from}::timestamptz + i * interval '1 millisecond' as at
        ) made`;
      if ((at / AT_ONCE) % 10 === 0) console.error(`  ${at}`);
    }
    console.error("  and indexes");
    for (const { definition } of indexes) await sql.unsafe(definition);
    await sql`select recount_memories()`;
    // What autovacuum does within minutes.
    await sql`vacuum analyze`;
    const [middle] =
      await sql`select memory_id from memories order by created_at offset ${memories >> 1} limit 1`;
    const oldest = await sql`
      select floor(extract(epoch from created_at) * 1000)::bigint as at, seq from memories m
      where status = 'active' and (expires_at is null or expires_at > now()) order by created_at, m.seq limit 101`;
    const cursor = (count: number) => `${oldest[count]?.at}.${oldest[count]?.seq}`;
    return {
      middle: middle?.memory_id as string,
      last: { one: cursor(1), twenty: cursor(20), hundred: cursor(100) },
    };
  } finally {
    await sql.end();
  }
}

const TODOS = 10_000;
const PROJECT = "ten-thousand-todos";

/** A project as large as lists of todos are: a third of them done, one in a hundred blocked, one in five waiting for another. */
async function fillTodos(home: Home): Promise<void> {
  const sql = connect(await home.database(), 1);
  try {
    const [owner] = await sql`select id from owners where kind = 'user' order by id limit 1`;
    await sql`
      create temporary table made as
      select i, gen_random_uuid() as id, now() - i * interval '1 minute' as at,
        case when i % 3 = 0 then 'completed' when i % 100 = 1 then 'blocked' else 'open' end as status,
        case when i % 4 = 1 then now() + (i % 60 - 20) * interval '1 day' end as due_at
      from generate_series(1, ${TODOS}::int) i`;
    await sql`
      insert into memories (id, owner_id, memory_id, author_id, author_token, scope, project_id, path, bucket, memory_type,
        workspace_item, item_status, due_at, status, content, version, importance, confidence, metadata, provenance, created_at,
        updated_at)
      select id, ${owner?.id}, id::text, ${owner?.id}, ${owner?.id}, 'private', ${PROJECT}, ${`projects/${PROJECT}/todos`}, 'work',
        'todo', 'todo', status, due_at, case status when 'completed' then 'completed' else 'active' end,
        'Todo ' || i || ' says what is to be done.', 1, 0.5, 1, '{}', '{}', at, at from made`;
    await sql`
      insert into todos (
        owner_id, id, content, status, priority, blocked_from, blocked_reason, due_at, ended_at, extra)
      select ${owner?.id}, id, 'Todo ' || i || ' says what is to be done.', status, (array['low', 'normal', 'high', 'urgent'])[i % 4 + 1],
        case status when 'blocked' then 'open' end, case status when 'blocked' then 'waiting' end, due_at,
        case status when 'completed' then at end, '{}' from made`;
    await sql`
      insert into todo_dependencies (owner_id, todo, depends_on, place)
      select ${owner?.id}, made.id, needed.id, 0 from made join made needed on needed.i = made.i + 1 where made.i % 5 = 0`;
    await sql`
      insert into workspace_events (owner_id, item, at, operation, to_status, token_id, token_kind, trust)
      select ${owner?.id}, id, at, 'create', 'open', ${owner?.id}, 'api_key', 'unattributed' from made`;
    await sql`vacuum analyze`;
  } finally {
    await sql.end();
  }
}

function tableOf(turns: Readonly<Record<string, Timing[]>>, memories: number): Table {
  const p50 = (name: string) => quantileMs(merged(turns[name] as Timing[]), 0.5);
  const rows = Object.keys(turns).map((name) => [
    name,
    milliseconds(p50(name)),
    milliseconds(quantileMs(merged(turns[name] as Timing[]), 0.99)),
    ratio(p50(name) / p50("read by id")),
  ]);
  return {
    title: `Lists of an owner with ${memories} memories, one client`,
    columns: ["", "p50", "p99", "of a read by id"],
    rows,
    remark: "Every page says how many there are in all. Totals are those of pages of one memory.",
  };
}
