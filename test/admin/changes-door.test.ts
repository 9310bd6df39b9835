/** What the admin UI is told of changes by itself: to whom, from where on, and when it ends. */
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { Owner } from "../../src/core/access/credential.ts";
import { unguessable } from "../support/acting.ts";
import { changesIn } from "../support/change-stream.ts";
import { askTrpc, PAGE_HEADERS, sessionOf } from "../support/trpc.ts";
import { openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

interface Person {
  readonly owner: Owner;
  readonly cookie: string;
}

async function person(): Promise<Person> {
  const owner = await world.service.credentials.ensureOwner("user", unguessable("person"));
  return { owner, cookie: await sessionOf(world, owner) };
}

async function remember({ cookie }: Person, more: object = {}): Promise<string> {
  const reply = await askTrpc(world, cookie, "remember", {
    content: unguessable("x"),
    path: "notes",
    ...more,
  });
  return reply.body.result.data.id;
}

function ask(cookie: string | null, body: object = {}, headers: Record<string, string> = PAGE_HEADERS) {
  return world.handle(
    new Request("http://localhost/trpc/changes", {
      method: "POST",
      headers: { ...headers, ...(cookie === null ? {} : { cookie }) },
      body: JSON.stringify(body),
    }),
  );
}

async function follow({ cookie }: Person, body: object = {}) {
  const response = await ask(cookie, body);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  const stream = changesIn(response);
  onTestFinished(() => stream.end());
  return stream;
}

test("a page is told of what its person may see, and of nothing else, and goes on where it was", async () => {
  const [ada, bob] = await Promise.all([person(), person()]);
  const { team } = await world.service.teams.create(unguessable("team"), ada.owner);
  await world.service.teams.add(team.id, bob.owner.id, "viewer");
  const stream = await follow(bob);
  const start = await stream.next();
  expect(start?.event).toBeNull();
  await remember(ada);
  const shared = await remember(ada, { team_id: team.id });
  const own = await remember(bob);
  const told = [await stream.told(), await stream.told()];
  expect(told.map((block) => block?.event.data)).toMatchObject([
    { id: shared, team_id: team.id },
    { id: own, team_id: null },
  ]);
  await stream.end();
  const again = await follow(bob, { after: start?.id });
  expect((await again.told())?.event.data.id).toBe(shared);
});

test("nobody opens it but a page of this service with a session", async () => {
  const { cookie } = await person();
  const refused = async (response: Response) => [response.status, (await response.json()).error.data.code];
  expect(await refused(await ask(null))).toEqual([401, "invalid_token"]);
  expect(await refused(await ask(cookie, {}, { ...PAGE_HEADERS, origin: "https://evil.example" }))).toEqual([
    403,
    "origin_not_allowed",
  ]);
  expect(await refused(await ask(cookie, {}, { "content-type": "application/json" }))).toEqual([
    403,
    "origin_not_allowed",
  ]);
  const get = await world.handle(
    new Request("http://localhost/trpc/changes", { headers: { ...PAGE_HEADERS, cookie } }),
  );
  expect(get.status).toBe(405);
  expect(await refused(await ask(cookie, { after: "evt_AAAAAAAAAAAAAAAAAAAAAA" }))).toEqual([
    422,
    "validation_failed",
  ]);
});

test("it ends with the session", async () => {
  const ada = await person();
  const stream = await follow(ada);
  await stream.next();
  const { session_id } = (await askTrpc(world, ada.cookie, "session", {})).body.result.data;
  await askTrpc(world, ada.cookie, "endSession", { session_id });
  await remember(await person());
  expect(await stream.told()).toBeNull();
});

test("it ends when a role is taken, before anything that only the role let through", async () => {
  const [ada, bob] = await Promise.all([person(), person()]);
  const { team } = await world.service.teams.create(unguessable("team"), ada.owner);
  await world.service.teams.add(team.id, bob.owner.id, "viewer");
  const stream = await follow(bob);
  await stream.next();
  await world.service.teams.remove(team.id, bob.owner.id);
  await remember(ada, { team_id: team.id });
  expect(await stream.told()).toBeNull();
});
