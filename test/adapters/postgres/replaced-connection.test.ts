/** A connection that has prepared as many statements as it may is replaced, and no statement is the worse for it. */
import { expect, onTestFinished, test } from "vitest";
import { connect } from "../../../src/adapters/postgres/database/client.ts";
import { createDatabase } from "../../support/own-database.ts";

const STATEMENTS = 3000;
const AT_ONCE = 12;

test.each([1, 2, 4])(
  "each of thousands of statements is answered, with %i connections",
  async (connections) => {
    const database = await createDatabase();
    const sql = connect(database.address, connections);
    onTestFinished(async () => {
      await sql.end();
      await database.drop();
    });
    let next = 0;
    const processes = new Set<number>();
    // What has no parameters, and what is prepared, goes out without a wait for the answer to what went before.
    const ask = async (n: number) => {
      const [row] = await (n % 3 === 0
        ? sql`select ${n}::int as n, pg_backend_pid() as process ${sql.unsafe(`/* ${n % 50} */`)}`
        : sql.unsafe(`select ${n} as n, pg_backend_pid() as process`, [], { prepare: true }));
      processes.add(row?.process);
      return row?.n;
    };
    const work = Array.from({ length: AT_ONCE }, async () => {
      while (next < STATEMENTS) {
        const n = next++;
        expect(await ask(n)).toBe(n);
      }
    });
    await Promise.all(work);
    expect(processes.size).toBeGreaterThan(connections);
  },
);
