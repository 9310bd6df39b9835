/** Earlier states whose instants were stored as numbers. */
import { expect, onTestFinished, test } from "vitest";
import { connect } from "../../src/adapters/postgres/database/client.ts";
import { migrate } from "../../src/adapters/postgres/database/migrate.ts";
import { ownDatabase } from "../support/own-database.ts";

const NAME = "000011_version_instants.sql";

test("instants that an import stored as numbers become times again, and what was right stays as it is", async () => {
  const sql = connect(await ownDatabase(), 1);
  onTestFinished(() => sql.end());
  const [owner, memory] = ["00000000-0000-7000-8000-000000000001", "00000000-0000-7000-8000-000000000002"];
  await sql`insert into owners (id, kind, name) values (${owner}, 'user', 'alice')`;
  const row = {
    ...{
      id: memory,
      owner_id: owner,
      memory_id: "m",
      author_id: owner,
      author_token: owner,
      scope: "private",
    },
    ...{ path: "p", bucket: "b", memory_type: "reminder", status: "active", content: "c", version: 1 },
    ...{ importance: 0.5, confidence: 1, metadata: {} as never, provenance: {} as never },
    ...{ created_at: 1, updated_at: 1 },
  };
  await sql`insert into memories ${sql(row)}`;
  const due = Date.parse("2030-01-31T09:00:00.123Z");
  const states = [
    { due_at: due, expires_at: -1, occurred_at: null },
    { due_at: "2030-01-31T09:00:00.123+00:00", expires_at: null },
  ];
  for (const [at, state] of states.entries())
    await sql`
      insert into memory_versions (memory, revision, state, valid_to)
      select ${memory}, ${at + 1}, to_jsonb(m) || ${state as never}::jsonb, now() from memories m`;

  await sql`delete from migrations where name = ${NAME}`;
  const [, right] = await sql`select state from memory_versions order by revision`;
  await migrate(sql);

  const [mended, untouched] = await sql`
    select v.state, m.due_at, m.expires_at, m.occurred_at from memory_versions v
    cross join lateral jsonb_populate_record(null::memories, v.state) m order by v.revision`;
  expect(mended).toMatchObject({ due_at: due, expires_at: -1, occurred_at: null });
  expect(untouched).toMatchObject({ state: right?.state, due_at: due });
});
