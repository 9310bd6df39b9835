import { getMigrations } from "better-auth/db/migration";
import { expect, test } from "vitest";
import { betterAuthOptions } from "../../src/adapters/accounts/better-auth.ts";
import { connect } from "../../src/adapters/accounts/database.ts";
import { placesOf } from "../../src/adapters/accounts/places.ts";
import { openPool } from "../../src/adapters/postgres/database/client.ts";
import { ownDatabase } from "../support/own-database.ts";

test("better-auth finds its tables as it wants them", async () => {
  const address = await ownDatabase();
  const sql = connect((options) => openPool(address, options));
  const options = betterAuthOptions({
    sql,
    secret: "a secret of a test, which protects nothing",
    places: placesOf("https://memory.example"),
    grantOf: async () => null,
    refreshTokens: { find: async () => null },
    documents: { fetch, mayFetch: () => true },
    report: () => {},
  });
  const { toBeCreated, toBeAdded, compileMigrations } = await getMigrations(options);
  const left = await compileMigrations();
  await sql.end({ timeout: 1 });
  expect({ toBeCreated, toBeAdded }).toEqual({ toBeCreated: [], toBeAdded: [] });
  // No index either.
  expect(left).toMatch(/^[\s;]*$/);
});
