import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, openWorld, type World } from "../support/world.ts";
import { freshProject, ok, wholeList, workspaceOf } from "./workspace.ts";

let world: World;
let client: Client;
beforeAll(async () => {
  world = await openWorld();
  client = await world.client();
});
afterAll(() => world.close());

/** As many rows as there are, each a copy of the first with another id, made by the database itself. */
async function multiply(project: string, count: number): Promise<void> {
  const { sql } = world.service;
  await sql`
    insert into memories (id, owner_id, memory_id, author_id, author_token, scope, project_id, path, bucket, memory_type,
      workspace_item, item_status, status, content, version, importance, confidence, metadata, provenance, created_at,
      updated_at)
    select id, owner_id, id::text, author_id, author_token, scope, project_id, path, bucket, memory_type, workspace_item,
      item_status, status, content, version, importance, confidence, metadata, provenance, created_at, updated_at
    from (select gen_random_uuid() as id, m.owner_id, m.author_id, m.author_token, m.scope, m.project_id, m.path, m.bucket,
      m.memory_type, m.workspace_item, m.item_status, m.status, m.content, m.version, m.importance, m.confidence, m.metadata,
      m.provenance, m.created_at, m.updated_at
      from memories m, generate_series(1, ${count}::int) where m.project_id = ${project}) copies`;
  await sql`
    insert into todos (owner_id, id, content, status, priority, extra)
    select owner_id, id, content, 'open', 'normal', '{}' from memories m
    where project_id = ${project} and not exists (select from todos t where t.id = m.id)`;
}

test("a list of 10,000 todos is whole, in order and filtered, by parts that go on after each other", async () => {
  const project = freshProject();
  const ours = workspaceOf(client, project);
  await ok(ours.todo({ priority: "urgent", content: "the first" }));
  await multiply(project, 9999);
  const { whole, parts } = await wholeList(ours.todos);
  expect(parts).toBeGreaterThan(1);
  expect(whole).toHaveLength(10_000);
  expect(new Set(whole.map(({ todo_id }) => todo_id)).size).toBe(10_000);
  expect(whole[0]?.content).toBe("the first");
  // Equally urgent, the older come first.
  const { sql } = world.service;
  const rows = await sql`select memory_id from memories where project_id = ${project} order by seq`;
  expect(whole.map(({ todo_id }) => todo_id)).toEqual(rows.map(({ memory_id }) => memory_id));
  expect(await ok(ours.todos("?priority=urgent"))).toHaveLength(1);
});
