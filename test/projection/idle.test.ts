/** Background work takes its time beside writes; it must not mistake its own polling for them. */
import { expect, onTestFinished, test } from "vitest";
import { createIndexGenerations } from "../../src/adapters/postgres/recall/index-generations.ts";
import { createIndexSource } from "../../src/adapters/postgres/recall/index-source.ts";
import { createOutbox, createProjectionStatus } from "../../src/adapters/postgres/recall/outbox.ts";
import type { Embedder } from "../../src/core/embedding/embedder.ts";
import { DomainError } from "../../src/core/error.ts";
import type { Outbox, OwnedMemory } from "../../src/core/projection/outbox.ts";
import { startWorker } from "../../src/worker/worker.ts";
import { stored } from "../support/acting.ts";
import { eventually } from "../support/processes.ts";
import { openWorld } from "../support/world.ts";

const unavailable: Embedder["embed"] = async () => {
  throw new DomainError("dependency_unavailable", "The embedder is away.");
};

test("the worker reports each write, and neither a poll that finds nothing nor a vector that is tried again", async () => {
  const world = await openWorld();
  onTestFinished(() => world.close());
  const { sql, generation, ports } = world.service;
  // Lines are left to this worker: the world's own has no engine, and leaves them alone while there is an index.
  await sql`
    insert into index_generations (name, alias, state, embedding_generation, mapping_version, total, uuid)
    values ('i', 'i', 'building', ${generation}, 1, 0, 'u')`;
  const real = createOutbox(sql, { generation, hasEngine: true });
  let [empty, retried] = [0, 0];
  const outbox: Outbox = {
    ...real,
    async claim(limit) {
      const claim = await real.claim(limit);
      if (claim.lines.length === 0 && claim.done.length === 0) empty++;
      if (claim.lines.some(({ kind }) => kind === "embed")) retried++;
      return claim;
    },
  };
  const reports: (readonly OwnedMemory[])[] = [];
  const worker = startWorker(
    {
      outbox,
      source: createIndexSource(sql, generation),
      embedder: { ...ports.embedder, embed: unavailable },
      index: { refresh: async () => {} },
      generations: createIndexGenerations(sql),
      clock: Date.now,
      status: createProjectionStatus(sql),
      quotaWarning: async () => null,
      onWritten: (memories) => reports.push(memories),
      search: null,
    },
    { report: () => {}, log: () => {} },
  );
  onTestFinished(() => worker.stop());
  await eventually("a few polls that find nothing", async () => empty > 2 || undefined);
  expect(reports).toEqual([]);

  const waiting = async () => (await sql`select count(*)::int as count from outbox`)[0]?.count;
  const client = await world.client();
  const id = await stored(client, { content: "Deploys go out on Tuesdays." });
  const [row] = await sql`select id from memories where memory_id = ${id}`;
  await eventually("the write to be reported", async () => reports.length > 0 || undefined);
  await eventually("its line to be done", async () => (await waiting()) === 0 || undefined);
  expect(new Set(reports.flat().map(({ memory }) => memory))).toEqual(new Set([row?.id]));
  expect(reports.every((memories) => memories.length > 0)).toBe(true);

  const before = reports.length;
  await sql`delete from embeddings where memory = ${row?.id}`;
  await sql`insert into outbox (owner_id, memory, revision, kind) values (${client.ownerId}, ${row?.id}, 1, 'embed')`;
  await eventually("its vector to be tried again", async () => retried > 1 || undefined);
  expect(reports).toHaveLength(before);
});
