/** How far behind events and deliveries are, as `doctor` tells it, and whoever else watches the service. */
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createEventStatus } from "../../src/adapters/postgres/events/event-status.ts";
import { checkEvents } from "../../src/cli/doctor-events.ts";
import { eventTroublesIn } from "../../src/core/events/event-status.ts";
import { eventually, freshOwner, stored } from "../support/acting.ts";
import { openWorld, type World } from "../support/world.ts";
import { openReceiver } from "./receiver.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld({
    OUTBOUND_ALLOW: "127.0.0.1",
    WEBHOOK_RETRY_SECONDS: "0.05",
    WEBHOOK_ATTEMPTS: "2",
  });
});
afterAll(() => world.close());

const status = () => createEventStatus(world.service.sql)();
const settled = (isSettled: (now: Awaited<ReturnType<typeof status>>) => boolean) =>
  eventually(status, isSettled);

test("what waits, what was given up, and for how long the oldest is undelivered", async () => {
  expect(checkEvents(await status()).map(({ check }) => check)).toEqual(["events"]);
  const client = await world.client({ owner: freshOwner() });
  let answer = 204;
  const receiver = await openReceiver(() => answer);
  onTestFinished(receiver.close);
  const { body: hook } = await client.post("/v1/webhooks", { url: receiver.url });
  await stored(client);
  await eventually(
    async () => receiver.taken().length,
    (taken) => taken === 1,
  );
  const atRest = { webhooks: 1, failing: 0, waiting: 0, undeliveredSeconds: null, deadLetters: 0 };
  expect(await settled(({ waiting }) => waiting === 0)).toMatchObject(atRest);

  // As if another server had it, which is gone: nothing is taken up.
  const { sql } = world.service;
  await sql`update webhooks set lease = gen_random_uuid(), leased_until = now() + interval '1 hour'`;
  await stored(client, { content: "The tide turns at six." });
  const late = await settled(({ undeliveredSeconds }) => undeliveredSeconds !== null);
  expect(late).toMatchObject({ ...atRest, undeliveredSeconds: expect.any(Number) });
  await sql`update events set noted_at = now() - interval '11 minutes'`;
  expect(eventTroublesIn(await status())).toMatchObject({ isDeliveryLate: true, isFailing: false });
  expect(checkEvents(await status()).at(-1)).toMatchObject({
    check: "webhooks",
    status: "warning",
    found: "1, 0 of them failing; 0 events waiting, the oldest for 11 min; 0 given up",
  });

  answer = 503;
  await sql`update webhooks set leased_until = now()`;
  expect(await settled(({ deadLetters }) => deadLetters === 1)).toMatchObject({ waiting: 0, failing: 1 });
  expect(eventTroublesIn(await status())).toMatchObject({ isFailing: true, hasDeadLetters: true });

  // What nobody is to be told of does not grow old.
  await client.patch(`/v1/webhooks/${hook.id}`, { enabled: false });
  await stored(client, { content: "Nobody is told." });
  expect(await status()).toMatchObject({ undeliveredSeconds: null, deadLetters: 1 });
});
