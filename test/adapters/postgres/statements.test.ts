import { expect, test } from "vitest";
import { connect } from "../../../src/adapters/postgres/database/client.ts";
import { ownDatabase } from "../../support/own-database.ts";

test("a connection has the server keep no more than 500 statements, however many different ones it is sent", async () => {
  const sql = connect(await ownDatabase({ empty: true }), 1);
  try {
    const kept: number[] = [];
    for (let n = 0; n < 1300; n += 1) {
      // A text of its own, as each combination of filters and each set of changed members has.
      const name = sql.unsafe(`"c${n}"`);
      const [row] = await sql`select ${n}::int as ${name}`;
      expect(row?.[`c${n}`]).toBe(n);
      if (n % 50 === 0) {
        const [count] = await sql`select count(*)::int as statements from pg_prepared_statements`;
        kept.push(count?.statements as number);
      }
    }
    expect(Math.max(...kept)).toBeGreaterThan(400);
    expect(Math.max(...kept)).toBeLessThanOrEqual(500);
  } finally {
    await sql.end({ timeout: 5 });
  }
});

test("a transaction is not broken off when its connection has kept enough", async () => {
  const sql = connect(await ownDatabase({ empty: true }), 1);
  try {
    const sum = await sql.begin(async (transaction) => {
      await transaction`create temporary table t (n int) on commit drop`;
      for (let n = 0; n < 700; n += 1)
        await transaction`insert into t select ${n}::int as ${sql.unsafe(`"c${n}"`)}`;
      const [row] = await transaction`select count(*)::int as rows from t`;
      return row?.rows;
    });
    expect(sum).toBe(700);
    expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
  } finally {
    await sql.end({ timeout: 5 });
  }
});
