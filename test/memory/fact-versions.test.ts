/** Versions of a fact count on, whatever became of the memories that stated it. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { freshOwner, memory, stored } from "../support/acting.ts";
import { type FakeClock, fakeClock } from "../support/fake-clock.ts";
import { type Client, openWorld, type World } from "../support/world.ts";

let clock: FakeClock;
let world: World;
beforeAll(async () => {
  clock = fakeClock();
  world = await openWorld();
});
beforeEach(() => clock.goTo(0));
afterAll(async () => {
  await world.close();
  vi.useRealTimers();
});

const someone = () => world.client({ owner: freshOwner() });

const fact = (given: Record<string, unknown> = {}) =>
  memory({ content: `The host is ${Math.random()}.`, semantic_key: "host", ...given });

const state = (client: Client, given: Record<string, unknown> = {}) => stored(client, fact(given));

async function nextVersion(client: Client, given: Record<string, unknown> = {}): Promise<number> {
  return (await client.post("/v1/memories", fact(given))).body.version;
}

const forget = (client: Client, id: string, mode: string) =>
  client.post(`/v1/memories/${id}/forget`, { mode });

/** What becomes of the third version of a fact, and the version after it: changes count. */
const ENDS: readonly [string, number, (client: Client, id: string) => Promise<unknown>][] = [
  ["deleted", 4, (client, id) => client.delete(`/v1/memories/${id}`)],
  ["deleted for good", 4, (client, id) => forget(client, id, "hard_delete")],
  ["redacted", 4, (client, id) => forget(client, id, "redact")],
  ["archived", 5, (client, id) => client.patch(`/v1/memories/${id}`, { status: "archived" })],
  ["moved to another key", 4, (client, id) => client.patch(`/v1/memories/${id}`, { semantic_key: "other" })],
  ["moved to another bucket", 4, (client, id) => client.patch(`/v1/memories/${id}`, { bucket: "other" })],
  [
    "expired",
    5,
    async (client, id) => {
      await client.patch(`/v1/memories/${id}`, { expires_at: clock.at(1) });
      clock.goTo(2);
    },
  ],
];

test.each(ENDS)("after a fact's head was %s the next one is version %i", async (_, version, end) => {
  const client = await someone();
  await state(client);
  await state(client);
  await end(client, await state(client));
  expect(await nextVersion(client)).toBe(version);
});

test.each(["hard_delete", "redact"])(
  "after %s of all but the first, one by one or at once, the next one is counted on from the last",
  async (mode) => {
    const client = await someone();
    const [, ...others] = [
      await state(client),
      await state(client),
      await state(client),
      await state(client),
    ];
    for (const id of others) await forget(client, id, mode);
    expect(await nextVersion(client)).toBe(5);
    const third = await someone();
    await state(third, { path: "stays" });
    await state(third);
    await state(third);
    const asked = { filter: { path: "notes", status: "%" }, mode };
    const { plan_hash } = (await third.post("/v1/memories/delete", { ...asked, dry_run: true })).body;
    await third.post("/v1/memories/delete", { ...asked, dry_run: false, plan_hash });
    expect(await nextVersion(third)).toBe(4);
  },
);

test("changes of a memory count as versions of its fact", async () => {
  const client = await someone();
  const id = await state(client);
  await client.patch(`/v1/memories/${id}`, { importance: 0.9 });
  await client.patch(`/v1/memories/${id}`, { importance: 0.8 });
  await client.delete(`/v1/memories/${id}`);
  expect(await nextVersion(client)).toBe(4);
});

test("where nothing of a fact is left its versions begin anew", async () => {
  const client = await someone();
  const ids = [await state(client), await state(client)];
  for (const id of ids) await forget(client, id, "hard_delete");
  expect(await nextVersion(client)).toBe(1);
});

test("a larger version that is asked for wins, a smaller one does not", async () => {
  const client = await someone();
  await state(client);
  expect(await nextVersion(client, { version: 10 })).toBe(10);
  expect(await nextVersion(client, { version: 4 })).toBe(11);
});

test("facts of other keys, buckets, projects and owners are counted by themselves", async () => {
  const [client, other] = [await someone(), await someone()];
  await state(client);
  await state(client);
  expect(await nextVersion(client, { semantic_key: "port" })).toBe(1);
  expect(await nextVersion(client, { bucket: "b" })).toBe(1);
  expect(await nextVersion(client, { provenance: { project_id: "p" } })).toBe(1);
  expect(await nextVersion(other)).toBe(1);
});

test("what a memory knew of the versions of its fact stays there when it goes", async () => {
  const client = await someone();
  await state(client);
  const second = await state(client);
  const third = await state(client);
  // The second knows of the third, then states another fact.
  await forget(client, third, "hard_delete");
  await client.patch(`/v1/memories/${second}`, { semantic_key: "port" });
  expect(await nextVersion(client)).toBe(4);
  expect(await nextVersion(client, { semantic_key: "port" })).toBe(4);
  await forget(client, second, "hard_delete");
  expect(await nextVersion(client, { semantic_key: "port" })).toBe(5);
});

test("a redacted memory keeps nothing of what superseded it", async () => {
  const client = await someone();
  const id = await state(client);
  await state(client, { expires_at: clock.at(10) });
  await forget(client, id, "redact");
  const [row] = await world.service.sql`
    select superseded_by_key, superseded_status, superseded_until, fact_version from memories where memory_id = ${id}`;
  expect(row).toEqual({
    superseded_by_key: false,
    superseded_status: null,
    superseded_until: null,
    fact_version: null,
  });
});
