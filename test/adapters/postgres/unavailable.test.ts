import { describe, expect, test } from "vitest";
import { connect } from "../../../src/adapters/postgres/database/client.ts";
import { isUnavailable } from "../../../src/adapters/postgres/database/failure.ts";

const withCode = (code: unknown, more: object = {}) => Object.assign(new Error("x"), { code, ...more });

describe("Postgres is away", () => {
  test.each([
    "ECONNREFUSED",
    "ECONNRESET",
    "CONNECTION_CLOSED",
    "CONNECT_TIMEOUT",
    "57P01",
    "57P03",
    "08006",
    "53300",
  ])("where the code is %s", (code) => {
    expect(isUnavailable(withCode(code))).toBe(true);
    expect(isUnavailable(new Error("around it", { cause: withCode(code) }))).toBe(true);
  });

  test.each([
    ["a port that is closed", { url: "postgres://a:b@127.0.0.1:1/c" }],
    ["a socket that is not there", { path: "/nowhere/.s.PGSQL.5432", database: "a", username: "b" }],
  ])("for the driver at %s", async (_, address) => {
    const sql = connect(address, 1);
    const error = await sql`select 1`.then(
      () => null,
      (cause: unknown) => cause,
    );
    expect(isUnavailable(error)).toBe(true);
    await sql.end({ timeout: 0 });
  });
});

test.each([
  withCode("23505"),
  withCode("22P02"),
  withCode("ENOENT", { syscall: "open" }),
  withCode(8),
  new Error("x"),
  "x",
  null,
])("it is not for %o", (error) => {
  expect(isUnavailable(error)).toBe(false);
});
