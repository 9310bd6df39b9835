import { expect } from "vitest";
import type { Address } from "../../src/adapters/postgres/database/client.ts";
import { relayTo } from "../oauth/relay.ts";
import { everyRequest } from "../support/every-route.ts";
import { httpClient } from "../support/http-client.ts";
import { home, KEY } from "../support/server.ts";

/** Has a server of this checkout answer every route on the database: none fails, and nothing behind them does. */
export async function expectServed(database: Address, checkout?: string): Promise<void> {
  const { address } = await relayTo(database);
  const at = await home({ fresh: true, embedded: true, ...(checkout !== undefined && { checkout }) });
  const server = at.start("node", {
    DATABASE_URL: "url" in address ? address.url : "",
    BOOTSTRAP_API_KEY: KEY,
  });
  const client = httpClient(await server.ready(), KEY);
  for (const name of Object.keys(everyRequest(client, "x"))) {
    const { status, body } = await client.post("/v1/remember", { content: `For ${name}.`, path: "p" });
    expect(status).toBe(201);
    const answer = await everyRequest(client, body.id)[name]?.();
    expect({ name, status: answer?.status }).toEqual({ name, status: expect.toSatisfy((s) => s < 500) });
  }
  expect(server.stderr()).not.toMatch(/"level":(?:50|60)|will be tried again/);
  expect((await server.stop()).code).toBe(0);
}
