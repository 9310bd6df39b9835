import { expect, test } from "vitest";
import { isUnavailable } from "../../src/adapters/postgres/database/failure.ts";
import { ownDatabase } from "../support/own-database.ts";
import { browserOf } from "./browser.ts";
import { rawClient } from "./client.ts";
import { relayTo } from "./relay.ts";
import { accountOn, fromNowhere, PASSWORD, server, withCookies } from "./server.ts";

test("where the database is away, clients are told to come back, and can", async () => {
  const relay = await relayTo(await ownDatabase());
  const { url, service } = await server({ address: relay.address });
  await accountOn(service);
  const client = await rawClient(url);
  const browser = browserOf(service);
  const code = await client.code(browser);

  await relay.cut();
  expect(await client.exchange(code)).toMatchObject({
    status: 503,
    body: { error: "temporarily_unavailable" },
  });
  const answer = await fetch(client.authorization(), { redirect: "manual", headers: browser.headers });
  expect(answer.status).toBe(503);
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await answer.json()).toMatchObject({ error: "temporarily_unavailable" });

  await relay.mend();
  expect(await client.exchange(await client.code(browser))).toMatchObject({ status: 200 });
});

test("a session that cannot be looked up is not one that has ended", async () => {
  const relay = await relayTo(await ownDatabase());
  const { service } = await server({ address: relay.address });
  await accountOn(service);
  const signed = await service.accounts.signIn(fromNowhere, "alice@example.com", PASSWORD);
  if ("refused" in signed) throw new Error(signed.refused);
  await relay.cut();
  const looked = service.accounts.signedIn(withCookies(signed.cookies));
  expect(isUnavailable(await looked.catch((error: unknown) => error))).toBe(true);
  await relay.mend();
});
