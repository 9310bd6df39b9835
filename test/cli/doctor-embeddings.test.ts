/** What doctor counts as being without an embedding: what could have one. */
import { expect, test } from "vitest";
import { inspectDatabase } from "../../src/adapters/postgres/database/inspect.ts";
import { createEmbeddingBacklog } from "../../src/adapters/postgres/recall/embeddings.ts";
import { freshOwner, stored } from "../support/acting.ts";
import { openWorld } from "../support/world.ts";

test("a redacted memory has no text to embed, and is missed by neither doctor nor reembed", async () => {
  const world = await openWorld();
  try {
    const client = await world.client({ owner: freshOwner() });
    const id = await stored(client, { content: "Soon gone." });
    expect((await client.delete(`/v1/memories/${id}?mode=redact`)).status).toBe(200);
    const other = await stored(client, { content: "Waits for its vector." });
    const { sql, generation } = world.service;
    await sql`delete from embeddings where memory = (select id from memories where memory_id = ${other})`;
    expect((await inspectDatabase(sql)).counts?.without_embedding).toBe(1);
    expect(await createEmbeddingBacklog(sql, generation).count()).toBe(1);
  } finally {
    await world.close();
  }
});
