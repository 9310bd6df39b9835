import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { eventually, expectRefusal, faultyPlaces, freshOwner, stored } from "../support/acting.ts";
import { type Client, openWorld, type World } from "../support/world.ts";
import { firstRevisions, openReceiver, type Receiver } from "./receiver.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld({
    OUTBOUND_ALLOW: "127.0.0.1",
    WEBHOOK_RETRY_SECONDS: "0.05",
    WEBHOOK_ATTEMPTS: "3",
    WEBHOOK_TIMEOUT_SECONDS: "1",
  });
});
afterAll(() => world.close());

const someone = () => world.client({ owner: freshOwner() });

async function receiver(...how: Parameters<typeof openReceiver>): Promise<Receiver> {
  const opened = await openReceiver(...how);
  onTestFinished(opened.close);
  return opened;
}

async function hook(client: Client, url: string, given: object = {}) {
  const { status, body } = await client.post("/v1/webhooks", { url, ...given });
  expect([status, body.code]).toEqual([201, undefined]);
  onTestFinished(async () => void (await client.delete(`/v1/webhooks/${body.id}`)));
  return body as { readonly id: string; readonly secret: string };
}

async function until(to: Receiver, count: number) {
  await eventually(
    async () => to.taken().length,
    (taken) => taken >= count,
    30_000,
  );
  return to.taken();
}

describe("a delivery", () => {
  test("is signed by the Standard Webhooks specification, and holds the event as it is listed", async () => {
    const [client, to] = [await someone(), await receiver()];
    const { secret } = await hook(client, to.url);
    const id = await stored(client, { content: "Lighthouse keepers." });
    const [first] = await until(to, 1);
    const { headers, body } = first as NonNullable<typeof first>;
    const verified = new Webhook(secret).verify(body, headers as Record<string, string>);
    const listed = (await client.get("/v1/events")).body.events;
    expect(verified).toEqual(listed[0]);
    expect(verified).toMatchObject({ type: "memory.created", data: { id } });
    expect(headers["webhook-id"]).toBe(listed[0].id);
    expect(body).not.toContain("Lighthouse");
  });

  test("carries two signatures for a while after a rotation", async () => {
    const [client, to] = [await someone(), await receiver()];
    const { id, secret } = await hook(client, to.url);
    const { body } = await client.post(`/v1/webhooks/${id}/rotate-secret`);
    expect(body).toMatchObject({ id, former_secret_until: expect.any(String) });
    expect(body.secret).not.toBe(secret);
    await stored(client);
    const [first] = await until(to, 1);
    const headers = first?.headers as Record<string, string>;
    for (const each of [secret, body.secret]) new Webhook(each).verify(first?.body ?? "", headers);
    await world.service.sql`update webhooks set former_until = now() where id = ${id}`;
    await stored(client, { content: "Later." });
    const second = (await until(to, 2))[1];
    expect(() => new Webhook(secret).verify(second?.body ?? "", second?.headers as never)).toThrow();
  });

  test("is of what the webhook asks for, and of what its credential may know", async () => {
    const owner = freshOwner();
    const [all, to, narrow] = [await world.client({ owner }), await receiver(), await receiver()];
    const some = await world.client({ owner, space: { pathPrefix: "open" } });
    await hook(all, to.url, { subjects: ["todo"], project_id: "apollo" });
    await hook(some, narrow.url);
    await stored(all, { path: "closed/a" });
    const seen = await stored(all, { path: "open/a" });
    await all.post("/v1/projects/gemini/todos", { content: "Another." });
    const { body } = await all.post("/v1/projects/apollo/todos", { content: "This one." });
    await until(to, 1);
    await until(narrow, 1);
    expect(to.received.map(({ event }) => event.data.id)).toEqual([body.todo_id]);
    expect(narrow.received.map(({ event }) => event.data.id)).toEqual([seen]);
  });
});

