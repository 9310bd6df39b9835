/** Embedding what has no vector, in batches that are read ahead and stored while the next is embedded. */
import { afterEach, expect, test } from "vitest";
import { createEmbeddingBacklog } from "../../src/adapters/postgres/recall/embeddings.ts";
import type { Embedder } from "../../src/core/embedding/embedder.ts";
import { DomainError } from "../../src/core/error.ts";
import { reembed } from "../../src/core/projection/reembed.ts";
import { openWorld, type World } from "../support/world.ts";

const open: World[] = [];
afterEach(async () => {
  for (const world of open.splice(0).reverse()) await world.close();
});

const MEMORIES = 1300;

/** A service with so many memories, none of which has a vector. */
async function unembedded() {
  const world = await openWorld();
  open.push(world);
  const { ownerId } = await world.client();
  const { sql, generation, ports } = world.service;
  await sql`
    insert into memories (id, owner_id, memory_id, author_id, author_token, scope, path, bucket, memory_type, status,
      content, version, importance, confidence, metadata, provenance, created_at, updated_at)
    select gen_random_uuid(), ${ownerId}, 'many-' || n, ${ownerId}, ${ownerId}, 'private', 'many', 'semantic', 'fact', 'active',
      'memory number ' || n, 1, 0.5, 0.5, '{}', '{}', now(), now() from generate_series(1, ${MEMORIES}::int) n`;
  const embedded = async () => Number((await sql`select count(*) as count from embeddings`)[0]?.count);
  return { backlog: createEmbeddingBacklog(sql, generation), embedder: ports.embedder, embedded };
}

test("every memory gets its vector, and a run that was stopped goes on with what is left", async () => {
  const { backlog, embedder, embedded } = await unembedded();
  const stopping = new AbortController();
  const told: number[] = [];
  const first = await reembed(
    { backlog, embedder },
    {
      signal: stopping.signal,
      onProgress(done, of) {
        told.push(done, of);
        stopping.abort();
      },
    },
  );
  expect(first.embedded).toBeGreaterThan(0);
  expect(first.embedded).toBeLessThan(MEMORIES);
  // What was embedded when it was stopped is stored.
  expect(await embedded()).toBe(first.embedded);
  expect(first.remaining).toBe(MEMORIES - first.embedded);
  expect(told.at(-2)).toBe(first.embedded);
  expect(told.at(-1)).toBe(MEMORIES);
  const second = await reembed({ backlog, embedder });
  expect(second).toEqual({ embedded: MEMORIES - first.embedded, remaining: 0 });
  expect(await embedded()).toBe(MEMORIES);
});

test("where the embedder goes away, what was embedded before is stored, and the run fails", async () => {
  const { backlog, embedder, embedded } = await unembedded();
  let batches = 0;
  const failing: Embedder = {
    ...embedder,
    async embed(texts) {
      batches += 1;
      if (batches > 2) throw new DomainError("dependency_unavailable", "Away.");
      return embedder.embed(texts);
    },
  };
  await expect(reembed({ backlog, embedder: failing })).rejects.toMatchObject({
    code: "dependency_unavailable",
  });
  const kept = await embedded();
  expect(kept).toBeGreaterThan(0);
  expect(kept).toBeLessThan(MEMORIES);
});
