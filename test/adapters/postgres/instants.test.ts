import { expect, onTestFinished, test } from "vitest";
import { connect } from "../../../src/adapters/postgres/database/client.ts";
import { createDatabase } from "../../support/own-database.ts";

test("instants are read to the millisecond, with any fraction and from any year of four digits", async () => {
  const database = await createDatabase();
  const sql = connect(database.address, 1);
  onTestFinished(async () => {
    await sql.end();
    await database.drop();
  });
  const rows = await sql`
    with instant as (
      select timestamptz '0001-01-01' + random() * (timestamptz '9999-12-31' - timestamptz '0001-01-01') as at
      from generate_series(1, 5000)
    )
    select date_trunc(precision, at) as read, floor(extract(epoch from date_trunc(precision, at)) * 1000)::bigint as counted
    from instant cross join unnest(array['second', 'milliseconds', 'microseconds', 'day', 'year']) as precision`;
  expect(rows).toHaveLength(25_000);
  expect(rows.filter(({ read, counted }) => read !== counted)).toEqual([]);
});