describe("a webhook with end_users", () => {
  const plainScopes = ["memory:read", "memory:write", "knowledge:read"] as const;
  const scopes = [...plainScopes, "users:act"] as const;

  test("gets the events of every end user of its application, and of nobody else's", async () => {
    const owner = freshOwner();
    const [app, other] = [
      await world.client({ owner, scopes }),
      await world.client({ owner: freshOwner(), scopes }),
    ];
    const [all, own, narrow] = [await receiver(), await receiver(), await receiver()];
    await hook(app, own.url);
    const { id } = await hook(app, all.url, { end_users: true });
    const some = await world.client({ owner, scopes, space: { pathPrefix: "open" } });
    await hook(some, narrow.url, { end_users: true });
    await stored(other, { user_id: "ada" });
    const mine = await stored(app);
    const ada = await stored(app, { user_id: "ada" });
    const bob = await stored(app, { user_id: "bob", path: "open/a" });
    const todo = await app.post("/v1/projects/apollo/todos", { content: "Call.", user_id: "ada" });
    await app.delete(`/v1/memories/${ada}?user_id=ada`);
    await until(all, 5);
    await until(own, 1);
    await until(narrow, 1);
    const told = (to: Receiver) =>
      to.taken().map(({ event: { type, data } }) => [type, data.id, data.user_id]);
    expect(told(all).sort()).toEqual(
      [
        ["memory.created", mine, undefined],
        ["memory.created", ada, "ada"],
        ["memory.created", bob, "bob"],
        ["todo.created", todo.body.todo_id, "ada"],
        ["memory.deleted", ada, "ada"],
      ].sort(),
    );
    expect(told(own)).toEqual([["memory.created", mine, undefined]]);
    expect(told(narrow)).toEqual([["memory.created", bob, "bob"]]);
    expect((await app.get(`/v1/webhooks/${id}`)).body).toMatchObject({ end_users: true, state: "working" });
  });

  test("needs users:act when it is set, and at each delivery", async () => {
    const owner = freshOwner();
    const app = await world.client({ owner, scopes });
    const plain = await world.client({ owner, scopes: plainScopes });
    const url = (await receiver()).url;
    const refused = await plain.post("/v1/webhooks", { url, end_users: true });
    expect([refused.status, refused.body.code]).toEqual([403, "insufficient_scope"]);
    const { id } = await hook(app, url, { end_users: true });
    const narrowed = await plain.patch(`/v1/webhooks/${id}`, { description: "Mine now" });
    expect([narrowed.status, narrowed.body.code]).toEqual([403, "insufficient_scope"]);
    expect((await plain.patch(`/v1/webhooks/${id}`, { end_users: false })).body.end_users).toBe(false);
    expect((await app.patch(`/v1/webhooks/${id}`, { end_users: true })).body.end_users).toBe(true);
    await world.service.sql`update tokens set scopes = ${plainScopes as never} where id = ${app.tokenId}`;
    expect((await app.get(`/v1/webhooks/${id}`)).body.state).toBe("suspended");
    const token = await world.client({ owner, scopes });
    const ofAda = world.withToken((await token.post("/v1/users/ada/tokens", {})).body.token);
    const inItsSpace = await token.post("/v1/webhooks", { url, end_users: true, user_id: "ada" });
    expect([inItsSpace.status, inItsSpace.body.detail?.[0]?.loc]).toEqual([422, ["body", "end_users"]]);
    expect((await ofAda.post("/v1/webhooks", { url, end_users: true })).status).not.toBe(201);
  });
});

