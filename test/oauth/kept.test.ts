import { afterAll, beforeAll, expect, test } from "vitest";
import { deleteUnusedClients, UNUSED_CLIENTS_MAX } from "../../src/adapters/accounts/grants.ts";
import { createOutbox } from "../../src/adapters/postgres/recall/outbox.ts";
import { openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

test("of clients that nobody let in the newest are kept, however many register", async () => {
  const { sql } = world.service;
  await sql`
    insert into auth."oauthClient" (id, "clientId", "redirectUris", "createdAt")
    select 'c' || n, 'c' || n, '[]', now() - make_interval(secs => n) from generate_series(1, ${UNUSED_CLIENTS_MAX + 5}) n`;
  const { ownerId } = await world.client();
  await sql`
    insert into tokens (id, owner_id, kind, client_id, hash, hint, scopes)
    values (gen_random_uuid(), ${ownerId}, 'oauth', ${`c${UNUSED_CLIENTS_MAX + 5}`}, '\\x00', '', '{}')`;
  await deleteUnusedClients(sql as never);
  const [row] = await sql`
    select count(*)::int as kept, count(*) filter (where id = ${`c${UNUSED_CLIENTS_MAX + 5}`})::int as used,
           count(*) filter (where id = 'c1')::int as newest
    from auth."oauthClient"`;
  expect(row).toEqual({ kept: UNUSED_CLIENTS_MAX + 1, used: 1, newest: 1 });
});

test("what failed sign-ins and requests for consent left goes by itself, though nobody signs in", async () => {
  const { sql, generation } = world.service;
  await sql`insert into auth.attempts (key, window_start, count) values ('\x01', now() - interval '2 days', 1), ('\x02', now(), 1)`;
  await sql`
    insert into auth.verification (id, identifier, value, "expiresAt")
    values ('old', 'a', 'b', now() - interval '2 days'), ('new', 'a', 'b', now())`;
  await createOutbox(sql, { generation, hasEngine: false }).sweep();
  expect(await sql`select encode(key, 'hex') as key from auth.attempts`).toEqual([{ key: "02" }]);
  expect(await sql`select id from auth.verification`).toEqual([{ id: "new" }]);
});
