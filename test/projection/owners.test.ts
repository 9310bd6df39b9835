/** What workers read and settle is an owner's: by another owner's name nothing is found and nothing is done. */
import { expect, test } from "vitest";
import { createIndexSource } from "../../src/adapters/postgres/recall/index-source.ts";
import { createOutbox } from "../../src/adapters/postgres/recall/outbox.ts";
import { freshOwner, stored } from "../support/acting.ts";
import { openWorld } from "../support/world.ts";

test("a memory is read and a line is settled by the name of its own owner alone", async () => {
  const world = await openWorld();
  const { sql, generation } = world.service;
  // The world's own worker leaves lines to those that have an engine, once there is an index.
  await sql`
    insert into index_generations (name, alias, state, embedding_generation, mapping_version, total, uuid)
    values ('i', 'i', 'building', ${generation}, 1, 0, 'u')`;
  const [alice, bob] = [
    await world.client({ owner: freshOwner() }),
    await world.client({ owner: freshOwner() }),
  ];
  await stored(alice, { content: "It is Alice's." });
  const source = createIndexSource(sql, generation);
  const outbox = createOutbox(sql, { generation, hasEngine: true });
  const { lease, lines } = await outbox.claim(100);
  const [line] = lines;
  if (!line) throw new Error("no line waits");
  const bobs = { ...line, ownerId: bob.ownerId };

  expect(await source.documents([bobs], generation)).toEqual([]);
  expect(await source.documents([line], generation)).toMatchObject([{ id: line.memory }]);
  const waiting = async () => (await sql`select id from outbox`).map(({ id }) => id);
  await outbox.settle(lease, new Map([[bobs, { kind: "done" }]]));
  expect(await waiting()).toEqual([line.id]);
  await outbox.settle(lease, new Map([[line, { kind: "done" }]]));
  expect(await waiting()).toEqual([]);
  await world.close();
});