describe("a receiver that fails", () => {
  test("half of the time is delivered every change, in order for each memory", async () => {
    const client = await someone();
    const failed = new Map<string, number>();
    const to = await receiver(({ id }) => {
      const times = failed.get(id) ?? 0;
      if (times === 2 || Math.random() < 0.5) return 204;
      failed.set(id, times + 1);
      return 500;
    });
    await hook(client, to.url);
    const ids = await Promise.all(
      Array.from({ length: 12 }, (_, at) => stored(client, { content: `Number ${at}.` })),
    );
    for (const version of [2, 3])
      await Promise.all(
        ids.map((id, at) => client.patch(`/v1/memories/${id}`, { content: `${at} in version ${version}.` })),
      );
    await until(to, 36);
    const revisions = firstRevisions(to.taken().map(({ event }) => event));
    expect([...revisions.keys()].sort()).toEqual([...ids].sort());
    for (const told of revisions.values()) expect(told).toEqual([1, 2, 3]);
  }, 120_000);

  test("for good has its events given up, which are listed and can be delivered again", async () => {
    const client = await someone();
    let isBroken = true;
    const to = await receiver(() => (isBroken ? { status: 503, headers: { "retry-after": "0" } } : 204));
    const { id } = await hook(client, to.url);
    const memory = await stored(client);
    const webhook = await eventually(
      async () => (await client.get(`/v1/webhooks/${id}`)).body,
      ({ dead_letters }) => dead_letters === 1,
    );
    expect(webhook).toMatchObject({ state: "failing", waiting: 0, last_error: "status_503" });
    expect(to.received).toHaveLength(3);
    const { body } = await client.get(`/v1/webhooks/${id}/dead-letters`);
    const [letter] = body.dead_letters;
    expect(letter).toMatchObject({ attempts: 3, last_error: "status_503", event: { data: { id: memory } } });
    isBroken = false;
    const again = await client.post(`/v1/webhooks/${id}/redeliver`, { event_ids: [letter.event.id] });
    expect(again.body).toEqual({ id, redelivered: 1 });
    const [taken] = await until(to, 1);
    expect(taken?.event).toEqual(letter.event);
    expect((await client.get(`/v1/webhooks/${id}/dead-letters`)).body.dead_letters).toEqual([]);
    // What the receiver answered is noted a moment later.
    const working = await eventually(
      async () => (await client.get(`/v1/webhooks/${id}`)).body,
      ({ state }) => state === "working",
    );
    expect(working).toMatchObject({ last_error: null });
  });

  test.each([
    ["leads elsewhere", () => ({ status: 302, headers: { location: "http://127.0.0.1/" } }), "status_302"],
    ["does not answer in time", () => new Promise<number>((done) => setTimeout(done, 3000, 204)), "timeout"],
  ])("because it %s is not told so for another reason", async (_, answer, reason) => {
    const client = await someone();
    const to = await receiver(answer);
    const { id } = await hook(client, to.url);
    await stored(client);
    await eventually(
      async () => (await client.get(`/v1/webhooks/${id}`)).body.last_error,
      (error) => error === reason,
    );
  });

  test("to be short takes the event all the same: what it answers is of no concern", async () => {
    const client = await someone();
    const to = await receiver(() => ({ status: 200, body: "x".repeat(200_000) }));
    const { id } = await hook(client, to.url);
    await stored(client);
    await eventually(
      async () => (await client.get(`/v1/webhooks/${id}`)).body,
      (webhook) => webhook.last_delivered_at !== null && webhook.waiting === 0,
    );
  });

  test("with 410 wants no more, until somebody enables it again", async () => {
    const client = await someone();
    let isGone = true;
    const to = await receiver(() => (isGone ? 410 : 204));
    const { id } = await hook(client, to.url);
    await stored(client);
    const webhook = await eventually(
      async () => (await client.get(`/v1/webhooks/${id}`)).body,
      ({ enabled }) => !enabled,
    );
    expect(webhook).toMatchObject({ state: "disabled", last_error: "status_410", waiting: 1 });
    isGone = false;
    await client.patch(`/v1/webhooks/${id}`, { enabled: true });
    expect(await until(to, 1)).toHaveLength(1);
  });
});

test("ends with the credential that set it, and goes on with that of who changes it", async () => {
  const owner = freshOwner();
  const [first, second] = [await world.client({ owner }), await world.client({ owner })];
  const to = await receiver();
  const { id } = await hook(first, to.url);
  await world.service.credentials.revoke(first.tokenId);
  await stored(second);
  const webhook = await eventually(
    async () => (await second.get(`/v1/webhooks/${id}`)).body,
    ({ last_error }) => last_error === "credential_ended",
  );
  expect(webhook).toMatchObject({ state: "suspended" });
  expect(to.received).toEqual([]);
  await second.patch(`/v1/webhooks/${id}`, { description: "Mine now" });
  expect(await until(to, 1)).toHaveLength(1);
});

test("two servers on one database deliver each event once, as long as none is killed", async () => {
  await world.replica();
  const client = await someone();
  const to = await receiver();
  await hook(client, to.url);
  const ids = await Promise.all(
    Array.from({ length: 40 }, (_, at) => stored(client, { content: `Number ${at}.` })),
  );
  await until(to, 40);
  expect(to.received.map(({ event }) => event.data.id).sort()).toEqual(ids.sort());
});

