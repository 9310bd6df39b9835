import { afterAll, beforeAll, expect, test } from "vitest";
import { askForLocks } from "../../../src/adapters/postgres/database/locks.ts";
import { factLocks } from "../../../src/core/memory/identity.ts";
import { eventually, expectRefusal, memory, stored } from "../../support/acting.ts";
import { type Client, openWorld, type World } from "../../support/world.ts";

let world: World;
let client: Client;
beforeAll(async () => {
  world = await openWorld();
  client = await world.client();
});
afterAll(() => world.close());

const keyOf = (id: string) => `key of ${id}`;

/** Runs the work while another transaction holds the lock of the fact that this memory states. */
async function whileHeld(id: string, work: () => Promise<void>): Promise<void> {
  await world.service.sql.begin(async (other) => {
    askForLocks(other, factLocks([{ ownerId: client.ownerId, semanticKey: keyOf(id) }]));
    await other`select`;
    await work();
  });
}

/** The connection that waits for an advisory lock, once there is one. */
function waiting(): Promise<number> {
  return eventually(
    async () => {
      const [row] = await world.service.sql`
        select pid from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`;
      return (row?.pid as number | undefined) ?? 0;
    },
    (pid) => pid > 0,
  );
}

/** What is there before, and what is then written. */
const cases = {
  new: {
    before: async () => {},
    write: (id: string) =>
      client.post("/v1/remember", memory({ memory_id: id, semantic_key: keyOf(id), content: `Of ${id}.` })),
    contentBefore: undefined,
  },
  changed: {
    before: (id: string) => stored(client, { memory_id: id, semantic_key: keyOf(id), content: "As before." }),
    write: (id: string) => client.patch(`/v1/memories/${id}`, { content: `Of ${id}.`, semantic_key: null }),
    contentBefore: "As before.",
  },
};

async function contentOf(id: string): Promise<string | undefined> {
  return (await client.get(`/v1/memories/${id}`)).body.content;
}

test.each(Object.entries(cases))(
  "a memory that is %s waits for who holds its lock",
  async (name, { before, write, contentBefore }) => {
    const id = `waits-${name}`;
    await before(id);
    let written: ReturnType<typeof write> | undefined;
    await whileHeld(id, async () => {
      written = write(id);
      await waiting();
      expect(await contentOf(id)).toBe(contentBefore);
    });
    expect((await written)?.status).toBeLessThan(300);
    expect(await contentOf(id)).toBe(`Of ${id}.`);
  },
);

test.each(Object.entries(cases))(
  "where a memory that is %s cannot have its lock, the answer says why, and nothing is written",
  async (name, { before, write, contentBefore }) => {
    const id = `refused-${name}`;
    await before(id);
    await whileHeld(id, async () => {
      const written = write(id);
      await world.service.sql`select pg_cancel_backend(${await waiting()})`;
      expectRefusal(await written, 503, "dependency_unavailable");
    });
    expect(await contentOf(id)).toBe(contentBefore);
    // The connection is none the worse for it.
    expect((await write(id)).status).toBeLessThan(300);
  },
);
