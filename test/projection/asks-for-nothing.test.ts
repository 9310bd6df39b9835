/** Where there is no search engine, a line of a memory that has its vector is done with as soon as it is looked at. */
import { expect, test } from "vitest";
import type { Sql } from "../../src/adapters/postgres/database/client.ts";
import { createOutbox } from "../../src/adapters/postgres/recall/outbox.ts";
import { stored } from "../support/acting.ts";
import { openWorld } from "../support/world.ts";

test("a line goes at once where nothing is to be done for it, and no other does", async () => {
  const world = await openWorld();
  const { sql, generation } = world.service;
  // The world's own worker leaves lines to those that have an engine, once there is an index.
  await sql`
    insert into index_generations (name, alias, state, embedding_generation, mapping_version, total, uuid)
    values ('i', 'i', 'building', ${generation}, 1, 0, 'u')`;
  const client = await world.client();
  const names = ["embedded", "unembedded", "set-aside", "removed"];
  for (const name of names) await stored(client, { memory_id: name, content: `It is ${name}.` });
  await client.post("/v1/memories/removed/forget", { mode: "hard_delete" });
  const rows = await sql`select memory_id, id from memories`;
  const idOf = (name: string) => rows.find((row) => row.memory_id === name)?.id as string;
  await sql`delete from embeddings where memory = ${idOf("unembedded")}`;
  await sql`
    insert into outbox (owner_id, memory, revision, kind, set_aside, available_at)
    values (${client.ownerId}, ${idOf("set-aside")}, 1, 'put', 'refused', 'infinity')`;

  const claimed = await sql.begin(async (tx) => {
    // There is no index any more, which the worker does not know before this ends.
    await tx`delete from index_generations`;
    const claim = await createOutbox(tx as unknown as Sql, { generation, hasEngine: false }).claim(100);
    const left = await tx`select memory, kind, lease from outbox where set_aside is null`;
    await tx`insert into index_generations (name, alias, state, embedding_generation, mapping_version, total, uuid)
      values ('i', 'i', 'building', ${generation}, 1, 0, 'u')`;
    return { ...claim, left };
  });

  expect(claimed.done).toEqual([{ ownerId: client.ownerId, memory: idOf("embedded") }]);
  const taken = claimed.lines.map(({ memory, kind, needsVector }) => [memory, kind, needsVector]);
  expect(taken).toEqual(
    expect.arrayContaining([
      [idOf("unembedded"), "put", true],
      [idOf("set-aside"), "put", false],
    ]),
  );
  expect(claimed.lines.map(({ kind }) => kind)).toContain("remove");
  expect(claimed.lines.map(({ memory }) => memory)).not.toContain(idOf("embedded"));
  expect(claimed.left.every(({ lease }) => lease === claimed.lease)).toBe(true);
  expect(claimed.left).toHaveLength(claimed.lines.length);
  await world.close();
});