describe("who may set webhooks", () => {
  test.each([
    ["http://10.0.0.1/hook", "Only https"],
    ["https://10.0.0.1/hook", "not public"],
    ["https://169.254.169.254/latest", "not public"],
    ["https://user:word@hooks.example/", "No credentials"],
    ["http://hooks.example/", "Only https"],
  ])("not to %s", async (url, why) => {
    const answer = await (await someone()).post("/v1/webhooks", { url });
    expect(faultyPlaces(answer)).toEqual(["body.url"]);
    expect(JSON.stringify(answer.body)).toContain(why);
  });

  test("a name that leads to a private address is found out when it is requested", async () => {
    const strict = await openWorld();
    onTestFinished(strict.close);
    const client = await strict.client();
    const { id } = await hook(client, "https://localhost/hook");
    await stored(client);
    await eventually(
      async () => (await client.get(`/v1/webhooks/${id}`)).body.last_error,
      (error) => error === "no_public_address",
    );
  });

  test("a confined credential has to do with its own alone, others of its owner with all", async () => {
    const owner = freshOwner();
    const [wide, narrow] = [
      await world.client({ owner }),
      await world.client({ owner, space: { pathPrefix: "open" } }),
    ];
    const [of, ours] = [await hook(wide, "https://a.example/"), await hook(narrow, "https://b.example/")];
    const ids = async (client: Client) =>
      (await client.get("/v1/webhooks")).body.webhooks.map(({ id }: { id: string }) => id).sort();
    expect(await ids(wide)).toEqual([of.id, ours.id].sort());
    expect(await ids(narrow)).toEqual([ours.id]);
    const stranger = await someone();
    for (const client of [narrow, stranger]) {
      expectRefusal(await client.get(`/v1/webhooks/${of.id}`), 404, "not_found");
      expectRefusal(await client.patch(`/v1/webhooks/${of.id}`, { enabled: false }), 404, "not_found");
      expectRefusal(await client.delete(`/v1/webhooks/${of.id}`), 404, "not_found");
      expectRefusal(await client.post(`/v1/webhooks/${of.id}/rotate-secret`), 404, "not_found");
      expectRefusal(await client.get(`/v1/webhooks/${of.id}/dead-letters`), 404, "not_found");
      expectRefusal(await client.post(`/v1/webhooks/${of.id}/redeliver`, {}), 404, "not_found");
    }
  });

  test("an owner has at most 20", async () => {
    const client = await someone();
    const answers = await Promise.all(
      Array.from({ length: 22 }, (_, at) => client.post("/v1/webhooks", { url: `https://h${at}.example/` })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    const refused = answers.find(({ status }) => status !== 201);
    expectRefusal(refused as (typeof answers)[number], 403, "quota_exceeded");
  });

  test("the secret is shown once", async () => {
    const client = await someone();
    const { id, secret } = await hook(client, "https://a.example/");
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    for (const path of ["", `/${id}`])
      expect(JSON.stringify((await client.get(`/v1/webhooks${path}`)).body)).not.toContain("whsec_");
  });
});

describe("a test", () => {
  const tested = (client: Client, id: string) => client.post(`/v1/webhooks/${id}/test`);

  test("is one signed delivery of nothing, and its answer is told", async () => {
    const [client, to] = [await someone(), await receiver()];
    const { id, secret } = await hook(client, to.url);
    const { status, body } = await tested(client, id);
    expect([status, body]).toEqual([
      200,
      {
        id,
        event: expect.objectContaining({ type: "webhook.test", data: { webhook_id: id } }),
        delivered: true,
        error: null,
      },
    ]);
    const [first, ...more] = to.received;
    expect(more).toEqual([]);
    const headers = first?.headers as Record<string, string>;
    expect(new Webhook(secret).verify(first?.body ?? "", headers)).toEqual(body.event);
    expect(headers["webhook-id"]).toBe(body.event.id);
    // Its receiver has nothing to answer by: what a test says is no event.
    expect((await client.get("/v1/events")).body.events).toEqual([]);
  });

  test("changes nothing of the webhook, whatever the receiver answers, and is not made twice in a row", async () => {
    const client = await someone();
    for (const [answer, error] of [
      [500, "status_500"],
      [410, "status_410"],
      [302, "status_302"],
    ] as const) {
      const { id } = await hook(client, (await receiver(() => answer)).url);
      const before = (await client.get(`/v1/webhooks/${id}`)).body;
      expect((await tested(client, id)).body).toMatchObject({ delivered: false, error });
      expect((await client.get(`/v1/webhooks/${id}`)).body).toEqual(before);
      const again = await tested(client, id);
      expectRefusal(again, 409, "conflict");
      expect(again.headers.get("retry-after")).toBe("5");
    }
  });

  test("passes the guard of what this server asks, and is for who has the webhook", async () => {
    const client = await someone();
    const { id } = await hook(client, (await receiver()).url);
    await world.service.sql`update webhooks set url = 'https://10.1.2.3/' where id = ${id}`;
    expect((await tested(client, id)).body).toMatchObject({ delivered: false, error: "not_allowed" });
    expectRefusal(await tested(await someone(), id), 404, "not_found");
  });
});
