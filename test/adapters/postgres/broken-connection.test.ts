/** What becomes of statements whose connection breaks: they are refused, and nothing else notices. */
import { connect as connectSocket, createServer } from "node:net";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import {
  type Address,
  connect,
  type Sql,
  type TransactionSql,
} from "../../../src/adapters/postgres/database/client.ts";
import { isUnavailable } from "../../../src/adapters/postgres/database/failure.ts";
import { ownDatabase } from "../../support/own-database.ts";

/** A pool of one connection, so that whatever is asked next has the one that broke; and another pool. */
let address: Address;
let sql: Sql;
let other: Sql;
beforeEach(async () => {
  address = await ownDatabase({ empty: true });
  [sql, other] = [connect(address, 1), connect(address, 1)];
  for (const pool of [sql, other]) onTestFinished(() => pool.end({ timeout: 1 }));
  await sql`create table notes (text text)`;
});

const notes = async () => (await other`select text from notes order by text`).map(({ text }) => text);
const write = (on: Sql | TransactionSql, text: string) => on`insert into notes values (${text})`;

/** Ends the database's side of every connection but the one that asks. */
const breakOff = () =>
  other`select pg_terminate_backend(pid, 10000) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;

const refused = (work: Promise<unknown>) =>
  work.then(
    () => "not refused",
    (error: unknown) => isUnavailable(error) || error,
  );

test("a transaction that is cut off is refused, with all that waits in it, and the pool goes on", async () => {
  for (let turn = 0; turn < 20; turn += 1) {
    const work = sql.begin(async (transaction) => {
      await write(transaction, "never");
      await Promise.all([
        transaction`select pg_sleep(60)`,
        ...Array.from({ length: 5 }, () => write(transaction, "never")),
        breakOff(),
      ]);
    });
    expect(await refused(work)).toBe(true);
    expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
  }
  expect(await notes()).toEqual([]);
});

test("what a transaction asks after it was cut off is refused, and goes into no other", async () => {
  let goOn: () => void = () => {};
  const isOtherOpen = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const late: unknown[] = [];
  const cutOff = sql.begin(async (transaction) => {
    await write(transaction, "never");
    await breakOff();
    await isOtherOpen;
    late.push(await refused(write(transaction, "late")));
    late.push(await refused(transaction`commit`));
  });
  expect(await refused(cutOff)).toBe(true);
  await sql.begin(async (transaction) => {
    await write(transaction, "other");
    goOn();
    await expect.poll(() => late).toEqual([true, true]);
    expect(await notes()).toEqual([]);
  });
  expect(await notes()).toEqual(["other"]);
});

test("a reserved connection that broke is refused, and its release hurts nobody", async () => {
  const reserved = await sql.reserve();
  await breakOff();
  expect(await refused(reserved`select 1`.execute())).toBe(true);
  await sql.begin(async (transaction) => {
    reserved.release();
    await write(transaction, "next");
  });
  expect(await notes()).toEqual(["next"]);
});

test("a connection that breaks before its first statement is refused, and rejects nothing that nobody waits for", async () => {
  const first = connect(await cutAt("pg_catalog.pg_type"), 1);
  onTestFinished(() => first.end({ timeout: 1 }));
  expect(await refused(first`select ${["a"]}::text[]`.execute())).toBe(true);
  await expect
    .poll(async () => (await first`select array['a', 'b'] as letters`)[0])
    .toEqual({ letters: ["a", "b"] });
});

/** A way to the database on which the first connection that says this breaks. */
async function cutAt(words: string): Promise<Address> {
  let isCut = false;
  const { hostname, port, pathname, username } = new URL("url" in address ? address.url : "postgres://x/");
  const relay = createServer((near) => {
    const far = connectSocket(
      "path" in address ? { path: address.path } : { host: hostname, port: Number(port) },
    );
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on("error", () => {}).on("close", () => to.destroy());
      from.on("data", (bytes) => {
        if (isCut || !bytes.includes(words)) return void to.write(bytes);
        isCut = true;
        near.resetAndDestroy();
      });
    }
  });
  await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", () => resolve()));
  onTestFinished(() => void relay.close());
  const at = `127.0.0.1:${(relay.address() as { port: number }).port}`;
  return {
    url:
      "path" in address
        ? `postgres://${address.username}@${at}/${address.database}`
        : `postgres://${username}@${at}${pathname}`,
  };
}
