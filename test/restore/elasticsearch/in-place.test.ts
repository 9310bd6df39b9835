/** A backup that is put back in place of the record that an index of the search engine was made of. */
import { expect, onTestFinished, test } from "vitest";
import { freshOwner, query, stored } from "../../support/acting.ts";
import { backUp } from "../../support/backup.ts";
import {
  ask,
  describeOnElasticsearch,
  indicesOf,
  NODE,
  type Node,
  ownIndices,
} from "../../support/elasticsearch.ts";
import { eventually } from "../../support/processes.ts";
import { type Client, openWorld, type World } from "../../support/world.ts";

const MEMORIES = 54;

async function ownWorld() {
  const indices = ownIndices();
  const world = await openWorld(indices.settings);
  onTestFinished(async () => {
    await world.close();
    await indices.remove();
  });
  const client = await world.client({ owner: freshOwner() });
  return { indices, world, sql: world.service.sql, client };
}

/** How many of the memories with this word recall finds, and by which engine. */
async function recalled(client: Client, word: string): Promise<{ count: number; engine: string }> {
  const request = { query: word, limit: 100, max_items: 100, max_tokens: 20_000 };
  const { body } = await client.post("/v1/recall/context", request);
  const search = await client.get(`/v1/memories/search${query({ query: word, limit: 100 })}`);
  const has = ({ content }: { content: string }) => content.includes(word);
  return { count: search.body.results.filter(has).length, engine: body.retrieval_plan.engine };
}

/** Until recall runs on the search engine, and nothing waits to be written to it. */
function served(world: World, client: Client): Promise<true> {
  return eventually("the search engine to serve", async () => {
    const [waiting] = await world.service
      .sql`select count(*)::int as count from outbox where kind <> 'embed'`;
    return (
      (waiting?.count === 0 && (await recalled(client, "whatever")).engine === "elasticsearch") || undefined
    );
  });
}

const indexNow = async (indices: ReturnType<typeof ownIndices>) =>
  (await indicesOf(NODE as Node, indices.prefix)).join();

describeOnElasticsearch("with a search engine", () => {
  test("memories that were erased after the backup are recalled, by an index that is built anew", {
    timeout: 300_000,
  }, async () => {
    const { indices, world, sql, client } = await ownWorld();
    const ids: string[] = [];
    for (let n = 0; n < MEMORIES; n += 1)
      ids.push(await stored(client, { content: `The zebra of stable ${n} is called ${n * 7}.` }));
    await served(world, client);
    const putBack = await backUp(sql);
    for (const id of ids) await client.delete(`/v1/memories/${id}?mode=hard_delete`);
    await served(world, client);
    expect((await recalled(client, "zebra")).count).toBe(0);
    const before = await indexNow(indices);
    await putBack();
    await eventually("the record to be known for restored", async () => {
      const [last] = await sql`select reason from record_incarnations order by number desc limit 1`;
      return last?.reason === "restored" || undefined;
    });
    await eventually(
      "all to be recalled",
      async () => (await recalled(client, "zebra")).count === MEMORIES || undefined,
    );
    await eventually("another index to serve", async () => {
      const now = await indexNow(indices);
      return (now !== before && !now.includes(",")) || undefined;
    });
    await served(world, client);
    expect((await recalled(client, "zebra")).count).toBe(MEMORIES);
  });

  test("a record that is put back to before what its index has seen is told by its log, and the index is not used", async () => {
    const { indices, world, sql, client } = await ownWorld();
    await stored(client, { content: "a zebra" });
    await served(world, client);
    const before = await indexNow(indices);
    // What the index notes of a log that is further on than this one, as before the disk was put back.
    const { body } = await ask(NODE as Node, "GET", `/${before}/_mapping`);
    const { _meta: meta } = body[before].mappings;
    expect(BigInt(meta.log) > 0n).toBe(true);
    await ask(NODE as Node, "PUT", `/${before}/_mapping`, {
      _meta: { ...meta, log: String(BigInt(meta.log) * 1000n) },
    });
    await eventually("the record to be known for put back", async () => {
      const [last] = await sql`select reason from record_incarnations order by number desc limit 1`;
      return last?.reason === "went_back" || undefined;
    });
    await eventually("another index", async () => (await indexNow(indices)) !== before || undefined);
    await served(world, client);
    expect((await recalled(client, "zebra")).count).toBe(1);
  });

  test("an index of an earlier version, which noted no record, is compared and taken over", async () => {
    const { indices, world, sql, client } = await ownWorld();
    await stored(client, { content: "a zebra" });
    await served(world, client);
    const before = await indexNow(indices);
    const { body } = await ask(NODE as Node, "GET", `/${before}/_mapping`);
    const { incarnation, log: _, ...meta } = body[before].mappings._meta;
    await ask(NODE as Node, "PUT", `/${before}/_mapping`, { _meta: meta });
    await eventually("the index to be taken over", async () => {
      const { body: now } = await ask(NODE as Node, "GET", `/${before}/_mapping`);
      return now[before]?.mappings._meta.incarnation === incarnation || undefined;
    });
    await served(world, client);
    expect(await indexNow(indices)).toBe(before);
    expect((await sql`select number from record_incarnations`).length).toBe(1);
  });

  test("after a replica has taken over the index serves on until another is built", async () => {
    const { indices, world, sql, client } = await ownWorld();
    await stored(client, { content: "a zebra" });
    await served(world, client);
    const before = await indexNow(indices);
    await sql`update record_incarnations set timeline = timeline - 1`;
    await eventually("another index to serve", async () => {
      expect((await recalled(client, "zebra")).engine).toBe("elasticsearch");
      const [active] = await sql`select name from index_generations where state = 'active'`;
      return (active !== undefined && active.name !== before) || undefined;
    });
    expect(
      (await sql`select reason from record_incarnations order by number`).map(({ reason }) => reason),
    ).toEqual(["first", "promoted"]);
  });
});
